"""`make up` as it runs unattended: it comes up, comes back after crashes, keeps limits, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from resources.home import PROJECT
from tests.support.production import Production, free_port, until
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World

ITEMS = 40
KEY = f"{DOMAIN}|m"
SWEEP = {"ops": {"sweeps": {"config": {"banks": [BANK]}}}}
AGAIN = {"ops": {"sweeps": {"config": {"banks": [BANK], "again": True}}}}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: Reply(text="42", latency_s=0.2)) as running:
        yield running


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, server: ScriptedServer) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        made = World.make(tmp_path_factory.mktemp("up"), patch, server.url, concurrency=2)
        made.ask_sums(ITEMS)
        yield made


@pytest.fixture(scope="module")
def production(world: World) -> Iterator[Production]:
    banks = {"FACTSWEEP_BANKS": str(world.root / "banks"), "FACTSWEEP_MODELS": str(world.root / "models.yaml")}
    with Production(world.root, banks) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def registered(production: Production) -> None:
    """Once the registry sensor has run."""
    until(lambda: KEY.split("|")[0] in production.partitions("items"), explain=production.explain)


def test_it_says_where_it_is_and_what_is_on(production: Production) -> None:
    assert f"{production.url} is the Dagster UI" in production.said
    assert f"logs: {production.home}/logs/*.log" in production.said
    [on] = [line for line in production.said.splitlines() if line.startswith("on: ")]
    assert "nightly" in on and "housekeeping" in on and "registry" in on
    assert (production.home / "logs" / "webserver.log").stat().st_size > 0


def test_all_daemons_beat(production: Production) -> None:
    until(lambda: all(production.heartbeats().values()), explain=production.explain)

    assert {"SENSOR", "SCHEDULER", "QUEUED_RUN_COORDINATOR", "MONITORING", "FRESHNESS_DAEMON"} <= set(
        production.heartbeats()
    )


def test_the_health_check_finds_it_well(production: Production) -> None:
    until(lambda: all(production.heartbeats().values()), explain=production.explain)
    command = [sys.executable, "-m", "orchestration.alive"]
    checked = subprocess.run(command, cwd=PROJECT, env=production.variables, capture_output=True, text=True)

    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_second_one_on_the_same_home_is_refused(production: Production) -> None:
    other = production.variables | {"FACTSWEEP_PORT": str(free_port())}
    refused = subprocess.run(production.command, cwd=PROJECT, env=other, capture_output=True, text=True, timeout=60)

    assert refused.returncode == 2
    assert f"`make up` runs on {production.home} already" in refused.stderr


def test_a_taken_port_is_refused(production: Production, tmp_path: Path) -> None:
    other = production.variables | {"FACTSWEEP_HOME": str(tmp_path)}
    refused = subprocess.run(production.command, cwd=PROJECT, env=other, capture_output=True, text=True, timeout=60)

    assert refused.returncode == 2
    assert f"port {production.port} of 127.0.0.1 cannot be used (Address already in use)" in refused.stderr
    assert f"FACTSWEEP_PORT={production.port + 1} make up" in refused.stderr


def test_a_daemon_that_is_killed_comes_back_and_the_sweep_goes_on(
    production: Production, server: ScriptedServer
) -> None:
    run = production.client.submit_job_execution("sweep", run_config=SWEEP)
    until(lambda: server.stats.completed >= 4, explain=production.explain)

    killed = time.time()
    production.service("dagster._daemon").kill()

    until(lambda: max(production.heartbeats().values()) > killed, explain=production.explain)
    assert all(production.heartbeats().values())
    assert "the daemon was killed by signal 9; it is started again in 1 s" in production.said
    until(lambda: production.status(run) == "SUCCESS", explain=production.explain)
    assert server.stats.received == ITEMS
    assert KEY in production.materialized("responses")


def test_runs_that_ask_providers_wait_for_each_other_and_a_killed_one_frees_its_place(
    production: Production, server: ScriptedServer
) -> None:
    before = server.stats.completed
    sweep = production.client.submit_job_execution("sweep", run_config=AGAIN, tags={"dagster/max_retries": "0"})
    until(lambda: server.stats.completed > before, explain=production.explain)
    by_hand = production.materialize("items", DOMAIN)
    pools = "{instance {concurrencyLimits {concurrencyKey limit}}}"
    until(
        lambda: {"concurrencyKey": "providers", "limit": 1} in production.ask(pools)["instance"]["concurrencyLimits"],
        explain=production.explain,
    )
    assert production.status(sweep) == "STARTED"
    assert production.status(by_hand) == "QUEUED"

    [process] = [each for each in production.processes() if "spawn_main" in " ".join(each.cmdline())]
    process.kill()

    until(lambda: production.status(sweep) == "FAILURE", explain=production.explain)
    until(lambda: production.status(by_hand) == "SUCCESS", explain=production.explain)


def test_a_bad_file_takes_nothing_else_down(production: Production, world: World) -> None:
    bad = world.root / "banks" / BANK / "domains" / "asia.yaml"
    bad.write_text("title: [")
    models = world.root / "models.yaml"
    good = models.read_text("utf-8")
    models.write_text(good + "nightly: {cron: never, timezone: Nowhere/Never}\n")
    (world.root / "banks" / BANK / "domains" / "africa.yaml").write_text("title: Africa\n")
    try:
        production.service("api grpc").kill()

        until(lambda: "the code server was killed by signal 9" in production.said, explain=production.explain)
        until(lambda: "capitals.africa" in production.partitions("items"), 120, explain=production.explain)
        assert DOMAIN in production.partitions("items")
        assert production.loaded()
        until(lambda: str(bad) in last_reason(production), explain=production.explain)
        assert "nightly" in last_reason(production)
    finally:
        models.write_text(good)
        bad.unlink()


def last_reason(production: Production) -> str:
    """What the registry sensor's last tick says in the UI."""
    query = """query($sensor: SensorSelector!) {sensorOrError(sensorSelector: $sensor) {
        ... on Sensor {sensorState {ticks(limit: 1) {skipReason}}}}}"""
    sensor = {
        "repositoryName": "__repository__",
        "repositoryLocationName": "definitions.py",
        "sensorName": "registry",
    }
    ticks = production.ask(query, sensor=sensor)["sensorOrError"]["sensorState"]["ticks"]
    return (ticks[0]["skipReason"] or "") if ticks else ""


def test_ended_by_a_signal_it_cancels_the_run_and_leaves_no_process(
    production: Production, server: ScriptedServer
) -> None:
    before = server.stats.completed
    production.client.submit_job_execution("sweep", run_config=AGAIN)
    until(lambda: server.stats.completed > before, explain=production.explain)

    began = time.monotonic()
    os.kill(production.process.pid, signal.SIGTERM)
    production.process.wait(60)

    assert time.monotonic() - began < 45
    assert production.process.returncode == 0
    assert "1 runs were cancelled" in production.said
    assert [each.cmdline() for each in production.processes()] == []
    assert not any(
        connection.status == psutil.CONN_LISTEN and connection.laddr.port == production.port
        for connection in psutil.net_connections("tcp")
        if connection.laddr
    )
