"""What `make up` asks of Dagster: tables before three processes make them at once, what is on, runs to be cancelled."""

import json
from pathlib import Path

_ON = """{repositoriesOrError {... on RepositoryConnection {nodes {
    schedules {name cronSchedule executionTimezone scheduleState {status}}
    sensors {name sensorState {status}}
}}}}"""


def make_tables() -> None:
    """Opens the instance once: processes that open a new one at the same time trip over each other's tables."""
    from dagster import DagsterInstance

    with DagsterInstance.get():
        pass


def whats_on(url: str) -> list[str] | None:
    """Which schedules and sensors are switched on, in lines; None while the webserver at `url` does not answer."""
    import httpx

    try:
        answer = httpx.post(f"{url}/graphql", json={"query": _ON}, timeout=5).json()
        [repository] = answer["data"]["repositoriesOrError"]["nodes"]
    except (httpx.HTTPError, json.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    names = [
        (f"{each['name']} ({each['cronSchedule']} {each['executionTimezone'] or 'UTC'})", each["scheduleState"])
        for each in repository["schedules"]
    ] + [(each["name"], each["sensorState"]) for each in repository["sensors"]]
    on = [name for name, state in names if state["status"] == "RUNNING"]
    off = [name for name, state in names if state["status"] != "RUNNING"]
    lines = [f"on: {', '.join(on) or 'nothing'}"]
    return [*lines, f"off: {', '.join(off)} (switch on in the UI under Automation)"] if off else lines


def cancel_runs_of(socket: Path, asked: set[str]) -> int:
    """Asks the runs that the code server at `socket` started to end as cancelled, each once; how many are under way.

    Left to itself the server would wait for them to come to their end. Runs that a command started are not its own.
    """
    from dagster import DagsterInstance, DagsterRunStatus, RunsFilter
    from dagster._core.storage.tags import GRPC_INFO_TAG

    statuses = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]
    under_way = 0
    with DagsterInstance.get() as instance:
        for run in instance.get_runs(RunsFilter(statuses=statuses)):
            if json.loads(run.tags.get(GRPC_INFO_TAG, "{}")).get("socket") != str(socket):
                continue
            under_way += 1
            if run.run_id not in asked and instance.run_launcher.terminate(run.run_id):
                asked.add(run.run_id)
    return under_way
