"""Quantities, dates and ranges that stand in a text, and when two of them are the same value.

Where a value stands in a sentence, and whether it is asserted there, belongs in `standing`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assets.grades.dates import MONTH_NAMES, Date, read_date
from assets.grades.folding import Kind, Token
from assets.grades.numerals import NUMBER_WORDS, Number, money_scale, read_number
from assets.grades.units import CURRENCY_SIGNS, Reading, is_currency, unit_at, unit_named

_RANGE_WORDS = frozenset({"-", "–", "−", "to", "through", "till", "until"})
_CURRENCY_CODES = frozenset({"usd", "eur", "gbp", "aud", "cad", "jpy", "inr", "cny", "rmb"})
_FRACTION_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_HYPHENATED_BEFORE = frozenset({"mid", "pre", "post", "early", "late", "circa", "about", "sub", "over", "under"})
_STARTS = NUMBER_WORDS | MONTH_NAMES | {"half", "quarter"}
_NOT_A_COUNT_AFTER_ONE = frozenset({"of", "another", "who", "that", "which", "can", "could", "might", "should"})
_NOT_A_COUNT_BEFORE_ONE = frozenset({"the", "no", "that", "this", "each", "every", "any", "which", "for", "another"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what its unit may mean; `written` keeps the digits, `glued` says that a letter was attached."""

    value: Fraction
    written: str
    units: tuple[Reading, ...] = ()
    ordinal: bool = False
    decade: bool = False
    before_christ: bool = False
    glued: bool = False

    @property
    def year_like(self) -> bool:
        """Four digits without a unit: what stands where a year may stand."""
        return not self.units and not self.ordinal and self.value.denominator == 1 and 1000 <= self.value < 2200


@dataclass(frozen=True, slots=True)
class Range:
    low: Quantity
    high: Quantity


@dataclass(frozen=True, slots=True)
class Dates:
    """A date; two readings where day and month cannot be told apart (04/07/1776)."""

    readings: tuple[Date, ...]


Value = Quantity | Range | Dates


@dataclass(frozen=True, slots=True)
class Mention:
    """A value and the tokens it covers, `last` included. No value: an identifier, whose digits count for nothing."""

    first: int
    last: int
    value: Value | None


def mentions(read: Sequence[Token]) -> list[Mention]:
    """All values of a text in order; the parts of a date, range or identifier are not values of their own."""
    found: list[Mention] = []
    at = 0
    while at < len(read):
        mention = _mention(read, at)
        if mention is None:
            at += 1
            continue
        found.append(mention)
        at = mention.last + 1
    return found


def _mention(read: Sequence[Token], at: int) -> Mention | None:
    if read[at].kind is not Kind.NUMBER and read[at].text not in _STARTS:
        return None
    if dated := read_date(read, at):
        readings, after = dated
        return Mention(at, after - 1, Dates(readings))
    single = _quantity(read, at)
    if single is None:
        return Mention(at, at, None) if read[at].kind is Kind.NUMBER else None
    if single.value is None:
        return single
    assert isinstance(single.value, Quantity)
    return _range(read, single, single.value)


