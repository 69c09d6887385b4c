"""The job `drift`, its check and the command: what a person is shown, and what they do about it."""

import json
from datetime import UTC, datetime

from click.testing import CliRunner
from dagster import (
    AssetCheckSeverity,
    DagsterInstance,
    ExecuteInProcessResult,
    RunRequest,
    SkipReason,
    build_schedule_context,
)

from orchestration.cli import main
from orchestration.definitions import build_definitions
from orchestration.resources import InstallationResource
from orchestration.schedules import drift_schedule
from resources.registries import Nightly
from tests.drift.conftest import ITEMS, Provider, Watch
from tests.support.scripted_server import ScriptedServer


def run_job(instance: DagsterInstance, job: str, **config: object) -> ExecuteInProcessResult:
    run_config = {"ops": {"sweeps": {"config": config}}} if config else {}
    return build_definitions().resolve_job_def(job).execute_in_process(instance=instance, run_config=run_config)


def drift(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["drift", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_job_asks_tonights_sample_and_shows_how_models_stand(
    nights: Watch, instance: DagsterInstance, server: ScriptedServer
) -> None:
    nights.run(7)
    before = server.stats.received

    result = run_job(instance, "drift")

    assert server.stats.received == before + ITEMS
    (event,) = result.get_asset_materialization_events()
    metadata = event.materialization.metadata
    assert (metadata["alarms"].value, metadata["calls bought"].value) == (0, ITEMS)
    assert "watching" in str(metadata["models"].value)
    assert "| 0% | 3 | 1 |" in str(metadata["what is found"].value)
    (check,) = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed) == ("no_drift", True)


def test_a_changed_model_is_named_with_the_remedy(nights: Watch, instance: DagsterInstance, provider: Provider) -> None:
    nights.run(7)
    provider.answer = lambda message: "41"

    result = run_job(instance, "drift")

    (check,) = result.get_asset_check_evaluations()
    assert result.success
    assert (check.passed, check.severity, check.blocking) == (False, AssetCheckSeverity.WARN, False)
    assert check.metadata["alarmed models"].value == "m"
    assert check.description is not None
    assert check.description.startswith("m (")
    assert "ops: {sweeps: {config: {again: true, models: [m]}}}" in check.description
    assert "factsweep sweep --model m --again" in check.description


def test_an_alarm_outlasts_a_night_on_which_nothing_came(
    nights: Watch, instance: DagsterInstance, provider: Provider
) -> None:
    nights.run(7)
    provider.answer = lambda message: "41"
    nights.run()
    nights.world.drift = {"items": ITEMS, "budget_usd": 1e-7}
    nights.world.write()

    result = run_job(instance, "drift")

    (check,) = result.get_asset_check_evaluations()
    assert not check.passed


def test_without_its_section_the_job_does_nothing(
    nights: Watch, instance: DagsterInstance, server: ScriptedServer
) -> None:
    nights.world.drift = None
    nights.world.write()
    before = server.stats.received

    result = run_job(instance, "drift")

    assert result.success
    assert result.get_asset_materialization_events() == []
    assert server.stats.received == before


def test_the_remedy_keeps_both_results_in_the_score_history(
    nights: Watch, instance: DagsterInstance, provider: Provider
) -> None:
    run_job(instance, "sweep")
    provider.answer = lambda message: "41"

    run_job(instance, "sweep", again=True, models=["m"])

    history = nights.world.table("score_history").filter(level="all", model="m").sort("published_at")
    assert history["accuracy"].to_list() == [1.0, 0.0]
    assert history["sweep_id"].n_unique() == 2


def test_the_command_tells_each_models_state_and_the_remedy(nights: Watch, provider: Provider) -> None:
    nights.run(8)
    assert drift() == (
        f"m: watching ({nights.date}), 24 of 24 items compared, 0 grades and 0 texts new, "
        "p = 1 tonight and 1 over the week\n"
    )
    provider.served_model = "other"

    nights.run()

    assert "m: alarmed" in drift() and "served as other" in drift() and "--model m --again" in drift()


def test_a_model_that_is_left_out_is_told_with_the_reason(nights: Watch, instance: DagsterInstance) -> None:
    nights.run(8)
    nights.world.models[0]["price"] = None
    nights.world.drift = {"items": ITEMS, "budget_usd": 1.0}
    nights.world.write()

    result = run_job(instance, "drift")

    reason = "nobody states its price, and a budget needs one"
    logged = [entry.user_message for entry in instance.all_logs(result.run_id)]
    assert any(line.startswith(f"m was asked nothing: {reason}") for line in logged)
    (event,) = result.get_asset_materialization_events()
    assert reason in str(event.materialization.metadata["models"].value)
    assert f"m: watching ({nights.date})" in drift() and reason in drift()


def test_the_command_as_json_is_a_list_of_models(nights: Watch) -> None:
    nights.run()

    (row,) = json.loads(drift("--json"))

    assert (row["model"], row["state"], row["baseline_nights"]) == ("m", "learning", 1)


def test_the_command_says_when_nothing_is_watched(nights: Watch) -> None:
    assert "No night has been watched yet" in drift()
    nights.world.drift = None
    nights.world.write()

    assert drift().startswith("The watch is off: add `drift: {items: 24}` to models.yaml")


def test_the_schedule_asks_each_morning_where_models_are_watched(nights: Watch, instance: DagsterInstance) -> None:
    morning = build_schedule_context(instance, scheduled_execution_time=datetime(2026, 3, 1, 6, tzinfo=UTC))

    request = drift_schedule(Nightly())(morning, installation=InstallationResource())
    nights.world.drift = None
    nights.world.write()
    skip = drift_schedule(Nightly())(morning, installation=InstallationResource())

    assert isinstance(request, RunRequest) and request.run_key == "drift of 2026-03-01"
    assert isinstance(skip, SkipReason)
