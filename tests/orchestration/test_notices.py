"""Who is told of runs: real sensors and jobs on an ephemeral instance, a receiver on loopback."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from dagster import DagsterInstance, DagsterRunStatus, DefaultSensorStatus, ExecuteInProcessResult, build_sensor_context
from dagster._core.definitions.sensor_definition import SensorExecutionData
from dagster._core.test_utils import create_run_for_test

from orchestration.definitions import build_definitions
from orchestration.notices import failures_sensor, run_link
from orchestration.partitions import register_keys
from orchestration.resources import InstallationResource
from orchestration.runs import takes_up_another
from resources import webhook
from resources.home import PROJECT
from tests.support.catalogue import FERRY, QUAY
from tests.support.receiver import SECRET, Answer, Receiver
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.workshop import DOMAIN as PORTS
from tests.support.workshop import Workshop
from tests.support.world import DOMAIN, World


def run_job(instance: DagsterInstance, **config: object) -> ExecuteInProcessResult:
    job = build_definitions().resolve_job_def("sweep")
    return job.execute_in_process(
        instance=instance, run_config={"ops": {"sweeps": {"config": config}}}, raise_on_error=False
    )


def tick(instance: DagsterInstance, cursor: str | None) -> SensorExecutionData:
    context = build_sensor_context(instance=instance, cursor=cursor, resources={"installation": InstallationResource()})
    return failures_sensor.evaluate_tick(context)


def started(instance: DagsterInstance) -> str | None:
    """The cursor after the first tick, which tells nothing of what failed before."""
    return tick(instance, None).cursor


def test_a_failed_run_is_told_once(world: World, instance: DagsterInstance, receiver: Receiver) -> None:
    before = started(instance)
    run = run_job(instance, models=["nobody"]).run_id

    after = tick(instance, before).cursor
    tick(instance, after)

    [post] = receiver.posts
    assert post["text"].splitlines() == [
        "*sweep failed in sweeps*",
        "sweeps: model 'nobody' is not registered; known: m. See `factsweep doctor`",
        f"<https://dagster.example/runs/{run}|The run>",
    ]
    told = post["factsweep"]
    assert (told["kind"], told["run_id"], told["job"]) == ("failure", run, "sweep")
    assert told["steps"][0]["step"] == "sweeps"


def test_a_daemon_that_lost_its_cursor_tells_no_run_twice(
    world: World, instance: DagsterInstance, receiver: Receiver
) -> None:
    before = started(instance)
    run_job(instance, models=["nobody"])

    tick(instance, before)
    tick(instance, before)

    assert len(receiver.posts) == 1


def test_a_blocking_check_is_named_with_what_it_looks_at(
    world: World, instance: DagsterInstance, receiver: Receiver
) -> None:
    before = started(instance)
    run_job(instance)
    lake = world.open().lake
    partition = lake.read("partitions", domain=DOMAIN, model="m").with_columns(answered=pl.lit(4, pl.Int64))
    lake.write("partitions", partition, domain=DOMAIN, model="m")
    world.open().home.published.unlink()
    assert not run_job(instance).success

    tick(instance, before)

    summary, failure = receiver.posts
    assert summary["factsweep"]["kind"] == "summary"
    first, *rest = failure["text"].splitlines()
    assert first == "*sweep failed: blocking check grades: counts_add_up; nothing after it was published*"
    assert rest[0].startswith("• grades: counts_add_up, failing rows: 2. ")
    assert "delete the named partitions' files" in rest[0]
    assert failure["factsweep"]["failed_checks"] == ["grades: counts_add_up"]


def test_a_fault_of_ours_is_told_without_what_it_quotes(
    world: World, instance: DagsterInstance, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("no number: 'Which city is the capital of France?'\nParis")

    monkeypatch.setattr("assets.metrics.assets.score_table", broken)
    before = started(instance)
    run_job(instance)

    tick(instance, before)

    [post] = receiver.posts
    assert post["text"].splitlines()[:2] == ["*sweep failed in scores*", "scores: ValueError: no number: '…'"]
    assert "France" not in str(post) and "Paris" not in str(post)


def test_a_key_in_a_message_is_not_told(
    world: World, instance: DagsterInstance, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-very-secret-0123456789")
    world.models[0]["api_key_env"] = "SOME_KEY"
    world.write()
    before = started(instance)
    run_job(instance, models=["sk-very-secret-0123456789"])

    tick(instance, before)

    assert "model '[redacted]' is not registered" in receiver.posts[0]["text"]
    assert "sk-very-secret" not in str(receiver.posts)


def test_a_run_whose_process_is_gone_is_told(world: World, instance: DagsterInstance, receiver: Receiver) -> None:
    before = started(instance)
    run = create_run_for_test(
        instance, job_name="build", status=DagsterRunStatus.STARTED, tags={"dagster/partition": DOMAIN}
    )
    instance.report_run_failed(run, "The run's process is gone.")

    tick(instance, before)

    [post] = receiver.posts
    assert post["text"].splitlines()[:2] == [f"*build of {DOMAIN} failed*", "run: The run's process is gone."]
    assert post["factsweep"]["bank"] == "capitals"


def test_a_run_that_dagster_marks_as_failed_is_told_in_words_that_help(
    world: World, instance: DagsterInstance, receiver: Receiver
) -> None:
    before = started(instance)
    instance.report_run_failed(create_run_for_test(instance, job_name="sweep", status=DagsterRunStatus.STARTED))

    tick(instance, before)

    assert receiver.posts[0]["text"].splitlines()[:2] == [
        "*sweep failed*",
        "run: its process was killed or died. What it bought is kept; the next sweep buys exactly the rest.",
    ]


def test_a_cancelled_run_is_not_told(world: World, instance: DagsterInstance, receiver: Receiver) -> None:
    before = started(instance)
    run = create_run_for_test(instance, job_name="sweep", status=DagsterRunStatus.STARTED)
    instance.report_run_failed(run, "Ctrl-C is a failure at first")
    instance.report_run_canceled(run, "Cancelled by Ctrl-C.")

    tick(instance, before)

    assert receiver.posts == []


@pytest.mark.parametrize("job", ["reconcile", "housekeeping"])
def test_a_failure_of_what_looks_after_the_rest_is_told(
    job: str, world: World, instance: DagsterInstance, receiver: Receiver
) -> None:
    before = started(instance)
    instance.report_run_failed(create_run_for_test(instance, job_name=job), "the disk is gone")

    tick(instance, before)

    [post] = receiver.posts
    assert post["factsweep"]["job"] == job


def test_a_job_that_nobody_waits_for_is_not_told(world: World, instance: DagsterInstance, receiver: Receiver) -> None:
    before = started(instance)
    instance.report_run_failed(create_run_for_test(instance, job_name="__ASSET_JOB"), "by hand")

    tick(instance, before)

    assert receiver.posts == []


def test_a_sweep_tells_and_writes_its_summary_and_an_idle_one_nothing(
    world: World, instance: DagsterInstance, receiver: Receiver
) -> None:
    result = run_job(instance)

    assert result.success
    [post] = receiver.posts
    assert post["text"].startswith("*capitals: m leads (index 100); 1 model is new; $")
    assert post["factsweep"]["url"] == f"https://dagster.example/runs/{result.run_id}"
    report = world.open().home.report
    [night] = (report / "nights").glob(f"*Z_{result.run_id[:8]}.md")
    assert night.read_text() == (report / "summary.md").read_text()
    [event] = [event for event in result.all_events if event.is_step_materialization and event.step_key == "summary"]
    assert event.materialization.metadata["summary"].value == night.read_text()

    assert run_job(instance).success
    assert len(receiver.posts) == 1
    assert len(list((report / "nights").iterdir())) == 1


def test_the_summary_is_the_last_step_and_knows_the_checks_that_warned(
    world: World, instance: DagsterInstance, receiver: Receiver, server: ScriptedServer
) -> None:
    server.script = lambda request: Reply(text="", finish_reason="length")
    result = run_job(instance)

    steps = [event.step_key for event in result.all_events if event.is_step_success]
    failed = {check.check_name for check in result.get_asset_check_evaluations() if not check.passed}
    assert steps[-1] == "summary"
    assert "truncated_share" in failed
    assert {name.split(": ")[1] for name in receiver.posts[0]["factsweep"]["failed_checks"]} == failed


def test_a_retry_after_a_crash_takes_up_another_run(instance: DagsterInstance) -> None:
    first = create_run_for_test(instance, job_name="sweep")
    retry = create_run_for_test(instance, job_name="sweep", parent_run_id=first.run_id, root_run_id=first.run_id)

    assert [takes_up_another(instance, run.run_id) for run in (first, retry)] == [False, True]


def test_a_webhook_that_hangs_fails_no_run_and_its_address_is_not_logged(
    world: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "DEADLINE_S", 0.5)
    with Receiver(Answer(hangs=True)) as receiver:
        monkeypatch.setenv("FACTSWEEP_WEBHOOK", receiver.url)
        result = run_job(instance)

    assert result.success
    logged = "\n".join(entry.user_message for entry in instance.all_logs(result.run_id))
    assert "FACTSWEEP_WEBHOOK, address 1: " in logged
    assert SECRET.split("/")[-1] not in str(instance.all_logs(result.run_id))


def test_a_budget_stop_is_told_when_it_happens(world: World, instance: DagsterInstance, receiver: Receiver) -> None:
    result = run_job(instance, budget_usd=0.00045)

    assert result.success
    stop, summary = receiver.posts
    assert stop["text"].startswith("*sweep: the budget stopped it after $0.00*")
    assert stop["factsweep"]["kind"] == "budget"
    assert summary["factsweep"]["over_budget"] is True


def test_a_build_that_its_budget_stops_in_two_stages_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer, receiver: Receiver
) -> None:
    workshop = Workshop.make(tmp_path, monkeypatch, server)
    server.script = workshop.author
    workshop.document("ports", QUAY, FERRY)
    config = {"config": {"budget_usd": 0.000001}}
    with DagsterInstance.ephemeral() as instance:
        opened = workshop.open()
        register_keys(instance, opened.banks, opened.models)
        job = build_definitions().resolve_job_def("build")
        run_config = {"ops": {"evidence_cards": config, "items": config}}
        assert job.execute_in_process(instance=instance, partition_key=PORTS, run_config=run_config).success

    [post] = receiver.posts
    assert post["text"].startswith(f"*build of {PORTS}: the budget stopped it after $0.00*")


@pytest.mark.parametrize(
    ("environment", "status"),
    [
        ({}, DefaultSensorStatus.STOPPED),
        ({"FACTSWEEP_WEBHOOK": "https://hooks.example/T0"}, DefaultSensorStatus.RUNNING),
        ({"FACTSWEEP_MODE": "production"}, DefaultSensorStatus.RUNNING),
    ],
    ids=["alone", "webhook", "production"],
)
def test_the_sensor_is_on_where_someone_is_told(environment: dict[str, str], status: DefaultSensorStatus) -> None:
    code = "from orchestration.notices import failures_sensor; print(failures_sensor.default_status.value)"
    clean = {name: value for name, value in os.environ.items() if name != "FACTSWEEP_MODE"}

    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, env=clean | environment, capture_output=True, text=True, check=True
    )

    assert shown.stdout.strip() == status.value


@pytest.mark.parametrize(("url", "link"), [("", None), ("ftp://x", None), ("http://h:3000/", "http://h:3000/runs/r")])
def test_a_link_needs_the_address_of_the_ui(monkeypatch: pytest.MonkeyPatch, url: str, link: str | None) -> None:
    monkeypatch.setenv("FACTSWEEP_URL", url)

    assert run_link("r") == link
