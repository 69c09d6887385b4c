"""Great Expectations over one table: a contract becomes two suites, their results become findings.

The only module that imports great_expectations, which takes seconds: inside functions. Rules that need a
second table are in `checks/rules.py`.
"""

# pyright: reportPrivateImportUsage=false
# Great Expectations re-exports its documented expectations without saying so.

import gc
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from checks.contract import Column, Contract
from checks.results import Finding, Findings, Severity
from checks.sql import SHOWN_ROWS, is_blank, sample_of
from resources.collector import no_collection

if TYPE_CHECKING:
    from great_expectations.core import ExpectationValidationResult
    from great_expectations.core.batch_definition import BatchDefinition
    from great_expectations.expectations.expectation import Expectation

_SEVERITIES = {"critical": Severity.ERROR, "warning": Severity.WARN, "info": Severity.WARN}


@dataclass(frozen=True)
class _Rule:
    """One expectation of a suite, with the query that shows the rows which break it."""

    name: str
    expectation: "Expectation"
    query: str

    @classmethod
    def of(cls, name: str, expectation: "Callable[..., Expectation]", query: str, **arguments: Any) -> "_Rule":
        return cls(name, expectation(meta={"rule": name}, severity="critical", **arguments), query)


def validate_with_gx(contract: Contract, frame: pl.DataFrame) -> Findings:
    """What Great Expectations finds in `frame`: one finding a rule, shape first, then the contract's order.

    Columns without a rule on their values, such as a response's text, are looked at for presence and type only,
    which keeps the copies that pandas makes small. A rule that raised, or that came back without a result, is a
    finding that says it could not be evaluated.
    """
    definition = _batch_definition()
    wanted = {column.name for column in contract.columns if _has_rule(column)} | set(contract.unique)
    values = frame.select(name for name in frame.columns if name in wanted)
    findings = [
        *_validate(definition, [_shape_rule(contract)], _shape(frame.schema), contract.table),
        *_validate(definition, list(_value_rules(contract)), values, contract.table),
    ]
    return Findings(contract.table, frame.height, tuple(findings))


@cache
def _batch_definition() -> "BatchDefinition[Any]":
    gc.collect()  # what buying left behind makes room for the 200 MB of this import, where a sweep is largest
    with no_collection():
        import great_expectations as gx

    context = gx.get_context(mode="ephemeral")
    context.enable_analytics(False)
    context.variables.progress_bars = {"globally": False}  # pyright: ignore[reportAttributeAccessIssue]
    return (
        context.data_sources.add_pandas("lake").add_dataframe_asset("table").add_batch_definition_whole_dataframe("all")
    )


def _validate(definition: "BatchDefinition[Any]", rules: list[_Rule], frame: pl.DataFrame, table: str) -> list[Finding]:
    import great_expectations as gx

    # Arrow-backed columns keep a null apart from a NaN and an integer with nulls an integer.
    batch = definition.get_batch({"dataframe": frame.to_pandas(use_pyarrow_extension_array=True)})
    suite = gx.ExpectationSuite(name=table, expectations=[rule.expectation for rule in rules])
    validated = batch.validate(suite, result_format={"result_format": "BASIC", "partial_unexpected_count": 0})
    # Results come back in an order of their own, so each carries the name of its rule.
    results = {config.meta["rule"]: result for result in validated.results if (config := result.expectation_config)}
    return [_finding(rule, results.get(rule.name), frame, table) for rule in rules]


def _finding(rule: _Rule, result: "ExpectationValidationResult | None", frame: pl.DataFrame, table: str) -> Finding:
    if result is None:
        return Finding.not_evaluated(rule.name, rule.query, "Great Expectations gave no result for it")
    column = getattr(rule.expectation, "column", None)
    if error := _exception(result.exception_info):
        missing = column is not None and column not in frame.columns
        return Finding.not_evaluated(rule.name, rule.query, f"column {column} is missing" if missing else error)
    severity = _SEVERITIES[rule.expectation.severity]
    if result.success:
        return Finding(rule.name, severity, passed=True, query=rule.query)
    mismatched = result.result.get("details", {}).get("mismatched", [])
    return Finding(
        rule.name,
        severity,
        passed=False,
        query=rule.query,
        failing=result.result.get("unexpected_count", len(mismatched) or 1),
        sample=pl.DataFrame(mismatched[:SHOWN_ROWS]) if mismatched else _sample(rule, frame, table),
    )


