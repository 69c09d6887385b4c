"""The tables that commands print. Names in them are whole: people copy ids from them, and programs search them."""

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

_AS_WIDE_AS_IT_IS = 10_000
_LEAST = 132  # with less a leaderboard would lose columns; a narrower terminal breaks its lines instead
_NARROWEST = 20


def table_terminal() -> Console:
    """Standard output; where it is no terminal a table is as wide as what it holds."""
    if not sys.stdout.isatty():
        return Console(width=_AS_WIDE_AS_IT_IS)
    return Console(width=max(Console().width, _LEAST))


def add_name_column(table: Table, heading: str, names: Iterable[str]) -> None:
    """A column of ids, which a narrow terminal breaks over lines and never cuts."""
    longest = max(map(len, names), default=0)
    table.add_column(heading, overflow="fold", min_width=min(longest, _NARROWEST))
