"""A text as a row of words, numbers and signs, each in one form; serves questions and golds alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assets.grades.dates import MONTH_NAMES, read_date
from assets.grades.folding import Kind, Token
from assets.grades.numerals import NUMBER_WORDS, Number, read_number, roman
from assets.grades.units import CURRENCY_SIGNS
from assets.items.similarity.ordinary import ORDINARY
from assets.items.similarity.spelling import canonical
from assets.items.similarity.vocabulary import (
    ALWAYS_KINDS,
    ASKING,
    FILLERS,
    KINDS,
    NAMING,
    PHRASES,
    SILENT,
    SYMBOLS,
    UNIT_LETTERS,
)

_SENTENCE_ENDS = frozenset('.?!:;\n"“(')
_MINUS = frozenset("-−–")
_ROMAN_LETTERS = frozenset("ivx")
_BYTES = frozenset({"kb", "mb", "gb", "tb"})
_PARTS_OF_LAWS = frozenset({"section", "article", "rule", "regulation", "act", "law"})
_NOT_COUNTED = frozenset({"which", "what", "the", "no", "any", "this", "that", "each", "every"})


class Role(StrEnum):
    """What a word is in its question; single letters, so that a row of roles is a string.

    FIRST is a word whose capital may only be that of its sentence.
    """

    FILLER = "f"
    KIND = "k"
    NUMBER = "n"
    NAME = "c"
    FIRST = "b"
    PLAIN = "w"
    SIGN = "s"


@dataclass(frozen=True, slots=True)
class Piece:
    """`canon` is the one form that synonyms and spellings share, `surface` the folded word as written."""

    canon: str
    surface: str
    role: Role


def scan(read: Sequence[Token]) -> Iterator[Piece]:
    """The pieces of a text in order.

    Args:
        read: the text's tokens, punctuation among them.
    """
    texts = [token.text for token in read]
    shouting = not any(token.raw != token.raw.upper() for token in read)
    dated = not MONTH_NAMES.isdisjoint(texts)
    at = 0
    while at < len(read):
        token = read[at]
        if phrase := _phrase(texts, at):
            words, meaning = phrase
            role = Role.PLAIN if meaning else Role.FILLER
            # A misspelled phrase is no phrase: its longest word is what the other question's slip is compared with.
            yield Piece(meaning or " ".join(words), max(words, key=len), role)
            at += len(words)
            continue
        if token.kind is Kind.PUNCT:
            if token.text in CURRENCY_SIGNS and at + 1 < len(read) and read[at + 1].kind is Kind.NUMBER:
                number, after = _number(read, at + 1, dated)
                yield from number
                yield _sign(token.text)
                at = after
                continue
            if token.text not in SILENT or _trailing_minus(read, at):
                yield _sign(token.text)
            at += 1
            continue
        if token.kind is Kind.NUMBER or token.text in NUMBER_WORDS or (dated and token.text in MONTH_NAMES):
            number, after = _number(read, at, dated)
            if number:
                yield from number
                at = after
                continue
        yield _word(read, at, shouting)
        at += 1


def _phrase(texts: Sequence[str], at: int) -> tuple[list[str], str] | None:
    for words, meaning in PHRASES.get(texts[at], ()):
        if texts[at : at + len(words)] == words:
            return words, meaning
    return None


def _sign(text: str) -> Piece:
    sign = SYMBOLS.get(text, "minus" if text in _MINUS else text)
    return Piece(sign, sign, Role.SIGN)


def _trailing_minus(read: Sequence[Token], at: int) -> bool:
    """Whether a dash is a charge, a grade or a blood type (A−), or stands as an operator's minus."""
    if read[at].text not in _MINUS:
        return False
    tied = at + 1 < len(read) and read[at + 1].soft and read[at + 1].kind is not Kind.PUNCT
    return read[at].soft and not tied and at > 0 and read[at - 1].kind is not Kind.PUNCT


