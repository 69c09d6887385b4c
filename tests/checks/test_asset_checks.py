"""The checks in a graph: where they stand, what they stop, and what they show."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl
import pytest
from dagster import AssetCheckEvaluation, AssetCheckSeverity, ExecuteInProcessResult

from checks.asset_checks import build_asset_checks
from checks.contract import Contract
from checks.results import Finding, Findings, Severity
from tests.checks.graphs import DamagedLake, Graph, LakeResource, SweptLake
from tests.checks.lakes import EMPTY, FakeLake, item, partition, response, score


def _evaluations(result: ExecuteInProcessResult) -> dict[str, AssetCheckEvaluation]:
    return {
        f"{found.asset_key.to_user_string()}.{found.check_name}": found
        for found in result.get_asset_check_evaluations()
    }


def _failed(result: ExecuteInProcessResult) -> set[str]:
    return {name for name, evaluation in _evaluations(result).items() if not evaluation.passed}


@pytest.fixture
def quick_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contracts validated without Great Expectations, whose 100 expectations a sweep take seconds."""

    def validate(contract: Contract, frame: pl.DataFrame) -> Findings:
        broken = tuple(Finding(text, Severity.ERROR, False, "select 1") for text in contract.violations(frame))
        return Findings(contract.table, frame.height, broken)

    monkeypatch.setattr("checks.asset_checks.validate_with_gx", validate)


ALL_CHECKS = {
    f"{key.asset_key.to_user_string()}.{key.name}" for checks in build_asset_checks() for key in checks.check_keys
}
SWEEP_CHECKS = {name for name in ALL_CHECKS if not name.startswith(("sources.", "evidence_cards.", "open_partitions."))}


def test_a_sound_sweep_runs_each_check_and_publishes() -> None:
    graph = Graph(FakeLake())
    result = graph.sweep()
    assert result.success
    assert graph.ran == ["sweeps", "scores", "leaderboard"]
    assert set(_evaluations(result)) == SWEEP_CHECKS
    assert _failed(result) == set()