def _exception(info: dict[str, Any]) -> str | None:
    """What an expectation raised; the info is flat where nothing was raised, else often keyed by metric."""
    if info.get("raised_exception") is False:
        return None
    flat = info if "exception_message" in info else next(iter(info.values()), {})
    return str(flat.get("exception_message") or "Great Expectations raised without a message")


def _sample(rule: _Rule, frame: pl.DataFrame, table: str) -> pl.DataFrame:
    import duckdb

    with duckdb.connect() as connection:
        connection.register(table, frame)
        return sample_of(connection, rule.query)


def _shape_rule(contract: Contract) -> _Rule:
    from great_expectations.expectations import core as gxe

    return _Rule.of(
        "columns and types are as in the contract",
        gxe.ExpectTableColumnsToMatchOrderedList,
        f"select column_name, column_type from (describe {contract.table})",
        column_list=_shape(contract.schema).columns,
    )


def _shape(schema: pl.Schema) -> pl.DataFrame:
    """An empty frame whose column names say name and type: one expectation then holds both, where a rule for each
    column's type takes a second in each sweep."""
    return pl.DataFrame(schema=[f"{name}: {dtype}" for name, dtype in schema.items()])


def _has_range(column: Column) -> bool:
    return column.dtype.is_float() or column.low is not None or column.high is not None


def _has_rule(column: Column) -> bool:
    return column.required or column.values is not None or _has_range(column)


def _value_rules(contract: Contract) -> Iterator[_Rule]:
    from great_expectations.expectations import core as gxe

    for column in contract.columns:
        yield from _column_rules(contract, column)
    key = ", ".join(_quoted(name) for name in contract.unique)
    twice = f"select {key}, count(*) as rows from {contract.table} group by all having count(*) > 1"
    name = f"{', '.join(contract.unique)} is unique"
    if len(contract.unique) == 1:
        yield _Rule.of(name, gxe.ExpectColumnValuesToBeUnique, twice, column=contract.unique[0])
    else:
        columns = list(contract.unique)
        yield _Rule.of(name, gxe.ExpectCompoundColumnsToBeUnique, twice, column_list=columns, ignore_row_if="never")


def _column_rules(contract: Contract, column: Column) -> Iterator[_Rule]:
    """Rules on the values of one column; an expectation other than not-null passes over nulls, as the contract does."""
    from great_expectations.expectations import core as gxe

    quoted = _quoted(column.name)
    shown = ", ".join(_quoted(name) for name in dict.fromkeys((*contract.unique, column.name)))
    broken = f"select {shown} from {contract.table} where"
    if column.required:
        yield _Rule.of(
            f"{column.name} is not null",
            gxe.ExpectColumnValuesToNotBeNull,
            f"{broken} {quoted} is null",
            column=column.name,
        )
    if column.values is not None:
        yield _Rule.of(
            f"{column.name} is one of {', '.join(column.values)}",
            gxe.ExpectColumnValuesToBeInSet,
            f"{broken} {quoted} not in ({', '.join(map(_literal, column.values))})",
            column=column.name,
            value_set=[str(value) for value in column.values],
        )
    elif column.required and column.dtype == pl.String:
        yield _Rule.of(
            f"{column.name} is not blank",
            gxe.ExpectColumnValuesToMatchRegex,
            f"{broken} {is_blank(quoted)}",
            column=column.name,
            regex=r"\S",
        )
    if _has_range(column):
        yield _range_rule(column, broken)


def _range_rule(column: Column, broken: str) -> _Rule:
    """Bounds, and for a float without bounds the infinite ones: no NaN lies between them."""
    from great_expectations.expectations import core as gxe

    name, outside = [], []
    if column.low is not None:
        name.append(f"at least {column.low:g}")
        outside.append(f"{_quoted(column.name)} < {column.low}")
    if column.high is not None:
        name.append(f"at most {column.high:g}")
        outside.append(f"{_quoted(column.name)} > {column.high}")
    if column.dtype.is_float():
        outside.append(f"isnan({_quoted(column.name)})")
    return _Rule.of(
        f"{column.name} is {' and '.join(name) or 'a number'}",
        gxe.ExpectColumnValuesToBeBetween,
        f"{broken} {' or '.join(outside)}",
        column=column.name,
        min_value=-math.inf if column.low is None else column.low,
        max_value=math.inf if column.high is None else column.high,
    )


def _quoted(name: str) -> str:
    return f'"{name}"'


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
