"""Numbers in words, figures and Roman numerals, read from tokens; units and dates belong in `values`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assets.grades.folding import Kind, Token

_SMALL_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ORDINAL_WORDS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth
"""
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_TENS_WORDS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_SMALL = {word: value for value, word in enumerate(_SMALL_WORDS.split())}
_TENS = {word: 10 * tens for tens, word in enumerate(_TENS_WORDS.split(), start=2)}
_TENS["fourty"] = 40
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
    "dozen": 12,
}
_SUFFIX_SCALES = {**_SCALES, "k": 10**3, "mn": 10**6, "bn": 10**9, "tn": 10**12}
_MONEY_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12}
_ORDINALS = {
    **{word: value for value, word in enumerate(_ORDINAL_WORDS.split(), start=1)},
    **{word: 10 * tens for tens, word in enumerate(_ORDINAL_TENS_WORDS.split(), start=2)},
    "hundredth": 100,
    "thousandth": 1000,
    "millionth": 10**6,
}
NUMBER_WORDS = frozenset({*_SMALL, *_TENS, *_ORDINALS, "a", "an"})
_FIGURES = re.compile(
    r"(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    r"(?:e(?P<exponent>-?[0-9]{1,3}))?(?P<suffix>[^\W\d_]*)"
)
# Longer digit strings are identifiers, and converting them would take time that grows with their square.
_MOST_DIGITS = 60
_LARGEST_EXPONENT = 400
_PLAIN_MARKS = frozenset(".,;:!?)\n")
_ROMAN = re.compile(r"(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as read: `written` keeps its digits, for identifiers; `suffix` is what was glued to figures."""

    value: Fraction
    written: str
    suffix: str = ""
    ordinal: bool = False
    decade: bool = False
    spelled: bool = False


def roman(text: str) -> int | None:
    """The value of a Roman numeral up to 89, or None; letters above L are mostly words and initials."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def read_number(read: Sequence[Token], at: int) -> tuple[Number, int] | None:
    """The number that starts at a token, and the index after it; None where none starts."""
    token = read[at]
    if token.kind is Kind.NUMBER:
        number = _figures(token)
        if number is None:
            return None
        return _scaled(read, at + 1, number)
    return _spelled(read, at) if token.text in NUMBER_WORDS else None


def money_scale(suffix: str) -> int | None:
    """What a letter glued to an amount of money stands for (€6m is six million euros)."""
    return _MONEY_SCALES.get(suffix)


def _figures(token: Token) -> Number | None:
    version = token.raw[:1] == "v" and token.raw[1:2].isdigit()
    match = _FIGURES.fullmatch(token.text, int(version))
    if match is None or len(match["digits"]) > _MOST_DIGITS:
        return None
    digits = match["digits"].replace(",", "")
    exponent = int(match["exponent"] or 0)
    if abs(exponent) > _LARGEST_EXPONENT:
        return None
    value = Fraction(digits) if "." in digits else Fraction(int(digits))
    if exponent:
        value *= Fraction(10) ** exponent
    suffix = match["suffix"]
    if suffix in ("st", "nd", "rd", "th"):
        return Number(value, digits, ordinal=True)
    if suffix == "s" and len(digits) in (2, 4) and digits.endswith("0"):
        return Number(value, digits + "s", decade=True)
    if suffix in _SUFFIX_SCALES:
        return Number(value * _SUFFIX_SCALES[suffix], digits)
    return Number(value, digits, suffix)


def _scaled(read: Sequence[Token], at: int, number: Number) -> tuple[Number, int]:
    """A number in figures with the scale words and the power of ten behind it."""
    value = number.value
    if number.suffix or number.ordinal or number.decade or at >= len(read):
        return number, at
    if read[at].kind is Kind.NUMBER or read[at].text in _PLAIN_MARKS:
        return number, at
    while at < len(read) and (scale := _scale(read[at])):
        value *= scale
        at += 1
    if at + 3 < len(read) and read[at].text in ("×", "x", "*") and read[at + 1].text == "10":
        value, at = _power(read, at + 2, value)
    elif number.value == 10:
        value, at = _power(read, at, Fraction(1), otherwise=value)
    return Number(value, number.written), at


def _power(read: Sequence[Token], at: int, factor: Fraction, otherwise: Fraction | None = None) -> tuple[Fraction, int]:
    """A factor times ten to the power that stands at a token, else `otherwise` or ten times the factor."""
    plain = otherwise if otherwise is not None else factor * 10
    after = at
    while after < len(read) and read[after].text in ("^", "*"):
        after += 1
    if after == at or (read[at].text == "*" and after - at != 2):
        return plain, at
    sign = -1 if after < len(read) and read[after].text in ("-", "−") else 1
    after += sign < 0
    if after >= len(read) or not re.fullmatch("[0-9]{1,3}", read[after].text):
        return plain, at
    exponent = int(read[after].text)
    return (factor * Fraction(10) ** (sign * exponent), after + 1) if exponent <= _LARGEST_EXPONENT else (plain, at)


def _scale(token: Token) -> int | None:
    return _SCALES.get(token.text.removesuffix("s")) if token.kind is Kind.WORD else None


def _spelled(read: Sequence[Token], at: int) -> tuple[Number, int] | None:
    """A number in words: "two hundred and fifty", "twenty-first", "nineteen forty-seven", "three point five"."""
    start = at
    total, group, ordinal, seen = 0, 0, False, False
    last = "none"
    while at < len(read):
        word = read[at].text
        if read[at].text == "-" and read[at].soft and seen:
            at += 1
            continue
        if word == "and" and last == "scale" and at + 1 < len(read) and read[at + 1].text in NUMBER_WORDS:
            at += 1
            continue
        if word in ("a", "an") and not seen and at + 1 < len(read) and _SCALES.get(read[at + 1].text):
            group, last, seen = 1, "small", True
        elif word in _SMALL and last in ("none", "scale"):
            group, last, seen = group + _SMALL[word], "small" if _SMALL[word] < 10 else "teen", True
        elif word in _SMALL and last == "tens" and 0 < _SMALL[word] < 10:
            group, last = group + _SMALL[word], "small"
        elif word in _TENS and last in ("none", "scale"):
            group, last, seen = group + _TENS[word], "tens", True
        elif (word in _TENS or (word in _SMALL and _SMALL[word] >= 10)) and total == 0 and 10 <= group <= 20:
            # a year read in pairs
            group, last = group * 100 + _TENS.get(word, _SMALL.get(word, 0)), "tens" if word in _TENS else "year"
        elif (scale := _SCALES.get(word)) and last != "none" and last != "year":
            group, total, last = _raise(group, total, scale)
        elif word in _ORDINALS and last in ("none", "scale", "tens"):
            value = _ORDINALS[word]
            group = group * value if value >= 100 and group else group + value
            ordinal, seen, at = True, True, at + 1
            break
        else:
            break
        at += 1
    if not seen:
        return None
    while read[at - 1].text in ("-", "and"):
        at -= 1
    value, at = _decimals(read, at, Fraction(total + group))
    written = str(value) if value.denominator == 1 else str(float(value))
    return Number(value, written, ordinal=ordinal, spelled=True), max(at, start + 1)


def _raise(group: int, total: int, scale: int) -> tuple[int, int, str]:
    if scale == 100 or scale == 12:
        return group * scale, total, "scale"
    return 0, total + group * scale, "scale"


def _decimals(read: Sequence[Token], at: int, value: Fraction) -> tuple[Fraction, int]:
    if at + 1 >= len(read) or read[at].text != "point" or read[at + 1].text not in _SMALL:
        return value, at
    at, place = at + 1, Fraction(1, 10)
    while at < len(read) and (digit := _SMALL.get(read[at].text, 10)) < 10:
        value, place, at = value + digit * place, place / 10, at + 1
    return value, at
