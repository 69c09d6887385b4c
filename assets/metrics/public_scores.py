"""The table `public_scores`: whether the public part of a bank ranks and scores models like the whole.

Both parts are scored by `scores.py`; here they are only set side by side.
"""

from collections.abc import Mapping

import polars as pl

from assets.metrics.intervals import MIN_CLUSTERS
from assets.metrics.leaderboard import RANK_DECIMALS, rank_by
from assets.metrics.ranks import BOARD
from assets.metrics.scores import score_table
from checks.contracts import PUBLIC_SCORES
from resources.types import Grade

MIN_PUBLIC = MIN_CLUSTERS  # graded items: with fewer there is never an interval
MIN_RANKED = 3  # two models are in the same order or in the other, by chance as likely as not
_METRICS = ("index", "accuracy", "hallucination_rate")


def public_score_table(
    scores: pl.DataFrame,
    items: pl.DataFrame,
    responses: pl.DataFrame,
    grades: pl.DataFrame,
    partitions: pl.DataFrame,
    *,
    penalty: Mapping[str, float],
) -> pl.DataFrame:
    """One row for each bank, method, judge and model that public and private items were graded of.

    Left out are banks whose active items are all public or all private, and models with fewer than `MIN_PUBLIC` graded
    public items or with no graded private one. An interval is that of `scores`: over the source documents of
    the same topics, null where these are too few. The public items are part of all, so the two values move together,
    and an interval that covers the other value is a weaker statement than for two samples apart.

    Args:
        scores: the table, of the same frames.
        items, responses, grades, partitions: frames as their contracts say; the columns in `tallies.COLUMNS` will do.
        penalty: by bank, what a wrong answer costs in the index; 1 where a bank is missing.
    """
    is_public = pl.col("split") == "public"
    both = items.filter(pl.col("status") == "active").filter(
        (is_public.any() & ~is_public.all()).over("bank"),
        is_public,
    )
    public = score_table(both, responses, grades, partitions, penalty=penalty, notes={})
    table = (
        _side(public, "public")
        .join(_side(scores, "all"), on=[*BOARD, "model"], nulls_equal=True)
        .filter(
            # in items, whose samples are not independent; rounded, since coverage is a quotient
            (pl.col("coverage_public") * pl.col("items_public")).round(6) >= MIN_PUBLIC,
            pl.col("graded_all") > pl.col("graded_public"),
        )
        .with_columns(
            index_difference=pl.col("index_public") - pl.col("index_all"),
            index_covered=pl.col("index_all").is_between("index_public_low", "index_public_high"),
            rank_public=rank_by("index_public"),
            rank_all=rank_by("index_all"),
        )
        .sort(*BOARD, "rank_all", "model")
    )
    return table.select(pl.col(name).cast(dtype) for name, dtype in PUBLIC_SCORES.schema.items())


def _side(scores: pl.DataFrame, part: str) -> pl.DataFrame:
    """The banks' rows with the metrics, named after the part."""
    return scores.filter(pl.col("level") == "all").select(
        *BOARD,
        "model",
        pl.col("items", "coverage").name.suffix(f"_{part}"),
        pl.sum_horizontal(*Grade).alias(f"graded_{part}"),
        *(pl.col(f"{name}{end}").alias(f"{name}_{part}{end}") for name in _METRICS for end in ("", "_low", "_high")),
    )


def rank_correlation(rows: pl.DataFrame) -> float | None:
    """Spearman's rank correlation of the index on the public part and on all, equal indices at their mean rank.

    None under `MIN_RANKED` models, or where all are equal on one side.

    Args:
        rows: of `public_scores`, of one bank, method and judge.
    """
    if rows.height < MIN_RANKED:
        return None
    places = rows.select(
        pl.col(name).round(RANK_DECIMALS).rank("average").alias(name) for name in ("index_public", "index_all")
    )
    if any(column.n_unique() == 1 for column in places):
        return None
    found = places.select(pl.corr("index_public", "index_all")).item()
    return max(-1.0, min(1.0, found))
