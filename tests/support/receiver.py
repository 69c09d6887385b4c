"""A receiver of webhooks on loopback: keeps what is posted and answers as it is told, or not at all."""

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

SECRET = "T0SECRET0/B0SECRET0/nobody-may-read-this"


@dataclass(frozen=True)
class Answer:
    """What the receiver does with a post: `hangs` sends nothing, `drips` a byte of the body after another for ever."""

    status: int = 200
    body: bytes = b"ok"
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    drips: bool = False


class Receiver:
    """Serves on a free port of 127.0.0.1 until the `with` block ends; the last of `answers` is given again."""

    def __init__(self, *answers: Answer) -> None:
        self.posts: list[dict[str, Any]] = []
        self._answers = list(answers) or [Answer()]
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/services/{SECRET}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.posts.append(json.loads(body))
                receiver._answer(self, receiver._answers[min(len(receiver.posts), len(receiver._answers)) - 1])

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        if answer.hangs:
            self._over.wait(30)
            return
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        length = 1_000_000 if answer.drips else len(answer.body)
        handler.send_header("Content-Length", str(length))
        handler.end_headers()
        while answer.drips and not self._over.wait(0.05):
            handler.wfile.write(b".")
        handler.wfile.write(answer.body)


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """The only receiver of FACTSWEEP_WEBHOOK, and an address of the UI for links."""
    with Receiver() as running:
        monkeypatch.setenv("FACTSWEEP_WEBHOOK", running.url)
        monkeypatch.setenv("FACTSWEEP_URL", "https://dagster.example/")
        yield running
