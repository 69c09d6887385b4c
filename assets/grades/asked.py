"""What a question asks for, as far as grading needs it: its words and values, units, and how many things."""

import re
from dataclasses import dataclass
from functools import lru_cache

from assets.grades.folding import Kind, Token, clean, fold, tokens, word_set
from assets.grades.numerals import read_number
from assets.grades.standing import NEGATION_WORDS
from assets.grades.units import Reading, unit_named
from assets.grades.values import Value, mentions

IDENTIFIER_NOUNS = word_set(
    "version section subsection clause article paragraph chapter rule release regulation standard statute code part "
    "title schedule item form line topic appendix annex amendment edition model rfc directive act bill"
)
_ASKS_IDENTIFIER = re.compile(rf"\b(?:which|what)\s+(?:[\w.&'-]+\s+){{0,4}}?(?:{'|'.join(sorted(IDENTIFIER_NOUNS))})\b")
_ASKS_AMOUNT = re.compile(
    r"\bhow (?:many|much|long|far|tall|high|old|big|large|heavy|fast|deep|wide)\b|\bpercentage\b|\brate\b|\bprice\b"
    r"|\b(?:speed|limit|distance|size|height|depth|width|age|point|dose|capacity|area|volume|diameter|duration|often)\b"
    r"|\bcost\b|\bvalue\b|\bratio\b|\baverage\b|\bmass\b|\bweight\b|\bdensity\b|\blength\b|\bamount\b|\btemperature\b"
)
_ASKS_SHARE = re.compile(r"\bper ?cent(?:age)?\b|%|\bproportion\b|\bshare\b|\bfraction\b|\brate\b")
_ASKS_SEVERAL = re.compile(
    r"\b(?:which|what|name|list|give|who)\b(?:\W+\w+){0,3}?\W+(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]"
    r"|both|all|several|are|were)\b|^\W*list\b|\bnames of\b"
)
_ASKS_PLACE = re.compile(r"\bwhere\b|\b(?:in|from|at|near|to|of) (?:which|what)\b")
_COUNTED = re.compile(r"\bhow many\s+((?:[\w'-]+\s*){1,4})")


@dataclass(frozen=True)
class Asked:
    """A question as the matcher sees it.

    `counted` is what "how many" counts; `identifier`, `amount`, `share`, `several` and `place` say what is asked for,
    `denying` that the question itself denies something ("Which planet has no moons?").
    """

    words: frozenset[str]
    values: tuple[Value, ...]
    units: tuple[Reading, ...]
    counted: tuple[str, ...]
    identifier: bool
    amount: bool
    share: bool
    several: bool
    place: bool
    denying: bool


@lru_cache(maxsize=4096)
def asked(question: str) -> Asked:
    """Read a question; a sweep grades the same ones for every model, so readings are kept."""
    cleaned = clean(question)
    read = tokens(cleaned)
    lower = fold(cleaned)
    counted = _COUNTED.search(lower)
    return Asked(
        words=frozenset(_singular(token.text) for token in read if token.kind is not Kind.PUNCT),
        values=tuple(mention.value for mention in mentions(read) if mention.value is not None),
        units=tuple(_units(read)),
        counted=tuple(_singular(word) for word in counted[1].split()[:2]) if counted else (),
        identifier=_ASKS_IDENTIFIER.search(lower) is not None,
        amount=_ASKS_AMOUNT.search(lower) is not None,
        share=_ASKS_SHARE.search(lower) is not None,
        several=_ASKS_SEVERAL.search(lower) is not None,
        place=_ASKS_PLACE.search(lower) is not None,
        denying=any(token.text in NEGATION_WORDS for token in read),
    )


def in_question(token: Token, question: Asked) -> bool:
    """Whether a word stands in the question, in singular or plural."""
    return _singular(token.text) in question.words


def _units(read: list[Token]) -> list[Reading]:
    """Units that the question names without a number: "how many kilometres"."""
    found: list[Reading] = []
    for at, token in enumerate(read):
        if len(token.text) < 2 and token.text not in "$£€¥₹%":
            continue
        for length in (3, 2, 1):
            readings = unit_named([near.text for near in read[at : at + length]])
            if readings and not (at and read_number(read, at - 1)):
                found.extend(readings)
                break
    return found


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
