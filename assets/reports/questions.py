"""A report's items: which are hard, easy or dividing, and the data that its item list is built from."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from assets.items.leaving import without_folders
from assets.reports.facts import Facts, Links, Rendering, Row
from resources.registries.model_specs import BASELINES
from resources.types import Grade, Outcome

LISTED = 10
_EXCERPT = 160
# Answers are cut to the first of these lengths with which all of them together stay under _MOST_DATA.
_LENGTHS = (600, 400, 240, 160, 100, 60)
_MOST_DATA = 7_500_000  # bytes; with Vega and the rest a page stays under 10 MB
GRADES = (
    ("correct", "correct"),
    ("partial", "partial"),
    ("incorrect", "incorrect"),
    ("not_attempted", "not attempted"),
    ("truncated", "truncated"),
    ("filtered", "filtered"),
    ("failed", "failed"),
    ("none", "not graded"),
)
_PLACE = {name: place for place, (name, _) in enumerate(GRADES)}


@dataclass(frozen=True)
class ItemRow:
    """One line of a list: how many models got the item right, wrong, or neither (partly right, not attempted)."""

    question: str
    topic: str
    href: str
    correct: int
    incorrect: int
    others: int


@dataclass(frozen=True)
class ItemList:
    title: str
    reading: str
    rows: list[ItemRow]


def item_lists(tallies: pl.DataFrame, items: pl.DataFrame, links: Links) -> list[ItemList]:
    """The hardest items, those that every model gets, and those that divide the models.

    Args:
        tallies: of one leaderboard. Baselines say nothing about an item and are left out.
        items: those that may be shown.
        links: down to the items that the page holds.
    """
    counts = _by_item(tallies, items)
    if counts.is_empty():
        return []
    hrefs = [links.of_item(*key) for key in counts.select("domain", "item_id").iter_rows()]
    counts = counts.with_columns(href=pl.Series(hrefs, dtype=pl.String))
    if tallies.filter(_counted()).n_unique("model") == 1:
        # By turns from each domain, so that a few lines show all of them.
        by_name = counts.sort("domain", "topic", "item_id")
        only = by_name.with_columns(turn=pl.int_range(pl.len()).over("domain")).sort("turn", "domain")
        return [
            _list("What it gets wrong", "The one model here answered these incorrectly.", only, "incorrect"),
            _list("What it gets right", "It answered these correctly.", only, "correct"),
        ]
    judged = counts.filter(pl.col("graded") >= 2)
    hard = judged.filter(pl.col("correct") < pl.col("graded")).sort(
        pl.col("correct") / pl.col("graded"), -pl.col("incorrect"), "domain", "item_id"
    )
    easy = judged.filter(pl.col("correct") == pl.col("graded")).sort(-pl.col("graded"), "domain", "item_id")
    divided = (
        judged.with_columns(even=pl.min_horizontal("correct", "incorrect") / pl.col("graded"))
        .filter(pl.col("even") > 0)
        .sort(-pl.col("even"), -pl.col("graded"), "domain", "item_id")
    )
    return [
        _list(f"The {LISTED} hardest", "Right for the fewest models, then wrong for the most.", hard.head(LISTED)),
        _list("What every model gets", "Right for every model that was graded on them.", easy),
        _list("Where models disagree", "Right for some and wrong for others, the most evenly split first.", divided),
    ]


def _by_item(tallies: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Each shown item with the number of models whose samples are mostly right, mostly wrong, or neither."""
    total = pl.sum_horizontal(*Grade)
    verdicts = tallies.filter(_counted()).select(
        "domain",
        "item_id",
        correct=2 * pl.col(Grade.CORRECT) > total,
        incorrect=2 * pl.col(Grade.INCORRECT) > total,
    )
    return (
        verdicts.group_by("domain", "item_id")
        .agg(graded=pl.len().cast(pl.Int64), correct=pl.col("correct").sum(), incorrect=pl.col("incorrect").sum())
        .with_columns(pl.col("correct", "incorrect").cast(pl.Int64))
        .join(items.select("domain", "item_id", "topic", "question"), on=["domain", "item_id"])
    )


def _counted() -> pl.Expr:
    """Rows of tallies that say something about their item: of models, with a grade."""
    return ~pl.col("model").is_in(BASELINES) & (pl.sum_horizontal(*Grade) > 0)


def _list(title: str, reading: str, rows: pl.DataFrame, only: str | None = None) -> ItemList:
    if only:
        rows = rows.filter(pl.col(only) > 0)
    if rows.is_empty():
        return ItemList(title, "There is no such item.", [])
    listed = [_row(row) for row in rows.head(LISTED).iter_rows(named=True)]
    return ItemList(
        title, reading if rows.height <= LISTED else f"{reading} The first {LISTED} of {rows.height}.", listed
    )


def _row(row: Row) -> ItemRow:
    others = row["graded"] - row["correct"] - row["incorrect"]
    return ItemRow(_cut(row["question"], _EXCERPT), row["topic"], row["href"], row["correct"], row["incorrect"], others)


