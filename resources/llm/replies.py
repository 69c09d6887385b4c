"""Reading a provider's reply: the answer's text, its outcome, its tokens and its cost."""

import re
from dataclasses import dataclass
from typing import Any

from resources.types import Outcome

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_UNFINISHED_THINKING = re.compile(r"\A\s*<think>(?!.*</think>).*\Z", re.DOTALL)


class MalformedReply(Exception):
    """A reply that came with status 200 and holds no answer; it may have been paid."""


@dataclass(frozen=True, slots=True)
class Reply:
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
        raise MalformedReply("the reply holds no choice")
    finish = getattr(choices[0], "finish_reason", None)
    content = message.content
    text = content if isinstance(content, str) else ""
    if not text:
        text = getattr(message, "refusal", None) or ""
    thinking_only = bool(_UNFINISHED_THINKING.match(text))
    text = "" if thinking_only else _THINKING.sub("", text)
    usage = getattr(response, "usage", None)
    if not getattr(usage, "prompt_tokens", 0):
        usage = None  # litellm writes zeros where the provider reported nothing, and no prompt is empty
    output_details = getattr(usage, "completion_tokens_details", None)
    input_details = getattr(usage, "prompt_tokens_details", None)
    return Reply(
        outcome=_outcome(finish, text),
        text=text,
        finish_reason=finish,
        served_model=getattr(response, "model", None),
        input_tokens=getattr(usage, "prompt_tokens", None),
        output_tokens=getattr(usage, "completion_tokens", None),
        reasoning_tokens=getattr(output_details, "reasoning_tokens", None),
        cached_tokens=getattr(input_details, "cached_tokens", None) or 0,
    )


def _outcome(finish: str | None, text: str) -> Outcome:
    if finish == "content_filter":
        return Outcome.FILTERED
    if finish == "length" and not text.strip():
        return Outcome.TRUNCATED
    return Outcome.ANSWERED
