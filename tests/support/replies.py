"""What a scripted provider may answer, and how the OpenAI, Anthropic and Gemini formats spell it.

Replies are data; sending them, late or broken, is `scripted_server.py`.
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
class Reply:
    """One reply. `finish_reason` is OpenAI's word; `usage` None sends none; `body` is sent verbatim instead."""

    text: str | None = "ok"
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


def parse(path: str, headers: Mapping[str, str], body: Mapping[str, object]) -> Request:
    """A request, not yet counted, from its path, headers (names in lower case) and JSON body.

    Raises:
        ValueError: for a path that is none of the three formats.
    """
    if path.endswith("/chat/completions"):
        api, model, turns, text_at = Api.OPENAI, body["model"], body["messages"], "content"
    elif path.endswith("/messages"):
        api, model, turns, text_at = Api.ANTHROPIC, body["model"], body["messages"], "content"
    elif (method := path.partition("?")[0].rpartition("/")[2]).endswith(":generateContent"):
        api, model, turns, text_at = Api.GEMINI, method.removesuffix(":generateContent"), body["contents"], "parts"
    else:
        raise ValueError(f"no scripted API at {path}")
    return Request(api, path, str(model), _last_user_text(turns, text_at), headers, body)


def _last_user_text(turns: object, key: str) -> str:
    assert isinstance(turns, list)
    content = next((turn[key] for turn in reversed(turns) if turn.get("role", "user") == "user"), "")
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def usage_of(reply: Reply, message: str) -> Usage:
    """What `reply` to `message` is billed for; words stand for tokens where the script names no usage."""
    if isinstance(reply.usage, Usage):
        return reply.usage
    return Usage(max(1, len(message.split())), max(1, len((reply.text or "").split())))


def encode(request: Request, reply: Reply) -> bytes:
    """The reply's body in the format that the request came in."""
    if reply.body is not None:
        return reply.body
    if reply.error is not None:
        return json.dumps(_ERRORS[request.api](reply.status, reply.error)).encode()
    usage = None if reply.usage is None else usage_of(reply, request.message)
    served = reply.served_model or request.model
    return json.dumps(_ANSWERS[request.api](served, reply, usage)).encode()


def _openai_answer(model: str, reply: Reply, usage: Usage | None) -> dict[str, object]:
    answer: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1764500000,
        "model": model,
        "system_fingerprint": "fp_scripted",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text, "refusal": reply.refusal},
                "logprobs": None,
                "finish_reason": reply.finish_reason,
            }
        ],
    }
    if usage is not None:
        answer["usage"] = {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        }
    return answer


def _anthropic_answer(model: str, reply: Reply, usage: Usage | None) -> dict[str, object]:
    reasons = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
    answer: dict[str, object] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [] if reply.text is None else [{"type": "text", "text": reply.text}],
        "stop_reason": reasons.get(reply.finish_reason, reply.finish_reason),
        "stop_sequence": None,
    }
    if usage is not None:
        answer["usage"] = {
            "input_tokens": usage.prompt_tokens - usage.cached_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": usage.cached_tokens,
            "output_tokens": usage.completion_tokens,
        }
    return answer


def _gemini_answer(model: str, reply: Reply, usage: Usage | None) -> dict[str, object]:
    reasons = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
    content: dict[str, object] = {"role": "model"}
    if reply.text is not None:
        content["parts"] = [{"text": reply.text}]
    reason = reasons.get(reply.finish_reason, reply.finish_reason)
    answer: dict[str, object] = {
        "candidates": [{"index": 0, "content": content, "finishReason": reason}],
        "modelVersion": model,
        "responseId": "response-1",
    }
    if usage is not None:
        answer["usageMetadata"] = {
            "promptTokenCount": usage.prompt_tokens,
            "cachedContentTokenCount": usage.cached_tokens,
            "candidatesTokenCount": usage.completion_tokens - usage.reasoning_tokens,
            "thoughtsTokenCount": usage.reasoning_tokens,
            "totalTokenCount": usage.prompt_tokens + usage.completion_tokens,
        }
    return answer


def _openai_error(status: int, error: ErrorBody) -> dict[str, object]:
    return {"error": {"message": error.message, "type": error.type, "param": None, "code": error.code}}


def _anthropic_error(status: int, error: ErrorBody) -> dict[str, object]:
    types = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error",
             500: "api_error", 529: "overloaded_error"}  # fmt: skip
    kind = types.get(status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": "req_1"}


def _gemini_error(status: int, error: ErrorBody) -> dict[str, object]:
    names = {401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
             500: "INTERNAL", 503: "UNAVAILABLE"}  # fmt: skip
    return {"error": {"code": status, "message": error.message, "status": names.get(status, "INVALID_ARGUMENT")}}


_ANSWERS = {Api.OPENAI: _openai_answer, Api.ANTHROPIC: _anthropic_answer, Api.GEMINI: _gemini_answer}
_ERRORS = {Api.OPENAI: _openai_error, Api.ANTHROPIC: _anthropic_error, Api.GEMINI: _gemini_error}
