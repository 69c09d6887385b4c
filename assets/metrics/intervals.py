"""95 % intervals of ratios over clustered items. Point estimates are in `points.py`.

They say where a score would lie had other source documents of the same topics been drawn: topics are fixed
(strata), documents vary (clusters), a document's items and an item's samples move with their document.

numpy and scipy are imported inside functions: loading the graph would pay a second for them.
"""

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np

MIN_CLUSTERS = 5
ALPHA = 0.05
# Under this standard error, on the scale 0 to 1, items differ by rounding errors only: one differing item among
# a million gives 1e-6.
NO_SPREAD = 1e-9


def cluster_intervals(tallies: pl.DataFrame, worst: float, best: float) -> pl.DataFrame:
    """95 % intervals of sum(numerator) / sum(denominator), for many groups at once.

    The variance of the ratio is linearised (Taylor; Binder 1983) with clusters within strata. The interval is
    symmetric in the logit of the ratio's place between `worst` and `best`, with the t quantile of clusters − strata
    degrees of freedom: on the plain scale it covers 85 to 90 % near the ends of the range and at few clusters.

    Four decisions:
    - Clusters whose denominators are all 0 (for the hallucination rate: documents of which everything was correct)
      say nothing about the ratio and count neither as clusters nor for the degrees of freedom, as NCHS does for
      subgroups.
    - Strata with a single cluster are collapsed into one (Hansen, Hurwitz and Madow 1953; Wolter 2007, 2.5); a lone
      one joins the smallest other stratum. Which are merged depends on the number of clusters, never on the scores.
      The variance then holds the difference between these topics too, so it is too large rather than too small.
    - The interval is never narrower than that of as many independent items in the same strata (design effect ≥ 1,
      as NCHS caps the effective sample): a handful of documents that happen to score alike are no certainty.
    - Where all items of a topic agree, and that in each topic (all correct, all abstained), the estimated variance is 0
      and says nothing. Then at most a share u = 1 − 0.025^(1 / G) of documents departs from what was seen, the
      Clopper-Pearson bound for 0 of G clusters, and the interval runs from all of these at `worst` to all at `best`.

    Args:
        tallies: one row an item, its samples summed: `group` (any key), `stratum`, `cluster` (unique within its
            stratum), `numerator` and `denominator` (graded samples that the ratio is over, 0 or more).
        worst: the lowest ratio an item can have, such as −penalty for the index.
        best: the highest, such as 1.

    Returns:
        One row for each group with a denominator over 0: `group`, `clusters` (that the ratio rests on), `low` and
        `high` within [worst, best], both null under `MIN_CLUSTERS` clusters.
    """
    items = (
        tallies.filter(pl.col("denominator") > 0)
        .with_columns(ratio=(pl.col("numerator").sum() / pl.col("denominator").sum()).over("group"))
        .with_columns(
            residual=(pl.col("numerator") - pl.col("ratio") * pl.col("denominator"))
            / pl.col("denominator").sum().over("group")
        )
    )
    items = items.join(collapsed_strata(items), on=["group", "stratum"], maintain_order="left")
    clusters = items.group_by("group", "pool", "stratum", "cluster", maintain_order=True).agg(pl.col("residual").sum())
    spread = (
        _stratified_error(clusters)
        .join(_stratified_error(items), on="group", suffix="_items", maintain_order="left")
        .join(items.group_by("group").agg(pl.col("ratio").first()), on="group", maintain_order="left")
    )
    low, high = _bounds(spread, worst, best)
    enough = pl.col("units") >= MIN_CLUSTERS
    return spread.with_columns(low=pl.Series(low), high=pl.Series(high)).select(
        "group",
        clusters=pl.col("units").cast(pl.Int64),
        low=pl.when(enough).then("low"),
        high=pl.when(enough).then("high"),
    )


def collapsed_strata(items: pl.DataFrame) -> pl.DataFrame:
    """`group`, `stratum` and the `pool` that the stratum's variance is taken in.

    Args:
        items: rows with `group`, `stratum` and `cluster`.
    """
    sizes = (
        items.group_by("group", "stratum")
        .agg(clusters=pl.col("cluster").n_unique())
        .sort("group", "clusters", "stratum")
        .with_columns(
            place=pl.int_range(pl.len()).over("group"),
            single=(pl.col("clusters") == 1).sum().over("group"),
        )
    )
    merged = (pl.col("single") > 0) & (pl.col("place") < pl.max_horizontal("single", pl.lit(2)))
    return sizes.select(
        "group", "stratum", pool=pl.when(merged).then(pl.col("stratum").first().over("group")).otherwise("stratum")
    )


def _stratified_error(units: pl.DataFrame) -> pl.DataFrame:
    """Standard error of the sum of `residual` over independent `units` drawn within pools, for each group."""
    return (
        units.group_by("group", "pool", maintain_order=True)
        .agg(units=pl.len(), variance=pl.len() * pl.col("residual").var())
        .group_by("group", maintain_order=True)
        .agg(pl.col("units").sum(), strata=pl.len(), error=pl.col("variance").sum().sqrt())
    )


def _bounds(spread: pl.DataFrame, worst: float, best: float) -> tuple["np.ndarray", "np.ndarray"]:
    import numpy as np
    from scipy import special

    units, strata, error, units_items, error_items, ratio = (
        spread[name].to_numpy() for name in ("units", "strata", "error", "units_items", "error_items", "ratio")
    )
    width = best - worst
    place = np.clip((ratio - worst) / width, 0, 1)
    reach = np.maximum(error * _t(units - strata), error_items * _t(units_items - strata)) / width

    agree = reach < NO_SPREAD
    departing = 1 - (ALPHA / 2) ** (1 / units)
    middle = np.where(agree, 0.5, place)
    half = reach / (middle * (1 - middle))
    low = np.where(agree, place * (1 - departing), special.expit(special.logit(middle) - half))
    high = np.where(agree, place * (1 - departing) + departing, special.expit(special.logit(middle) + half))
    return np.clip(worst + width * low, worst, best), np.clip(worst + width * high, worst, best)


def _t(freedom: "np.ndarray") -> "np.ndarray":
    import numpy as np
    from scipy import stats

    return stats.t.ppf(1 - ALPHA / 2, np.maximum(freedom, 1))
