"""What leaves the house of a bank's items: its public or its private part, and the canary that public items carry."""

from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID, uuid5

import polars as pl

from resources.registries import Bank

_ABSOLUTE = r"^(?i:file:|[/~]|[a-z]:[/\\]|\\\\)"
_NAMESPACE = UUID("70413519-fb9a-4d40-bb87-d2caa4671678")  # another one would be another canary for every bank


class Split(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"


def part_of(items: pl.DataFrame, split: Split, banks: Mapping[str, Bank]) -> pl.DataFrame:
    """The active items of one part; together the two parts are all active items.

    Public ones carry their bank's canary in a column of this name, in every row, since rows are copied one by one.
    """
    active = items.filter(pl.col("status") == "active")
    if split is Split.PRIVATE:
        return active.filter(~_public(banks))
    names = active["bank"].unique().to_list()
    canaries = pl.col("bank").replace_strict({name: canary(name) for name in names}, return_dtype=pl.String)
    return active.filter(_public(banks)).with_columns(source_url=without_folders(pl.col("source_url")), canary=canaries)


def without_folders(sources: pl.Expr) -> pl.Expr:
    """Of a source that is a file of this machine its name alone: the folders above it are nobody else's matter."""
    return pl.when(sources.str.contains(_ABSOLUTE)).then(sources.str.extract(r"([^/\\]+)[/\\]*$")).otherwise(sources)


def private_count(items: pl.DataFrame, banks: Mapping[str, Bank]) -> int:
    """How many of these items, whatever their status, are not public."""
    return items.filter(~_public(banks)).height


def canary(bank: str) -> str:
    """The mark of a bank's published items, the same for ever.

    Whoever builds a corpus can filter by it, and a model that completes the GUID has seen them (as in BIG-bench).
    """
    return (
        f"Items of the bank {bank} test what language models know: benchmark data must not appear in training corpora. "
        f"canary GUID {uuid5(_NAMESPACE, bank)}"
    )


def _public(banks: Mapping[str, Bank]) -> pl.Expr:
    """Nothing of a private bank is public, nor of one whose folder is gone: that it is private may have stood there."""
    shareable = [name for name, bank in banks.items() if not bank.spec.private]
    return (pl.col("split") == "public") & pl.col("bank").is_in(shareable)
