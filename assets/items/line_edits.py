"""Changing values of one JSON line in its text, so that all else in it stays as its author wrote it.

Reading and writing the line anew would turn a gold of 1e6 into 1000000.0.
"""

import json
from collections.abc import Mapping
from typing import Any

_DECODER = json.JSONDecoder()
_BLANKS = " \t\r\n"


def with_values(text: str, values: Mapping[str, Any]) -> str:
    """`text`, a JSON object, with `values` at its top level: in the place of a key's old value, else at the end."""
    spans, end = _value_spans(text)
    added = [f"{_dump(key)}: {_dump(value)}" for key, value in values.items() if key not in spans]
    if added:
        text = text[:end] + (", " if spans else "") + ", ".join(added) + text[end:]
    there = ((*spans[key], value) for key, value in values.items() if key in spans)
    for start, stop, value in sorted(there, key=lambda each: each[0], reverse=True):
        text = text[:start] + _dump(value) + text[stop:]
    return text


def _value_spans(text: str) -> tuple[dict[str, tuple[int, int]], int]:
    """Where each key's value stands, and where the last one ends; of a key that stands twice the last one counts."""
    spans: dict[str, tuple[int, int]] = {}
    end = at = _after_blanks(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        start = _after_blanks(text, _after_blanks(text, at) + 1)  # past the colon
        _, end = _DECODER.raw_decode(text, start)
        spans[key] = (start, end)
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return spans, end


def _after_blanks(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
