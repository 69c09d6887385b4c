"""What a scripted provider may answer: replies are data.

How each format spells them is `wire_formats.py`; sending them, late or broken, is `scripted_server.py`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Api(StrEnum):
    """The wire formats spoken."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    EMBEDDINGS = "embeddings"  # OpenAI's
    TAVILY = "tavily"


class Delivery(StrEnum):
    """How the reply's bytes arrive; the work is done, and billed, in every case."""

    WHOLE = "whole"
    HALF_BODY = "half_body"
    HALF_CHUNKED = "half_chunked"
    DRIPPED = "dripped"
    CLOSED = "closed"
    RESET = "reset"


@dataclass(frozen=True)
class Usage:
    """Tokens as OpenAI counts them: cached are part of the prompt, reasoning part of the completion."""

    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0


@dataclass(slots=True)
class Request:
    """One request received. `count` is how often this model got this last user message, 1 for the first time."""

    api: Api
    path: str
    model: str
    message: str
    headers: Mapping[str, str]
    body: Mapping[str, object]
    count: int = 0


@dataclass(frozen=True)
class ErrorBody:
    """What goes into a provider's error object."""

    message: str
    type: str = "invalid_request_error"
    code: str | None = None


@dataclass(frozen=True)
class Page:
    """A page that a search finds."""

    url: str
    title: str = "A page"
    content: str = "What it says."


@dataclass(frozen=True)
class Reply:
    """One reply. `finish_reason` is OpenAI's word; `usage` None sends none; `body` is sent verbatim instead.

    `vector` answers an embedding, `pages` a search.
    """

    text: str | None = "ok"
    vector: tuple[float, ...] = (0.6, 0.8)
    pages: tuple[Page, ...] = ()
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: Usage | Literal["counted"] | None = "counted"
    served_model: str | None = None
    latency_s: float = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: ErrorBody | None = None
    body: bytes | None = None
    delivery: Delivery = Delivery.WHOLE
    drip_s: float = 0.0


Script = Callable[[Request], Reply]


@dataclass(frozen=True)
class Rule:
    """`reply` for requests to `model` (any when None) whose message contains `contains`, at most `times` times each."""

    reply: Reply
    model: str | None = None
    contains: str = ""
    times: int | None = None

    def matches(self, request: Request) -> bool:
        return (
            self.model in (None, request.model)
            and self.contains in request.message
            and (self.times is None or request.count <= self.times)
        )


def rules(*listed: Rule, otherwise: Reply | None = None) -> Script:
    """A script that answers with the first rule that matches, else with `otherwise`."""
    fallback = otherwise or Reply()
    return lambda request: next((rule.reply for rule in listed if rule.matches(request)), fallback)


def failing(status: int, message: str, type: str, code: str | None = None, **headers: str) -> Reply:
    """An error reply; `retry_after="1"` becomes the header Retry-After."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Reply(status=status, error=ErrorBody(message, type, code), headers=named)


def rate_limited(retry_after: str | None = None) -> Reply:
    message = "Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1. Try again in 120ms."
    headers = {} if retry_after is None else {"retry_after": retry_after}
    return failing(429, message, "requests", "rate_limit_exceeded", **headers)


def daily_limit() -> Reply:
    message = "Rate limit reached for requests per day (RPD): Limit 200, Used 200, Requested 1. Try again in 7m12s."
    return failing(429, message, "requests", "rate_limit_exceeded", retry_after="432")


def quota_exhausted() -> Reply:
    message = "You exceeded your current quota, please check your plan and billing details."
    return failing(429, message, "insufficient_quota", "insufficient_quota")


def wrong_key(request: Request) -> Reply:
    """A 401 whose body and headers repeat the key that was sent, as careless gateways do."""
    carriers = ("authorization", "x-api-key", "x-goog-api-key")
    sent = {name: request.headers[name] for name in carriers if name in request.headers}
    reply = failing(401, f"Incorrect API key provided: {json.dumps(sent)}", "invalid_request_error", "invalid_api_key")
    return Reply(status=reply.status, error=reply.error, headers={"X-Sent": json.dumps(sent)})


def unknown_model() -> Reply:
    message = "The model does not exist or you do not have access to it."
    return failing(404, message, "invalid_request_error", "model_not_found")


def context_window() -> Reply:
    message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    return failing(400, message, "invalid_request_error", "context_length_exceeded")


def content_filter_error() -> Reply:
    message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    return failing(400, message, "invalid_request_error", "content_filter")


def server_error(status: int = 500) -> Reply:
    return failing(status, "The server had an error while processing your request.", "server_error")


def malformed() -> Reply:
    return Reply(body=b'{"id": "chatcmpl-1", "object": "chat.completion", "choices": [')


def usage_of(reply: Reply, message: str) -> Usage:
    """What `reply` to `message` is billed for; words stand for tokens where the script names no usage."""
    if isinstance(reply.usage, Usage):
        return reply.usage
    return Usage(max(1, len(message.split())), max(1, len((reply.text or "").split())))