def _number(read: Sequence[Token], at: int, dated: bool) -> tuple[list[Piece], int]:
    """A number or date with its glued unit, and the index after it; none where a word only looks like a number."""
    token = read[at]
    if dated or (token.kind is Kind.NUMBER and not token.text.isdecimal()):
        found = read_date(read, at)
        if found and len(found[0]) == 1:
            [date] = found[0]
            return [_value(f"{date.year}/{date.month}/{date.day}", token.text)], found[1]
    numbered = read_number(read, at)
    if numbered is None:
        if token.kind is not Kind.NUMBER:
            return [], at
        version = token.text[0] == "v" and token.text[1:2].isdigit()
        return [_value(token.text[version:].replace(",", ""), token.text)], at + 1
    number, after = numbered
    if number.spelled and number.value == 1 and not number.ordinal and after == at + 1 and _pronoun(read, at):
        return [Piece("one", "one", Role.FILLER)], after
    pieces = [_value(_sign_before(read, at) + _written(number), token.text)]
    if number.suffix:
        pieces.append(_unit(number.suffix, token.raw[-len(number.suffix) :]))
    elif after < len(read) and read[after].kind is Kind.WORD and len(read[after].text) <= 3:
        unit = read[after]
        if unit.text in UNIT_LETTERS or unit.text in _BYTES or (unit.raw[0] == "M" and len(unit.raw) == 2):
            pieces.append(_unit(unit.text, unit.raw))
            after += 1
    return pieces, after


def _value(canon: str, surface: str) -> Piece:
    return Piece(canon, surface, Role.NUMBER)


def _written(number: Number) -> str:
    """A number's one form: 3.10 is no 3.1, since both may be versions; 3 million is 3,000,000."""
    if number.decade:
        return number.written
    if number.ordinal:
        return f"{number.value}th"
    if "." in number.written and not number.spelled and str(number.value) != number.written:
        whole, _, part = number.written.partition(".")
        if number.value * 10 ** len(part) == int(whole + part):
            return number.written
    return str(number.value)


def _unit(folded: str, raw: str) -> Piece:
    """A unit behind a number; milli and mega, bit and byte differ by their capital only."""
    if folded in _BYTES:
        return Piece(folded[0] + raw[-1], folded, Role.PLAIN)
    if raw[0] == "M" and len(raw) == 2:
        return Piece("M" + folded[1:], folded, Role.PLAIN)
    return Piece(UNIT_LETTERS.get(folded, canonical(folded)), folded, Role.PLAIN)


def _sign_before(read: Sequence[Token], at: int) -> str:
    if not at or read[at - 1].text not in _MINUS or not read[at].soft:
        return ""
    before = read[at - 2] if at > 1 else None
    return "" if read[at - 1].soft and before is not None and before.kind is not Kind.PUNCT else "-"


def _pronoun(read: Sequence[Token], at: int) -> bool:
    return at > 0 and read[at - 1].text in _NOT_COUNTED


def _word(read: Sequence[Token], at: int, shouting: bool) -> Piece:
    token = read[at]
    text = token.text[:-1] if token.possessive and len(token.text) > 2 else token.text
    before = read[at - 1].text if at else "."
    starts = before in _SENTENCE_ENDS
    capital = token.capital and not shouting
    upper = capital and token.raw.isupper() and not starts
    if len(text) > 1 and not set(text) - _ROMAN_LETTERS and (value := roman(text.upper())):
        return _value(str(value), text)
    numbers_a_name = text == "i" and at > 0 and read[at - 1].capital and not shouting
    if text in FILLERS and (not upper or text == "i") and not numbers_a_name:
        return Piece(text, text, Role.FILLER)
    if text == "under" and _names_a_law(read, at + 1):
        return Piece(text, text, Role.FILLER)
    if text in KINDS and (starts or not capital) and _asks(read, at, before):
        return Piece(KINDS[text], text, Role.KIND)
    if text == "state" and (at == 0 or before == "please"):
        return Piece(text, text, Role.FILLER)
    if not capital or (starts and (text in ORDINARY or canonical(text) != text)):
        return Piece(canonical(text), text, Role.PLAIN)
    return Piece(canonical(text), text, Role.FIRST if starts else Role.NAME)


def _asks(read: Sequence[Token], at: int, before: str) -> bool:
    if read[at].text in ALWAYS_KINDS or before in ASKING:
        return True
    return before == "the" and at > 1 and read[at - 2].text in NAMING


def _names_a_law(read: Sequence[Token], at: int) -> bool:
    """Whether "under" leads to a text ("under the Patents Act", "under section 5"), not to a limit."""
    at += at < len(read) and read[at].text == "the"
    return at < len(read) and (read[at].capital or canonical(read[at].text) in _PARTS_OF_LAWS)
