"""`make up`: the webserver, the daemon and the code server for unattended operation, in production mode.

Runs are children of the code server, so a daemon or webserver that dies and comes back disturbs no sweep. This
process only looks after the three; what Dagster itself is asked stands in `upkeep.py`.
"""

import os
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import yaml

from orchestration.address import is_loopback, listening_host, reached_at
from orchestration.environment import webserver_port
from orchestration.instance import prepare_dagster_home, sole_daemon
from orchestration.modes import MODE, PRODUCTION
from orchestration.supervising import GivenUp, Service, last_lines
from orchestration.upkeep import cancel_runs_of, make_tables, whats_on
from resources.home import PROJECT, Home, current_home, load_environment
from resources.types import ConfigurationError, FactsweepError

LOOK_S = 0.25
LOADS_S = 180.0  # at most, until the code server has loaded the definitions
ENDS_S = 45.0  # at most, for runs to record what they bought and for all processes to end
LOCATION = "definitions.py"  # as `make dev` names it, so that what is switched on or off in the UI stays so


def main() -> None:
    load_environment()
    os.environ[MODE] = PRODUCTION
    os.chdir(PROJECT)
    host = listening_host()
    try:
        port, home = webserver_port(), current_home()
        with sole_daemon(), tempfile.TemporaryDirectory(prefix="factsweep-") as folder:
            refuse_taken(host, port)
            prepare_dagster_home()
            _Up(home, host, port, Path(folder)).run()
    except FactsweepError as error:
        print(f"factsweep: {error}", file=sys.stderr, flush=True)
        sys.exit(2 if isinstance(error, ConfigurationError) else 1)


class _Up:
    """The three processes and this terminal."""

    def __init__(self, home: Home, host: str, port: int, folder: Path) -> None:
        self._logs = home.root / "logs"
        self._host, self._url = host, reached_at(host, port)
        self._socket = folder / "code.sock"  # in a folder of ours: whoever reaches it can run code
        workspace = folder / "workspace.yaml"
        server = {"socket": str(self._socket), "location_name": LOCATION}
        workspace.write_text(yaml.safe_dump({"load_from": [{"grpc_server": server}]}))
        self._code, self._webserver, self._daemon = (
            Service(name, [sys.executable, "-m", *command], self._logs / f"{name.replace(' ', '_')}.log", say)
            for name, command in {
                "code server": ["dagster", "api", "grpc", "-s", str(self._socket), "-f", "orchestration/definitions.py",
                                "-d", ".", "--location-name", LOCATION],
                "webserver": ["dagster_webserver", "-h", host, "-p", str(port), "-w", str(workspace)],
                "daemon": ["dagster._daemon", "run", "-w", str(workspace)],
            }.items()
        )  # fmt: skip
        self._asked_to_end = threading.Event()

    def run(self) -> None:
        """Until a signal, or until one of the three does not stay up."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._signalled)
        try:
            say(f"factsweep is starting; logs: {self._logs}/*.log")
            make_tables()
            if self._until_loaded():
                self._watch()
        finally:
            self._end()

    def _signalled(self, *_: object) -> None:
        if self._asked_to_end.is_set():  # a second Ctrl-C: at once
            for service in self._all():
                service.kill()
        self._asked_to_end.set()

    def _all(self) -> tuple[Service, Service, Service]:
        return self._daemon, self._webserver, self._code

    def _until_loaded(self) -> bool:
        """Starts the code server first: a daemon without it would look for it again only after a minute."""
        deadline = time.monotonic() + LOADS_S
        while not self._asked_to_end.wait(LOOK_S):
            self._code.tend()
            if _listens(self._socket):
                return True
            if time.monotonic() > deadline:
                raise GivenUp(
                    f"the definitions were not loaded within {LOADS_S:.0f} s. The end of {self._code.log}:\n"
                    f"{last_lines(self._code.log)}"
                )
        return False

    def _watch(self) -> None:
        told = False
        while True:
            for service in self._all():
                service.tend()
            if not told:
                told = self._tell_whats_on()
            if self._asked_to_end.wait(LOOK_S):
                return

    def _tell_whats_on(self) -> bool:
        on = whats_on(self._url)
        if on is None:
            return False
        for line in on:
            say(line)
        if not is_loopback(self._host):
            say(f"It listens on {self._host} and has no login: see to it that only a proxy with one reaches it.")
        say(f"{self._url} is the Dagster UI. Ctrl-C ends all; a run under way is cancelled then.")
        return True

    def _end(self) -> None:
        """The daemon first, so that no further run starts; then runs, which record what they bought; then the rest."""
        say("Ending …")
        deadline = time.monotonic() + ENDS_S
        self._daemon.ask_to_end()
        cancelled: set[str] = set()
        while time.monotonic() < deadline:
            under_way = cancel_runs_of(self._socket, cancelled) if self._code.running else 0
            if not under_way and self._daemon.gone():
                break
            time.sleep(LOOK_S)
        for service in self._all():
            service.ask_to_end()
        while time.monotonic() < deadline and not all(service.gone() for service in self._all()):
            time.sleep(0.05)
        for service in self._all():
            service.kill()
        say(f"Ended; {len(cancelled)} runs were cancelled." if cancelled else "Ended.")


def refuse_taken(host: str, port: int) -> None:
    """Raises ConfigurationError when something listens on the port already."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ConfigurationError(
                f"port {port} of {host} cannot be used ({error.strerror}); end what listens there, perhaps "
                f"`make dev`, or choose another: FACTSWEEP_PORT={port + 1} make up"
            ) from None


def _listens(path: Path) -> bool:
    """Whether the code server serves, which it does once the definitions are loaded."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
