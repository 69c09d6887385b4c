"""The checks in a build of one domain: which rows they look at, and what they stop."""

import sys

import pytest
from dagster import AssetCheckEvaluation, AssetCheckSeverity, ExecuteInProcessResult

from tests.checks.graphs import DamagedLake, Graph
from tests.checks.lakes import EMPTY, FakeLake, balance, built, built_lake, card, response, source, verdict

HEALTH = "omniscience.health"
OF_BUILD = ("sources", "evidence_cards", "items")


def _evaluations(result: ExecuteInProcessResult) -> dict[str, AssetCheckEvaluation]:
    return {
        f"{found.asset_key.to_user_string()}.{found.check_name}": found
        for found in result.get_asset_check_evaluations()
    }


def _failed(result: ExecuteInProcessResult) -> set[str]:
    return {name for name, evaluation in _evaluations(result).items() if not evaluation.passed}


def _checks_of(graph: Graph, *tables: str) -> set[str]:
    keys = graph.definitions().resolve_asset_graph().asset_check_keys
    return {f"{key.asset_key.to_user_string()}.{key.name}" for key in keys if key.asset_key.to_user_string() in tables}


def test_a_sound_build_runs_the_checks_of_what_it_made() -> None:
    graph = Graph(built_lake())
    result = graph.build()
    assert result.success
    assert graph.ran == list(OF_BUILD)
    assert set(_evaluations(result)) == _checks_of(graph, *OF_BUILD)
    assert _failed(result) == set()


def test_checks_of_items_run_once_the_items_are_built() -> None:
    result = Graph(built_lake()).build()
    ended = [event.step_key for event in result.all_events if event.is_step_success]
    assert ended == ["sources", "sources_checks", "evidence_cards", "evidence_cards_checks", "items", "items_checks"]


@pytest.mark.parametrize(
    ("lake", "failed", "ran"),
    [
        (built_lake(sources=[source(rule="example.com")]), "sources.whitelist_respected", ["sources"]),
        (built_lake(sources=[source(), source()]), "sources.contract", ["sources"]),
        (
            built_lake(evidence_cards=[card(excerpt="It takes\neffect after 31 days.")]),
            "evidence_cards.excerpts_found",
            ["sources", "evidence_cards"],
        ),
        (built_lake(evidence_cards=[card(quality=6)]), "evidence_cards.contract", ["sources", "evidence_cards"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_stops_what_would_be_made_of_it(lake: FakeLake, failed: str, ran: list[str]) -> None:
    graph = Graph(lake)
    result = graph.build()
    assert _failed(result) == {failed}
    assert not result.success
    assert graph.ran == ran


def test_warnings_stop_nothing() -> None:
    lake = built_lake(
        sources=[source(), source("s2", status="failed", reason="HTTP 404")],
        items=[built(question="Is it 30 days?")],
        topic_balance=[balance(target=2)],
    )
    graph = Graph(lake)
    result = graph.build()
    assert _failed(result) == {"sources.documents_readable", "items.golds_not_in_questions", "items.topics_balanced"}
    assert {_evaluations(result)[name].severity for name in _failed(result)} == {AssetCheckSeverity.WARN}
    assert result.success
    assert graph.ran == list(OF_BUILD)


def test_another_domains_fault_stops_no_build() -> None:
    lake = built_lake(
        sources=[
            source(),
            source("s2", domain=HEALTH, rule="example.com"),
            source("s3", domain=HEALTH, status="failed"),
        ],
        evidence_cards=[card(), card("k2", domain=HEALTH)],
        items=[built(), built("k2", domain=HEALTH, question="Is it 30 days?", status="odd")],
        topic_balance=[balance(), balance(domain=HEALTH, target=9)],
    )
    result = Graph(lake).build()
    assert _failed(result) == set()
    assert result.success


def test_a_build_says_which_domain_was_looked_at() -> None:
    lake = built_lake(sources=[source(), source(domain=HEALTH)], evidence_cards=[card(excerpt="invented")])
    evaluations = _evaluations(Graph(lake).build())
    found = evaluations["sources.whitelist_respected"]
    assert found.description == "omniscience.law: 1 rows looked at"
    assert found.metadata["domain"].value == "omniscience.law"
    description = evaluations["evidence_cards.excerpts_found"].description
    assert description is not None and description.startswith("omniscience.law: failing rows: 1. ")


def test_a_build_holds_its_domain_to_the_contract_without_great_expectations(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "great_expectations"]:
        monkeypatch.delitem(sys.modules, name)
    lake = built_lake(items=[built(difficulty=1.5)])
    evaluations = _evaluations(Graph(lake).build())
    assert "great_expectations" not in sys.modules
    assert (
        evaluations["sources.contract"].description == "omniscience.law: 1 rows looked at, without Great Expectations"
    )
    description = evaluations["items.contract"].description
    assert description is not None and description.startswith("omniscience.law: difficulty is 1.5, over 1. ")


def test_a_domain_without_anything_passes() -> None:
    result = Graph(EMPTY).build()
    assert result.success
    assert _failed(result) == set()


def test_a_lake_that_cannot_be_read_stops_the_build() -> None:
    graph = Graph(DamagedLake())
    result = graph.build()
    assert _failed(result) == _checks_of(graph, "sources")
    assert graph.ran == ["sources"]


@pytest.mark.parametrize(
    "lake",
    [
        built_lake(verdicts=[verdict("k1", 0, "draft", "acme"), verdict("k1", 1, "entailment", "acme")]),
        built_lake(items=[built(question="Is it 30 days?")], responses=[response("k1")]),
    ],
    ids=["verified by its own lab", "holds its gold"],
)
def test_an_item_that_was_built_wrong_reaches_no_scores(lake: FakeLake) -> None:
    graph = Graph(lake)
    result = graph.sweep()
    assert "responses.items_sound" in _failed(result)
    assert graph.ran == ["sweeps"]
