"""A model's reply as the JSON object that was asked for, or why it cannot be read."""

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Shape = TypeVar("Shape", bound=BaseModel)

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=lambda _: None)
_FENCE = re.compile(r"\A```[a-z]*\s*\n(.*?)\n?```\Z", re.S | re.I)


class UnreadableReply(ValueError):
    """Why a reply is not what was asked for, in half a sentence."""


def parse_reply(text: str, shape: type[Shape]) -> Shape:
    """The one JSON object in `text`, which may stand in a code fence or after a sentence, as `shape`.

    Numbers are read as text, so that a version 3.10 stays what the reply shows; shapes that want numbers read them.

    Raises:
        UnreadableReply: when there is none, it is cut off, or it lacks what was asked for.
    """
    text = text.strip()
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    start = text.find("{")
    if start < 0:
        raise UnreadableReply(f"is no JSON object: {_shown(text)}" if text else "is empty")
    try:
        content, _ = _DECODER.raw_decode(text, start)
        json.dumps(content, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise UnreadableReply(f"is no valid JSON at character {error.pos + 1} ({error.msg})") from None
    except (RecursionError, UnicodeEncodeError):
        raise UnreadableReply("is JSON that cannot be read") from None
    try:
        return shape.model_validate(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the object"
        raise UnreadableReply(f"{place}: {fault['msg'].removeprefix('Value error, ')}") from None


def as_data(text: str) -> str:
    """`text` for a place between tags, which it cannot close."""
    return re.sub(r"<(\s*/?\s*(?:passage|evidence)\b)", r"‹\1", text, flags=re.I)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
