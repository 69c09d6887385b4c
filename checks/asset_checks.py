"""The checks as Dagster knows them: one op an asset, one check for its contract and one for each rule.

What is checked stands in `contracts` and the `*_rules` modules. Where a check stands in the graph:

- Checks read whole tables. Those of items, responses and grades wait for `sweeps`, which records these tables
  without their assets being part of the run; a job must select them with `AssetSelection.checks_for_assets`.
- In a run for one domain the checks of sources, evidence_cards and items read that domain's rows alone, so that
  another domain's fault stops no build. Their contract is then looked at without Great Expectations, whose import
  takes longer than all else that is checked.
- A blocking check of an asset that is not in the run stops every asset that names it among its deps, so `scores`
  depends on responses and grades as well as on sweeps.
- Checks of items do not block: `sweeps` depends on items and would have to wait for a check that waits for it.
  The blocking rule `items_sound` of responses stops what a broken item must not reach.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol

import duckdb
import polars as pl
from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetKey,
    MetadataValue,
    multi_asset_check,
)
from dagster._core.storage.tags import PARTITION_NAME_TAG

from checks.bank_rules import BUILT_ITEM_RULES, CARD_RULES, REBUILD, SOURCE_RULES
from checks.contracts import CONTRACTS
from checks.grade_rules import GRADE_RULES
from checks.gx import validate_with_gx
from checks.item_rules import ITEM_RULES
from checks.response_rules import RESPONSE_RULES
from checks.results import Finding, Findings, Severity, markdown
from checks.rules import RESTORE, Rule, evaluate
from checks.score_rules import SCORE_RULES
from checks.watch_rules import WATCH_RULES
from resources.types import FactsweepError

SWEEPS = AssetKey("sweeps")
SECOND_LOOK_S = 1.5
CONTRACT = "contract"
_BY_DOMAIN = ("sources", "evidence_cards", "items")
_LAKE_ERRORS = (duckdb.Error, pl.exceptions.PolarsError, OSError, FactsweepError)
_SEVERITIES = {Severity.ERROR: AssetCheckSeverity.ERROR, Severity.WARN: AssetCheckSeverity.WARN}


class _Lake(Protocol):
    """A table as a frame, or the partition that `keys` name."""

    def read(self, table: str, **keys: str) -> pl.DataFrame: ...


class _LakeResource(Protocol):
    """What checks need of the resource `lake`: the lake itself, and a connection with its tables as views."""

    def get(self) -> _Lake: ...

    def tables(self, domain: str | None = None) -> AbstractContextManager[duckdb.DuckDBPyConnection]: ...


def build_asset_checks() -> list[AssetChecksDefinition]:
    """The checks of all assets; they read the lake through the resource `lake`."""
    return [
        _checks_of("sources", SOURCE_RULES, after=[], contract_blocks=True, mending=REBUILD),
        _checks_of("evidence_cards", CARD_RULES, after=[], contract_blocks=True, mending=REBUILD),
        _checks_of("items", (*ITEM_RULES, *BUILT_ITEM_RULES), after=[SWEEPS], contract_blocks=False),
        _checks_of("responses", RESPONSE_RULES, after=[SWEEPS], contract_blocks=True),
        _checks_of("grades", GRADE_RULES, after=[SWEEPS], contract_blocks=True),
        _checks_of("scores", SCORE_RULES, after=[], contract_blocks=True),
        _checks_of("open_partitions", WATCH_RULES, after=[], contract_blocks=False),
    ]


def _checks_of(
    table: str, rules: tuple[Rule, ...], *, after: list[AssetKey], contract_blocks: bool, mending: str = RESTORE
) -> AssetChecksDefinition:
    contract = AssetCheckSpec(
        CONTRACT,
        asset=table,
        description=f"Columns, types, keys and ranges are as the contract says (Great Expectations). {mending}",
        additional_deps=after,
        blocking=contract_blocks,
    )
    specs = [
        AssetCheckSpec(
            rule.name,
            asset=table,
            description=f"{rule.description} {rule.remedy}",
            additional_deps=after,
            blocking=rule.blocking,
        )
        for rule in rules
    ]

    # In a sweep each selected check yields a result whatever happens: one without a result would not block.
    @multi_asset_check(
        name=f"{table}_checks", specs=[contract, *specs], can_subset=True, required_resource_keys={"lake"}
    )
    def checks(context: AssetCheckExecutionContext) -> Iterator[AssetCheckResult]:
        partition = context.run.tags.get(PARTITION_NAME_TAG)
        if partition is not None and ("|" in partition or table not in _BY_DOMAIN):
            # These checks are per table: they would read all of it, and fail for another partition's fault.
            context.log.info("Not checked in a run for one partition; the next sweep checks the whole table.")
            return
        lake: _LakeResource = context.resources.lake
        selected = {key.name for key in context.selected_asset_check_keys}
        chosen = [rule for rule in rules if rule.name in selected]
        for rule, findings in _evaluated(chosen, lake, partition):
            yield _result(rule.name, findings, rule.remedy, partition, rule.threshold)
        if CONTRACT in selected:
            yield _result(CONTRACT, _validated(table, lake.get(), partition), mending, partition)

    return checks


def _evaluated(rules: Iterable[Rule], lake: _LakeResource, domain: str | None) -> list[tuple[Rule, Findings]]:
    """What each rule finds; what would stop a run is looked at twice.

    Another sweep that records right now puts one table in place after the other, and a rule over several of them can
    meet the moment between two.
    """
    found = list(_looked_at(rules, lake, domain))
    doubtful = [rule for rule, findings in found if rule.blocking and not findings.passed]
    if not doubtful:
        return found
    time.sleep(SECOND_LOOK_S)
    again = {rule.name: findings for rule, findings in _looked_at(doubtful, lake, domain)}
    return [(rule, again.get(rule.name, findings)) for rule, findings in found]


def _looked_at(rules: Iterable[Rule], lake: _LakeResource, domain: str | None) -> Iterator[tuple[Rule, Findings]]:
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(lake.tables(domain))
        except _LAKE_ERRORS as error:
            for rule in rules:
                yield rule, _unreadable(rule.table, rule.name, rule.sql, error)
            return
        for rule in rules:
            yield rule, evaluate(rule, connection)


def _validated(table: str, lake: _Lake, domain: str | None) -> Findings:
    contract, query = CONTRACTS[table], f"select * from {table}"
    try:
        frame = lake.read(table) if domain is None else lake.read(table, domain=domain)
    except _LAKE_ERRORS as error:
        return _unreadable(table, CONTRACT, query, error)
    if domain is None:
        return validate_with_gx(contract, frame)
    broken = tuple(Finding(fault, Severity.ERROR, False, query) for fault in contract.violations(frame))
    return Findings(table, frame.height, broken)


def _unreadable(table: str, rule: str, query: str, error: Exception) -> Findings:
    return Findings(table, 0, (Finding.not_evaluated(rule, query, str(error)),))


def _result(
    name: str, findings: Findings, remedy: str, domain: str | None, threshold: float | None = None
) -> AssetCheckResult:
    metadata: dict[str, MetadataValue] = {"rows looked at": MetadataValue.int(findings.rows)}
    if domain is not None:
        metadata["domain"] = MetadataValue.text(domain)
    if threshold is not None:
        metadata["threshold"] = MetadataValue.float(threshold)
    return AssetCheckResult(
        asset_key=findings.table,
        check_name=name,
        passed=findings.passed,
        severity=_SEVERITIES[findings.severity],
        description=_description(name, findings, remedy, domain),
        metadata=metadata | _failure_metadata(findings),
    )


def _description(name: str, findings: Findings, remedy: str, domain: str | None) -> str:
    of_domain = f"{domain}: " if domain is not None else ""
    if findings.passed:
        looked = f"{findings.rows} rows looked at" if findings.rows else "no rows yet"
        without = ", without Great Expectations" if domain is not None and name == CONTRACT else ""
        return of_domain + looked + without
    if errors := [finding.error for finding in findings.failed if finding.error]:
        return of_domain + errors[0]
    # Without Great Expectations what breaks a contract is a sentence and not a count.
    failing = sum(finding.failing for finding in findings.failed)
    what = f"failing rows: {failing}" if failing else "; ".join(finding.rule for finding in findings.failed)
    return f"{of_domain}{what}. {remedy}"


def _failure_metadata(findings: Findings) -> dict[str, MetadataValue]:
    """Which rules failed, then the first one's rows and the query that shows them all."""
    if findings.passed:
        return {}
    first = findings.failed[0]
    rules = pl.DataFrame(
        {
            "rule": [finding.rule for finding in findings.failed],
            "failing rows": [finding.failing for finding in findings.failed],
            "error": [finding.error for finding in findings.failed],
        }
    )
    return {
        "failing rows": MetadataValue.int(sum(finding.failing for finding in findings.failed)),
        "failed rules": MetadataValue.md(markdown(rules)),
        "rows": MetadataValue.md(markdown(first.sample)),
        "query": MetadataValue.md(f"```sql\n{first.query}\n```"),
    }
