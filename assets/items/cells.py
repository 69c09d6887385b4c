"""Finding a value in a row from outside: a column, or a path into one such as `metadata.topic`.

A path reads inside a mapping, the text of a JSON object, or the text that Python prints for a dict.
"""

import ast
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assets.items.item_lines import LineFault, parse_json
from assets.items.tables_in import Row, Table
from resources.types import ConfigurationError


class CellFault(ValueError):
    """A cell that does not hold what was asked of it; its row is set aside."""


@dataclass(frozen=True)
class Field:
    """Where one field of an item stands: a column and the keys to follow inside it."""

    column: str
    keys: tuple[str, ...]

    def value(self, row: Row) -> Any:
        """The raw value; None where the row has none.

        Raises:
            CellFault: when a path leads into something that is no mapping.
        """
        value = row.cells.get(self.column)
        for key in self.keys:
            if value is None or value == "":
                return None
            inside = parse_cell(value) if isinstance(value, str) else value
            if not isinstance(inside, dict):
                raise CellFault(f"{self.column} holds {excerpt(value)}, which has no {key!r} inside")
            value = inside.get(key)
        return value

    def text(self, row: Row) -> str | None:
        """The value as text without space around it; None where it is blank.

        Raises:
            CellFault: when it is a list or a mapping.
        """
        return text_of(self.value(row), self.column)


def find_field(table: Table, option: str, path: str) -> Field:
    """The field that `option`'s `path` names: a column of that name before a path into one.

    Raises:
        ConfigurationError: when there is no such column, there are two, or no row has anything under the path.
    """
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        column = ".".join(parts[:length])
        if column not in table.columns:
            continue
        if table.columns.count(column) > 1:
            raise ConfigurationError(f"{table.file} has two columns {column!r}; rename one")
        field = Field(column, tuple(parts[length:]))
        if field.keys and table.rows and not any(_holds(field, row) for row in table.rows):
            raise ConfigurationError(
                f"{option} {path}: no row of {table.file} has that inside {column!r}; "
                f"the first holds {excerpt(table.rows[0].cells.get(column))}"
            )
        return field
    raise ConfigurationError(
        f"{option} {path}: {table.file} has no such column; its columns are {', '.join(table.columns)}"
    )


def _holds(field: Field, row: Row) -> bool:
    try:
        return field.value(row) is not None
    except CellFault:
        return False


def text_of(value: Any, column: str) -> str | None:
    """A scalar as text without space around it; None where it is blank.

    Raises:
        CellFault: when it is a list, a mapping or bytes.
    """
    if value is None or value != value:  # a NaN inside a nested cell is a missing value
        return None
    if isinstance(value, (list, dict, tuple, set, bytes)):
        raise CellFault(f"{column} holds {excerpt(value)}, which is not text; name a path into it or another column")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.strip() or None


def list_of(value: Any, column: str) -> list[str | None]:
    """A list of texts: a list, the text of a JSON list, or the text that Python prints for one.

    Raises:
        CellFault: when it is none of these.
    """
    inside = parse_cell(value) if isinstance(value, str) and value.strip() else value
    if not isinstance(inside, (list, tuple)):
        raise CellFault(f"{column} holds {excerpt(value)}, which is not a list; name one column for each option")
    return [text_of(part, column) for part in inside]


@lru_cache(maxsize=64)
def parse_cell(text: str) -> Any:
    """The text of a JSON value or of a Python literal; the text itself when it is neither."""
    try:
        return parse_json(text)
    except LineFault:
        pass
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def excerpt(value: object) -> str:
    """`value` for an error message, cut to 80 characters."""
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"
