"""Terminate in the UI: the sweep ends within seconds, cancelled, with what it bought recorded; the next one goes on."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from dagster import DagsterRunStatus
from dagster_graphql import DagsterGraphQLClient

from resources.types import CallState
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, World

ITEMS = 40
_LOADED = "{repositoriesOrError {... on RepositoryConnection {nodes {name}}}}"
CONFIG = {"ops": {"sweeps": {"config": {"banks": [BANK]}}}}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: Reply(text="42", latency_s=0.3)) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    world = World.make(tmp_path, monkeypatch, server.url, concurrency=2)
    world.ask_sums(ITEMS)
    return world


@pytest.fixture
def client(world: World) -> Iterator[DagsterGraphQLClient]:
    """Of `make dev`, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = world.root / "dev.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "orchestration.dev"],
            start_new_session=True,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"FACTSWEEP_PORT": str(port)},
        )
    try:
        yield _connected(port, process, log)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def _connected(port: int, process: subprocess.Popen[bytes], log: Path) -> DagsterGraphQLClient:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(httpx.HTTPError):
            answer = httpx.post(f"http://127.0.0.1:{port}/graphql", json={"query": _LOADED}, timeout=30)
            if answer.json()["data"]["repositoriesOrError"].get("nodes"):
                return DagsterGraphQLClient("127.0.0.1", port_number=port)
        time.sleep(0.3)
    pytest.fail(f"make dev did not come up:\n{log.read_text()[-2000:]}")


def _until(true: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def test_terminated_sweep_keeps_what_it_bought_and_the_launchpad_completes_it(
    client: DagsterGraphQLClient, world: World, server: ScriptedServer
) -> None:
    run = client.submit_job_execution("sweep", run_config=CONFIG)
    _until(lambda: server.stats.completed >= ITEMS // 4)
    client.terminate_run(run)
    began = time.monotonic()
    _until(lambda: client.get_run_status(run) is DagsterRunStatus.CANCELED)
    assert time.monotonic() - began < 15

    calls = world.open().ledger.frame()
    completed = calls.filter(calls["state"] == CallState.COMPLETED).height
    assert ITEMS // 4 <= completed < ITEMS
    assert world.table("responses").height == completed

    again = client.submit_job_execution("sweep", run_config=CONFIG)
    _until(lambda: client.get_run_status(again) is DagsterRunStatus.SUCCESS)
    assert server.stats.received == ITEMS
    assert world.coverage() == 1.0
