"""What the UI shows of a table: its column schema, a few rows, its counts and cost."""

from collections.abc import Mapping, Sequence

import polars as pl
from dagster import MetadataValue, TableColumn, TableColumnConstraints, TableConstraints, TableSchema

from checks.contract import Contract
from checks.results import markdown

EXAMPLES = 8


def schema_metadata(contract: Contract) -> dict[str, MetadataValue]:
    """The contract as the column schema of an asset."""
    columns = [
        TableColumn(
            column.name,
            str(column.dtype),
            column.description,
            TableColumnConstraints(nullable=not column.required, other=_rules(column.values, column.low, column.high)),
        )
        for column in contract.columns
    ]
    unique = [f"unique: {', '.join(contract.unique)}"] if contract.unique else []
    return {"dagster/column_schema": MetadataValue.table_schema(TableSchema(columns, TableConstraints(unique)))}


def table_markdown(frame: pl.DataFrame, columns: Sequence[str], rows: int = EXAMPLES) -> MetadataValue:
    """The first rows of some columns as a Markdown table, long cells cut."""
    if frame.is_empty():
        return MetadataValue.md("_no rows_")
    shown = markdown(frame.select(columns).head(rows))
    more = f"\n\n_{rows} of {frame.height} rows_" if frame.height > rows else ""
    return MetadataValue.md(shown + more)


def dollars(usd: float | None) -> MetadataValue:
    """A cost; an unknown one says so."""
    return MetadataValue.text("unknown: no price") if usd is None else MetadataValue.text(f"${usd:.4f}")


def partition_metadata(partition: Mapping[str, object]) -> dict[str, MetadataValue]:
    """What a row of `partitions` says, as metadata of its materialization."""
    coverage = float(str(partition["coverage"]))
    shown = {
        "coverage": MetadataValue.float(round(coverage, 4)),
        "answered": MetadataValue.int(int(str(partition["answered"]))),
        "graded": MetadataValue.int(int(str(partition["graded"]))),
        "cost": dollars(partition["cost_usd"]),  # type: ignore[arg-type]
        "method": MetadataValue.text(str(partition["method"])),
        "sweep": MetadataValue.text(str(partition["sweep_id"])),
    }
    if partition["judge"] is not None:
        shown["judge"] = MetadataValue.text(str(partition["judge"]))
        shown["judge cost"] = dollars(partition["judge_cost_usd"])  # type: ignore[arg-type]
    if partition["note"]:
        shown["incomplete because"] = MetadataValue.text(str(partition["note"]))
    return shown


def _rules(values: tuple[str, ...] | None, low: float | None, high: float | None) -> list[str]:
    rules = [f"one of {', '.join(values)}"] if values else []
    rules += [f"at least {low:g}"] if low is not None else []
    return rules + ([f"at most {high:g}"] if high is not None else [])
