"""One leaderboard of a report, with all that stands below it: charts, domains, questions, models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from assets.metrics.leaderboard import covered, dollars, grader_text, percent, rank_range, signed
from assets.reports.domains import Heat, Leader, domain_leaders, heat_map
from assets.reports.facts import Estimate, Facts, Links, Rendering, Row, counted, index_of, models_of, named, share_of
from assets.reports.figure import Figure
from assets.reports.figures import index_figure, mix_counts, mix_figure, withheld_figure
from assets.reports.models import ModelSection, model_section
from assets.reports.public_part import PublicPart, public_part
from assets.reports.questions import ItemList, item_lists
from assets.reports.scatters import cost_figure, quadrant_figure

_NOT_SHOWN = "No item of this bank may be shown here."
_NO_MODEL = "Too little data: no model but the baselines has a graded answer."
_NOTICED = 4  # incomplete models that are named above the leaderboard


@dataclass(frozen=True)
class BoardRow:
    """A line of the leaderboard."""

    id: str
    rank: str
    model: str
    index: Estimate
    accuracy: Estimate
    hallucination: Estimate
    attempt: str
    coverage: str
    cost: str
    incomplete: bool


@dataclass(frozen=True)
class RetiredRow:
    """A model that is no longer registered, ranked among such models; `answered` says which bank it saw."""

    rank: str
    model: str
    index: Estimate
    accuracy: Estimate
    hallucination: Estimate
    answered: str


@dataclass(frozen=True)
class Board:
    """Models that one method and judge graded."""

    id: str
    grader: str
    lead: str
    rows: list[BoardRow]
    figures: list[Figure]
    withheld: Figure
    public: PublicPart | None
    heat: Heat
    leaders: list[Leader]
    retired: list[RetiredRow]
    questions: list[ItemList]
    no_questions: str
    models: list[ModelSection]


def boards(facts: Facts, rendering: Rendering, links: Links) -> Iterator[Board]:
    """Each board of the bank; there is one unless a bank was graded in several ways."""
    tallies = facts.tallies
    shown = facts.shown_items(rendering)
    # A topic's name may say what its items are about.
    topics = shown.select(pl.concat_str("domain", pl.lit("/"), "topic").unique()).to_series()
    named_topics = (pl.col("level") != "topic") | pl.col("key").is_in(topics.to_list())
    for number, (key, frame) in enumerate(facts.leaderboard.group_by("method", "judge", maintain_order=True)):
        method, judge = key
        same = (pl.col("method") == method) & pl.col("judge").eq_missing(pl.lit(judge, pl.String))
        rows = list(frame.sort("rank", "model").iter_rows(named=True))
        scores = facts.scores.filter(same)
        told = scores.filter(named_topics)
        id = f"b{number}"
        yield Board(
            id=id,
            grader=grader_text(str(method), judge if judge is None else str(judge)),
            lead=_lead(rows),
            rows=[_row(id, place, row) for place, row in enumerate(rows)],
            figures=[make(id, rows) for make in (index_figure, quadrant_figure, mix_figure, cost_figure)],
            withheld=withheld_figure(id, rows),
            public=public_part(id, rows, facts.public_scores.filter(same)),
            heat=heat_map(id, facts, rows, scores, links),
            leaders=list(domain_leaders(facts, scores, tallies.filter(same))),
            retired=[_retired_row(row) for row in facts.retired.filter(same).iter_rows(named=True)]
            if facts.retired.height
            else [],
            questions=item_lists(tallies.filter(same), shown, links),
            no_questions=_NOT_SHOWN if shown.is_empty() and facts.items.height else _NO_MODEL,
            models=[model_section(id, place, facts, row, len(rows), told, links) for place, row in enumerate(rows)],
        )


def _lead(rows: Sequence[Row]) -> str:
    known = [row for row in models_of(rows) if row["index"] is not None]
    if not known:
        return "No model has a graded answer yet."
    first, *others = known
    said = f"{first['model']} has an index of {signed(first['index'])}."
    if others:
        peers = [row["model"] for row in others if first["model"] not in (row["better"] or [])]
        said = (
            f"{first['model']} comes first with an index of {signed(first['index'])}, told apart from all other models."
        )
        if peers:
            said = f"{first['model']} comes first with an index of {signed(first['index'])}; on these items "
            said += f"{named(peers)} cannot be told apart from it."
    if first["incomplete"]:
        said += f" It is incomplete: {covered(first['coverage'])} of what is due is graded."
    if first["index"] < 0:
        said += " A model that answered nothing would score higher: 0."
    return said


def _row(board: str, place: int, row: Row) -> BoardRow:
    return BoardRow(
        id=f"{board}-m{place}",
        rank=rank_range(row) if row["index"] is not None else "–",
        model=row["model"],
        index=index_of(row),
        accuracy=share_of(row, "accuracy"),
        hallucination=share_of(row, "hallucination_rate"),
        attempt=percent(row["attempt_rate"]),
        coverage=covered(row["coverage"]),
        cost=dollars(row["cost_usd"]),
        incomplete=row["incomplete"],
    )


def _retired_row(row: Row) -> RetiredRow:
    return RetiredRow(
        rank=str(row["rank"]),
        model=row["model"],
        index=index_of(row),
        accuracy=share_of(row, "accuracy"),
        hallucination=share_of(row, "hallucination_rate"),
        answered=row["answered"],
    )


def board_notices(facts: Facts, rendering: Rendering) -> Iterator[str]:
    """What a reader must know before the numbers: who is incomplete and why, how coarse the grading is.

    What stopped a model is told in the provider's words, which may name an account: for the team only.
    """
    internal = rendering is Rendering.INTERNAL
    several = facts.leaderboard.select("method", "judge").n_unique()
    incomplete = list(facts.leaderboard.filter("incomplete").sort("coverage", "model").iter_rows(named=True))
    for row in incomplete[:_NOTICED]:
        why = _why(facts, row, stops=internal).rstrip(".")
        who = row["model"] if several < 2 else f"{row['model']}, graded by {grader_text(row['method'], row['judge'])},"
        yield f"{who} is incomplete: {covered(row['coverage'])} of what is due is graded ({why})."
    if len(incomplete) > _NOTICED:
        least = covered(incomplete[_NOTICED]["coverage"])
        others = counted(len(incomplete) - _NOTICED, "more model")
        yield f"{others} incomplete, of each at least {least} graded; the leaderboard marks them."
    if "match" in facts.leaderboard["method"].to_list():
        yield (
            "Graded by fixed rules that look for the gold in an answer, since no judge is configured: good for "
            "comparing models that answer briefly, too coarse for small differences."
        )
    if facts.bank is not None and facts.bank.spec.note:
        yield facts.bank.spec.note


def _why(facts: Facts, row: Row, *, stops: bool) -> str:
    """How many answers are missing for which reason, and what stopped the model where something did."""
    missing = {name: int(row[name]) for name in ("truncated", "filtered", "failed", "ungraded")}
    missing["not asked"] = mix_counts(row)["ungraded"] - sum(missing.values())
    parts = [f"{count:,} {name}" for name, count in missing.items() if count > 0]
    notes = facts.partitions.filter(pl.col("model") == row["model"])["note"].drop_nulls().to_list()
    stopped = dict.fromkeys(part for note in notes for part in note.split("; ") if not part[:1].isdigit())
    return "; ".join([*parts, *(stopped if stops else ())]) or "the rest is not asked yet"
