"""A report's section on the public part of a bank: whether it ranks and scores models like the whole."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assets.metrics.leaderboard import signed
from assets.metrics.public_scores import rank_correlation
from assets.reports.facts import Estimate, Row, counted, index_of
from assets.reports.figure import csv_link
from resources.registries.model_specs import BASELINES

_READING = (
    "Difference is public minus all, in points of the index; a model whose interval on public items leaves out its "
    "index on all items scores otherwise there than on the whole. Ranks are among the models that can be compared."
)
_CSV = (
    "model",
    "items_public",
    "items_all",
    "index_public",
    "index_public_low",
    "index_public_high",
    "index_all",
    "index_all_low",
    "index_all_high",
    "index_difference",
    "rank_public",
    "rank_all",
)


@dataclass(frozen=True)
class PublicRow:
    """A model on both; ranks are among the models that can be compared."""

    model: str
    public: Estimate
    all: Estimate
    difference: str
    rank_public: str
    rank_all: str


@dataclass(frozen=True)
class PublicPart:
    """What the section says and shows."""

    text: str
    reading: str
    rows: list[PublicRow]
    file: str
    csv: str


def public_part(board: str, leaderboard: Sequence[Row], public_scores: pl.DataFrame) -> PublicPart | None:
    """The section of one leaderboard; None where no model can be compared.

    Args:
        leaderboard: its rows in order.
        public_scores: rows of the same bank, method and judge.
    """
    if public_scores.is_empty():
        return None
    found = {row["model"]: row for row in public_scores.iter_rows(named=True)}
    rows = [_row(found[row["model"]]) if row["model"] in found else _left_out(row) for row in leaderboard]
    data = [{name: row[name] for name in _CSV} for row in found.values()]
    return PublicPart(_text(public_scores), _READING, rows, f"{board}-public.csv", csv_link(data))


def _text(public_scores: pl.DataFrame) -> str:
    """How many items are public, how alike the two orders are, how many intervals cover."""
    first = public_scores.row(0, named=True)
    said = f"{first['items_public']:,} of {counted(first['items_all'], 'item')} are public."
    models = public_scores.filter(~pl.col("model").is_in(BASELINES))
    correlation = rank_correlation(models)
    if correlation is not None:
        written = f"{round(correlation, 2) + 0:.2f}".replace("-", "−")  # adding 0 turns a rounded −0.0 into 0.0
        said += f" Spearman's rank correlation of the two orders of {models.height} models is {written}."
    known = models["index_covered"].drop_nulls()
    if len(known):
        said += (
            f" The interval on public items covers the index on all items for {int(known.sum())} of "
            f"{counted(len(known), 'model')}, baselines left out."
        )
    return said


def _row(row: Row) -> PublicRow:
    return PublicRow(
        model=row["model"],
        public=_estimate(row, "index_public", "too few public sources"),
        all=_estimate(row, "index_all", "too few sources"),
        difference=signed(row["index_difference"]),
        rank_public=str(row["rank_public"]),
        rank_all=str(row["rank_all"]),
    )


def _estimate(row: Row, name: str, unknown: str) -> Estimate:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return Estimate(signed(row[name]), unknown if low is None or high is None else f"{signed(low)} to {signed(high)}")


def _left_out(row: Row) -> PublicRow:
    """A model of the leaderboard that `public_scores` has no row of."""
    return PublicRow(row["model"], Estimate("–", "too few public or private items"), index_of(row), "–", "–", "–")
