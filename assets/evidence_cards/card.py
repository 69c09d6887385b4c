"""One evidence card as the other rooms use it, and its identity."""

from dataclasses import dataclass
from datetime import date
from hashlib import sha256

import polars as pl


@dataclass(frozen=True, slots=True)
class Card:
    """A kept row of the table `evidence_cards`, with what its source says of itself.

    Attributes:
        section: the headings above the excerpt, outermost first.
        quality: 1 to 5, as the generator rated it.
        published: when the source was published, as far as it is known: `2024`, `2024-05`, `2024-05-01`.
        source_url: address, or the path as the bank's folder sees it.
    """

    card_id: str
    source_id: str
    topic: str
    excerpt: str
    fact: str
    about: str
    quality: int
    section: str
    title: str
    language: str
    published: str | None
    published_day: date | None
    source_url: str


def card_id_of(domain: str, source_name: str, excerpt: str) -> str:
    """The id of the card, and of the item drafted from it: the same sentences of the same source are the same card."""
    return sha256(f"{domain}\n{source_name}\n{' '.join(excerpt.split())}".encode()).hexdigest()[:16]


def kept_cards(cards: pl.DataFrame, sources: pl.DataFrame) -> list[Card]:
    """The kept cards of a domain's table, in its order."""
    about = {row["source_id"]: row for row in sources.drop("sections").iter_rows(named=True)}
    kept = cards.filter((pl.col("status") == "kept") & pl.col("source_id").is_in(list(about)))
    return [_card(row, about[row["source_id"]]) for row in kept.iter_rows(named=True)]


def _card(row: dict, source: dict) -> Card:
    length = {"year": 4, "month": 7, "day": 10}
    day = source["published"]
    return Card(
        card_id=row["card_id"],
        source_id=row["source_id"],
        topic=row["topic"],
        excerpt=row["excerpt"],
        fact=row["fact"],
        about=row["about"],
        quality=row["quality"],
        section=row["section"] or "",
        title=source["title"] or source["name"],
        language=source["language"] or "en",
        published=day.isoformat()[: length[source["published_precision"] or "day"]] if day else None,
        published_day=day,
        source_url=source["url"] or source["name"],
    )
