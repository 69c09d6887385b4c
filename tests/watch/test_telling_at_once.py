"""Who is told that partitions are left behind: the webhook, when they are others than at the last look."""

from datetime import UTC, datetime, timedelta

import pytest
from dagster import DagsterInstance

from orchestration.definitions import build_definitions
from tests.support.receiver import Receiver
from tests.support.world import DOMAIN, World

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
REMEDY = "See that the schedule `nightly` is on and its runs go through (make up, or the Automation page); or sweep"


class Noons:
    """The job `reconcile` on a day."""

    def __init__(self, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
        self._instance, self._now = instance, START
        monkeypatch.setattr("assets.watch.assets.utc_now", lambda: self._now)

    def reconcile(self, *days: int) -> str:
        """The run's id of the last one."""
        job, run = build_definitions().resolve_job_def("reconcile"), ""
        for day in days:
            self._now = START + timedelta(days=day)
            run = job.execute_in_process(instance=self._instance).run_id
        return run


@pytest.fixture
def noons(world: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> Noons:
    return Noons(instance, monkeypatch)


def test_what_is_left_behind_is_told_with_its_age_and_the_remedy(noons: Noons, receiver: Receiver) -> None:
    run = noons.reconcile(0, 1, 2, 3)

    [post] = receiver.posts
    first, partition, remedy, link = post["text"].splitlines()
    assert first == "*1 partition is left behind, and nothing says why*"
    assert partition == f"• {DOMAIN} | m: missing since 2026-03-01"
    assert remedy.startswith(REMEDY)
    assert link == f"<https://dagster.example/runs/{run}|The run>"
    assert post["factsweep"]["kind"] == "left_behind"


def test_the_same_partitions_are_not_told_every_day(noons: Noons, receiver: Receiver) -> None:
    noons.reconcile(0, 3, 4, 5)

    assert len(receiver.posts) == 1


def test_a_further_one_is_told_with_the_others(world: World, noons: Noons, receiver: Receiver) -> None:
    noons.reconcile(0, 3)
    world.models += [world.model(f"n{number}", "http://127.0.0.1:9/v1") for number in range(6)]
    world.write()

    noons.reconcile(4, 8)

    first, *others, _, _ = receiver.posts[-1]["text"].splitlines()
    assert first == "*7 partitions are left behind, and nothing says why*"
    assert others[0] == f"• {DOMAIN} | m: missing since 2026-03-01"
    assert others[5:] == ["• and 2 more"]


def test_what_was_swept_meanwhile_is_not_told(world: World, noons: Noons, receiver: Receiver) -> None:
    noons.reconcile(0)
    world.sweep()

    noons.reconcile(3)

    assert receiver.posts == []
