"""One leaderboard of a report, with all that stands below it: charts, domains, questions, models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assets.metrics.leaderboard import covered, dollars, grader_text, percent, rank_range, signed
from assets.reports.facts import Estimate, Facts, Rendering, Row, counted, index_of, share_of, to_items
from assets.reports.figures import (
    MIX,
    Figure,
    cost_figure,
    csv_link,
    index_figure,
    mix_counts,
    mix_figure,
    quadrant_figure,
    withheld_figure,
)
from assets.reports.questions import ItemList, item_lists
from resources.registries import ModelSpec
from resources.registries.models import BASELINES

TOPICS_SHOWN = 3
_FEW = 10  # graded answers a topic under which its index says little


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
class Cell:
    value: str
    interval: str
    shade: str
    href: str


@dataclass(frozen=True)
class HeatLine:
    model: str
    cells: list[Cell]


@dataclass(frozen=True)
class Heat:
    """Domain × model, coloured."""

    title: str
    reading: str
    domains: list[str]
    lines: list[HeatLine]
    file: str
    csv: str


@dataclass(frozen=True)
class Leader:
    domain: str
    items: int
    model: str
    index: Estimate
    others: str


@dataclass(frozen=True)
class TopicRow:
    topic: str
    domain: str
    index: Estimate
    accuracy: str
    graded: int
    href: str


@dataclass(frozen=True)
class MixPart:
    width: str
    colour: str


@dataclass(frozen=True)
class ModelSection:
    """One model's part of a page."""

    id: str
    name: str
    facts: str
    text: str
    mix: list[MixPart]
    mix_text: str
    topics: list[TopicRow]
    topics_note: str


@dataclass(frozen=True)
class Board:
    """Models that one method and judge graded."""

    id: str
    grader: str
    lead: str
    rows: list[BoardRow]
    figures: list[Figure]
    withheld: Figure
    heat: Heat
    leaders: list[Leader]
    questions: list[ItemList]
    models: list[ModelSection]


def boards(facts: Facts, rendering: Rendering) -> Iterator[Board]:
    """Each board of the bank; there is one unless a bank was graded in several ways."""
    tallies = facts.tallies()
    shown = facts.shown_items(rendering)
    for number, (key, frame) in enumerate(facts.leaderboard.group_by("method", "judge", maintain_order=True)):
        method, judge = key
        same = (pl.col("method") == method) & pl.col("judge").eq_missing(pl.lit(judge, pl.String))
        rows = list(frame.sort("rank", "model").iter_rows(named=True))
        scores = facts.scores.filter(same)
        id = f"b{number}"
        yield Board(
            id=id,
            grader=grader_text(str(method), judge if judge is None else str(judge)),
            lead=_lead(rows),
            rows=[_row(id, place, row) for place, row in enumerate(rows)],
            figures=[make(id, rows) for make in (index_figure, quadrant_figure, mix_figure, cost_figure)],
            withheld=withheld_figure(id, rows),
            heat=_heat(id, facts, rows, scores),
            leaders=list(_leaders(facts, scores)),
            questions=item_lists(tallies.filter(same), shown),
            models=[_model(id, place, facts, row, len(rows), scores) for place, row in enumerate(rows)],
        )


def _lead(rows: Sequence[Row]) -> str:
    known = [row for row in _models_of(rows) if row["index"] is not None]
    if not known:
        return "No model has a graded answer yet."
    first, *others = known
    said = f"{first['model']} has an index of {signed(first['index'])}."
    if others:
        peers = [row["model"] for row in others if row["rank_best"] is None or row["rank_best"] <= first["rank"]]
        said = (
            f"{first['model']} comes first with an index of {signed(first['index'])}, told apart from all other models."
        )
        if peers:
            said = f"{first['model']} comes first with an index of {signed(first['index'])}; on these items "
            said += f"{_named(peers)} cannot be told apart from it."
    if first["index"] < 0:
        said += " A model that answered nothing would score higher: 0."
    return said


def _models_of(rows: Sequence[Row]) -> list[Row]:
    """The rows without the baselines."""
    return [row for row in rows if row["model"] not in BASELINES]


def _named(models: Sequence[str]) -> str:
    return ", ".join(models[:3]) + (f" and {len(models) - 3} more" if len(models) > 3 else "")


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


