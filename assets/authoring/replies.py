"""A model's reply as the JSON object that was asked for, or why it cannot be read."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Shape = TypeVar("Shape", bound=BaseModel)

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=lambda _: None)
_BRACE = re.compile(r"\{")
_MOST_STARTS = 50
_FENCE = re.compile(r"\A```[a-z]*\s*\n(.*?)\n?```\Z", re.S | re.I)


class UnreadableReply(ValueError):
    """Why a reply is not what was asked for, in half a sentence."""


def parse_reply(text: str, shape: type[Shape]) -> Shape:
    """The first JSON object in `text` that fits `shape`; it may stand in a code fence, after thoughts or a sentence.

    Numbers are read as text, so that a version 3.10 stays what the reply shows; shapes that want numbers read them.

    Raises:
        UnreadableReply: when there is none, it is cut off, or it lacks what was asked for.
    """
    text = text.strip()
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    starts = [found.start() for found in _BRACE.finditer(text)][:_MOST_STARTS]
    if not starts:
        raise UnreadableReply(f"is no JSON object: {_shown(text)}" if text else "is empty")
    first: UnreadableReply | None = None
    end = 0
    for start in starts:
        if start < end:
            continue  # inside an object that was read and does not fit
        try:
            content, end = _object_at(text, start)
            return shape.model_validate(_without_nulls(content))
        except UnreadableReply as error:
            first = first or error
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            place = ".".join(map(str, fault["loc"])) or "the object"
            first = first or UnreadableReply(f"{place}: {fault['msg'].removeprefix('Value error, ')}")
    assert first is not None
    raise first


def _object_at(text: str, start: int) -> tuple[Any, int]:
    try:
        content, end = _DECODER.raw_decode(text, start)
        json.dumps(content, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise UnreadableReply(f"is no valid JSON at character {error.pos + 1} ({error.msg})") from None
    except (RecursionError, UnicodeEncodeError):
        raise UnreadableReply("is JSON that cannot be read") from None
    return content, end


def _without_nulls(content: Any) -> Any:
    """A null stands for a key left out."""
    if not isinstance(content, dict):
        return content
    return {key: value for key, value in content.items() if value is not None}


def as_data(text: str) -> str:
    """`text` for a place between tags, which it cannot close."""
    return re.sub(r"<(\s*/?\s*(?:passage|evidence)\b)", r"‹\1", text, flags=re.I)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
