"""Reading a provider's reply: the answer's text, its outcome and its tokens. Prices and secrets are others'."""

import json
import re
from dataclasses import dataclass
from typing import Any

from resources.types import Outcome

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_UNFINISHED_THINKING = re.compile(r"\A\s*<think>(?!.*</think>).*\Z", re.DOTALL)
# Halves of surrogate pairs have no UTF-8, and PostgreSQL stores no NUL: one such answer would stop a sweep.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_MOST_TOKENS = 10**9


class MalformedReply(Exception):
    """A reply that came with status 200 and holds no answer; it may have been paid."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says. Reasoning tokens are among the output tokens, cached ones among the input tokens."""

    outcome: Outcome
    text: str
    finish_reason: str | None
    served_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cached_tokens: int


def read_reply(response: Any) -> Reply:
    """What litellm's `response` (a ModelResponse) says.

    Empty content with `stop`, and a refusal, are answers (abstentions, as the paper counts them);
    `length` without an answer is truncated; a content filter is filtered. Thinking that a server
    leaves in the text is no part of the answer.

    Raises:
        MalformedReply: when there is no choice or no message.
    """
    choices = getattr(response, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    if message is None:
        raise MalformedReply("the reply is not an answer: it holds no choice")
    finish = getattr(choices[0], "finish_reason", None)
    content = message.content
    text = content if isinstance(content, str) and content else getattr(message, "refusal", None) or ""
    text = "" if _UNFINISHED_THINKING.match(text) else _THINKING.sub("", text)
    usage = getattr(response, "usage", None)
    if not getattr(usage, "prompt_tokens", 0):
        usage = None  # litellm writes zeros where the provider reported nothing, and no prompt is empty
    input_tokens = _tokens(usage, "prompt_tokens")
    output_tokens = _tokens(usage, "completion_tokens")
    reasoning_tokens = _tokens(getattr(usage, "completion_tokens_details", None), "reasoning_tokens")
    counts = (input_tokens, output_tokens, reasoning_tokens)
    # Some servers count thinking beside the completion; their total shows it.
    if output_tokens and reasoning_tokens and _tokens(usage, "total_tokens") == sum(count or 0 for count in counts):
        output_tokens += reasoning_tokens
    return Reply(
        outcome=_outcome(finish, text),
        text=storable(text),
        finish_reason=finish and storable(finish),
        served_model=storable(getattr(response, "model", None) or "") or None,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        reasoning_tokens=reasoning_tokens,
        cached_tokens=_tokens(getattr(usage, "prompt_tokens_details", None), "cached_tokens") or 0,
    )


def reply_json(response: Any) -> str:
    """The whole reply, for a person to read."""
    try:
        return response.model_dump_json()
    except ValueError:  # it holds half of a surrogate pair, which only escapes can write
        return json.dumps(response.model_dump(), default=str)


def storable(text: str) -> str:
    """`text` as every database takes it."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _tokens(counts: Any, name: str) -> int | None:
    value = getattr(counts, name, None)
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else None


def _outcome(finish: str | None, text: str) -> Outcome:
    if finish == "content_filter":
        return Outcome.FILTERED
    if finish == "length" and not text.strip():
        return Outcome.TRUNCATED
    return Outcome.ANSWERED