def _heat(board: str, facts: Facts, rows: Sequence[Row], scores: pl.DataFrame) -> Heat:
    found = {
        (row["key"], row["model"]): row for row in scores.filter(pl.col("level") == "domain").iter_rows(named=True)
    }
    domains = sorted({key for key, _ in found}, key=facts.domain_title)
    lines, data = [], []
    for row in rows:
        cells = []
        for key in domains:
            cell = found.get((key, row["model"]))
            cells.append(_cell(cell, to_items(domain=key, model=row["model"])))
            if cell is not None:
                kept = ("index", "index_low", "index_high", "accuracy", "coverage", "items")
                data.append({"model": row["model"], "domain": key} | {name: cell[name] for name in kept})
        lines.append(HeatLine(row["model"], cells))
    real = [cell for cell in found.values() if cell["model"] not in BASELINES and cell["index"] is not None]
    title = _heat_title(facts, real)
    reading = (
        "The stronger the colour, the higher the index. Below the index stands its 95 % interval; with few items a "
        "domain it is wide, and two cells whose intervals overlap much say little about each other."
    )
    return Heat(
        title, reading, [facts.domain_title(key) for key in domains], lines, f"{board}-domains.csv", csv_link(data)
    )


def _heat_title(facts: Facts, cells: Sequence[Row]) -> str:
    """Where models differ most; with one model, where it is best and worst."""
    by_domain: dict[str, list[float]] = {}
    for cell in cells:
        by_domain.setdefault(cell["key"], []).append(cell["index"])
    if len(by_domain) < 2:
        return "One domain" if by_domain else "No domain has a graded answer"
    if any(len(values) > 1 for values in by_domain.values()):
        widest = max(by_domain, key=lambda key: max(by_domain[key]) - min(by_domain[key]))
        return f"{facts.domain_title(widest)} is where the models differ most"
    best, worst = (pick(by_domain, key=lambda key: by_domain[key][0]) for pick in (max, min))
    if by_domain[best] == by_domain[worst]:
        return f"{cells[0]['model']} does equally well in all domains"
    return f"{cells[0]['model']} does best in {facts.domain_title(best)}, worst in {facts.domain_title(worst)}"


def _cell(row: Row | None, href: str) -> Cell:
    if row is None or row["index"] is None:
        return Cell("none", "", "0", href)
    estimate = index_of(row)
    return Cell(estimate.value, estimate.interval, f"{0.04 + 0.5 * (row['index'] + 100) / 200:.3f}", href)


def _leaders(facts: Facts, scores: pl.DataFrame) -> Iterator[Leader]:
    rows = scores.filter(pl.col("level") == "domain", pl.col("index").is_not_null(), ~pl.col("model").is_in(BASELINES))
    for key in sorted(rows["key"].unique(), key=facts.domain_title):
        ranked = list(
            rows.filter(pl.col("key") == key).sort("index", "model", descending=[True, False]).iter_rows(named=True)
        )
        first, *others = ranked
        near = [row["model"] for row in others if _overlaps(row, first)]
        yield Leader(facts.domain_title(key), first["items"], first["model"], index_of(first), _named(near) or "none")


def _overlaps(row: Row, first: Row) -> bool:
    """Whether the interval reaches into the leader's; without intervals nothing is told apart."""
    high, low = row["index_high"], first["index_low"]
    return high is None or low is None or high >= low


def _model(board: str, place: int, facts: Facts, row: Row, ranked: int, scores: pl.DataFrame) -> ModelSection:
    mine = scores.filter((pl.col("model") == row["model"]) & (pl.col("level") == "topic"))
    topics, note = ([], "") if row["model"] in BASELINES else _topics(facts, mine)
    counts = mix_counts(row)
    total = sum(counts.values()) or 1
    said = ", ".join(f"{counts[name]:,} {label}" for name, label, _ in MIX if counts[name]) or "nothing yet"
    return ModelSection(
        id=f"{board}-m{place}",
        name=row["model"],
        facts=_model_facts(row["model"], facts),
        text=_model_text(row, ranked),
        mix=[MixPart(f"{100 * counts[name] / total:.2f}", colour) for name, _, colour in MIX if counts[name]],
        mix_text=f"Answers: {said}.",
        topics=topics,
        topics_note=note,
    )


