"""How the OpenAI, Anthropic, Gemini and Tavily formats spell a request and a reply."""

import json
from collections.abc import Mapping
from dataclasses import asdict

from tests.support.replies import Api, ErrorBody, Reply, Request, Usage, usage_of


def parse(path: str, headers: Mapping[str, str], body: Mapping[str, object]) -> Request:
    """A request, not yet counted, from its path, headers (names in lower case) and JSON body.

    Raises:
        ValueError: for a path that is none of the formats.
    """
    if path.endswith("/embeddings"):
        texts = body["input"]
        return Request(
            Api.EMBEDDINGS, path, str(body["model"]), str(texts[0] if isinstance(texts, list) else texts), headers, body
        )
    if path.endswith("/search"):
        return Request(Api.TAVILY, path, "tavily", str(body["query"]), headers, body)
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


def _embedding_answer(model: str, reply: Reply, usage: Usage | None) -> dict[str, object]:
    answer: dict[str, object] = {
        "object": "list",
        "data": [{"object": "embedding", "index": 0, "embedding": list(reply.vector)}],
        "model": model,
    }
    if usage is not None:
        answer["usage"] = {"prompt_tokens": usage.prompt_tokens, "total_tokens": usage.prompt_tokens}
    return answer


def _tavily_answer(model: str, reply: Reply, usage: Usage | None) -> dict[str, object]:
    results = [asdict(page) | {"score": 0.5, "raw_content": None} for page in reply.pages]
    return {"query": "", "answer": None, "images": [], "results": results, "response_time": 0.1, "request_id": "1"}


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


def _tavily_error(status: int, error: ErrorBody) -> dict[str, object]:
    return {"detail": {"error": error.message}}


_ANSWERS = {
    Api.OPENAI: _openai_answer,
    Api.ANTHROPIC: _anthropic_answer,
    Api.GEMINI: _gemini_answer,
    Api.EMBEDDINGS: _embedding_answer,
    Api.TAVILY: _tavily_answer,
}
_ERRORS = {
    Api.OPENAI: _openai_error,
    Api.ANTHROPIC: _anthropic_error,
    Api.GEMINI: _gemini_error,
    Api.EMBEDDINGS: _openai_error,
    Api.TAVILY: _tavily_error,
}
