"""Pieces of DuckDB SQL that the contracts' and the rules' queries share, and how their rows are counted and shown."""

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import duckdb

SHOWN_ROWS = 20
_SHOWN_CHARACTERS = 60
# `\s` of the engine is ASCII only; this is what Python's `\s` matches.
_SPACE = r"\s\x0b\x1c-\x1f\x{85}\p{Z}"


def is_blank(text: str) -> str:
    """SQL: the expression `text` holds nothing but space."""
    return f"not regexp_matches({text}, '[^{_SPACE}]')"


def folded(text: str) -> str:
    """SQL: the expression `text` without case and with single spaces, for comparing."""
    return f"lower(trim(regexp_replace({text}, '[{_SPACE}]+', ' ', 'g')))"


def count_of(connection: "duckdb.DuckDBPyConnection", query: str) -> int:
    """Number of rows that `query` returns.

    Raises:
        duckdb.Error: when it cannot run.
    """
    return connection.sql(f"select count(*) from (\n{query}\n)").fetchall()[0][0]


def sample_of(connection: "duckdb.DuckDBPyConnection", query: str) -> pl.DataFrame:
    """The first SHOWN_ROWS rows of `query` in a fixed order, every value as short text: an answer may be a megabyte.

    Raises:
        duckdb.Error: when it cannot run.
    """
    shown = f"select left(columns(*)::varchar, {_SHOWN_CHARACTERS}) from (\n{query}\n) order by all limit {SHOWN_ROWS}"
    return connection.sql(shown).pl()
