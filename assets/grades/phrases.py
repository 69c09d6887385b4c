"""Where a wording stands in a text as whole tokens: articles and punctuation dropped, numbers in figures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assets.grades.folding import ARTICLES, Kind, Token
from assets.grades.numerals import read_number, roman

_SPELLED_SIGNS = {"&": "and", "§": "section", "%": "percent", "°": "degree"}
_ABBREVIATIONS = {"sec": "section", "art": "article", "vol": "volume", "vs": "versus", "ca": "circa"}
# Below this length, words that are run together in one text and apart in the other are not taken for the same
# ("is land" is no island).
_SHORTEST_RUN_TOGETHER = 8
# More letters parted from each other are a word spelled out, as in a title.
_MOST_INITIALS = 5


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word and the tokens it covers; `hard` says that white space stands before it."""

    text: str
    first: int
    last: int
    hard: bool


@dataclass(frozen=True, slots=True)
class Phrase:
    """The folded words of a text, run together, with where each starts and ends."""

    words: tuple[Word, ...]
    joined: str
    starts: tuple[int, ...]
    ends: dict[int, int]

    @property
    def breaks(self) -> frozenset[int]:
        """Where white space parts two words, counted from the start of the phrase."""
        return frozenset(start for word, start in zip(self.words, self.starts, strict=True) if word.hard and start)


def phrase(read: Sequence[Token], *, keep_articles: bool = False, drop_possessive: bool = False) -> Phrase:
    """The words of a text as one phrase."""
    words = tuple(_folded(read, keep_articles, drop_possessive))
    starts, ends, joined, at = [], {}, [], 0
    for index, word in enumerate(words):
        # figures never run together: 13 1 is not 131
        if index and word.text[0].isdecimal() and words[index - 1].text[-1].isdecimal():
            joined.append("\x1f")
            at += 1
        starts.append(at)
        joined.append(word.text)
        at += len(word.text)
        ends[at] = index
    return Phrase(words, "".join(joined), tuple(starts), ends)


def stands_in(gold: Phrase, text: Phrase) -> Iterator[tuple[int, int]]:
    """The token spans, `last` included, at which the gold's words stand in the text."""
    if not gold.joined or gold.joined not in text.joined:
        return
    for index, start in enumerate(text.starts):
        if not text.joined.startswith(gold.joined, start):
            continue
        last = text.ends.get(start + len(gold.joined))
        if last is None:
            continue
        here = text.words[index : last + 1]
        if _letter_by_letter(here) != _letter_by_letter(gold.words):
            continue
        breaks = {text.starts[at] - start for at in range(index + 1, last + 1) if text.words[at].hard}
        long = len(gold.joined) >= _SHORTEST_RUN_TOGETHER
        if long or breaks == gold.breaks or _initials((*here[1:], *gold.words[1:])):
            yield here[0].first, here[-1].last


def _letter_by_letter(words: Sequence[Word]) -> bool:
    """Whether a word is spelled out, as in a title (D-I-V-O-R-C-E)."""
    return len(words) > _MOST_INITIALS and all(len(word.text) == 1 for word in words)


def _initials(words: Sequence[Word]) -> bool:
    """Whether only initials, or letters and figures, are parted: J. K. and JK, F-16 and F16."""
    return all(len(word.text) == 1 or word.text[0].isdecimal() or not word.hard for word in words)


def _folded(read: Sequence[Token], keep_articles: bool, drop_possessive: bool) -> Iterator[Word]:
    at, hard = 0, True
    while at < len(read):
        token = read[at]
        hard = hard or not token.soft
        if token.kind is Kind.PUNCT:
            if spelled := _SPELLED_SIGNS.get(token.text):
                yield Word(spelled, at, at, True)
                hard = True
            at += 1
            continue
        if token.text in ARTICLES and not keep_articles and not _names_itself(read, at):
            at += 1
            hard = True
            continue
        text, after = _canonical(read, at)
        if drop_possessive and token.possessive and len(text) > 2:
            text = text[:-1]
        if text:
            yield Word(text, at, after - 1, hard)
            hard = False
        at = after


def _names_itself(read: Sequence[Token], at: int) -> bool:
    """Whether a capital A is a letter, not the article: behind a word, and before no lower-case word (vitamin A)."""
    if read[at].raw != "A" or at == 0 or (read[at - 1].kind is Kind.PUNCT and read[at - 1].text not in "-'\"("):
        return False
    return at + 1 == len(read) or read[at + 1].kind is Kind.PUNCT


def _canonical(read: Sequence[Token], at: int) -> tuple[str, int]:
    token = read[at]
    if token.kind is Kind.NUMBER:
        text = token.text.replace(",", "")
        text = re.sub(r"^v(?=[0-9])", "", text)
        return re.sub(r"^([0-9]+)(?:st|nd|rd|th)$", r"\1", text), at + 1
    if (token.raw.isupper() and token.raw.isascii()) and (len(token.raw) > 1 or _numbers_a_name(read, at)):
        value = roman(token.raw)
        if value:
            return str(value), at + 1
    numbered = read_number(read, at)
    if numbered and token.text not in ARTICLES and numbered[0].value.denominator == 1:
        return numbered[0].written, numbered[1]
    return _ABBREVIATIONS.get(token.text, token.text), at + 1


def _numbers_a_name(read: Sequence[Token], at: int) -> bool:
    """Whether a single I, V or X may be a numeral: behind a word (Elizabeth I, type V)."""
    return at > 0 and not read[at].soft and read[at - 1].kind is Kind.WORD
