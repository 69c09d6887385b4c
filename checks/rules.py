"""Rules that need more than one row or one table, as DuckDB SQL over the tables of the lake.

Here is what a rule is; the rules stand in `bank_rules`, `item_rules`, `response_rules`, `grade_rules` and
`score_rules`. Rules on single columns are in `contracts`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from checks.results import Finding, Findings, Severity
from checks.sql import count_of, sample_of

if TYPE_CHECKING:
    import duckdb

RESTORE = (
    "A fault of factsweep or of a file edited by hand: delete the named partitions' files from the lake and sweep, "
    "which rebuilds them from the ledger and buys nothing twice."
)


@dataclass(frozen=True)
class Rule:
    """One rule: the asset it is shown on, how bad a breach is, and the query of the rows that break it.

    A breach of a `blocking` rule stops what stands downstream of `table` in the same run. `remedy` is what a person
    does about it. `threshold` is the share from which a warning appears, where there is one.
    """

    name: str
    table: str
    severity: Severity
    description: str
    remedy: str
    sql: str
    blocking: bool = False
    threshold: float | None = None


def evaluate(rule: Rule, connection: "duckdb.DuckDBPyConnection") -> Findings:
    """What `rule` finds; a query that cannot run is an error that says so, whatever the rule's severity."""
    import duckdb

    try:
        rows = count_of(connection, f"from {rule.table}")
        failing = count_of(connection, rule.sql)
        sample = sample_of(connection, rule.sql) if failing else pl.DataFrame()
    except duckdb.Error as error:
        return Findings(rule.table, 0, (Finding.not_evaluated(rule.name, rule.sql, str(error)),))
    finding = Finding(rule.name, rule.severity, failing == 0, rule.sql, failing, sample)
    return Findings(rule.table, rows, (finding,))


def partitions_over(count: str, whole: str, threshold: float) -> str:
    """Query: partitions in which `count` is more than `threshold` of `whole`."""
    return f"""\
select domain, model, {count}, {whole}, round({count} / {whole}, 4) as share, note
from partitions
where {count} > {threshold} * {whole}"""
