"""The `scores` table: counts, metrics, intervals, coverage and cost by bank, domain and topic.

What counts as graded is in `tallies.py`, formulas are in `points.py` and `intervals.py`.
"""

from collections.abc import Mapping

import polars as pl

from assets.metrics.intervals import MIN_CLUSTERS, cluster_intervals
from assets.metrics.points import Counts
from assets.metrics.tallies import RUN, item_tallies, samples_owed
from checks.contracts import SCORES
from resources.types import Grade

TOO_FEW_CLUSTERS = "too few clusters"
NOTHING_GRADED = "no answer is graded"

_GROUP = ("level", "key", *RUN)
_LEVELS = {
    "all": pl.col("bank"),
    "domain": pl.col("domain"),
    "topic": pl.concat_str("domain", pl.lit("/"), "topic"),
}
_NOT_GRADED = ("truncated", "filtered", "failed", "ungraded")


def score_table(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    grades: pl.DataFrame,
    partitions: pl.DataFrame,
    *,
    penalty: Mapping[str, float],
    notes: Mapping[str, str],
) -> pl.DataFrame:
    """One row for each bank, level, key, model, method and judge, as `checks.contracts.SCORES` says.

    Graded is an answered response to an active item's current question with a grade of the same epoch against its
    current gold. All else lowers coverage: failed, truncated, filtered and ungraded answers, and answers to an
    earlier question or grades against an earlier gold.

    - Coverage at level `all` is over every domain with active items in the bank, one that the model has no partition
      of included. At the levels `domain` and `topic` a model has rows where it has a partition or a response.
    - Coverage is over an item's samples as its domain's partition of that model says; without such a partition, over
      as many as the largest number in the model's partitions of the bank, or one. Responses beyond them count nowhere.
    - A response belongs to the method and judge of its grade, and without one to those of its partition.
    - Costs are of responses to current questions of active items. The model's is null where an answer's cost is
      unknown (a failed call without a cost is none). The judge's is known by partition, so it is null by topic.

    Args:
        items, responses, grades, partitions: frames as their contracts say; the columns in `tallies.COLUMNS` will do.
        penalty: by bank, what a wrong answer costs in the index; 1 where a bank is missing.
        notes: by bank, what a reader of its domain and topic rows must know.
    """
    banks = sorted(items["bank"].unique())
    tables = [
        _bank_scores(
            *(frame.filter(pl.col("bank") == bank) for frame in (items, responses, grades, partitions)),
            penalty=penalty.get(bank, 1.0),
            note=notes.get(bank),
        )
        for bank in banks
    ]
    return pl.concat([SCORES.empty(), *tables])


def _bank_scores(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    grades: pl.DataFrame,
    partitions: pl.DataFrame,
    *,
    penalty: float,
    note: str | None,
) -> pl.DataFrame:
    active = items.filter(pl.col("status") == "active")
    samples = samples_owed(active, responses, partitions)
    tallies = item_tallies(active, responses, grades, partitions)
    groups = _groups(active, tallies, partitions, samples)
    levelled = _by_level(tallies).join(groups.select(*_GROUP, "group"), on=_GROUP, nulls_equal=True)
    sums = levelled.group_by("group").agg(
        pl.col(*Grade, *_NOT_GRADED, "unreadable").sum(),
        cost_usd=pl.when(~pl.col("cost_unknown").any()).then(pl.col("cost_usd").sum()),
    )
    table = (
        groups.join(sums, on="group", how="left")
        .join(_judge_cost(partitions), on=_GROUP, how="left", nulls_equal=True)
        .with_columns(
            pl.col(*Grade, *_NOT_GRADED, "unreadable").fill_null(0),
            # A partition without a single response has cost nothing.
            cost_usd=pl.when(pl.col("failed").is_null()).then(0.0).otherwise("cost_usd"),
        )
    )
    table = table.with_columns(_points(table, penalty)).with_columns(
        coverage=pl.sum_horizontal(*Grade) / pl.col("expected"), penalty=pl.lit(penalty, pl.Float64)
    )
    table = _with_intervals(table, levelled, penalty).with_columns(incomplete=pl.col("coverage") < 1, note=_note(note))
    order = pl.col("level").replace_strict({level: place for place, level in enumerate(_LEVELS)})
    table = table.sort(order, "key", *RUN)
    return table.select(pl.col(name).cast(dtype) for name, dtype in SCORES.schema.items())


def _by_level(frame: pl.DataFrame) -> pl.DataFrame:
    """`frame` three times over, each with the `level` and `key` that its rows add up to."""
    return pl.concat([frame.with_columns(level=pl.lit(level), key=key) for level, key in _LEVELS.items()])


