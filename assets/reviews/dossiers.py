"""What a reviewer needs to know of each item, gathered from the bank's files and the tables of its last build.

The items are those of the file of record, so that a page made after decisions were taken shows them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from assets.items.recorded_items import read_domain_items
from assets.reports.facts import moment
from assets.reports.provenance import SOURCE_COLUMNS, decided_by, published
from assets.reviews.passages import Difference, difference, linked, passage_of
from assets.reviews.records import Decision, Review, by_item, read_reviews
from resources.installation import Installation
from resources.registries import Bank, Domain, Problem

Row = Mapping[str, Any]

REVIEWED = "a reviewer"  # stands for a pass where a person dropped the item
_SHOWN = ("active", "disputed", "dropped")
_LONGEST_REASON = 1_000  # characters; `factsweep show` prints it whole


class Dossiers:
    """One domain's items with all that is recorded about them.

    Attributes:
        problems: lines of the domain's files that cannot be read.
        sources: by id, without their text.
    """

    def __init__(self, installation: Installation, bank: Bank, domain: Domain) -> None:
        lake, key = installation.lake, domain.key
        read = read_domain_items(installation, bank, domain)
        problems = list(read.refused)
        self._reviews = by_item(read_reviews(bank, domain, problems))
        self.problems: Sequence[Problem] = problems
        self._topics = [topic.name for topic in domain.spec.topics]
        self._items = read.frame.filter(pl.col("status").is_in(_SHOWN))
        self.sources = {row["source_id"]: row for row in lake.read("sources", SOURCE_COLUMNS, domain=key).to_dicts()}
        texts = lake.read("sources", ["source_id", "sections"], domain=key).iter_rows()
        self._sections = {id: [(part["path"], part["text"]) for part in parts or ()] for id, parts in texts}
        self._cards = {row["card_id"]: row for row in lake.read("evidence_cards", domain=key).to_dicts()}
        self.verdicts = lake.read("verdicts", domain=key).sort("item_id", "step")
        self._by_item: dict[str, list[Row]] = {}
        for row in self.verdicts.iter_rows(named=True):
            self._by_item.setdefault(row["item_id"], []).append(row)
        self.balance = lake.read("topic_balance", domain=key)

    def data(self) -> list[dict[str, Any]]:
        """The items as the page's script reads them: by topic, in it the active ones first; empty values left out."""
        place = {name: number for number, name in enumerate(self._topics)}
        rows = sorted(
            self._items.iter_rows(named=True),
            key=lambda row: (place.get(row["topic"], len(place)), row["topic"], _SHOWN.index(row["status"])),
        )
        return [{key: value for key, value in self._item(row).items() if value not in (None, [], "")} for row in rows]

    def passes(self) -> Sequence[Row]:
        """How many drafts each pass passed, rewrote and dropped, in the order of the passes."""
        verdict = pl.col("verdict")
        return (
            self.verdicts.group_by(name="pass")
            .agg(
                first=pl.col("step").min(),
                decided=pl.len(),
                passed=(verdict == "pass").sum(),
                rewritten=(verdict == "rewritten").sum(),
                dropped=(verdict == "fail").sum(),
            )
            .sort("first", "name")
            .to_dicts()
        )

    def _item(self, row: Row) -> dict[str, Any]:
        verdicts = self._by_item.get(row["item_id"], [])
        reviews = self._reviews.get(row["item_id"], [])
        return {
            "id": row["item_id"],
            "topic": row["topic"],
            "status": row["status"],
            "split": row["split"],
            "question": row["question"],
            "options": row["options"],
            "answer": row["answer"],
            "aliases": row["aliases"],
            "type": row["answer_type"],
            "language": row["language"],
            "difficulty": None if row["difficulty"] is None else f"{row['difficulty']:.0%}",
            "since": row["answerable_from"],
            "question_version": row["question_version"],
            "answer_version": row["answer_version"],
            "dropped_by": _dropped_by(verdicts, reviews) if row["status"] == "dropped" else None,
            "card": self._card(row["card_id"] or row["item_id"]),
            "source": self._source(row),
            "verdicts": [_verdict(verdict) for verdict in verdicts],
            "reviews": [_review(review) for review in reviews],
        }

    def _card(self, card_id: str) -> dict[str, Any] | None:
        card = self._cards.get(card_id)
        if card is None:
            return None
        passage = passage_of(card["excerpt"], card["section"] or "", self._sections.get(card["source_id"], []))
        return {
            "fact": card["fact"],
            "about": card["about"],
            "quality": card["quality"],
            "generator": card["generator"],
            "section": passage.section,
            "before": passage.before,
            "excerpt": passage.excerpt,
            "after": passage.after,
            "found": passage.found,
        }

    def _source(self, row: Row) -> dict[str, Any] | None:
        """The source's name, a link where it has an address, and what is known of it."""
        card = self._cards.get(row["card_id"] or row["item_id"])
        source = self.sources.get(card["source_id"]) if card else None
        if card is None or source is None:
            name = card["source_name"] if card else row["source_url"]
            day = row["source_date"]
            return {"name": name, "href": name, "published": day.isoformat() if day else None} if name else None
        return {
            "name": source["name"],
            "href": linked(source["url"], card["excerpt"]) if source["url"] else None,
            "title": source["title"],
            "tier": source["tier"],
            "published": published(source),
        }


def _dropped_by(verdicts: Sequence[Row], reviews: Sequence[Review]) -> str | None:
    if reviews and reviews[-1].decision is Decision.REJECT:
        return REVIEWED
    return verdicts[-1]["pass"] if verdicts and verdicts[-1]["verdict"] == "fail" else None


def _verdict(row: Row) -> list[Any]:
    """Pass, verdict, reason, who decided, and what a rewrite changed of question and gold."""
    reason = row["reason"]
    cut = reason if len(reason) <= _LONGEST_REASON else reason[:_LONGEST_REASON] + "…"
    changes = list(_changes(row)) if row["verdict"] == "rewritten" else []
    return [row["pass"], row["verdict"], cut, decided_by(row), changes]


def _review(review: Review) -> list[Any]:
    """Decision, reviewer, moment, note, and what a correction changed."""
    changes = list(_changes(review.model_dump()))
    return [review.decision, review.reviewer or "somebody", moment(review.decided_at), review.note or "", changes]


def _changes(row: Row) -> Iterator[tuple[str, Difference]]:
    """The question and the gold where they changed, word by word."""
    for name in ("question", "answer"):
        before, after = row[f"{name}_before"], row[f"{name}_after"]
        if before and after and before != after:
            yield name, difference(before, after)
