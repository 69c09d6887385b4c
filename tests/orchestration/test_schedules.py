"""The schedules: the night's time and zone, summer time, defaults by mode, and what they request."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from dagster import (
    DagsterInstance,
    DefaultScheduleStatus,
    RunRequest,
    ScheduleDefinition,
    SkipReason,
    build_schedule_context,
)
from dagster._utils.schedules import schedule_execution_time_iterator

from orchestration import schedules
from orchestration.resources import InstallationResource
from orchestration.schedules import build_schedules, refresh_schedule
from tests.support.workshop import DOMAIN, Workshop, workshop
from tests.support.world import World

__all__ = ["workshop"]

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World.make(tmp_path, monkeypatch, NOWHERE)
    monkeypatch.setattr("orchestration.schedules.models_file", lambda: tmp_path / "models.yaml")
    return world


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def nightly() -> ScheduleDefinition:
    return next(schedule for schedule in build_schedules() if schedule.name == "nightly")


def test_the_night_starts_at_the_same_wall_clock_time_across_a_change_to_summer_time(world: World) -> None:
    world.nightly = {"cron": "30 2 * * *", "timezone": "Europe/Berlin"}
    world.write()
    schedule = nightly()

    start = datetime(2026, 3, 27, 12, tzinfo=UTC).timestamp()
    nights = list(
        islice(schedule_execution_time_iterator(start, schedule.cron_schedule, schedule.execution_timezone), 4)
    )

    # On 29 March 2026 half past two does not exist in Berlin: the night starts when the clock has moved on.
    assert [night.astimezone(UTC).strftime("%d %H:%M") for night in nights] == [
        "28 01:30",
        "29 01:00",
        "30 00:30",
        "31 00:30",
    ]


def test_each_night_is_requested_once_with_its_budget(world: World, instance: DagsterInstance) -> None:
    world.nightly = {"budget_usd": 12.0}
    world.write()
    context = build_schedule_context(instance, scheduled_execution_time=datetime(2026, 3, 1, 2, tzinfo=UTC))

    request = nightly()(context, installation=InstallationResource())

    assert isinstance(request, RunRequest)
    assert request.run_key == "night of 2026-03-01"
    assert request.run_config == {"ops": {"sweeps": {"config": {"budget_usd": 12.0}}}}


def test_a_line_that_is_no_cron_for_dagster_leaves_the_default_time(world: World) -> None:
    world.nightly = {"cron": "99 99 * * *"}
    world.write()

    assert nightly().cron_schedule == "0 2 * * *"


@pytest.mark.parametrize(
    ("nightly", "said"),
    [
        ({"cron": "at midnight"}, "'at midnight' is no cron line"),
        ({"timezone": "Mars/Olympus"}, "no time zone is called 'Mars/Olympus'"),
        ({"budget_usd": 0}, "greater than 0"),
    ],
)
def test_what_is_wrong_is_told_with_its_key(world: World, nightly: dict[str, object], said: str) -> None:
    world.nightly = nightly
    world.write()

    [problem] = world.open().problems

    assert said in problem
    assert "models.yaml: nightly." in problem


def test_schedules_that_spend_money_are_on_in_production_only(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert nightly().default_status is DefaultScheduleStatus.STOPPED

    monkeypatch.setattr(schedules, "_BY_DEFAULT", DefaultScheduleStatus.RUNNING)
    assert nightly().default_status is DefaultScheduleStatus.RUNNING


def test_pages_that_grew_old_are_fetched_again_within_the_banks_budget(
    workshop: Workshop, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.bank["build"] = {"refresh_days": 30, "budget_usd": 5}
    workshop.write()
    context = build_schedule_context(instance, scheduled_execution_time=datetime(2026, 3, 1, 3, tzinfo=UTC))
    monkeypatch.setattr("assets.sources.gathering.due_for_refresh", lambda frame, now, days: days == 30)

    [request] = refresh_schedule(context, installation=InstallationResource())  # type: ignore[misc]

    assert isinstance(request, RunRequest)
    assert (request.partition_key, request.run_key) == (DOMAIN, f"{DOMAIN} 2026-03-01")


def test_without_a_cap_nothing_is_built_by_itself(
    workshop: Workshop, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.bank["build"] = {"refresh_days": 30}
    workshop.write()
    context = build_schedule_context(instance, scheduled_execution_time=datetime(2026, 3, 1, 3, tzinfo=UTC))
    monkeypatch.setattr("assets.sources.gathering.due_for_refresh", lambda frame, now, days: True)

    [said] = refresh_schedule(context, installation=InstallationResource())  # type: ignore[misc]

    assert isinstance(said, SkipReason)
    assert "within a cap" in (said.skip_message or "")


def test_a_bank_that_wants_no_refresh_gets_none(workshop: Workshop, instance: DagsterInstance) -> None:
    context = build_schedule_context(
        instance, scheduled_execution_time=datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=900)
    )

    [said] = refresh_schedule(context, installation=InstallationResource())  # type: ignore[misc]

    assert isinstance(said, SkipReason)
