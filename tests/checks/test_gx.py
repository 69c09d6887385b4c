"""A contract through Great Expectations: what it says of sound, broken, incomplete and empty tables."""

from datetime import UTC, datetime

import duckdb
import polars as pl
import pytest

from checks.contract import Contract
from checks.contracts import CALLS, CONTRACTS, ITEMS, RESPONSES, SCORES
from checks.gx import validate_with_gx
from checks.results import Finding, Severity
from checks.sql import count_of
from tests.checks.lakes import FakeLake, card, choice, item, response, score, source

SHAPE = "columns and types are as in the contract"
CHECKED = ["sources", "evidence_cards", "items", "responses", "grades", "scores"]


def _failed(contract: Contract, frame: pl.DataFrame) -> dict[str, Finding]:
    return {finding.rule: finding for finding in validate_with_gx(contract, frame).failed}


def _responses(*rows: dict[str, object]) -> pl.DataFrame:
    return RESPONSES.frame([response("q1"), response("q2"), *rows])


BROKEN_RESPONSES = {
    "item_id is not null": response() | {"item_id": None},
    "item_id is not blank": response(item_id="\u00a0\t"),
    "outcome is one of answered, truncated, filtered, failed": response("q3", outcome="skipped"),
    "input_tokens is at least 0": response("q3", input_tokens=-1),
    "cost_usd is at least 0": response("q3", cost_usd=float("nan")),
    "temperature is a number": response("q3", temperature=float("nan")),
}


@pytest.mark.parametrize("table", CHECKED)
def test_a_sound_table_passes_each_rule(table: str) -> None:
    lake = FakeLake(sources=[source()], evidence_cards=[card()])
    findings = validate_with_gx(CONTRACTS[table], lake.read(table))
    assert findings.passed, findings.failed
    assert len(findings.findings) > len(CONTRACTS[table].columns) / 2


@pytest.mark.parametrize("table", CHECKED)
def test_an_empty_table_passes(table: str) -> None:
    findings = validate_with_gx(CONTRACTS[table], CONTRACTS[table].empty())
    assert (findings.passed, findings.rows) == (True, 0)


@pytest.mark.parametrize(("rule", "row"), BROKEN_RESPONSES.items(), ids=list(BROKEN_RESPONSES))
def test_one_row_breaks_one_rule(rule: str, row: dict[str, object]) -> None:
    frame = _responses(row)
    failed = _failed(RESPONSES, frame)
    assert list(failed) == [rule]
    assert (failed[rule].failing, failed[rule].severity, failed[rule].error) == (1, Severity.ERROR, None)
    assert RESPONSES.violations(frame), "the structural validation must see it too"
    with duckdb.connect() as connection:
        connection.register("responses", frame)
        assert count_of(connection, failed[rule].query) == 1, "the query must show the row"


def test_upper_bound() -> None:
    frame = SCORES.frame([score("all", "omniscience", accuracy=1.5)])
    failed = _failed(SCORES, frame)
    assert list(failed) == ["accuracy is at least 0 and at most 1"]
    assert failed["accuracy is at least 0 and at most 1"].sample["accuracy"].to_list() == ["1.5"]


def test_a_key_that_stands_twice_counts_all_its_rows() -> None:
    finding = _failed(RESPONSES, _responses(response("q1")))["domain, model, item_id, sample is unique"]
    assert finding.failing == 2
    assert finding.sample.row(0) == ("omniscience.law", "small", "q1", "0", "2")


def test_nulls_in_a_key_are_equal() -> None:
    frame = SCORES.frame([score("all", "omniscience"), score("all", "omniscience")])
    assert list(_failed(SCORES, frame)) == ["bank, level, key, model, method, judge is unique"]


def test_a_key_of_one_column() -> None:
    made = datetime(2025, 1, 1, tzinfo=UTC)
    call = {"call_id": "1", "role": "answer", "model": "m", "state": "completed", "attempts": 1, "created_at": made}
    frame = CALLS.frame([call, call])
    assert list(_failed(CALLS, frame)) == ["call_id is unique"]


def test_a_missing_column_could_not_be_evaluated_and_is_no_pass() -> None:
    failed = _failed(RESPONSES, _responses().drop("outcome", "text"))
    unevaluated = {rule for rule, finding in failed.items() if finding.error}
    assert unevaluated == {"outcome is not null", "outcome is one of answered, truncated, filtered, failed"}
    assert failed["outcome is not null"].error == "could not be evaluated: column outcome is missing"
    assert failed["outcome is not null"].severity is Severity.ERROR
    assert "text: String" in failed[SHAPE].sample["Expected"].to_list()


def test_a_missing_key_column_could_not_be_evaluated() -> None:
    finding = _failed(RESPONSES, _responses().drop("sample"))["domain, model, item_id, sample is unique"]
    assert finding.error is not None and "sample" in finding.error


def test_an_expectation_that_raises_could_not_be_evaluated() -> None:
    failed = _failed(RESPONSES, _responses().with_columns(sample=pl.lit("first")))
    assert failed[SHAPE].sample.select("Expected", "Found").rows() == [("sample: Int64", "sample: String")]
    error = failed["sample is at least 0"].error
    assert error is not None and error.startswith("could not be evaluated")


def test_a_column_that_does_not_belong_is_named() -> None:
    failed = _failed(RESPONSES, _responses().with_columns(note=pl.lit("x")))
    finding = failed[SHAPE]
    assert list(failed) == [SHAPE]
    assert finding.sample["Found"].to_list() == ["note: String"]


def test_columns_in_another_order() -> None:
    frame = _responses().select(reversed(RESPONSES.schema.names()))
    assert list(_failed(RESPONSES, frame)) == [SHAPE]


def test_lists_nulls_and_dates_pass_as_what_they_are() -> None:
    frame = ITEMS.frame([choice(aliases=["volts"]), item("q1", aliases=[]), item("q2")])
    assert validate_with_gx(ITEMS, frame).passed


def test_findings_keep_the_order_of_the_contract() -> None:
    rules = [finding.rule for finding in validate_with_gx(RESPONSES, _responses()).findings]
    assert rules[:2] == [SHAPE, "bank is not null"]
    assert rules.index("bank is not null") < rules.index("item_id is not null") < rules.index("sample is at least 0")
    assert rules[-1] == "domain, model, item_id, sample is unique"


def test_sample_holds_twenty_rows_of_key_and_column_only() -> None:
    frame = _responses(*(response(f"x{number}", input_tokens=-number - 1) for number in range(50)))
    finding = _failed(RESPONSES, frame)["input_tokens is at least 0"]
    assert finding.failing == 50
    assert finding.sample.columns == ["domain", "model", "item_id", "sample", "input_tokens"]
    assert finding.sample.height == 20
