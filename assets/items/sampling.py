"""Which items a limited sweep asks: a seeded sample over domains and topics, the same in any row order."""

from hashlib import sha256

import polars as pl


def stratified_sample(items: pl.DataFrame, limit: int, seed: str) -> pl.DataFrame:
    """At most `limit` rows of `items`, spread over the topics of each domain, in the order of their choice.

    A larger limit with the same seed keeps what a smaller one chose, so that answers already bought are used
    again. Every topic gives one item before any gives two; from there on each next item comes from the topic
    whose share is furthest behind (Sainte-Laguë: the largest size / (2 × chosen + 1)). The largest-remainder
    method can take a seat away as the limit grows, which would throw bought answers away.

    Args:
        items: frame with domain, topic and item_id; rows that must not be asked are left out by the caller.
        limit: number of items.
        seed: any text; another one draws another sample.
    """
    topic = ["domain", "topic"]
    item_chance = pl.struct(*topic, "item_id").map_elements(lambda row: chance(seed, *row.values()), pl.String)
    topic_chance = pl.struct(*topic).map_elements(lambda row: chance(seed, *row.values()), pl.String)
    return (
        items.with_columns(_chance=item_chance, _topic_chance=topic_chance)
        .with_columns(_rank=pl.col("_chance").rank("ordinal").over(topic).cast(pl.Int64) - 1)
        .with_columns(
            _later=pl.col("_rank") > 0,
            # the first items of topics take turns by domain, so that a tiny sample sees every domain
            _turn=pl.when(pl.col("_rank") == 0)
            .then(pl.col("_topic_chance").rank("dense").over("domain").cast(pl.Float64))
            .otherwise((pl.col("_rank") + 0.5) / pl.len().over(topic)),
        )
        .sort("_later", "_turn", "_chance")
        .head(limit)
        .select(items.columns)
    )


def chance(seed: str, *names: str) -> str:
    """A hash to sort by: the order is as good as random and the same on every machine."""
    return sha256("\0".join((seed, *names)).encode()).hexdigest()
