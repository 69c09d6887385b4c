"""Which ranks a model's index could hold: all pairs of a leaderboard, compared on the same items.

Two intervals that overlap do not say that two models are alike: the same questions are hard for both. A pair is
compared on the items that both were graded on, and the spread of the differences is what counts.
"""

from typing import TYPE_CHECKING

import polars as pl

from assets.metrics.intervals import ALPHA, MIN_CLUSTERS, NO_SPREAD, collapsed_strata
from assets.metrics.tallies import item_tallies
from resources.types import Grade

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array

BOARD = ("bank", "method", "judge")
_RANGES = pl.Schema({"model": pl.String, "rank_best": pl.Int64, "rank_worst": pl.Int64, "better": pl.List(pl.String)})


def rank_table(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    grades: pl.DataFrame,
    partitions: pl.DataFrame,
    *,
    penalty: dict[str, float],
) -> pl.DataFrame:
    """`rank_best` and `rank_worst` of each model with a graded answer, by bank, method and judge.

    Args:
        items, responses, grades, partitions: frames as their contracts say; the columns in `tallies.COLUMNS` will do.
        penalty: by bank, what a wrong answer costs in the index; 1 where a bank is missing.
    """
    tables = [pl.DataFrame(schema={**dict.fromkeys(BOARD, pl.String), **_RANGES})]
    for bank in sorted(items["bank"].unique()):
        active = items.filter((pl.col("bank") == bank) & (pl.col("status") == "active"))
        own = (frame.filter(pl.col("bank") == bank) for frame in (responses, grades, partitions))
        for (_, method, judge), tallies in item_tallies(active, *own).group_by(BOARD, maintain_order=True):
            ranges = rank_ranges(tallies, penalty.get(bank, 1.0))
            named = (
                pl.lit(value, pl.String).alias(name) for name, value in zip(BOARD, (bank, method, judge), strict=True)
            )
            tables.append(ranges.select(*named, *_RANGES))
    return pl.concat(tables)


def ranks_apart(
    items: pl.DataFrame,
    responses: pl.DataFrame,
    grades: pl.DataFrame,
    partitions: pl.DataFrame,
    retired: pl.DataFrame,
    *,
    penalty: dict[str, float],
) -> pl.DataFrame:
    """`rank_table` of the models that are registered, and of the retired ones among themselves.

    Args:
        retired: bank and model of the latter.
    """
    tables = (responses, grades, partitions)
    if retired.is_empty():
        return rank_table(items, *tables, penalty=penalty)
    here = [frame.join(retired, on=["bank", "model"], how="anti") for frame in tables]
    gone = [frame.join(retired, on=["bank", "model"], how="semi") for frame in tables]
    return pl.concat([rank_table(items, *each, penalty=penalty) for each in (here, gone)])


def rank_ranges(tallies: pl.DataFrame, penalty: float) -> pl.DataFrame:
    """The ranks that each model could hold: 1 + those that are better, to all but those that are worse.

    A pair's difference is the mean over common items of what each item adds to the index. Its error is that of
    `intervals.cluster_intervals` (linearised, documents within topics, never under that of independent items), tested
    against t. A model is better than another where its p-value, adjusted by Holm over all pairs, is under 5 %. Where
    the difference is the same on all items, the test is the sign test over documents. Under `MIN_CLUSTERS` documents
    nothing is told apart.

    Args:
        tallies: rows of `item_tallies`, of one bank, method and judge.

    Returns:
        `model`, `rank_best`, `rank_worst` and the models that are `better`; models without a graded answer are left
        out.
    """
    import numpy as np

    graded = tallies.with_columns(n=pl.sum_horizontal(*Grade)).filter(pl.col("n") > 0)
    wide = (
        graded.select(
            "stratum",
            "cluster",
            "domain",
            "item_id",
            "model",
            value=(pl.col(Grade.CORRECT) - penalty * pl.col(Grade.INCORRECT)) / pl.col("n"),
        )
        .pivot(on="model", index=["stratum", "cluster", "domain", "item_id"], values="value")
        .sort("stratum", "cluster", "domain", "item_id")
    )
    models = sorted(graded["model"].unique())
    if len(models) < 2:
        alone = {"model": models, "rank_best": [1] * len(models), "rank_worst": [1] * len(models)}
        return pl.DataFrame(alone | {"better": [[] for _ in models]}, _RANGES)
    values = wide.select(models).to_numpy().astype(float)
    design = _Design(wide)
    pairs: list[tuple[int, int]] = []
    p_values: list[float] = []
    signs: list[float] = []
    for one in range(len(models) - 1):
        differences, probabilities = design.compare(values[:, one + 1 :] - values[:, [one]])
        pairs += [(one, other) for other in range(one + 1, len(models))]
        p_values += probabilities.tolist()
        signs += np.sign(differences).tolist()
    better: list[list[str]] = [[] for _ in models]
    worse = np.zeros(len(models), int)  # how many models are worse than each
    for place in _rejected(p_values):
        one, other = pairs[place]
        winner, loser = (other, one) if signs[place] > 0 else (one, other)
        better[loser].append(models[winner])
        worse[winner] += 1
    best = [1 + len(names) for names in better]
    found = {"model": models, "rank_best": best, "rank_worst": len(models) - worse, "better": better}
    return pl.DataFrame(found, _RANGES)


