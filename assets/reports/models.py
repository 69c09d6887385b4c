"""A report's models: one section each, with what it is, how it did, and its strongest and weakest topics."""

import json
from dataclasses import dataclass
from typing import Any

import polars as pl

from assets.metrics.leaderboard import covered, percent, rank_range
from assets.reports.facts import Estimate, Facts, Links, Row, index_of
from assets.reports.figures import MIX, mix_counts
from resources.registries import ModelSpec
from resources.registries.model_specs import BASELINES
from resources.types import Grade

TOPICS_SHOWN = 3
_FEW = 10  # graded answers a topic under which its index says little


@dataclass(frozen=True)
class TopicRow:
    """One topic of a model."""

    topic: str
    domain: str
    index: Estimate
    accuracy: str
    graded: int
    href: str


@dataclass(frozen=True)
class MixPart:
    """A part of the bar of grades; `width` in per cent."""

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


def model_section(
    board: str, place: int, facts: Facts, row: Row, ranked: int, scores: pl.DataFrame, links: Links
) -> ModelSection:
    mine = scores.filter((pl.col("model") == row["model"]) & (pl.col("level") == "topic"))
    topics, note = ([], "") if row["model"] in BASELINES else _topics(facts, mine, links)
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
    context = f"context of {spec.context:,} tokens" if spec.context else None
    cutoff = f"knowledge until {spec.knowledge_cutoff}" if spec.knowledge_cutoff else None
    asked = ", ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value)}" for name, value in spec.params.items()
    )
    parts = [
        spec.model,
        spec.developer,
        released,
        context,
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
    graded = sum(row[grade] for grade in Grade)
    text = f"Index {index.value}{interval}, rank {rank_range(row)} of {ranked}, baselines included. Of {graded:,} "
    text += f"graded answers {percent(row['attempt_rate'])} are attempts, {percent(row['accuracy'])} are correct."
    if row["hallucination_rate"] is not None:
        text += f" Of what it does not get right it states {percent(row['hallucination_rate'])} wrongly."
    if row["incomplete"]:
        text += f" It is incomplete: {covered(row['coverage'])} of what is due is graded."
    return text


def _topics(facts: Facts, rows: pl.DataFrame, links: Links) -> tuple[list[TopicRow], str]:
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
    note = f"Its strongest and weakest topics of {ordered.height}, by index. Part of what sets them apart is chance."
    if int(ends["graded"].max() or 0) < _FEW:  # type: ignore[arg-type]
        note += " Few answers a topic: an indication, no finding."
    return [_topic(facts, row, links) for row in ends.iter_rows(named=True)], note


def _topic(facts: Facts, row: dict[str, Any], links: Links) -> TopicRow:
    return TopicRow(
        topic=row["topic"],
        domain=facts.domain_title(row["domain"]),
        index=index_of(row),
        accuracy=percent(row["accuracy"]),
        graded=row["graded"],
        href=links.of_model(row["model"], row["domain"], row["topic"]),
    )
