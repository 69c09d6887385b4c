"""`make dev`: the Dagster UI and daemon on this machine, with a DAGSTER_HOME that lasts."""

import os
import signal
import sys
from pathlib import Path

from orchestration.environment import webserver_port
from orchestration.instance import prepare_dagster_home, sole_daemon
from resources.home import PROJECT, load_environment
from resources.types import ConfigurationError


def main() -> None:
    """Becomes `dagster dev`; the webserver has no login and listens on 127.0.0.1 only."""
    load_environment()
    try:
        port = str(webserver_port())
        with sole_daemon():  # only looked at: `dagster dev` takes this process's place
            prepare_dagster_home()
    except ConfigurationError as error:
        sys.exit(f"factsweep: {error}")
    # A shell that starts it with & makes it ignore Ctrl-C, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(PROJECT)
    dagster = Path(sys.executable).with_name("dagster")
    arguments = ["dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", port]
    os.execv(str(dagster), [str(dagster), *arguments])


if __name__ == "__main__":
    main()