def _range(read: Sequence[Token], low: Mention, low_value: Quantity) -> Mention:
    at = low.last + 1
    between = low.first > 0 and read[low.first - 1].text == "between"
    if at + 1 >= len(read) or not (read[at].text in _RANGE_WORDS or (between and read[at].text == "and")):
        return low
    if read_date(read, at + 1):
        return low
    high = _quantity(read, at + 1, signed=False)
    if high is None or not isinstance(high.value, Quantity):
        return low
    high_value = high.value
    if low_value.year_like and read[at].kind is Kind.PUNCT and len(high_value.written) == 2 and not high_value.units:
        high_value = replace(high_value, value=low_value.value // 100 * 100 + high_value.value)
    if high_value.units and not low_value.units:
        low_value = replace(low_value, units=high_value.units)
    elif low_value.units and not high_value.units:
        high_value = replace(high_value, units=low_value.units)
    return Mention(low.first, high.last, Range(low_value, high_value))


def _quantity(read: Sequence[Token], at: int, *, signed: bool = True) -> Mention | None:
    """One number with sign, currency, unit and era; with no value where its digits belong to an identifier."""
    token = read[at]
    if token.kind is Kind.NUMBER and _belongs_to_word(read, at):
        return Mention(at, at, None)
    numbered = _fraction(read, at) or read_number(read, at)
    if numbered is None:
        return None
    number, after = numbered
    if number.spelled and number.value == 1 and not number.ordinal and _pronoun(read, at, after):
        return None
    first, negative = _sign(read, at) if signed else (at, False)
    value = -number.value if negative else number.value
    units, glued = (), False
    if currency := _currency(read, first if read[first].text in CURRENCY_SIGNS else at):
        first, units = min(first, currency[0]), currency[1]
        value *= money_scale(number.suffix) or 1
    elif number.suffix:
        glued = len(number.suffix) == 1
        suffixed = _suffix_unit(read, number, after)
        if suffixed is None:
            return Mention(at, at, None)
        units, after = suffixed
    if not units and (unit := unit_at(read, after)):
        units, after = unit
        value, after = _compound(read, value, units, after)
    before_christ, first, after = _era(read, first, after)
    quantity = Quantity(value, number.written, units, number.ordinal, number.decade, before_christ, glued)
    return Mention(first, after - 1, quantity)


def _belongs_to_word(read: Sequence[Token], at: int) -> bool:
    """Digits that a hyphen ties to a word: COVID-19, F-16; but not mid-1990s."""
    if at < 2 or not read[at].soft or read[at - 1].text != "-" or not read[at - 1].soft:
        return False
    return read[at - 2].kind is Kind.WORD and read[at - 2].text not in _HYPHENATED_BEFORE


def _pronoun(read: Sequence[Token], at: int, after: int) -> bool:
    before = read[at - 1].text if at else ""
    following = read[after].text if after < len(read) else ""
    if following == "day":
        return after + 1 < len(read) and read[after + 1].kind is Kind.WORD
    return before in _NOT_A_COUNT_BEFORE_ONE or following in _NOT_A_COUNT_AFTER_ONE


def _fraction(read: Sequence[Token], at: int) -> tuple[Number, int] | None:
    """ "1/2", "2 1/2", "two thirds", "half"; None where none starts."""
    if read[at].kind is Kind.NUMBER:
        return _fraction_in_figures(read, at)
    texts = [token.text for token in read[at : at + 4]]
    if [*texts[1:], ""][:3] == ["and", "a", "half"] and (whole := read_number(read, at)) and whole[1] == at + 1:
        return Number(whole[0].value + Fraction(1, 2), f"{whole[0].written}.5", spelled=True), at + 4
    if read[at].text in ("half", "quarter"):
        return Number(Fraction(1, _FRACTION_PARTS[read[at].text]), read[at].text, spelled=True), at + 1
    top = read_number(read, at) if read[at].kind is Kind.WORD else None
    if top and not top[0].ordinal:
        after = top[1] + (top[1] < len(read) and read[top[1]].text == "-")
        name = read[after].text if after < len(read) else ""
        bottom = _FRACTION_PARTS.get("half" if name == "halves" else name.removesuffix("s"))
        if bottom and (top[0].value == 1) != name.endswith("s"):
            return Number(top[0].value / bottom, f"{top[0].written}/{bottom}", spelled=True), after + 1
    return None


def _fraction_in_figures(read: Sequence[Token], at: int) -> tuple[Number, int] | None:
    if part := _proper(read, at):
        return part, at + 3
    whole = read[at].text
    if at + 1 >= len(read) or read[at + 1].soft or not whole.isdecimal() or len(whole) > 9:
        return None
    part = _proper(read, at + 1)
    return (Number(int(whole) + part.value, f"{whole} {part.written}"), at + 4) if part else None


def _proper(read: Sequence[Token], at: int) -> Number | None:
    """A fraction below one, written without spaces."""
    if at + 2 >= len(read) or read[at + 1].text != "/" or not (read[at + 1].soft and read[at + 2].soft):
        return None
    top, bottom = read[at].text, read[at + 2].text
    if not (top.isdecimal() and bottom.isdecimal() and len(top) <= len(bottom) <= 3 and 0 < int(top) < int(bottom)):
        return None
    return Number(Fraction(int(top), int(bottom)), f"{top}/{bottom}")


def _sign(read: Sequence[Token], at: int) -> tuple[int, bool]:
    """Where the number starts with its sign, and whether it is negative."""
    start = at
    if start and read[start - 1].text in CURRENCY_SIGNS and read[start].soft:
        start -= 1
    if not start:
        return at, False
    mark = read[start - 1]
    if mark.text in ("minus", "negative"):
        before = read[start - 2] if start > 1 else None
        return (at, False) if before and before.kind is Kind.NUMBER else (start - 1, True)
    if mark.text in ("-", "−", "–") and read[start].soft:
        before = read[start - 2] if start > 1 else None
        if not mark.soft or (before and before.kind is Kind.PUNCT and before.text in "([=$€£:~≈\"'"):
            return start - 1, True
    return at, False


def _currency(read: Sequence[Token], at: int) -> tuple[int, tuple[Reading, ...]] | None:
    """The currency written before a number: "$5", "US$5", "USD 5"."""
    sign = at if read[at].text in CURRENCY_SIGNS else at - 1
    if sign < 0:
        return None
    if read[sign].text in CURRENCY_SIGNS:
        if sign and read[sign].soft and (readings := unit_named([read[sign - 1].text, read[sign].text])):
            return sign - 1, readings
        return sign, unit_named([read[sign].text]) or ()
    if read[sign].text in _CURRENCY_CODES:
        return sign, unit_named([read[sign].text]) or ()
    return None


def _suffix_unit(read: Sequence[Token], number: Number, after: int) -> tuple[tuple[Reading, ...], int] | None:
    if after + 1 < len(read) and read[after].text == "/" and read[after].soft:
        per = unit_named([number.suffix, "/", read[after + 1].text])
        if per:
            return per, after + 2
    readings = unit_named([number.suffix])
    return (readings, after) if readings else None


def _compound(read: Sequence[Token], value: Fraction, units: tuple[Reading, ...], after: int) -> tuple[Fraction, int]:
    """The smaller unit that goes on: "5 feet 10 inches" is one length."""
    at = after
    while at < len(read) and read[at].text in (",", "and"):
        at += 1
    numbered = read_number(read, at) if at < len(read) and read[at].kind is not Kind.PUNCT else None
    if numbered is None or numbered[0].ordinal:
        return value, after
    number, end = numbered
    smaller = (unit_named([number.suffix]), end) if number.suffix else unit_at(read, end)
    if not smaller and end < len(read) and read[end].text == "in":
        # "in" is an inch only behind feet
        smaller = unit_named(["inch"]), end + 1
    if not smaller or not smaller[0]:
        return value, after
    for dimension, factor in units:
        for other, part in smaller[0]:
            if dimension == other and part < factor and number.value * part < factor and not is_currency(units):
                return value + number.value * part / factor, smaller[1]
    return value, after


def _era(read: Sequence[Token], first: int, after: int) -> tuple[bool, int, int]:
    """Whether BC stands behind the number, and the tokens it spans with its era."""
    if after < len(read) and read[after].raw.isupper():
        era = read[after].text
        if era in ("bc", "bce"):
            return True, first, after + 1
        if era in ("ad", "ce"):
            return False, first, after + 1
    if first and read[first - 1].raw.replace(".", "") == "AD":
        return False, first - 1, after
    return False, first, after
