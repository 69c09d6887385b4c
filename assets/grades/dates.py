"""Calendar dates in the forms that English writes them in, read from tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assets.grades.folding import Kind, Token
from assets.grades.numerals import read_number

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
MONTH_NAMES = frozenset(_MONTHS)
_ISO = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:t.*)?")
_NUMERIC = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")


@dataclass(frozen=True, slots=True)
class Date:
    """A day, a month of a year or a day of a month: at least two parts are known. Years before Christ are negative."""

    year: int | None
    month: int
    day: int | None


def read_date(read: Sequence[Token], at: int) -> tuple[tuple[Date, ...], int] | None:
    """The readings of the date that starts at a token, and the index after it; None where none starts."""
    token = read[at]
    if token.kind is Kind.NUMBER and (readings := _in_figures(token.text)):
        return readings, at + 1
    found = _day_first(read, at) or _month_first(read, at) or _year_first(read, at)
    return ((found[0],), found[1]) if found else None


def _in_figures(text: str) -> tuple[Date, ...]:
    if match := _ISO.fullmatch(text):
        year, month, day = (int(part) for part in match.groups())
        return (Date(year, month, day),) if _possible(month, day) else ()
    if match := _NUMERIC.fullmatch(text):
        one, two, year = int(match[1]), int(match[3]), int(match[4])
        both = {(one, two), (two, one)}
        return tuple(Date(year, month, day) for month, day in sorted(both) if _possible(month, day))
    return ()


def _possible(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _day_first(read: Sequence[Token], at: int) -> tuple[Date, int] | None:
    day = _day(read, at)
    if day is None:
        return None
    number, after = day
    after = _skip(read, after, "of", "-", "day")
    month = _month(read, after)
    if month is None:
        return None
    year, end = _year(read, _skip(read, month[1], ",", "of", "-", "in"))
    return Date(year, month[0], number), end if year is not None else month[1]


def _month_first(read: Sequence[Token], at: int) -> tuple[Date, int] | None:
    month = _month(read, at)
    if month is None:
        return None
    number, after = month
    day = _day(read, _skip(read, after, "the", "-"))
    if day is not None:
        year, end = _year(read, _skip(read, day[1], ",", "of", "-", "in"))
        return Date(year, number, day[0]), end if year is not None else day[1]
    year, end = _year(read, _skip(read, after, ",", "of"))
    return (Date(year, number, None), end) if year is not None else None


def _year_first(read: Sequence[Token], at: int) -> tuple[Date, int] | None:
    year, after = _year(read, at)
    month = _month(read, _skip(read, after, ",", "-")) if year is not None else None
    day = _day(read, month[1]) if month else None
    return (Date(year, month[0], day[0]), day[1]) if month and day else None


def _skip(read: Sequence[Token], at: int, *words: str) -> int:
    """Past one or two of the words that may stand between the parts of a date."""
    for _ in range(2):
        if at < len(read) and read[at].text in words:
            at += 1
    return at


def _month(read: Sequence[Token], at: int) -> tuple[int, int] | None:
    if at >= len(read) or (read[at].text in ("may", "march", "mar") and not read[at].capital):
        return None
    number = _MONTHS.get(read[at].text)
    if number is None:
        return None
    after = at + 1
    if len(read[at].text) <= 4 and after < len(read) and read[after].text == ".":
        after += 1
    return number, after


def _day(read: Sequence[Token], at: int) -> tuple[int, int] | None:
    if at >= len(read):
        return None
    if read[at].kind is Kind.NUMBER:
        match = re.fullmatch(r"([0-9]{1,2})(?:st|nd|rd|th)?", read[at].text)
        return (int(match[1]), at + 1) if match and 1 <= int(match[1]) <= 31 else None
    numbered = read_number(read, at) if read[at].kind is Kind.WORD else None
    if numbered and numbered[0].ordinal and 1 <= numbered[0].value <= 31:
        return int(numbered[0].value), numbered[1]
    return None


def _year(read: Sequence[Token], at: int) -> tuple[int | None, int]:
    if at >= len(read) or read[at].kind is not Kind.NUMBER:
        before = at < len(read) and read[at].raw.replace(".", "") == "AD"
        if before and at + 1 < len(read) and re.fullmatch("[0-9]{1,4}", read[at + 1].text):
            return int(read[at + 1].text), at + 2
        return None, at
    if not re.fullmatch("[0-9]{1,4}", read[at].text):
        return None, at
    year = int(read[at].text)
    era = read[at + 1].text if at + 1 < len(read) and read[at + 1].raw.isupper() else ""
    if era in ("bc", "bce"):
        return -year, at + 2
    if era in ("ad", "ce"):
        return year, at + 2
    return (year, at + 1) if len(read[at].text) == 4 else (None, at)