def _model_facts(model: str, facts: Facts) -> str:
    if model in BASELINES:
        return {
            "abstain": "Baseline: always says that it does not know.",
            "guess": "Baseline: gives the answer to another question of the same topic and kind.",
        }[model]
    spec: ModelSpec | None = facts.specs.get(model)
    if spec is None:
        return "No longer in models.yaml; its answers stay."
    weights = {True: "open weights", False: "closed weights", None: None}[spec.open_weights]
    parameters = f"{spec.parameters} parameters" if spec.parameters else None
    released = f"released {spec.released}" if spec.released else None
    cutoff = f"knowledge until {spec.knowledge_cutoff}" if spec.knowledge_cutoff else None
    asked = ", ".join(f"{name} {value}" for name, value in spec.params.items())
    parts = [
        spec.model,
        spec.developer,
        released,
        cutoff,
        parameters,
        weights,
        f"asked with {asked}" if asked else None,
    ]
    return "; ".join(part for part in parts if part) + "."


def _model_text(row: Row, ranked: int) -> str:
    if row["index"] is None:
        return "No answer of it is graded."
    index = index_of(row)
    interval = f" ({index.interval})" if index.interval else ""
    text = f"Index {index.value}{interval}, rank {rank_range(row)} of {ranked}. Of {row['items']:,} items it answers "
    text += f"{percent(row['attempt_rate'])}, and {percent(row['accuracy'])} correctly."
    if row["hallucination_rate"] is not None:
        text += f" Of what it does not get right it states {percent(row['hallucination_rate'])} wrongly."
    if row["incomplete"]:
        text += f" It is incomplete: {covered(row['coverage'])} of what is due is graded."
    return text


def _topics(facts: Facts, rows: pl.DataFrame) -> tuple[list[TopicRow], str]:
    """The strongest and the weakest topics, and what to think of them."""
    graded = rows.with_columns(
        graded=pl.sum_horizontal("correct", "partial", "incorrect", "not_attempted"),
        topic=pl.col("key").str.splitn("/", 2).struct.field("field_1"),
        domain=pl.col("key").str.splitn("/", 2).struct.field("field_0"),
    ).filter(pl.col("graded") > 0)
    if graded.height < 2:
        return [], ""
    ordered = graded.sort(pl.col("index"), "key", descending=[True, False])
    ends = (
        ordered
        if ordered.height <= 2 * TOPICS_SHOWN
        else pl.concat([ordered.head(TOPICS_SHOWN), ordered.tail(TOPICS_SHOWN)])
    )
    note = f"Its strongest and weakest topics of {ordered.height}, by index."
    if int(ends["graded"].max() or 0) < _FEW:  # type: ignore[arg-type]
        note += " Few answers a topic: an indication, no finding."
    return [_topic(facts, row) for row in ends.iter_rows(named=True)], note


def _topic(facts: Facts, row: dict[str, Any]) -> TopicRow:
    return TopicRow(
        topic=row["topic"],
        domain=facts.domain_title(row["domain"]),
        index=index_of(row),
        accuracy=percent(row["accuracy"]),
        graded=row["graded"],
        href=to_items(domain=row["domain"], topic=row["topic"], model=row["model"]),
    )


def board_notices(facts: Facts) -> Iterator[str]:
    """What a reader must know before the numbers: who is incomplete and why, how coarse the grading is."""
    for row in facts.leaderboard.filter("incomplete").iter_rows(named=True):
        parts = facts.partitions.filter(pl.col("model") == row["model"])
        why = list(dict.fromkeys(note for note in parts["note"].to_list() if note))
        missing = counted(row["items"], "item")
        said = "; ".join(why[:3]) or f"not all of its {missing} were asked"
        yield f"{row['model']} is incomplete: {covered(row['coverage'])} of what is due is graded ({said})."
    if "match" in facts.leaderboard["method"].to_list():
        yield (
            "Graded by fixed rules that look for the gold in an answer, since no judge is configured: good for "
            "comparing models that answer briefly, too coarse for small differences."
        )
    if facts.bank is not None and facts.bank.spec.note:
        yield facts.bank.spec.note
