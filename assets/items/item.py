"""One item as the other rooms use it: what is asked, what is right."""

from dataclasses import dataclass

import polars as pl

from resources.types import Format


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the table `items`, without its provenance."""

    item_id: str
    topic: str
    question_version: str
    answer_version: str
    format: Format
    question: str
    options: tuple[str, ...]
    answer: str
    aliases: tuple[str, ...]
    answer_type: str | None
    language: str

    @property
    def letters(self) -> str:
        """The option letters, A first; empty for a short answer."""
        return "".join(chr(ord("A") + place) for place in range(len(self.options)))


_COLUMNS = list(Item.__dataclass_fields__)


def active_items(frame: pl.DataFrame) -> list[Item]:
    """The items of a table `items` that are asked, in its order."""
    rows = frame.filter(pl.col("status") == "active").select(_COLUMNS).iter_rows(named=True)
    return [
        Item(
            **row
            | {
                "format": Format(row["format"]),
                "options": tuple(row["options"] or ()),
                "aliases": tuple(row["aliases"] or ()),
            }
        )
        for row in rows
    ]