def _rejected(p_values: list[float]) -> list[int]:
    """Places of the hypotheses that Holm's procedure (1979) rejects."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for step, place in enumerate(order):
        if p_values[place] > ALPHA / (len(order) - step):
            return order[:step]
    return order


class _Design:
    """Which items stand in which document, and which documents in which pool of topics."""

    def __init__(self, items: pl.DataFrame) -> None:
        from scipy.sparse import csr_array

        def indicator(groups: list[int], size: int) -> "csr_array":
            return csr_array(([1.0] * size, (groups, range(size))), shape=(max(groups) + 1, size))

        pools = collapsed_strata(items.with_columns(group=pl.lit(0))).select("stratum", "pool")
        placed = items.join(pools, on="stratum", maintain_order="left").with_columns(
            cluster_number=pl.struct("stratum", "cluster").rank("dense") - 1,
            pool_number=pl.col("pool").rank("dense") - 1,
        )
        clusters = placed.unique("cluster_number").sort("cluster_number")
        self._to_clusters = indicator(placed["cluster_number"].to_list(), placed.height)
        self._cluster_pools = indicator(clusters["pool_number"].to_list(), clusters.height)
        self._item_pools = indicator(placed["pool_number"].to_list(), placed.height)

    def compare(self, differences: "np.ndarray") -> "tuple[np.ndarray, np.ndarray]":
        """Mean difference and two-sided p-value of each column.

        Args:
            differences: items × pairs; NaN where one of the two has no grade.
        """
        import numpy as np
        from scipy import stats

        common = ~np.isnan(differences)
        count = np.maximum(common.sum(axis=0), 1)
        means = np.where(common, differences, 0).sum(axis=0) / count
        residuals = np.where(common, differences - means, 0) / count
        there = self._to_clusters @ common.astype(float) > 0
        units, error, freedom = _error(self._to_clusters @ residuals, there, self._cluster_pools)
        _, item_error, item_freedom = _error(residuals, common, self._item_pools)
        alike = np.maximum(error, item_error) < NO_SPREAD
        with np.errstate(divide="ignore", invalid="ignore"):
            p_values = np.maximum(
                2 * stats.t.sf(np.abs(means) / error, freedom), 2 * stats.t.sf(np.abs(means) / item_error, item_freedom)
            )
        p_values = np.where(alike, np.where(np.abs(means) < NO_SPREAD, 1.0, 2.0 * 0.5**units), p_values)
        return means, np.where((units < MIN_CLUSTERS) | np.isnan(p_values), 1.0, p_values)


def _error(
    residuals: "np.ndarray", there: "np.ndarray", pools: "csr_array"
) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
    """How many units there are, the standard error of the residuals' sum over them within pools, its freedom."""
    import numpy as np

    size = pools @ there.astype(float)
    total, square = pools @ residuals, pools @ residuals**2
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(size > 1, size / (size - 1) * (square - total**2 / size), 0)
    units = size.sum(axis=0)
    error = np.sqrt(np.maximum(spread, 0).sum(axis=0))
    return units, error, np.maximum(units - (size > 0).sum(axis=0), 1)
