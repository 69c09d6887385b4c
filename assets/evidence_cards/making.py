"""Making a domain's cards: chunks are read until each topic has enough, and what is not in the source is refused.

Cards of an earlier build stay as long as their sentences stand in their source: a changed source takes away only what
it no longer says.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from typing import Any

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from assets.authoring.desk import DEFAULT_RETRY, Ask, Desk, Said
from assets.authoring.replies import as_data
from assets.authoring.rotation import in_rotation
from assets.evidence_cards.card import card_id_of
from assets.evidence_cards.chunks import Chunk, chunks_of, in_turn
from assets.evidence_cards.excerpts import excerpt_fault, find_excerpt
from resources.registries import ModelSpec, Prompt
from resources.types import Role

Row = dict[str, Any]

_RATING = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:/\s*5)?\s*$")
CARDS_PER_CHUNK = 5  # at most; half of it is what a plan counts on


class CardReply(BaseModel):
    """One card as the generator gives it."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    excerpt: str = Field(min_length=1, max_length=5_000)
    fact: str = Field(min_length=1, max_length=2_000)
    about: str = Field(min_length=1, max_length=1_000)
    topic: str = Field(min_length=1, max_length=200)
    quality: int

    @field_validator("quality", mode="before")
    @classmethod
    def _in_range(cls, value: object) -> object:
        """A rating on another scale would rank wrongly; one as text, as 4.0 or as 4/5 is the same rating."""
        found = _RATING.match(str(value))
        number = float(found[1]) if found else 0.0
        if not 1 <= number <= 5:
            raise ValueError(f"{value!r} is not 1 to 5")
        return round(number)


class CardsReply(BaseModel):
    """All cards of a chunk; one that is malformed does not cost the others."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    cards: list[Any]


@dataclass(frozen=True)
class Wanted:
    """How many cards each topic needs."""

    cards: dict[str, int]

    def short(self, kept: Counter[str]) -> dict[str, int]:
        return {topic: count - kept[topic] for topic, count in self.cards.items() if kept[topic] < count}


@dataclass
class MadeCards:
    """What came of it.

    Attributes:
        rows: of the table, kept and refused.
        unread: chunks that are left, those that wait for their call among them.
        read: how many were read.
        waiting: chunks whose call brought nothing yet, with the reason.
        unreadable: chunks whose reply cannot be read; that is final.
        malformed: cards that lack something, with what.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    read: int = 0
    unread: list[Chunk] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)


def source_chunks(sources: pl.DataFrame, topics: Sequence[str]) -> list[Chunk]:
    """The chunks of a domain's readable sources, in the order in which they are read."""
    found = []
    for row in sources.filter(pl.col("status") == "read").iter_rows(named=True):
        serves = tuple(topic for topic in row["topics"] or topics if topic in topics)
        sections = [(tuple(section["path"]), section["text"]) for section in row["sections"]]
        found += [
            Chunk(row["source_id"], row["name"], row["title"] or row["name"], row["tier"], section, parts, serves)
            for section, parts in chunks_of(sections)
        ]
    return in_turn(found)


