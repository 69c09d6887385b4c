"""`python -m orchestration.alive`: status 0 when the webserver answers and every daemon beats; for health checks.

Imports no dagster: it is called every minute.
"""

import json
import sys
import time
import urllib.request

from orchestration.address import listening_host, reached_at
from orchestration.environment import webserver_port
from resources.home import load_environment
from resources.types import ConfigurationError

_DAEMONS = "{instance {daemonHealth {allDaemonStatuses {daemonType required healthy lastHeartbeatTime}}}}"
SILENT_S = 300.0  # Dagster itself calls a daemon healthy for half an hour


def main() -> None:
    load_environment()
    try:
        silent = silent_daemons(reached_at(listening_host(), webserver_port()))
    except ConfigurationError as error:
        sys.exit(f"factsweep: {error}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"factsweep: the webserver does not answer: {error}")
    if silent:
        sys.exit(f"factsweep: no heartbeat for {SILENT_S:.0f} s from {', '.join(silent)}; see logs/daemon.log")


def silent_daemons(url: str) -> list[str]:
    """Daemons that have to run and have not been heard of for a while, as the webserver at `url` says."""
    request = urllib.request.Request(
        f"{url}/graphql",
        json.dumps({"query": _DAEMONS}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=15) as answer:
        statuses = json.load(answer)["data"]["instance"]["daemonHealth"]["allDaemonStatuses"]
    return [
        each["daemonType"]
        for each in statuses
        if each["required"] and time.time() - (each["lastHeartbeatTime"] or 0) > SILENT_S
    ]


if __name__ == "__main__":
    main()