def _groups(
    active: pl.DataFrame, tallies: pl.DataFrame, partitions: pl.DataFrame, samples: pl.DataFrame
) -> pl.DataFrame:
    """The table's keys with the active items of each and the grades `expected`, numbered by `group`."""
    run = ("bank", "domain", *RUN)
    runs = pl.concat([partitions.select(run), tallies.select(run)]).unique()
    topics = active.group_by("domain", "topic").agg()
    owed = active.select("bank", "domain", "topic").join(samples, on="domain")
    sizes = _by_level(owed).group_by("level", "key", "model").agg(items=pl.len(), expected=pl.col("samples").sum())
    return (
        _by_level(runs.join(topics, on="domain"))
        .select("bank", *_GROUP)
        .unique()
        .join(sizes, on=["level", "key", "model"])
        .sort(_GROUP)
        .with_row_index("group")
    )


def _judge_cost(partitions: pl.DataFrame) -> pl.DataFrame:
    known = pl.col("judge_cost_usd").null_count() == 0
    return (
        _by_level(partitions.with_columns(topic=pl.lit(None, pl.String)))
        .group_by(_GROUP)
        .agg(judge_cost_usd=pl.when(known).then(pl.col("judge_cost_usd").sum()))
    )


def _points(table: pl.DataFrame, penalty: float) -> list[pl.Series]:
    """Point estimates, and the index where truncated and filtered answers were all incorrect, or all correct."""
    counts = [Counts(*row) for row in table.select(*Grade).iter_rows()]
    withheld = table.select(pl.col("truncated") + pl.col("filtered")).to_series().to_list()
    worst = [
        Counts(c.correct, c.partial, c.incorrect + n, c.not_attempted) for c, n in zip(counts, withheld, strict=True)
    ]
    best = [
        Counts(c.correct + n, c.partial, c.incorrect, c.not_attempted) for c, n in zip(counts, withheld, strict=True)
    ]
    values = {
        "index": [c.index(penalty) for c in counts],
        "accuracy": [c.accuracy for c in counts],
        "hallucination_rate": [c.hallucination_rate for c in counts],
        "attempt_rate": [c.attempt_rate for c in counts],
        "index_worst": [c.index(penalty) for c in worst],
        "index_best": [c.index(penalty) for c in best],
    }
    return [pl.Series(name, numbers, pl.Float64) for name, numbers in values.items()]


def _with_intervals(table: pl.DataFrame, levelled: pl.DataFrame, penalty: float) -> pl.DataFrame:
    """`table` with `_low` and `_high` of each metric and the `clusters` that the intervals rest on."""
    total = pl.sum_horizontal(*Grade)
    # metric: numerator, denominator, lowest and highest value of an item, factor to the metric's unit
    ratios = {
        "index": (pl.col("correct") - penalty * pl.col("incorrect"), total, -penalty, 1.0, 100.0),
        "accuracy": (pl.col("correct"), total, 0.0, 1.0, 1.0),
        "hallucination_rate": (pl.col("incorrect"), total - pl.col("correct"), 0.0, 1.0, 1.0),
        "attempt_rate": (total - pl.col("not_attempted"), total, 0.0, 1.0, 1.0),
    }
    for metric, (numerator, denominator, worst, best, unit) in ratios.items():
        tallies = levelled.select("group", "stratum", "cluster", numerator=numerator, denominator=denominator)
        intervals = cluster_intervals(tallies, worst, best).select(
            "group",
            (pl.col("low") * unit).alias(f"{metric}_low"),
            (pl.col("high") * unit).alias(f"{metric}_high"),
            pl.col("clusters").alias(f"{metric}_clusters"),
        )
        table = table.join(intervals, on="group", how="left")
    return table.with_columns(clusters=pl.col("accuracy_clusters").fill_null(0))


def _note(bank_note: str | None) -> pl.Expr:
    """What a reader of a row must know: why an interval is missing, and the bank's own note below level all."""
    few_not_correct = (pl.col("hallucination_rate_clusters") < MIN_CLUSTERS).fill_null(False)
    clusters = (
        pl.when(pl.sum_horizontal(*Grade) == 0)
        .then(pl.lit(NOTHING_GRADED))
        .when(pl.col("clusters") < MIN_CLUSTERS)
        .then(pl.lit(TOO_FEW_CLUSTERS))
        .when(few_not_correct)
        .then(pl.lit(f"{TOO_FEW_CLUSTERS} for the hallucination rate"))
    )
    small_set = pl.when(pl.col("level") != "all").then(pl.lit(bank_note, pl.String))
    note = pl.concat_str(clusters, small_set, separator="; ", ignore_nulls=True)
    return pl.when(note != "").then(note)
