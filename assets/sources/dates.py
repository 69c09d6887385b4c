"""When a source was published, how exactly that is known and who says so.

What was published after a model's training ended cannot have been learned by it. So a doubtful date is no date: one in
the future, before 1900, or of the very day on which the server was asked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from assets.sources.document import DeclaredDate
from resources.registries.partial_dates import EARLIEST_YEAR, PartialDate, possible_date, read_date

# From the most exact to the least; a number that is part of a longer one is no date. Numbers of sections look like
# years and months too, but seldom like those since there are web pages.
_IN_PATH = (
    re.compile(r"(?<!\d)(?P<year>199\d|20\d\d)[-_](?P<month>\d{2})[-_](?P<day>\d{2})(?!\d)"),
    re.compile(r"/(?P<year>\d{4})/(?P<month>\d{1,2})/(?P<day>\d{1,2})(?=/|$)"),
    re.compile(r"(?<!\d)(?P<year>199\d|20\d\d)(?P<month>\d{2})(?P<day>\d{2})(?!\d)"),
    re.compile(r"(?<!\d)(?<!\d-)(?P<year>199\d|20\d\d)-(?P<month>\d{2})(?!\d|-\d)"),
    re.compile(r"/(?P<year>\d{4})/(?P<month>\d{1,2})(?=/|$)"),
    re.compile(r"/(?P<year>\d{4})(?=/|$)"),
    re.compile(r"(?<![a-z])fy[-_]?(?P<year>\d{4}|\d{2})(?!\d)", re.I),
)


class Basis(StrEnum):
    """Who says when a source was published, from the most to the least to be believed."""

    STATED = "stated"
    METADATA = "metadata"
    LAST_MODIFIED = "last_modified"
    URL = "url"
    HOST = "host"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Publication:
    """When a source was published, and on whose word: `origin` is the field, header or part of the URL."""

    date: PartialDate | None
    basis: Basis
    origin: str = ""


def publication(
    today: date,
    *,
    stated: PartialDate | None = None,
    declared: Iterable[DeclaredDate] = (),
    last_modified: str | None = None,
    url: str | None = None,
    host: PartialDate | None = None,
) -> Publication:
    """The date of a source's publication, from the first that gives one to be believed.

    Args:
        today: the day of the run.
        stated: what the domain file says of this source.
        declared: what the document says of itself, the most telling first.
        last_modified: the HTTP header.
        url: where it was found.
        host: what the domain file says of all that is found on this host.
    """
    candidates = [
        (stated, Basis.STATED, "date"),
        *((read_date(each.text), Basis.METADATA, each.field) for each in declared),
        (_last_modified(last_modified, today), Basis.LAST_MODIFIED, "Last-Modified"),
        *((found, Basis.URL, part) for found, part in _in_path(url or "")),
        (host, Basis.HOST, "date of the host"),
    ]
    for found, basis, origin in candidates:
        if found and found.year >= EARLIEST_YEAR and found.first_day <= today:
            return Publication(found, basis, origin)
    return Publication(None, Basis.UNKNOWN)


def _last_modified(header: str | None, today: date) -> PartialDate | None:
    """The header's day; a page that is made when it is asked for carries that day, which says nothing."""
    try:
        moment = parsedate_to_datetime(header or "")
        day = (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except (ValueError, OverflowError):
        return None
    return PartialDate(day.year, day.month, day.day) if day < today - timedelta(days=1) else None


def _in_path(url: str) -> list[tuple[PartialDate, str]]:
    """The dates in a URL's path, the most exact first and of these the last; with the part that says so."""
    path = unquote(urlsplit(url).path)
    dates = []
    for pattern in _IN_PATH:
        for match in reversed(list(pattern.finditer(path))):
            parts = match.groupdict()
            year = parts["year"] if len(parts["year"]) == 4 else f"20{parts['year']}"
            if found := possible_date(year, parts.get("month"), parts.get("day")):
                dates.append((found, match[0]))
    return dates
