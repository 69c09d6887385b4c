"""Reading JSON and JSON lines: text fields found by their names, the names above them as headings.

Markup inside a string is read as HTML.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from assets.sources.document import DeclaredDate, Extracted, Kind, UnreadableError
from assets.sources.html_blocks import text_of
from assets.sources.html_pages import language_tag
from assets.sources.prose import Outline, one_line

_HEADING_NAMES = ("heading", "title", "headline", "name", "catchline", "subject")
_TEXT_NAMES = ("text", "body", "content", "contents", "section_text", "full_text", "abstract", "description", "summary")
_LANGUAGE_NAMES = ("language", "lang", "inLanguage")
_DATE_NAMES = (
    *("datePublished", "date_published", "published", "publication_date", "published_at", "issued", "date", "created"),
    *("dateModified", "date_modified", "updated", "updated_at", "modified", "last_updated"),
)
_MARKUP = re.compile(
    r"</?(?:p|br|div|ul|ol|li|b|i|em|strong|a|h[1-6]|table|span|sup|sub)\b[^<>]*>|&(?:\w+|#\d+);", re.I
)
_DEEPEST = 60
_FAULTS_TOLD = 5


def read_json(text: str) -> Extracted:
    """The strings and numbers of a JSON document, as sections by the names that lead to them.

    Raises:
        UnreadableError: when it nests too deeply.
    """
    content = _loaded(text)
    outline = Outline()
    _add(content, outline, 1)
    fields = content if isinstance(content, dict) else {}
    return Extracted(
        Kind.JSON,
        _named(fields, _HEADING_NAMES),
        outline.sections(),
        language_tag(_named(fields, _LANGUAGE_NAMES)),
        tuple(_dates(fields)),
    )


def read_json_lines(text: str) -> Extracted:
    """One section a line; lines that are no JSON objects are left out and told.

    Raises:
        UnreadableError: when no line is a JSON object.
    """
    outline = Outline()
    left_out: list[str] = []
    taken = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = _loaded(line)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            left_out.append(f"line {number} is not a JSON object")
            continue
        taken += 1
        outline.heading(1, _named(fields, _HEADING_NAMES) or f"Line {number}")
        texts = [_readable(fields[name]) for name in _TEXT_NAMES if isinstance(fields.get(name), str)]
        if any(map(str.strip, texts)):
            for each in texts:
                outline.paragraph(each)
        else:
            _add({name: value for name, value in fields.items() if name not in _HEADING_NAMES}, outline, 2)
    if not taken:
        raise UnreadableError("holds no line that is a JSON object", "write one object a line, with heading and text")
    if len(left_out) > _FAULTS_TOLD:
        left_out[_FAULTS_TOLD:] = [f"{len(left_out) - _FAULTS_TOLD} more lines are not JSON objects"]
    return Extracted(Kind.JSON_LINES, None, outline.sections(), left_out=tuple(left_out))


def _loaded(text: str) -> Any:
    """Numbers stay as they are written, so that 3.10 does not become 3.1."""
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)


def _add(value: Any, outline: Outline, level: int) -> None:
    """Simple values as lines `name: value`, and below them what holds others, each under its name."""
    if level > _DEEPEST:
        raise UnreadableError("nests deeper than can be read", "give it with fewer levels")
    if isinstance(value, dict):
        parts = [(one_line(str(name)), _folded(part)) for name, part in value.items()]
        for name, part in parts:
            if _is_simple(part) and (text := _readable(part)):
                if name in _TEXT_NAMES:
                    outline.paragraph(text)
                else:
                    outline.line(f"{name}: {text}")
        outline.end_lines()
        for name, part in parts:
            if not _is_simple(part):
                outline.heading(level, name)
                _add(part, outline, level + 1)
    elif isinstance(value, list):
        for number, part in enumerate(value, 1):
            part = _folded(part)
            if _is_simple(part):
                outline.line(_readable(part))
            else:
                fields = part if isinstance(part, dict) else {}
                outline.heading(level, _named(fields, _HEADING_NAMES) or str(number))
                _add(part, outline, level + 1)
        outline.end_lines()
    else:
        outline.paragraph(_readable(value))


def _folded(value: Any) -> Any:
    """An object that only wraps a text is that text; a list of simple values is one value."""
    if isinstance(value, dict) and len(value) == 1 and (name := next(iter(value))) in _TEXT_NAMES:
        return _folded(value[name]) if _is_simple(value[name]) else value
    if isinstance(value, list) and all(isinstance(part, str | bool) for part in value):
        return ", ".join(filter(None, map(_readable, value)))
    return value


def _is_simple(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _readable(value: str | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return text_of(value) if value and _MARKUP.search(value) else value or ""


def _named(fields: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """The first of the fields that is a text."""
    texts = (one_line(_readable(fields[name])) for name in names if isinstance(fields.get(name), str))
    return next(filter(None, texts), None)


def _dates(fields: dict[str, Any]) -> Iterator[DeclaredDate]:
    for name in _DATE_NAMES:
        if isinstance(fields.get(name), str):
            yield DeclaredDate(name, fields[name])
