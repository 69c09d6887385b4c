"""The checks in the project's own graph: which job runs them, and what they stop in a build of one domain."""

from pathlib import Path

import polars as pl
import pytest
import yaml
from dagster import DagsterInstance, ExecuteInProcessResult

from orchestration.definitions import build_definitions
from tests.checks.lakes import card
from tests.support.world import BANK, DOMAIN, World

MINUTES = "The council of Europe's capitals met in Paris. It elected Ada Park on 3 May 2024."


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A bank whose domain is built from one file, and no model that could write a card."""
    world = World.make(tmp_path, monkeypatch, "http://127.0.0.1:9")
    folder = tmp_path / "banks" / BANK
    (folder / "documents").mkdir()
    (folder / "documents" / "minutes.md").write_text(f"# Minutes\n\n{MINUTES}\n")
    spec = {"title": "Europe", "topics": [{"name": "Capitals"}], "sources": [{"path": "documents/*.md", "tier": 1}]}
    (folder / "domains" / "europe.yaml").write_text(yaml.safe_dump(spec))
    return world


def build(instance: DagsterInstance) -> ExecuteInProcessResult:
    job = build_definitions().resolve_job_def("build")
    return job.execute_in_process(instance=instance, partition_key=DOMAIN, raise_on_error=False)


def ended(result: ExecuteInProcessResult) -> list[str]:
    return [event.step_key or "" for event in result.all_events if event.is_step_success]


def failed(result: ExecuteInProcessResult) -> set[str]:
    return {check.check_name for check in result.get_asset_check_evaluations() if not check.passed}


def checks_of(job: str) -> dict[str, set[str]]:
    """Names of the checks that a job runs, by asset."""
    found: dict[str, set[str]] = {}
    for key in build_definitions().resolve_job_def(job).asset_layer.asset_graph.asset_check_keys:
        found.setdefault(key.asset_key.to_user_string(), set()).add(key.name)
    return found


ITEM_CHECKS = {
    "contract",
    "answers_not_empty",
    "options_sound",
    "questions_distinct",
    "verified_by_another_lab",
    "golds_not_in_questions",
    "topics_balanced",
    "answer_types_mixed",
}


def test_a_build_checks_what_it_makes() -> None:
    assert checks_of("build") == {
        "sources": {"contract", "whitelist_respected", "documents_readable"},
        "evidence_cards": {"contract", "excerpts_found", "host_share"},
        "items": ITEM_CHECKS,
    }


def test_a_sweep_checks_neither_sources_nor_cards() -> None:
    assert checks_of("sweep") == {
        "items": ITEM_CHECKS,
        "responses": {
            "contract",
            "items_sound",
            "answered_once",
            "questions_current",
            "partitions_recorded",
            "truncated_share",
            "failed_share",
        },
        "grades": {
            "contract",
            "graded_or_reason",
            "counts_add_up",
            "golds_current",
            "coverage",
            "judge_failures",
            "unreadable_share",
        },
        "scores": {"contract", "index_identity", "scores_add_up"},
    }


def test_a_build_ends_with_the_checks_of_its_items(world: World, instance: DagsterInstance) -> None:
    result = build(instance)

    assert result.success
    assert failed(result) == {"topics_balanced"}, "nobody could write a card"
    assert ended(result) == [
        "sources",
        "sources_checks",
        "evidence_cards",
        "evidence_cards_checks",
        "items",
        "items_checks",
    ]


def test_a_document_from_a_host_that_no_rule_admits_stops_the_build(
    world: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assets.sources.gathering import gather

    def gathered_elsewhere(*arguments: object, **named: object) -> pl.DataFrame:
        frame = gather(*arguments, **named)  # pyright: ignore[reportArgumentType]
        return frame.with_columns(
            url=pl.lit("https://evil.example/"), host=pl.lit("evil.example"), rule=pl.lit("*.gov")
        )

    monkeypatch.setattr("assets.sources.gathering.gather", gathered_elsewhere)

    result = build(instance)

    assert not result.success
    assert failed(result) == {"whitelist_respected"}
    assert ended(result) == ["sources"]


def test_a_card_that_its_source_does_not_state_stops_the_items(
    world: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(instance).success
    lake = world.open().lake
    cards = lake.read("evidence_cards", domain=DOMAIN)
    source_id = lake.read("sources", domain=DOMAIN)["source_id"].item()
    altered = card(bank=BANK, domain=DOMAIN, source_id=source_id, excerpt=MINUTES.replace("2024", "2025"))
    lake.write("evidence_cards", cards.vstack(pl.DataFrame([altered], schema=cards.schema)), domain=DOMAIN)
    monkeypatch.setattr("assets.evidence_cards.stage.surviving", lambda earlier, _: earlier.to_dicts())

    result = build(instance)

    assert not result.success
    assert failed(result) == {"excerpts_found"}
    assert ended(result) == ["sources", "sources_checks", "evidence_cards"]
