"""`make up` for tests: the real command on a home of its own, and what its GraphQL says."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx
import psutil
import pytest
from dagster_graphql import DagsterGraphQLClient

from orchestration.instance import shipped_configuration
from resources.home import PROJECT

LOCATION = "definitions.py"
_LOADED = "{repositoriesOrError {... on RepositoryConnection {nodes {name}}}}"
# Three processes that import Dagster at once; a busy machine takes ten times as long as an idle one.
STARTS_S = 120.0


@dataclass
class Production:
    """A running `make up`; `with` ends it.

    Attributes:
        environment: beside this process's own, such as FACTSWEEP_BANKS.
    """

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = 0

    def __enter__(self) -> Self:
        self.port = free_port()
        (self.home / "dagster").mkdir(parents=True)
        shipped = shipped_configuration()[0].read_text("utf-8")
        own = shipped.replace("run_queue:", "run_queue:\n  dequeue_interval_seconds: 1")  # 5, which tests would wait
        (self.home / "dagster" / "dagster.yaml").write_text(own, "utf-8")
        self.output = self.root / "up.txt"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                self.command, cwd=PROJECT, env=self.variables, stdout=output, stderr=subprocess.STDOUT
            )
        until(lambda: "is the Dagster UI" in self.said or self.process.poll() is not None, STARTS_S, self.explain)
        assert self.process.poll() is None, self.explain()
        self.client = DagsterGraphQLClient("127.0.0.1", port_number=self.port)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(60)
        for left in self.processes():
            with suppress(psutil.NoSuchProcess):
                left.kill()

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "orchestration.up"]

    @property
    def variables(self) -> dict[str, str]:
        home = {"FACTSWEEP_HOME": str(self.home), "FACTSWEEP_PORT": str(self.port)}
        return {**os.environ, **home, **self.environment}

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        return self.output.read_text("utf-8")

    def explain(self) -> str:
        """What it said, and the ends of its logs."""
        logs = sorted((self.home / "logs").glob("*.log"))
        ends = [f"{log.name}:\n{log.read_text('utf-8', errors='replace')[-1500:]}" for log in logs]
        return "\n".join([self.said, *ends])

    def processes(self) -> list[psutil.Process]:
        """All that belong to it: its own and those of its runs, known by their home."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                mine = process.environ().get("FACTSWEEP_HOME") == str(self.home)
                if mine and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def service(self, words: str) -> psutil.Process:
        """The one of its three processes whose command line holds the words."""
        children = psutil.Process(self.process.pid).children()
        return next(child for child in children if words in " ".join(child.cmdline()))

    def ask(self, query: str, **variables: Any) -> Any:
        answer = httpx.post(f"{self.url}/graphql", json={"query": query, "variables": variables}, timeout=60)
        content = answer.json()
        assert "errors" not in content, content["errors"]
        return content["data"]

    def loaded(self) -> bool:
        with suppress(httpx.HTTPError, AssertionError):
            return bool(self.ask(_LOADED)["repositoriesOrError"].get("nodes"))
        return False

    def heartbeats(self) -> dict[str, float]:
        """Time of the last heartbeat of each daemon that has to run; 0 for one that is not healthy."""
        query = "{instance {daemonHealth {allDaemonStatuses {daemonType required healthy lastHeartbeatTime}}}}"
        statuses = self.ask(query)["instance"]["daemonHealth"]["allDaemonStatuses"]
        return {
            each["daemonType"]: (each["lastHeartbeatTime"] or 0.0) if each["healthy"] else 0.0
            for each in statuses
            if each["required"]
        }

    def partitions(self, asset: str) -> list[str]:
        query = "query($key: AssetKeyInput!) {assetNodeOrError(assetKey: $key) {... on AssetNode {partitionKeys}}}"
        return self.ask(query, key={"path": [asset]})["assetNodeOrError"]["partitionKeys"]

    def materialized(self, asset: str) -> list[str | None]:
        """Partitions of the asset's materializations, newest first; None for those of an asset without."""
        query = (
            "query($key: AssetKeyInput!) {assetOrError(assetKey: $key) {"
            "... on Asset {assetMaterializations {partition}}}}"
        )
        events = self.ask(query, key={"path": [asset]})["assetOrError"].get("assetMaterializations", [])
        return [event["partition"] for event in events]

    def status(self, run_id: str) -> str:
        return self.client.get_run_status(run_id).value

    def materialize(self, asset: str, partition: str) -> str:
        """Launches one partition as the asset's dialog does; the run's id."""
        return self.client.submit_job_execution(
            "__ASSET_JOB", asset_selection=[asset], tags={"dagster/partition": partition}
        )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(true: Callable[[], bool], seconds: float = 90, explain: Callable[[], str] = lambda: "") -> None:
    """Waits for a state, and fails the test when it does not come."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            pytest.fail(f"it did not happen in {seconds:.0f} s\n{explain()}")
        time.sleep(0.2)
