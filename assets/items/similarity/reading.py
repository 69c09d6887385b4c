"""A question as the comparison sees it: format instructions left out, the rest as words with their roles."""

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from sys import intern

from assets.grades.folding import LONGEST_READ, clean, fold, tokens
from assets.items.similarity.scanning import Piece, Role, scan
from assets.items.similarity.vocabulary import INSTRUCTION_STARTS, INSTRUCTION_WORDS, KINDS

_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
_UNSPACED_FILLERS = re.compile("请问|請問|吗|嗎|呢|的|是")
_LOWER_MONTH = re.compile(r"\b(?:may|march)\b(?=\s+[0-9])|(?<=[0-9]\s)(?:may|march)\b")
# Arabic and Hebrew write vowels or leave them out, and Arabic draws words out; two endings are mixed up freely.
_VOWEL_SIGNS = re.compile("[\u0300-\u036f\u0591-\u05bd\u0640\u064b-\u065f\u0670]")
_ARABIC_ENDINGS = str.maketrans("ةى", "هي")
_ASIDE = re.compile(r"\(([^()]{1,160})\)")
_SEGMENT = re.compile(r"(?<=[.?!;:？！。])\s+|(?<=[.?!][\"”’')])\s+|\s+[—–-]\s+")
_WORD = re.compile(r"[^\W_]+")
_CONTENT = frozenset({Role.PLAIN, Role.NAME, Role.FIRST, Role.SIGN})


@dataclass(frozen=True, slots=True)
class Reading:
    """A question's pieces, as parallel rows to stay small.

    Attributes:
        canon: each piece's one form.
        surface: each piece as written, folded.
        roles: a letter of `Role` for each.
        words: all canons.
        content: those that can be a subject, `names` those of them that a capital shows to be a name.
        numbers, repeated: the canons of all numbers, and the content that stands more than once, sorted: two questions
            that ask the same have the same ones.
        told: kinds of answer that a format instruction names.
    """

    canon: tuple[str, ...]
    surface: tuple[str, ...]
    roles: str
    words: frozenset[str]
    content: frozenset[str]
    names: frozenset[str]
    numbers: tuple[str, ...]
    repeated: tuple[str, ...]
    told: frozenset[str]


def read_question(text: str) -> Reading:
    """Read a question in whatever language; only English has synonyms and fillers."""
    main, told = _without_instructions(spaced(clean(text)))
    main = _LOWER_MONTH.sub(lambda month: month[0].title(), main)
    pieces = list(scan(tokens(main)))
    if len(text) > LONGEST_READ:
        # Of a text this long only both ends are read, so that the whole must be the same.
        whole = zlib.crc32(" ".join(text.casefold().split()).encode(errors="replace"))
        pieces.append(Piece(f"whole {whole}", "", Role.NUMBER))
    canon = tuple(intern(piece.canon) for piece in pieces)
    content = [piece.canon for piece in pieces if piece.role in _CONTENT]
    distinct = frozenset(content)
    return Reading(
        canon=canon,
        surface=tuple(intern(piece.surface) for piece in pieces),
        roles=intern("".join([piece.role for piece in pieces])),
        words=frozenset(canon),
        content=distinct,
        names=frozenset([piece.canon for piece in pieces if piece.role is Role.NAME]),
        numbers=tuple(sorted([piece.canon for piece in pieces if piece.role is Role.NUMBER])),
        repeated=tuple(sorted(_repeated(content))) if len(distinct) < len(content) else (),
        told=told,
    )


def _repeated(words: list[str]) -> list[str]:
    return [word for word, times in Counter(words).items() for _ in range(times - 1)]


def spaced(cleaned: str) -> str:
    """Text of scripts without spaces cut into overlapping pairs of signs, which then stand for words."""
    if cleaned.isascii():
        return cleaned
    cleaned = _VOWEL_SIGNS.sub("", cleaned).translate(_ARABIC_ENDINGS)
    return _UNSPACED_RUN.sub(lambda run: f" {_pairs(_UNSPACED_FILLERS.sub('', run[0]))} ", cleaned)


def _pairs(run: str) -> str:
    return " ".join(run[at : at + 2] for at in range(max(len(run) - 1, 1)))


def _without_instructions(text: str) -> tuple[str, frozenset[str]]:
    """The text without sentences and asides that only say how to write the answer, and the kinds that these name."""
    told: set[str] = set()
    if "(" in text:
        text = _ASIDE.sub(lambda aside: " " if _instructs(aside[1], told) else aside[0], text)
    segments = _SEGMENT.split(text)
    if len(segments) > 1:
        kept = [segment for segment in segments if not _instructs(segment, told)]
        if any(_WORD.search(segment) for segment in kept):
            text = " ".join(kept)
        else:
            told.clear()
    return text, frozenset(told)


def _instructs(segment: str, told: set[str]) -> bool:
    words = _WORD.findall(fold(segment))
    if not words or words[0] not in INSTRUCTION_STARTS:
        return False
    if not all(word in INSTRUCTION_WORDS or word.isdecimal() for word in words):
        return False
    told.update(KINDS[word] for word in words if word in KINDS)
    return True
