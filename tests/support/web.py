"""A small web on loopback for tests of the fetcher: a server, names that lead to it, and a clock that never waits.

A page may be anything that a server can send: cut short, endless, byte by byte, or no HTTP at all.
"""

import contextlib
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from resources.fetcher import Fetched, Fetcher, FetchPolicy, FetchRequest

HOST = "docs.test"
OTHER_HOST = "other.test"


class FakeClock:
    """Sleeping moves it on and takes no time. Threads share it."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._lock = threading.Lock()

    def now(self) -> datetime:
        return datetime(2026, 1, 5, 12, tzinfo=UTC) + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._seconds += seconds


@dataclass(frozen=True)
class WebRequest:
    """What came to the server.

    Attributes:
        host: of the Host header, without the port.
        path: with its query.
        headers: names in lower case.
        at: seconds of the clock.
    """

    host: str
    path: str
    headers: Mapping[str, str]
    at: float


@dataclass(frozen=True)
class Page:
    """What the server sends.

    Attributes:
        body: with a Content-Length if it is bytes and `headers` has none; chunks are sent until they or the client end,
            and then the connection is closed.
        raw: the chunks are the whole answer, from its first line.
    """

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bool = False


Script = Callable[[WebRequest], Page]


def redirect(location: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": location})


def robots(text: str) -> Page:
    return Page(text.encode(), headers={"Content-Type": "text/plain"})


def in_turn(*pages: Page) -> Script:
    """One page after the other; the last stays."""
    left = list(pages)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


class Web:
    """Serves `pages` (by path without query) on a free port of 127.0.0.1 until the `with` block ends.

    Every name leads there unless `addresses` says otherwise. There is no robots.txt until `pages` has one.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.pages: dict[str, Page | Script] = {}
        self.addresses: dict[str, list[str]] = {}
        self.clock = FakeClock()
        self.log: list[WebRequest] = []
        self._scheme = "https" if tls else "http"
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), name="web", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def asked(self) -> list[str]:
        """The paths of all requests but those for robots.txt."""
        return [request.path for request in self.log if request.path != "/robots.txt"]

    def url(self, path: str = "/page", host: str = HOST) -> str:
        return f"{self._scheme}://{host}:{self.port}{path}"

    def resolve(self, host: str) -> list[str]:
        return self.addresses.get(host, ["127.0.0.1"])

    def fetcher(self, policy: FetchPolicy | None = None) -> Fetcher:
        return Fetcher(policy or own(), clock=self.clock, resolve=self.resolve)

    def fetch(self, path: str = "/page", policy: FetchPolicy | None = None) -> Fetched:
        """The result of one document, by a path of this web or a whole URL."""
        return self.fetch_request(FetchRequest(path if "//" in path else self.url(path)), policy)

    def fetch_request(self, request: FetchRequest, policy: FetchPolicy | None = None) -> Fetched:
        with self.fetcher(policy) as fetcher:
            (fetched,) = fetcher.fetch_all([request])
        return fetched

    def answer(self, request: WebRequest) -> Page:
        self.log.append(request)
        page = self.pages.get(request.path.partition("?")[0], Page(status=404))
        return page(request) if callable(page) else page


def own(**rules: Any) -> FetchPolicy:
    """A policy under which this web's names may be local."""
    return FetchPolicy(**{"private_hosts": frozenset({HOST, OTHER_HOST}), **rules})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is no error here."""


def _handler(web: Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            host = headers["host"].rpartition(":")[0]
            page = web.answer(WebRequest(host, self.path, headers, web.clock.monotonic()))
            with contextlib.suppress(OSError):
                self._send(page)

        def _send(self, page: Page) -> None:
            chunks = [page.body] if isinstance(page.body, bytes) else page.body
            if not page.raw:
                self.send_response(page.status)
                names = {name.lower() for name in page.headers}
                if isinstance(page.body, bytes) and not names & {"content-length", "transfer-encoding"}:
                    if page.status != 304:
                        self.send_header("Content-Length", str(len(page.body)))
                else:
                    self.send_header("Connection", "close")  # this closes it
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.end_headers()
            for chunk in chunks:
                self.wfile.write(chunk)
            self.close_connection = self.close_connection or page.raw

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
