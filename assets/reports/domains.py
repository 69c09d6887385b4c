"""A report's domains: the heat map of domain × model, and each domain's leader."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from assets.metrics.leaderboard import covered
from assets.metrics.ranks import rank_ranges
from assets.reports.facts import Estimate, Facts, Links, Row, index_of, named
from assets.reports.figure import csv_link
from resources.registries.model_specs import BASELINES

_NO_DIFFERENCE = 1e-9


@dataclass(frozen=True)
class Cell:
    """An index; `tone` says on which side of 0 it lies, `partly` how much is graded where that is not all."""

    value: str
    interval: str
    tone: str
    shade: str
    partly: str
    href: str


@dataclass(frozen=True)
class HeatLine:
    """A model's cells."""

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
    """A domain's first model, and those close to it."""

    domain: str
    items: int
    model: str
    index: Estimate
    others: str


def heat_map(board: str, facts: Facts, rows: Sequence[Row], scores: pl.DataFrame, links: Links) -> Heat:
    found = {
        (row["key"], row["model"]): row for row in scores.filter(pl.col("level") == "domain").iter_rows(named=True)
    }
    domains = sorted({key for key, _ in found}, key=facts.domain_title)
    lines, data = [], []
    for row in rows:
        cells = []
        for key in domains:
            cell = found.get((key, row["model"]))
            cells.append(_cell(cell, links.of_model(row["model"], key)))
            if cell is not None:
                kept = ("index", "index_low", "index_high", "accuracy", "coverage", "items")
                data.append({"model": row["model"], "domain": key} | {name: cell[name] for name in kept})
        lines.append(HeatLine(row["model"], cells))
    real = [cell for cell in found.values() if cell["model"] not in BASELINES and cell["index"] is not None]
    title = _heat_title(facts, real)
    reading = (
        "One colour stands for an index over 0, the other for one under it; the stronger, the further away. "
        "Below the index stands its 95 % interval: where two overlap much, the cells say little about each other."
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
        if not any(max(values) - min(values) > _NO_DIFFERENCE for values in by_domain.values()):
            return "The models do equally well in every domain"
        widest = max(by_domain, key=lambda key: max(by_domain[key]) - min(by_domain[key]))
        return f"{facts.domain_title(widest)} is where the models differ most"
    best, worst = (pick(by_domain, key=lambda key: by_domain[key][0]) for pick in (max, min))
    if by_domain[best] == by_domain[worst]:
        return f"{cells[0]['model']} does equally well in all domains"
    return f"{cells[0]['model']} does best in {facts.domain_title(best)}, worst in {facts.domain_title(worst)}"


def _cell(row: Row | None, href: str) -> Cell:
    if row is None or row["index"] is None:
        return Cell("none", "", "good", "0", "", href)
    estimate = index_of(row)
    partly = "" if row["coverage"] == 1 else f"{covered(row['coverage'])} graded"
    tone = "good" if row["index"] >= 0 else "bad"
    return Cell(estimate.value, estimate.interval, tone, f"{0.55 * abs(row['index']) / 100:.3f}", partly, href)


def domain_leaders(facts: Facts, scores: pl.DataFrame, tallies: pl.DataFrame) -> Iterator[Leader]:
    """Each domain's first model by index, baselines apart; none where there is but one model.

    Args:
        scores, tallies: of one leaderboard.
    """
    rows = scores.filter(pl.col("level") == "domain", pl.col("index").is_not_null(), ~pl.col("model").is_in(BASELINES))
    if rows["model"].n_unique() < 2:
        return
    for key in sorted(rows["key"].unique(), key=facts.domain_title):
        ranked = list(
            rows.filter(pl.col("key") == key).sort("index", "model", descending=[True, False]).iter_rows(named=True)
        )
        first, *others = ranked
        pairs = rank_ranges(tallies.filter(pl.col("domain") == key), first["penalty"])
        better = dict(pairs.select("model", "better").iter_rows())
        near = [row["model"] for row in others if first["model"] not in better.get(row["model"], [])]
        partly = "" if first["coverage"] == 1 else f" ({covered(first['coverage'])} graded)"
        yield Leader(
            facts.domain_title(key), first["items"], first["model"] + partly, index_of(first), named(near) or "none"
        )
