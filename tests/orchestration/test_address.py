"""Where the webserver is asked: on the host that FACTSWEEP_HOST names, or on the loopback where that is all hosts."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from orchestration import up
from orchestration.address import is_loopback, reached_at
from resources.home import PROJECT, current_home

# Linux answers on all of 127.0.0.0/8, macOS on its first address alone.
OTHER = pytest.param("127.0.0.2", marks=pytest.mark.skipif(sys.platform != "linux", reason="needs 127.0.0.2"))
ANSWER = {
    "instance": {"daemonHealth": {"allDaemonStatuses": []}},
    "repositoriesOrError": {"nodes": [{"schedules": [], "sensors": []}]},
}


class Webserver(BaseHTTPRequestHandler):
    """Says that all daemons are well and that nothing is on."""

    def do_POST(self) -> None:
        body = json.dumps({"data": ANSWER}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def listening_on(host: str) -> Iterator[int]:
    """The port of a webserver on that host."""
    server = ThreadingHTTPServer((host, 0), Webserver)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:3000"),
        ("127.0.0.2", "http://127.0.0.2:3000"),
        ("0.0.0.0", "http://127.0.0.1:3000"),
        ("::", "http://[::1]:3000"),
        ("bench.example.org", "http://bench.example.org:3000"),
    ],
)
def test_a_host_is_asked_where_this_machine_reaches_it(host: str, url: str) -> None:
    assert reached_at(host, 3000) == url


def test_only_the_loopback_needs_no_warning() -> None:
    hosts = ("127.0.0.1", "127.0.0.2", "::1", "localhost", "0.0.0.0", "::", "10.0.0.5")

    assert [is_loopback(host) for host in hosts] == [True] * 4 + [False] * 3


@pytest.mark.parametrize("host", [OTHER, "0.0.0.0"])
def test_the_health_check_asks_the_host_that_is_set(host: str) -> None:
    with listening_on(host) as port:
        environment = os.environ | {"FACTSWEEP_HOST": host, "FACTSWEEP_PORT": str(port)}
        command = [sys.executable, "-m", "orchestration.alive"]
        checked = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)

    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("host", [OTHER])
def test_make_up_says_the_address_that_it_listens_on(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening_on(host) as port:
        assert up._Up(current_home(), host, port, tmp_path)._tell_whats_on()

    first, last = capsys.readouterr().out.splitlines()
    assert first == "on: nothing"
    assert last.startswith(f"http://{host}:{port} is the Dagster UI.")