class CardMaker:
    """Args:
    title: the domain's.
    provisions: whether sections of law and standards are facts worth asking for.
    """

    def __init__(
        self,
        bank: str,
        domain: str,
        title: str,
        prompt: Prompt,
        generators: Sequence[ModelSpec],
        desk: Desk,
        *,
        provisions: bool,
    ) -> None:
        self._key = {"bank": bank, "domain": domain}
        self._title = title
        self._renderer = prompt.renderer()
        self._stricter = str(prompt.settings.get("retry") or DEFAULT_RETRY)
        self._generators = generators
        self._desk = desk
        self._provisions = provisions

    def make(self, chunks: Sequence[Chunk], wanted: Wanted, earlier: pl.DataFrame) -> MadeCards:
        """Cards until every topic has enough or no chunk is left that could serve one.

        Args:
            chunks: in the order in which they are read.
            earlier: the table as the last build left it.
        """
        made = MadeCards()
        known = {row["card_id"]: row for row in surviving(earlier, chunks)}
        kept = Counter(row["topic"] for row in known.values() if row["status"] == "kept")
        read = {row["chunk"] for row in known.values()}
        left = [chunk for chunk in chunks if chunk.digest not in read]
        while left and (short := wanted.short(kept)):
            batch = _next_batch(left, short)
            if not batch:
                break
            waiting = len(made.waiting)
            taken = {id(chunk) for chunk in batch}
            left = [chunk for chunk in left if id(chunk) not in taken]
            for chunk, said in zip(
                batch, self._desk.ask([self._ask(chunk) for chunk in batch], CardsReply), strict=True
            ):
                self._take(chunk, said, made, known, kept)
            if len(made.waiting) - waiting == len(batch):
                break  # the budget is reached, or nobody answers: the other passages would only wait as well
        made.unread += left
        made.rows = list(known.values())
        return made

    def ask_text(self, chunk: Chunk) -> str:
        """The prompt for a chunk, also for a forecast."""
        return self._renderer.render(
            domain=self._title,
            topics=list(chunk.topics),
            title=as_data(chunk.title),
            section=as_data(chunk.section),
            text=as_data(chunk.text),
            most=CARDS_PER_CHUNK,
            provisions=self._provisions,
        )

    def _ask(self, chunk: Chunk) -> Ask:
        return Ask(in_rotation(chunk.digest, self._generators), Role.CARD, self.ask_text(chunk), self._stricter)

    def _take(
        self, chunk: Chunk, said: Said[CardsReply], made: MadeCards, known: dict[str, Row], kept: Counter[str]
    ) -> None:
        if said.value is None:
            where = f"{chunk.source_name} ({chunk.section or 'beginning'})"
            (made.waiting if said.waits else made.unreadable).append(
                f"{where}: {said.spec.id}: {said.waits or said.unreadable}"
            )
            made.unread += [chunk] if said.waits else []
            return
        made.read += 1
        for content in said.value.cards[:CARDS_PER_CHUNK]:
            try:
                row = self._row(chunk, said, CardReply.model_validate(content))
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]
                what = f"{'.'.join(map(str, fault['loc'])) or 'the card'}: {fault['msg'].removeprefix('Value error, ')}"
                made.malformed.append(f"{chunk.source_name} ({chunk.section or 'beginning'}): {said.spec.id}: {what}")
                continue
            if _is_news(row, known):
                known[row["card_id"]] = row
                if row["status"] == "kept":
                    kept[row["topic"]] += 1

    def _row(self, chunk: Chunk, said: Said[CardsReply], card: CardReply) -> Row:
        part = next((part for part in chunk.parts if find_excerpt(card.excerpt, part.text)), None)
        excerpt = find_excerpt(card.excerpt, part.text) if part else None
        topic = next((topic for topic in chunk.topics if topic.casefold() == card.topic.casefold()), None)
        reason = (
            "the excerpt does not stand in the source"
            if excerpt is None
            else excerpt_fault(excerpt) or (None if topic else f"topic {card.topic!r} is none of the domain's")
        )
        at = datetime.fromtimestamp(said.answered_at, UTC) if said.answered_at else None
        return {
            **self._key,
            "card_id": card_id_of(self._key["domain"], chunk.source_name, excerpt or card.excerpt),
            "source_id": chunk.source_id,
            "source_name": chunk.source_name,
            "topic": topic or card.topic,
            "excerpt": excerpt or card.excerpt,
            "fact": card.fact,
            "about": card.about,
            "quality": card.quality,
            "section": " › ".join(part.path) if part else chunk.section,
            "chunk": chunk.digest,
            "generator": said.spec.id,
            "call_id": said.call_id,
            "status": "refused" if reason else "kept",
            "reason": reason,
            "made_at": at,
        }


def _is_news(row: Row, known: Mapping[str, Row]) -> bool:
    """Whether a card is new; one that was refused for its topic or its size may still be kept from another reply."""
    former = known.get(row["card_id"])
    return former is None or (former["status"] == "refused" and row["status"] == "kept")


def surviving(earlier: pl.DataFrame, chunks: Iterable[Chunk]) -> list[dict[str, Any]]:
    """The kept cards whose sentences still stand in their source, and refused ones of passages that still do."""
    texts: dict[str, list[str]] = {}
    digests = set()
    topics: dict[str, set[str]] = {}
    for chunk in chunks:
        texts.setdefault(chunk.source_id, []).extend(part.text for part in chunk.parts)
        topics.setdefault(chunk.source_id, set()).update(chunk.topics)
        digests.add(chunk.digest)
    rows = []
    for row in earlier.iter_rows(named=True):
        if row["status"] == "kept":
            there = any(row["excerpt"] in text for text in texts.get(row["source_id"], ()))
            if there and row["topic"] in topics[row["source_id"]]:
                rows.append(row)
        elif row["chunk"] in digests:
            rows.append(row)
    return rows


def _next_batch(left: Sequence[Chunk], short: dict[str, int]) -> list[Chunk]:
    """The next chunks that could serve a topic that is short; as many as may be enough."""
    serving = [chunk for chunk in left if any(topic in short for topic in chunk.topics)]
    return serving[: ceil(sum(short.values()) / (CARDS_PER_CHUNK / 2))]
