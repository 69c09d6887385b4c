"""A provider on loopback that lists models in its own format, answers for them, and misbehaves when told to."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass
class Catalog:
    """Serves `names` on every format's models endpoint.

    Attributes:
        status: of every answer.
        body: in place of the list.
        page: models on a page, where the format has pages.
        context: the most tokens of a prompt, which each format states in a field of its own name.
        asked: paths asked for, and the headers that came with them.
        reply: what its models say to a message.
        answered: answers by model.
    """

    names: Sequence[str] = ()
    status: int = 200
    body: bytes | None = None
    page: int = 1000
    context: int | None = None
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    reply: Callable[[str], str] = lambda message: "ok"
    answered: Counter[str] = field(default_factory=Counter)

    def __enter__(self) -> Self:
        catalog = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                catalog.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                content = catalog.body if catalog.body is not None else json.dumps(catalog.content(self.path)).encode()
                self.answer(catalog.status, content)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                catalog.answered[body["model"]] += 1
                self.answer(200, json.dumps(catalog.completion(body)).encode())

            def answer(self, status: int, content: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def content(self, path: str) -> dict[str, object]:
        """The list as the format of `path` has it."""
        query = parse_qs(urlsplit(path).query)
        names = list(self.names)
        if path.startswith("/v1beta/models"):
            start = int(query.get("pageToken", ["0"])[0])
            shown = names[start : start + self.page]
            more = {"nextPageToken": str(start + self.page)} if start + self.page < len(names) else {}
            return {
                "models": [{"name": f"models/{name}"} | self.limit("inputTokenLimit") for name in shown],
                **more,
            }
        if path.startswith("/v1/models"):
            after = query.get("after_id", [None])[0]
            start = names.index(after) + 1 if after in names else 0
            shown = names[start : start + self.page]
            return {
                "data": [
                    {"id": name, "created_at": "2026-05-01T00:00:00Z"} | self.limit("max_input_tokens")
                    for name in shown
                ],
                "has_more": start + self.page < len(names),
                "last_id": shown[-1] if shown else None,
            }
        limit = self.limit("max_model_len")
        return {"object": "list", "data": [{"id": name, "created": 1_780_000_000} | limit for name in names]}

    def limit(self, field: str) -> dict[str, int]:
        return {} if self.context is None else {field: self.context}

    def completion(self, body: dict[str, Any]) -> dict[str, object]:
        """An answer in the OpenAI format."""
        message = {"role": "assistant", "content": self.reply(body["messages"][-1]["content"])}
        return {
            "id": "answer",
            "object": "chat.completion",
            "created": 1_780_000_000,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
        }
