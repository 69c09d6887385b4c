"""Dates as people and programs write them, of which a day, a month or only a year is known."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

EARLIEST_YEAR = 1900

_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name: number for number, full in enumerate(_MONTHS.split(), 1) for name in (full, full[:3])} | {"sept": 9}

_ISO = re.compile(r"(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?(?![\d-])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})?(?=\d{6}|\D|$)")
_DAY_FIRST = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)?[\s-]+)?([a-z]{3,9})\.?,?[\s-]+(\d{4})\b", re.I)
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b", re.I)
_IN_FIGURES = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b")
_WITH_ZONE = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$")


class Precision(StrEnum):
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


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
        return possible_date(match[1], match[2], match[3])
    if match := _ISO.match(text):
        return possible_date(match[1], match[3], match[4])
    if match := _IN_FIGURES.match(text):
        return _in_figures(int(match[1]), int(match[3]), match[4])
    if match := _MONTH_FIRST.search(text):
        return possible_date(match[3], _MONTH.get(match[1].lower()), match[2])
    for match in _DAY_FIRST.finditer(text):
        if month := _MONTH.get(match[2].lower()):
            return possible_date(match[3], month, match[1])
    return None


def possible_date(year: str | int, month: str | int | None, day: str | int | None) -> PartialDate | None:
    """The date where the calendar has it."""
    if month is None and day is not None:
        return None
    try:
        return PartialDate(int(year), int(month) if month else None, int(day) if day else None)
    except ValueError:
        return None


def _in_figures(one: int, two: int, year: str) -> PartialDate | None:
    readings = {possible_date(year, one, two), possible_date(year, two, one)} - {None}
    return readings.pop() if len(readings) == 1 else possible_date(year, None, None) if readings else None
