"""Reading the replies to other calls than messages: vectors, and the pages that a search found."""

import base64
import json
from array import array
from typing import Any

from resources.llm.calls import Kind
from resources.llm.replies import MalformedReply, Reply, read_reply, reply_json, storable
from resources.types import Outcome

_FLOATS = "f"  # four bytes each, which is more than a vector's own precision


def read_response(kind: Kind, response: Any) -> tuple[Reply, str]:
    """What a response says, and the JSON that the ledger keeps of it.

    Raises:
        MalformedReply: when it holds nothing of what was asked for.
    """
    match kind:
        case Kind.EMBEDDING:
            return _embedding(response)
        case Kind.SEARCH:
            return _search(response)
        case _:
            return read_reply(response), reply_json(response)


def vector_of(text: str) -> array:
    """The vector that the ledger keeps as text."""
    vector = array(_FLOATS)
    vector.frombytes(base64.b64decode(text))
    return vector


def _embedding(response: Any) -> tuple[Reply, str]:
    """The vector is kept in base64, a fifth of its JSON."""
    data = getattr(response, "data", None) or []
    first = data[0] if data else None
    numbers = first.get("embedding") if isinstance(first, dict) else getattr(first, "embedding", None)
    if not isinstance(numbers, list) or not numbers or not all(isinstance(each, int | float) for each in numbers):
        raise MalformedReply("the reply is not a vector")
    tokens = getattr(getattr(response, "usage", None), "prompt_tokens", None)
    served = storable(str(getattr(response, "model", None) or "")) or None
    text = base64.b64encode(array(_FLOATS, numbers).tobytes()).decode()
    reply = Reply(Outcome.ANSWERED, text, "stop", served, tokens if isinstance(tokens, int) else None, 0, None, 0)
    return reply, json.dumps({"model": served, "dimensions": len(numbers), "prompt_tokens": reply.input_tokens})


def _search(response: Any) -> tuple[Reply, str]:
    """The pages as a JSON list: url, title, date, snippet."""
    results = getattr(response, "results", None)
    if not isinstance(results, list):
        raise MalformedReply("the reply is not a list of pages")
    pages = [
        {name: str(value) for name in ("url", "title", "date", "snippet") if (value := getattr(page, name, None))}
        for page in results
    ]
    text = storable(json.dumps(pages, ensure_ascii=False))
    return Reply(Outcome.ANSWERED, text, "stop", None, 0, 0, None, 0), text
