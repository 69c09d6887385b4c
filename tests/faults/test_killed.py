"""A sweep that is killed or interrupted: nothing bought is lost or bought again, no run is left as started."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from dagster import DagsterInstance, DagsterRunStatus

from resources.types import CallState
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, World

ITEMS = 40
CONCURRENCY = 4


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: Reply(text="42", latency_s=0.15)) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    world = World.make(tmp_path, monkeypatch, server.url, concurrency=CONCURRENCY)
    world.ask_sums(ITEMS)
    return world


_HURT = """
import os, signal
replace = os.replace
def hurt(source, target):
    replace(source, target)
    if "{place}" in str(target):
        os.kill(os.getpid(), signal.{number})
os.replace = hurt
"""


def start(*, hurt_at: str = "", number: str = "SIGKILL") -> subprocess.Popen[bytes]:
    """`factsweep sweep` in a process group of its own; it may send itself a signal once a file is in place."""
    prelude = _HURT.format(place=hurt_at, number=number) if hurt_at else ""
    command = [sys.executable, "-c", f"{prelude}\nfrom orchestration.cli import main; main()", "sweep", "--bank", BANK]
    return subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
    )


def wait_for(server: ScriptedServer, completed: int, process: subprocess.Popen[bytes]) -> None:
    """Until the server has answered so many, or the process has ended."""
    deadline = time.monotonic() + 120
    while server.stats.completed < completed and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)


def run_states() -> list[DagsterRunStatus]:
    with DagsterInstance.get() as instance:
        return [run.status for run in instance.get_runs()]


def test_killed_again_and_again_it_buys_each_call_once_but_for_those_in_flight(
    world: World, server: ScriptedServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kills = 2
    for kill in range(1, kills + 1):
        process = start()
        wait_for(server, kill * ITEMS // 4, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    assert start().wait(timeout=180) == 0

    responses, grades = world.table("responses"), world.table("grades")
    assert sorted(responses["item_id"]) == sorted(item["id"] for item in world.items)
    assert set(grades["grade"]) == {"correct"}
    assert max(server.asked.values()) <= 1 + kills
    assert server.stats.received <= ITEMS + kills * CONCURRENCY
    monkeypatch.setenv("DAGSTER_HOME", str(home / "dagster"))
    assert DagsterRunStatus.STARTED not in run_states()
    assert run_states().count(DagsterRunStatus.SUCCESS) == 1


def test_ctrl_c_ends_within_seconds_with_what_was_bought_recorded(
    world: World, server: ScriptedServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = f"plus {42 - (ITEMS - 1)}?"
    server.script = lambda request: Reply(text="42", latency_s=120 if slow in request.message else 0.15)
    world.models[0]["timeout"] = 100
    world.items = [world.items[-1], *world.items[:-1]]
    world.write()
    process = start()
    wait_for(server, ITEMS // 4, process)
    os.killpg(process.pid, signal.SIGINT)
    began = time.monotonic()
    process.wait(timeout=60)

    assert time.monotonic() - began < 15
    assert process.returncode == 130
    installation = world.open()
    calls = installation.ledger.frame()
    completed = calls.filter(calls["state"] == CallState.COMPLETED).height
    assert ITEMS // 4 <= completed < ITEMS
    # The slow one is still in flight: it is told apart, and counts as spent.
    assert calls.filter(calls["state"] == CallState.ORPHANED).height == 1
    assert calls.filter(calls["state"] == CallState.RESERVED).is_empty()
    assert installation.lake.read("responses").height == completed
    monkeypatch.setenv("DAGSTER_HOME", str(home / "dagster"))
    assert run_states() == [DagsterRunStatus.CANCELED]


def test_killed_while_it_records_and_publishes_it_is_completed_without_buying(
    world: World, server: ScriptedServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("lake/responses", "lake/partitions", "lake/leaderboard"):
        assert start(hurt_at=place).wait(timeout=120) == -signal.SIGKILL

    assert start().wait(timeout=120) == 0

    assert server.stats.received == ITEMS
    assert world.coverage() == 1.0
    assert set(world.table("grades")["grade"]) == {"correct"}
    with duckdb.connect(str(home / "benchmark.duckdb"), read_only=True) as published:
        assert published.execute("select count(*) from responses").fetchall() == [(ITEMS,)]
        assert published.execute("select index from leaderboard").fetchall() == [(100.0,)]
    monkeypatch.setenv("DAGSTER_HOME", str(home / "dagster"))
    assert sorted(run_states(), key=str) == [DagsterRunStatus.FAILURE] * 3 + [DagsterRunStatus.SUCCESS]


@pytest.mark.parametrize("place", ["lake/items", "lake/responses", "lake/scores", "benchmark.duckdb"])
def test_ctrl_c_at_any_moment_is_a_cancelled_run_and_the_next_sweep_goes_on(
    place: str, world: World, server: ScriptedServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start(hurt_at=place, number="SIGINT").wait(timeout=120) == 130

    monkeypatch.setenv("DAGSTER_HOME", str(home / "dagster"))
    assert run_states() == [DagsterRunStatus.CANCELED]
    assert start().wait(timeout=120) == 0
    assert server.stats.received == ITEMS
    assert run_states() == [DagsterRunStatus.SUCCESS, DagsterRunStatus.CANCELED]


def test_two_sweeps_at_once_buy_each_call_once(world: World, server: ScriptedServer) -> None:
    processes = [start(), start()]

    assert [process.wait(timeout=240) for process in processes] == [0, 0]

    assert server.stats.received == ITEMS
    assert world.coverage() == 1.0
