"""Changing a person's YAML file by its lines: what they wrote, comments too, stays byte for byte.

PyYAML tells where things stand and proves a change; it never writes one.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

_WIDE = 2**31  # no line is broken


class LayoutFault(Exception):
    """A file that cannot be changed by its lines, and what to do about it."""


def read_text(file: Path) -> str:
    """The file's text with the ends of its lines as they are.

    Raises:
        LayoutFault: when it cannot be read.
    """
    try:
        return file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutFault(f"cannot be read ({error}); save it as UTF-8 text") from None


def root_of(text: str) -> yaml.Node | None:
    """The outermost node of a text; None where it holds only comments.

    Raises:
        LayoutFault: when it is not valid.
    """
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        raise LayoutFault(f"is not valid YAML{line}; mend the line or its indentation") from None


def value_of(node: yaml.Node, key: str) -> yaml.Node | None:
    """What a mapping says of `key`; the last where it stands twice, as everyone reads it."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for name, value in reversed(pairs) if name.value == key), None)


def end_of_line(text: str, index: int) -> int:
    """Where the line that holds `index` ends, after its line break; a folded text ends behind its own."""
    if text[:index].endswith("\n"):
        return index
    found = text.find("\n", index)
    return len(text) if found < 0 else found + 1


def last_index(node: yaml.Node) -> int:
    """The end of the last thing written in a block; its own end mark stands after the comments that follow it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node.end_mark.index


def inserted(text: str, index: int, lines: str) -> str:
    """`text` with whole `lines` at the start of a line, in the line breaks that it uses."""
    before = text[:index]
    if before and not before.endswith("\n"):
        before += "\n"
    new = before[len(text[:index]) :] + lines
    return text[:index] + (new.replace("\n", "\r\n") if "\r\n" in text else new) + text[index:]


def proven(text: str, expected: Any) -> str:
    """`text`, which must say what is expected.

    Raises:
        LayoutFault: when it does not, so that it must not be written.
    """
    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError:
        said = None
    if said != expected:
        raise LayoutFault("is laid out so that no safe place for new lines is found; add them yourself")
    return text


def flow(entry: Mapping[str, Any]) -> str:
    """An entry on one line, in braces."""
    dumped = yaml.safe_dump(dict(entry), default_flow_style=True, sort_keys=False, allow_unicode=True, width=_WIDE)
    return dumped.strip()


def block(entries: Sequence[Mapping[str, Any]], indent: int) -> str:
    """Entries of a list, a line for each of their keys."""
    lines = yaml.safe_dump(
        [dict(entry) for entry in entries], default_flow_style=False, sort_keys=False, allow_unicode=True, width=_WIDE
    ).splitlines(keepends=True)
    return "".join(" " * indent + line for line in lines)
