"""What a contract is: a table's columns, types and rules, and how a frame is held to them. Tables: `contracts.py`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import polars as pl

from resources.types import FactsweepError

TIMESTAMP = pl.Datetime("us", "UTC")
_CHUNK = 1_000


class ContractViolation(FactsweepError):
    """A frame that does not keep its table's contract; nothing was written."""


@dataclass(frozen=True)
class Column:
    """One column: `values` lists all it may hold, `low` and `high` bound it (both inclusive)."""

    name: str
    dtype: pl.DataType | type[pl.DataType]
    description: str
    required: bool = False
    values: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Contract:
    """A table's columns in order, the key that is unique in it, and what the table is."""

    table: str
    description: str
    columns: tuple[Column, ...]
    unique: tuple[str, ...]

    @property
    def schema(self) -> pl.Schema:
        return pl.Schema({column.name: column.dtype for column in self.columns})

    def empty(self) -> pl.DataFrame:
        return pl.DataFrame(schema=self.schema)

    def frame(self, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
        """Rows as a frame with this table's schema; a missing key is a null.

        Rows that are made as they are taken never stand in memory all at once.
        """
        source = iter(rows)
        frames = []
        while chunk := list(islice(source, _CHUNK)):
            frames.append(pl.DataFrame(chunk, schema=self.schema, orient="row"))
        return pl.concat(frames) if frames else self.empty()

    def grown(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`frame` with what the table has learnt since it was written: optional columns that it lacks, as nulls."""
        missing = [column for column in self.columns if column.name not in frame.columns]
        if not missing or any(column.required for column in missing):
            return frame
        added = frame.with_columns(pl.lit(None, column.dtype).alias(column.name) for column in missing)
        return added.select([*self.schema, *(name for name in frame.columns if name not in self.schema)])

    def violations(self, frame: pl.DataFrame) -> list[str]:
        """What in `frame` breaks the contract, one sentence each; empty when it holds."""
        if frame.schema != self.schema:
            return [_schema_difference(self.schema, frame.schema)]
        found = []
        for column in self.columns:
            found += _column_violations(column, frame[column.name])
        if self.unique and (twice := int(frame.select(self.unique).is_duplicated().sum())):
            found.append(f"{twice} rows share their key ({', '.join(self.unique)})")
        return found

    def validate(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`frame` itself.

        Raises:
            ContractViolation: with all violations at once.
        """
        if found := self.violations(frame):
            raise ContractViolation(
                f"table {self.table}: {'; '.join(found)}. Nothing was written; "
                "this is a fault of factsweep or of a file edited by hand."
            )
        return frame


def _schema_difference(expected: pl.Schema, found: pl.Schema) -> str:
    parts = []
    for name, dtype in expected.items():
        if name not in found:
            parts.append(f"column {name} is missing")
        elif found[name] != dtype:
            parts.append(f"column {name} is {found[name]}, not {dtype}")
    parts += [f"column {name} is not part of the table" for name in found if name not in expected]
    return "; ".join(parts) or "the columns stand in another order"


def _column_violations(column: Column, values: pl.Series) -> list[str]:
    found = []
    if column.required and (nulls := values.null_count()):
        found.append(f"{column.name} is empty in {nulls} rows")
    if column.required and values.dtype == pl.String and (blank := int((values.str.strip_chars() == "").sum())):
        found.append(f"{column.name} is blank in {blank} rows")
    if column.values is not None:
        other = values.drop_nulls().filter(~values.drop_nulls().is_in(list(column.values)))
        if len(other):
            found.append(f"{column.name} holds {other[0]!r}, not one of {', '.join(column.values)}")
    if column.low is not None and len(below := values.filter(values < column.low)):
        found.append(f"{column.name} is {below[0]}, under {column.low}")
    if column.high is not None and len(above := values.filter(values > column.high)):
        found.append(f"{column.name} is {above[0]}, over {column.high}")
    if values.dtype.is_float() and int(values.is_nan().sum()):
        found.append(f"{column.name} is NaN; an unknown number is a null")
    return found
