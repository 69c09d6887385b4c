"""Rows of the table `sources`: what became of one document. Nothing is fetched or read here."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from assets.sources.dates import Basis, Publication, publication
from assets.sources.document import Extracted, Section, Unreadable
from assets.sources.documents import SourceDocument
from resources.registries.partial_dates import PartialDate

Row = dict[str, Any]
"""A row by the columns of `SOURCES`; what is left out is null."""

LOWEST_TIER = 3
_NOT_ANEW = re.compile(r"could not be (?:fetched|read) anew on ")
_OF_PUBLICATION = ("published", "published_precision", "published_basis", "published_origin")


@dataclass(frozen=True)
class Place:
    """Where a document was found, and what is known of all that is found there.

    Attributes:
        tier: authority, 1 to 3.
        url: the address that answered, after redirects; None for a file.
        rule: the entry of the domain's hosts that admits it.
        host_date: what that entry says of the date.
        etag: validator of the answer.
        last_modified: validator of the answer.
    """

    tier: int
    url: str | None = None
    rule: str | None = None
    host_date: PartialDate | None = None
    etag: str | None = None
    last_modified: str | None = None


class RowMaker:
    """Makes the rows of one domain at one moment."""

    def __init__(self, bank: str, domain: str, now: datetime) -> None:
        self._bank = bank
        self._domain = domain
        self._now = now
        self._today = now.astimezone(UTC).date()

    def read(self, document: SourceDocument, place: Place, extracted: Extracted, earlier: Row | None) -> Row:
        """A document with its text; `earlier` is its row of the last time, if it had a text then."""
        digest = content_hash(extracted.sections)
        dated = publication(
            self._today,
            stated=document.stated,
            declared=extracted.dates,
            last_modified=place.last_modified,
            url=place.url,
            host=place.host_date,
        )
        return self._row(
            document.name,
            place,
            document.topics,
            status="read",
            reason="; ".join(extracted.left_out) or None,
            kind=str(extracted.kind),
            title=extracted.title,
            language=extracted.language,
            content_hash=digest,
            characters=len(extracted.text),
            sections=[{"path": list(part.path), "text": part.text} for part in extracted.sections],
            changed_at=earlier["changed_at"] if earlier and earlier["content_hash"] == digest else self._now,
            **_columns_of(dated),
        )

    def unchanged(self, document: SourceDocument, place: Place, earlier: Row) -> Row:
        """The text of last time, which its server calls still the same, with what the domain file says now."""
        dated = self._stated(document)
        if not dated and earlier["published_basis"] not in (Basis.STATED, Basis.METADATA):
            dated = _columns_of(
                publication(self._today, last_modified=place.last_modified, url=place.url, host=place.host_date)
            )
        return self._kept(document, place, earlier, dated, _read_in_part(earlier))

    def through_outage(self, document: SourceDocument, place: Place, earlier: Row, reason: str) -> Row:
        """The text of last time, since the document could not be had now."""
        done = "read" if place.url is None else "fetched"
        told = f"could not be {done} anew on {self._today}: {reason}"
        reason = "; ".join(filter(None, (_read_in_part(earlier), told)))
        return self._kept(document, place, earlier, self._stated(document), reason)

    def unreadable(self, document: SourceDocument, place: Place, why: Unreadable) -> Row:
        return self._row(document.name, place, document.topics, status="unreadable", reason=str(why))

    def failed(self, document: SourceDocument, place: Place, reason: str) -> Row:
        return self._row(document.name, place, document.topics, status="failed", reason=reason)

    def refused(self, name: str, reason: str, place: Place, topics: Collection[str] = ()) -> Row:
        return self._row(name, place, topics, status="refused", reason=reason)

    def copy_of(self, original: Row, row: Row) -> Row:
        """`row` without its text, which is that of `original`."""
        told = f"is the same document as {original['name']}; take one of the two out of the sources"
        place = Place(row["tier"], row["url"], row["rule"])
        return self.refused(row["name"], told, place, row["topics"] or ())

    def _stated(self, document: SourceDocument) -> Row:
        dated = publication(self._today, stated=document.stated)
        return _columns_of(dated) if dated.date else {}

    def _kept(self, document: SourceDocument, place: Place, earlier: Row, dated: Row, reason: str | None) -> Row:
        kept = ("kind", "title", "language", "content_hash", "characters", "sections", "changed_at", *_OF_PUBLICATION)
        columns = {name: earlier[name] for name in kept} | dated
        return self._row(document.name, place, document.topics, status="read", reason=reason, **columns)

    def _row(self, name: str, place: Place, topics: Collection[str], **columns: Any) -> Row:
        name = _storable(name) if name.strip() else repr(name)
        row = {
            "bank": self._bank,
            "domain": self._domain,
            "source_id": source_id_of(self._domain, name),
            "name": name,
            "url": place.url,
            "host": urlsplit(place.url).hostname if place.url else None,
            "rule": place.rule,
            "tier": place.tier,
            "topics": list(topics) or None,
            "published_basis": str(Basis.UNKNOWN),
            "characters": 0,
            "etag": place.etag,
            "last_modified": place.last_modified,
            "fetched_at": self._now,
        } | columns
        return {key: _storable(value) if isinstance(value, str) else value for key, value in row.items()}


def source_id_of(domain: str, name: str) -> str:
    return sha256(f"{domain}\n{name}".encode()).hexdigest()[:16]


def content_hash(sections: Sequence[Section]) -> str:
    """Of the texts and the headings above them."""
    return sha256(json.dumps([[part.path, part.text] for part in sections]).encode()).hexdigest()


def _columns_of(dated: Publication) -> Row:
    found = dated.date
    values = (found and found.first_day, found and str(found.precision), str(dated.basis), dated.origin or None)
    return dict(zip(_OF_PUBLICATION, values, strict=True))


def _read_in_part(earlier: Row) -> str | None:
    """The reason of a row with a text, without what it tells of an outage."""
    return _NOT_ANEW.split(earlier["reason"] or "", maxsplit=1)[0].removesuffix("; ") or None


def _storable(text: str) -> str:
    """File names may hold bytes that are no characters; no table takes those."""
    return text.encode("utf-8", "backslashreplace").decode()