@pytest.mark.usefixtures("quick_contracts")
@pytest.mark.parametrize(
    ("lake", "failed"),
    [
        (FakeLake(responses=[response("q1"), response("q1"), response("q2")]), "responses.answered_once"),
        (FakeLake(responses=[response("q1"), response("q2", outcome="skipped")]), "responses.contract"),
        (FakeLake(partitions=[partition(answered=1)]), "grades.counts_add_up"),
        (FakeLake(items=[item("q1", answer=" "), item("q2")]), "responses.items_sound"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_structural_failure_after_the_sweep_stops_scores_and_what_follows(lake: FakeLake, failed: str) -> None:
    graph = Graph(lake)
    result = graph.sweep()
    assert failed in _failed(result)
    assert not result.success
    assert graph.ran == ["sweeps"]


@pytest.mark.usefixtures("quick_contracts")
def test_checks_read_what_the_sweep_recorded() -> None:
    ran: list[str] = []
    broken = FakeLake(
        items=[item("q1", answer=" "), item("q2")],
        responses=[response("q1"), response("q1"), response("q2")],
        partitions=[partition(answered=1)],
    )
    result = Graph(SweptLake(ran, before=broken, after=FakeLake()), ran).sweep()
    assert _failed(result) == set()


@pytest.mark.usefixtures("quick_contracts")
def test_a_failure_in_scores_stops_what_follows() -> None:
    graph = Graph(FakeLake(scores=[score("all", "omniscience", index=1.0)]))
    result = graph.sweep()
    assert _failed(result) == {"scores.index_identity"}
    assert graph.ran == ["sweeps", "scores"]


@pytest.mark.usefixtures("quick_contracts")
def test_a_warning_stops_nothing() -> None:
    graph = Graph(FakeLake(partitions=[partition(retryable=1, note="1 failed", coverage=0.5)]))
    result = graph.sweep()
    assert _failed(result) == {"grades.coverage"}
    assert _evaluations(result)["grades.coverage"].severity is AssetCheckSeverity.WARN
    assert result.success
    assert graph.ran == ["sweeps", "scores", "leaderboard"]


@pytest.mark.usefixtures("quick_contracts")
def test_a_failing_check_of_items_does_not_stop_the_sweep_that_reads_the_mended_file() -> None:
    graph = Graph(FakeLake(items=[item("q1"), item("q2"), item("q3", answer=" ")]))
    result = graph.sweep()
    assert _failed(result) == {"items.answers_not_empty", "items.contract"}
    assert _evaluations(result)["items.answers_not_empty"].severity is AssetCheckSeverity.ERROR
    assert graph.ran == ["sweeps", "scores", "leaderboard"]


def test_a_lake_that_cannot_be_read_fails_each_check_and_stops_scores() -> None:
    graph = Graph(DamagedLake())
    result = graph.sweep()
    expected = {name for name in SWEEP_CHECKS if not name.startswith("scores.")}
    assert _failed(result) == expected
    assert all(found.severity is AssetCheckSeverity.ERROR for found in _evaluations(result).values())
    description = _evaluations(result)["grades.coverage"].description
    assert description is not None and description.startswith("could not be evaluated: ")
    assert graph.ran == ["sweeps"]


def test_rules_run_on_the_connection_of_the_resource() -> None:
    class NoConnection(FakeLake):
        """A lake that can be read, but gives no connection of its own."""

        def connect(self, domain: str | None = None) -> duckdb.DuckDBPyConnection:
            raise AssertionError("the resource's connection is there for this")

    class Resource(LakeResource):
        @contextmanager
        def tables(self, domain: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
            with FakeLake(partitions=[partition(graded=1, coverage=0.5)]).connect() as connection:
                yield connection

    graph = Graph(NoConnection(), resource=Resource)
    evaluation = graph.check("grades", "coverage")
    assert (evaluation.passed, evaluation.metadata["failing rows"].value) == (False, 1)


@pytest.mark.usefixtures("quick_contracts")
def test_nothing_recorded_passes_and_says_so() -> None:
    result = Graph(EMPTY).sweep()
    assert result.success
    assert {evaluation.description for evaluation in _evaluations(result).values()} == {"no rows yet"}


@pytest.mark.usefixtures("quick_contracts")
def test_one_partition_by_hand_leaves_the_checks_of_whole_tables_to_the_next_sweep() -> None:
    graph = Graph(FakeLake())
    result = graph.answer_one_partition()
    assert result.success
    assert graph.ran == ["answer_and_grade"]
    assert _evaluations(result) == {}


def test_one_check_can_be_run_alone() -> None:
    evaluation = Graph(FakeLake()).check("grades", "coverage")
    assert (evaluation.check_name, evaluation.passed) == ("coverage", True)


def test_a_failure_shows_its_rows_its_query_and_what_to_do() -> None:
    lake = FakeLake(partitions=[partition(graded=1, coverage=0.5, note="1 ungraded")])
    evaluation = Graph(lake).check("grades", "coverage")
    shown = {name: value.value for name, value in evaluation.metadata.items()}
    assert shown["failing rows"] == 1
    assert shown["threshold"] == 1.0
    assert "| omniscience.law | small | 0.5 | 1 | 2 | 1 ungraded |" in str(shown["rows"])
    query = str(shown["query"]).removeprefix("```sql\n").removesuffix("\n```")
    with lake.connect() as connection:
        assert connection.sql(query).fetchall() == [("omniscience.law", "small", 0.5, 1, 2, "1 ungraded")]
    assert evaluation.description is not None and "sweep again" in evaluation.description


def test_a_failed_contract_names_each_rule_that_failed() -> None:
    lake = FakeLake(responses=[response("q1", outcome="skipped", input_tokens=-1), response("q2")])
    evaluation = Graph(lake).check("responses", "contract")
    rules = str(evaluation.metadata["failed rules"].value)
    assert "outcome is one of" in rules
    assert "input\\_tokens is at least 0" in rules
    assert evaluation.metadata["failing rows"].value == 2


def test_metadata_of_the_worst_failure_stays_small() -> None:
    rows = [response("x" * 500, sample=number // 2, text="y" * 100_000) for number in range(400)]
    metadata = Graph(FakeLake(responses=rows)).check("responses", "answered_once").metadata
    assert sum(len(str(value.value)) for value in metadata.values()) < 10_000


def test_importing_the_checks_imports_nothing_heavy() -> None:
    program = "import sys, checks.asset_checks; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = ["litellm", "great_expectations", "pandas", "xllamacpp"]
    done = subprocess.run(
        [sys.executable, "-c", program, *heavy],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.stdout.strip() == "[]"


def test_what_only_looks_wrong_while_another_sweep_records_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lake = FakeLake(items=[item("q1", answer=" "), item("q2")])
    monkeypatch.setattr("checks.asset_checks.time.sleep", lambda seconds: lake.items.__setitem__(0, item("q1")))

    result = Graph(lake).sweep()

    assert "responses.items_sound" not in _failed(result)
