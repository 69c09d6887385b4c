"""The sentences behind built items, for the page: the excerpt within its passage, and the link that leads to it."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from assets.reviews.passages import linked, passage_of
from resources.warehouse import Lake


@dataclass(frozen=True)
class Evidence:
    """Where an item's answer is stated.

    Attributes:
        document: what the document calls itself, or its name.
        section: the headings above the passage.
        link: the page, scrolled to the excerpt; empty for a file.
    """

    document: str
    section: str
    before: str
    excerpt: str
    after: str
    link: str

    @property
    def size(self) -> int:
        parts = (self.document, self.section, self.before, self.excerpt, self.after, self.link)
        return sum(len(part.encode(errors="replace")) for part in parts)


def evidence_of(lake: Lake, items: pl.DataFrame) -> Mapping[tuple[str, str], Evidence]:
    """The evidence of each item that was built from a card, by domain and id; one domain's documents at a time."""
    built = items.filter(pl.col("card_id").is_not_null()).select("domain", "item_id", "card_id")
    found: dict[tuple[str, str], Evidence] = {}
    for domain in built["domain"].unique(maintain_order=True):
        cards = lake.read("evidence_cards", ["card_id", "source_id", "excerpt", "section"], domain=domain)
        wanted = built.filter(pl.col("domain") == domain).join(cards, on="card_id")
        if wanted.is_empty():
            continue
        sources = lake.read("sources", ["source_id", "name", "title", "url", "sections"], domain=domain)
        documents = {row["source_id"]: row for row in sources.iter_rows(named=True)}
        for row in wanted.iter_rows(named=True):
            if (document := documents.get(row["source_id"])) is not None:
                found[domain, row["item_id"]] = _evidence(row, document)
    return found


def _evidence(card: dict, document: dict) -> Evidence:
    sections = [(section["path"], section["text"]) for section in document["sections"] or ()]
    passage = passage_of(card["excerpt"], card["section"] or "", sections)
    title, name = document["title"], document["name"]
    shown = title if title and document["url"] else f"{title} ({name})" if title else name
    return Evidence(
        shown,
        passage.section,
        passage.before,
        passage.excerpt,
        passage.after,
        linked(document["url"], passage.excerpt) if document["url"] else "",
    )
