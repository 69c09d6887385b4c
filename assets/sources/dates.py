"""When a source was published, how exactly that is known and who says so.

What was published after a model's training ended cannot have been learned by it. So a doubtful date is no date: one in
the future, before 1900, or of the very day on which the server was asked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from assets.sources.document import DeclaredDate

EARLIEST_YEAR = 1900

_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name: number for number, full in enumerate(_MONTHS.split(), 1) for name in (full, full[:3])} | {"sept": 9}

_ISO = re.compile(r"(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?(?![\d-])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})?(?=\d{6}|\D|$)")
_DAY_FIRST = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)?[\s-]+)?([a-z]{3,9})\.?,?[\s-]+(\d{4})\b", re.I)
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b", re.I)
_IN_FIGURES = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b")
_WITH_ZONE = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$")

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


class Precision(StrEnum):
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class Basis(StrEnum):
    """Who says when a source was published, from the most to the least to be believed."""

    STATED = "stated"
    METADATA = "metadata"
    LAST_MODIFIED = "last_modified"
    URL = "url"
    HOST = "host"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class PartialDate:
    """A day, or only its month or its year."""

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.day is not None and self.month is None:
            raise ValueError("a day without its month")
        date(self.year, self.month or 1, self.day or 1)

    @property
    def precision(self) -> Precision:
        return Precision.YEAR if self.month is None else Precision.MONTH if self.day is None else Precision.DAY

    @property
    def first_day(self) -> date:
        return date(self.year, self.month or 1, self.day or 1)

    def __str__(self) -> str:
        """As in ISO 8601: `2024`, `2024-05`, `2024-05-01`."""
        return self.first_day.isoformat()[: {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}[self.precision]]


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


def read_date(text: str) -> PartialDate | None:
    """The date in `text`, in ISO 8601, as in PDF and HTTP, or as English writes it; None where there is none.

    Of two readings (`03/04/2024`) only the year is sure. A moment with its offset is told as a day in UTC.
    """
    text = text.strip().removeprefix("D:")
    if _WITH_ZONE.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text).astimezone(UTC)
            return PartialDate(moment.year, moment.month, moment.day)
        except (ValueError, OverflowError):
            pass
    if match := _COMPACT.match(text):
        return _possible(match[1], match[2], match[3])
    if match := _ISO.match(text):
        return _possible(match[1], match[3], match[4])
    if match := _IN_FIGURES.match(text):
        return _in_figures(int(match[1]), int(match[3]), match[4])
    if match := _MONTH_FIRST.search(text):
        return _possible(match[3], _MONTH.get(match[1].lower()), match[2])
    for match in _DAY_FIRST.finditer(text):
        if month := _MONTH.get(match[2].lower()):
            return _possible(match[3], month, match[1])
    return None


def _possible(year: str | int, month: str | int | None, day: str | int | None) -> PartialDate | None:
    """The date where the calendar has it."""
    if month is None and day is not None:
        return None
    try:
        return PartialDate(int(year), int(month) if month else None, int(day) if day else None)
    except ValueError:
        return None


def _in_figures(one: int, two: int, year: str) -> PartialDate | None:
    readings = {_possible(year, one, two), _possible(year, two, one)} - {None}
    return readings.pop() if len(readings) == 1 else _possible(year, None, None) if readings else None


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
            if found := _possible(year, parts.get("month"), parts.get("day")):
                dates.append((found, match[0]))
    return dates