def items_data(facts: Facts, rendering: Rendering) -> dict[str, Any]:
    """All items that may be shown with each model's answers, as the page's script reads them.

    Long texts are cut; `factsweep show` prints them whole.
    """
    items = facts.shown_items(rendering).sort("domain", "topic", "item_id")
    rows = _answers(facts, items)
    if rendering is Rendering.SHAREABLE:
        # The baseline `guess` says other items' golds, and these may be private.
        rows = rows.filter(~pl.col("model").is_in(BASELINES))
    size = _MOST_DATA
    for length in _LENGTHS:
        evidence = 0 if rendering is Rendering.SHAREABLE else sum(each.size for each in facts.evidence.values())
        room = _MOST_DATA / (_expected_size(items, rows, length) + min(evidence, length * items.height))
        if room < 1 and length > _LENGTHS[-1]:
            continue
        if room < 1:  # even the shortest texts are too many
            items = _first_of_each_topic(items, int(items.height * room))
        data = _data(facts, items, rows, length, rendering)
        size = len(script_json(data).encode(errors="replace"))
        if size <= _MOST_DATA:
            return data
    return _data(
        facts, _first_of_each_topic(items, int(items.height * 0.9 * _MOST_DATA / size)), rows, _LENGTHS[-1], rendering
    )


def _expected_size(items: pl.DataFrame, rows: pl.DataFrame, length: int) -> float:
    """About as many bytes as the data take; cheap, so that what is too large is never made."""
    said = rows.select(pl.col("text").str.len_bytes().fill_null(0).clip(0, length).sum()).item() or 0
    asked = items.select((pl.col("question").str.len_bytes() + pl.col("source_url").str.len_bytes().fill_null(0)).sum())
    return said + 30 * rows.height + (asked.item() or 0) + 120 * items.height + 1


def _first_of_each_topic(items: pl.DataFrame, count: int) -> pl.DataFrame:
    turn = pl.int_range(pl.len()).over("domain", "topic")
    first = items.with_columns(turn=turn).sort("turn", "domain", "topic").head(count).drop("turn")
    return first.sort("domain", "topic", "item_id")


def script_json(data: object) -> str:
    """JSON for a script element, letters of all scripts as they are.

    No `<` stands in it, so that nothing ends the element or begins a comment.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def _answers(facts: Facts, items: pl.DataFrame) -> pl.DataFrame:
    """Answers to current questions, with their grade against the current gold."""
    versions = items.select("domain", "item_id", "question_version", current="answer_version")
    grades = facts.grades.select("domain", "model", "item_id", "sample", "epoch", "answer_version", "grade", "reason")
    return (
        facts.responses.join(versions, on=["domain", "item_id", "question_version"])
        .join(
            grades,
            left_on=["domain", "model", "item_id", "sample", "epoch", "current"],
            right_on=["domain", "model", "item_id", "sample", "epoch", "answer_version"],
            how="left",
        )
        .select("domain", "item_id", "model", "sample", "outcome", "text", "finish_reason", "grade", "reason")
        .sort("model", "sample")
    )


def _data(facts: Facts, items: pl.DataFrame, rows: pl.DataFrame, length: int, rendering: Rendering) -> dict[str, Any]:
    domains = {key: place for place, key in enumerate(items["domain"].unique(maintain_order=True))}
    rows = rows.join(items.select("domain", "item_id"), on=["domain", "item_id"], how="semi", maintain_order="left")
    models = _numbered(facts, rows["model"].unique())
    reasons: dict[str, int] = {}
    answers: dict[tuple[str, str], list[list[Any]]] = {}
    columns = ("domain", "item_id", "model", "sample", "outcome", "text", "finish_reason", "grade", "reason")
    for domain, item_id, model, sample, outcome, text, ended, grade, reason in rows.select(columns).iter_rows():
        number = reasons.setdefault(_cut(reason or ended or "", 240), len(reasons))
        said = [models[model], _grade(outcome, grade), _cut(text or "", length), number, sample]
        answers.setdefault((domain, item_id), []).append(said)
    listed = []
    for item in items.with_columns(source_url=without_folders(pl.col("source_url"))).iter_rows(named=True):
        said = sorted(answers.get((item["domain"], item["item_id"]), []), key=lambda answer: (answer[0], answer[4]))
        listed.append(
            {
                "i": item["item_id"],
                "d": domains[item["domain"]],
                "t": item["topic"],
                "q": _cut(item["question"], 4_000),
                "o": item["options"],
                "g": item["answer"],
                "x": item["aliases"] or [],
                "s": item["source_url"],
                "a": said,
            }
            | _stated(facts, item, length, rendering)
        )
    return {
        "domains": [[key, facts.domain_title(key)] for key in domains],
        "models": list(models),
        "grades": GRADES,
        "reasons": list(reasons),
        "items": listed,
    }


def _stated(facts: Facts, item: Row, length: int, rendering: Rendering) -> dict[str, Any]:
    """Where a built item's answer is stated; a document may be private, so that only the team sees its words."""
    evidence = facts.evidence.get((item["domain"], item["item_id"]))
    if evidence is None or rendering is Rendering.SHAREABLE:
        return {}
    around = length >= _LENGTHS[0] // 4  # in a page that is short of room the excerpt stands alone
    before, after = (evidence.before, evidence.after) if around else ("", "")
    return {"c": [evidence.document, evidence.section, before, evidence.excerpt, after, evidence.link]}


def _grade(outcome: str, grade: str | None) -> int:
    return _PLACE[outcome] if outcome != Outcome.ANSWERED else _PLACE[grade or "none"]


def _numbered(facts: Facts, names: Iterable[str]) -> dict[str, int]:
    """The models in the order of the leaderboard."""
    there = set(names)
    ranked = [
        name for name in facts.leaderboard.sort("rank", "model")["model"].unique(maintain_order=True) if name in there
    ]
    return {name: place for place, name in enumerate([*ranked, *sorted(there - set(ranked))])}


def _cut(text: str, length: int) -> str:
    """`text` in at most `length` characters, at the end of a word where there is one near."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    words = head.rsplit(None, 1)
    return f"{words[0] if len(words) == 2 and len(words[1]) < 30 else head}…"
