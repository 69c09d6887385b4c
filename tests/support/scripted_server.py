"""A model provider on loopback that answers by a script: the OpenAI, Anthropic, Gemini and Tavily formats, no streams.

In a thread (`ScriptedServer`) for tests, or in a process of its own (`ServerProcess`, or
`python -m tests.support.scripted_server --latency 0.2`) so that its CPU is accounted apart.
What it may answer is in `replies.py`, in whose words in `wire_formats.py`, what it counts in `books.py`.
"""

import argparse
import asyncio
import contextlib
import importlib
import json
import socket
import struct
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from http.client import responses as reason_phrases
from pathlib import Path
from typing import Self

from tests.support.books import Books, Price, Stats
from tests.support.replies import Delivery, Reply, Request, Script
from tests.support.wire_formats import encode, parse

DRIPS = 20


class ScriptedServer:
    """Serves `script` from a thread on a free port of 127.0.0.1 until the `with` block ends.

    Assigning `script` changes the replies to requests that arrive afterwards. What is not an error is billed
    once its latency has passed, whether or not anyone still waits for it.
    """

    def __init__(self, script: Script | None = None, *, prices: Mapping[str, Price] | None = None) -> None:
        self.script: Script = script or (lambda request: Reply())
        self._books = Books(prices or {})
        self._started = threading.Event()
        self._port = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="scripted-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._started.wait(10):
            raise RuntimeError("the scripted server did not start within 10 seconds")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def origin(self) -> str:
        """Such as http://127.0.0.1:40001; a GET of it returns the totals as JSON."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """API base of the OpenAI format."""
        return f"{self.origin}/v1"

    @property
    def stats(self) -> Stats:
        return self._books.stats

    @property
    def asked(self) -> Counter[tuple[str, str]]:
        """How often each (model, last user message) was received."""
        return self._books.asked

    @property
    def log(self) -> list[Request]:
        """The last requests, oldest first."""
        return self._books.log

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        open_connections: set[_Connection] = set()

        def connection() -> _Connection:
            return _Connection(self._books, lambda request: self.script(request), open_connections)

        listening = await self._loop.create_server(connection, "127.0.0.1", 0, backlog=1024)
        self._port = listening.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        listening.close()
        for each in list(open_connections):
            each.transport.abort()


class _Connection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection; through a web framework a request costs several times the CPU."""

    transport: asyncio.Transport

    def __init__(self, books: Books, script: Script, open_connections: "set[_Connection]") -> None:
        self._books = books
        self._script = script
        self._open_connections = open_connections
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._open_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open_connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        whole = end + 4 + int(headers.get("content-length", 0))
        if len(self._buffer) < whole:
            return
        content = bytes(self._buffer[end + 4 : whole])
        del self._buffer[:whole]
        method, path, _ = first.split(" ")
        if method == "GET":
            self._write(Reply(), json.dumps(asdict(self._books.stats)).encode())
        else:
            self._ask(parse(path, headers, json.loads(content)))

    def _ask(self, request: Request) -> None:
        self._books.received(request)
        reply = self._script(request)
        if reply.latency_s:
            asyncio.get_running_loop().call_later(reply.latency_s, self._answer, request, reply)
        else:
            self._answer(request, reply)

    def _answer(self, request: Request, reply: Reply) -> None:
        self._books.worked(request, reply)
        if not self.transport.is_closing():
            _DELIVERIES[reply.delivery](self, reply, encode(request, reply))

    def _write(self, reply: Reply, body: bytes) -> None:
        self.transport.write(_head(reply, {"Content-Length": str(len(body))}) + body)

    def send_whole(self, reply: Reply, body: bytes) -> None:
        self._books.sent(reply)  # first, so that whoever has the answer finds it counted
        self._write(reply, body)

    def send_half(self, reply: Reply, body: bytes) -> None:
        self.transport.write(_head(reply, {"Content-Length": str(len(body))}) + body[: len(body) // 2])
        self.transport.close()

    def send_half_chunked(self, reply: Reply, body: bytes) -> None:
        half = body[: len(body) // 2]
        self.transport.write(_head(reply, {"Transfer-Encoding": "chunked"}) + b"%x\r\n%b\r\n" % (len(half), half))
        self.transport.close()

    def send_dripped(self, reply: Reply, body: bytes) -> None:
        self.transport.write(_head(reply, {"Content-Length": str(len(body))}))
        size = -(-len(body) // DRIPS)
        self._drip(reply, [body[start : start + size] for start in range(0, len(body), size)])

    def _drip(self, reply: Reply, pieces: list[bytes]) -> None:
        if self.transport.is_closing():
            return
        if len(pieces) > 1:
            asyncio.get_running_loop().call_later(reply.drip_s / DRIPS, self._drip, reply, pieces[1:])
        else:
            self._books.sent(reply)
        self.transport.write(pieces[0])

    def close(self, reply: Reply, body: bytes) -> None:
        self.transport.close()

    def reset(self, reply: Reply, body: bytes) -> None:
        connected = self.transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


_DELIVERIES: dict[Delivery, Callable[[_Connection, Reply, bytes], None]] = {
    Delivery.WHOLE: _Connection.send_whole,
    Delivery.HALF_BODY: _Connection.send_half,
    Delivery.HALF_CHUNKED: _Connection.send_half_chunked,
    Delivery.DRIPPED: _Connection.send_dripped,
    Delivery.CLOSED: _Connection.close,
    Delivery.RESET: _Connection.reset,
}


def _head(reply: Reply, framing: Mapping[str, str]) -> bytes:
    headers = {"Content-Type": "application/json", **framing, **reply.headers}
    lines = [
        f"HTTP/1.1 {reply.status} {reason_phrases.get(reply.status, 'Unknown')}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class ServerProcess:
    """The same server in a process of its own, until the `with` block or the parent ends.

    `script` is `module:name` of a script; without one every answer is `text` after `latency_s` seconds.
    """

    pid: int
    url: str

    def __init__(self, *, latency_s: float = 0.0, text: str = "ok", script: str | None = None) -> None:
        self._arguments = ["--latency", str(latency_s), "--text", text, "--until-stdin-ends"]
        if script is not None:
            self._arguments += ["--script", script]

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.support.scripted_server", *self._arguments]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.pid = self._process.pid
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(f"the scripted server ended with status {self._process.wait()} instead of serving")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=10)

    @property
    def stats(self) -> Stats:
        with urllib.request.urlopen(self.url, timeout=10) as response:
            return Stats(**json.load(response))


def _named(script: str) -> Script:
    module, _, name = script.partition(":")
    return getattr(importlib.import_module(module), name)


def main() -> None:
    """Serves until interrupted, or until standard input ends; prints the URL first."""
    parser = argparse.ArgumentParser(description="A scripted model provider on 127.0.0.1; GET its URL for its totals.")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--text", default="ok", help="the answer")
    parser.add_argument("--script", help="module:name of a script that answers instead")
    parser.add_argument("--until-stdin-ends", action="store_true", help="end when the parent closes standard input")
    arguments = parser.parse_args()
    reply = Reply(text=arguments.text, latency_s=arguments.latency)
    script = _named(arguments.script) if arguments.script else lambda request: reply
    with ScriptedServer(script) as server, contextlib.suppress(KeyboardInterrupt):
        print(server.url, flush=True)
        if arguments.until_stdin_ends:
            sys.stdin.read()
        else:
            threading.Event().wait()


if __name__ == "__main__":
    main()
