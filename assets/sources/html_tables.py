"""Tables of HTML as rows of cells, and which tables are none but only place things on a page."""

from collections.abc import Callable
from typing import Any

_NOT_IN_CELLS = ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "form")
_LONGEST_CELL = 2000  # characters; a longer one holds a part of the page
_MOST_SPANNED = 1000


def is_layout(table: Any) -> bool:
    """Whether a table only places things on the page."""
    return (
        table.get("role") == "presentation"
        or table.find(".//table") is not None
        or next(table.iter(*_NOT_IN_CELLS), None) is not None
        or any(len("".join(cell.itertext())) > _LONGEST_CELL for cell in table.iter("td"))
    )


def rows(table: Any, read: Callable[[Any], str]) -> list[list[str]]:
    """A table's rows, without rows and columns that are empty.

    A cell that spans several rows is told in each, so that every row can be read by itself.

    Args:
        table: an lxml element.
        read: gives the text of a cell.
    """
    told: list[list[str]] = []
    below: dict[int, tuple[int, str]] = {}  # by column: how many rows its cell still spans, and the cell
    for row in table.iter("tr"):
        cells: list[str] = []
        own = [cell for cell in row if cell.tag in ("td", "th")]
        while own or len(cells) in below:
            if (column := len(cells)) in below:
                left, text = below.pop(column)
                cells.append(text)
            else:
                cell = own.pop(0)
                text = read(cell)
                left = _number(cell.get("rowspan"))
                cells += [text, *[""] * (_number(cell.get("colspan")) - 1)]
            if left > 1:
                below[column] = (left - 1, text)
        told.append(cells)
    width = max(map(len, told), default=0)
    used = [column for column in range(width) if any(column < len(cells) and cells[column] for cells in told)]
    shown = [[cells[column] if column < len(cells) else "" for column in used] for cells in told]
    return [cells for cells in shown if any(cells)]


def _number(text: str | None) -> int:
    return min(int(text), _MOST_SPANNED) if text and text.strip().isdecimal() else 1
