"""The grader for multiple choice: reads the option letter that an answer declares, strictly, and compares it.

An answer that declares none or two is unreadable, which is incorrect and counted apart.
"""

import json
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from assets.grades.abstention import abstention
from assets.grades.folding import clean, tokens, without_thoughts, words_of
from assets.grades.graded import UNREADABLE, Graded
from resources.types import ConfigurationError, Grade


class _Weight(IntEnum):
    """What outranks what: "final answer" and \\boxed settle what was said before them."""

    STATED = 1
    FINAL = 2


@dataclass(frozen=True)
class _Declaration:
    letter: str | None
    weight: _Weight


_BOXED = re.compile(r"\\boxed\s*\{\s*(?:\\(?:text|mathrm|mathbf|textbf)\s*\{)?\s*\(?([^{}()]{1,200}?)\)?\s*\}")
_FENCE = re.compile(r"```(?:\w+)?\s*(.*?)```", re.DOTALL)
_JSON_KEYS = ("answer", "final_answer", "choice", "option", "letter")
# Letters that are words: they count only where nothing but a letter can stand.
_WORDS = frozenset("AaIi")
_LETTER = r"[\"'(\[{]{0,2}(?P<letter>[A-Za-z])[\"')\]}]{0,2}(?![\w'+#])"
_NOUN = r"(?:answer|choice|option|letter|selection)"
_LEAD = re.compile(
    rf"(?P<final>\bfinal\s+)?\b{_NOUN}(?:\s+to\s+th(?:is|e)\s+question)?\s*"
    rf"(?:(?:is|was|would\s+be|should\s+be|must\s+be|:|=|->|→)\s*)+(?:(?:the\s+)?(?:option|choice|answer|letter)\s*:?\s*)?{_LETTER}"
    rf"|\b(?:I|we|I'll|I'd)\s+(?:would\s+|will\s+|must\s+|\w+ly\s+)?(?:choose|pick|select|go\s+(?:with|for)|answer(?:\s+with)?)\s*:?\s*"
    rf"(?:(?:option|choice|answer|letter)\s*)?{_LETTER.replace('letter>', 'chosen>')}"
    rf"|\b(?:it'?s|it\s+is|it\s+must\s+be)\s+(?:(?:option|choice|answer)\s*)?{_LETTER.replace('letter>', 'it>')}",
    re.IGNORECASE,
)
_IS_CORRECT = re.compile(
    r"(?:^|[\n.;:,!?(]\s*|\b(?:option|choice|answer|letter|so|that|therefore|thus|hence|and|but|think|believe|only)\s+)"
    r"[\"'(\[]?\b(?P<letter>[A-Z])\b[\"')\]]?(?:[):.]\s*[\w' -]{1,60}?|\s\([^()\n]{1,60}\))?\s+"
    r"is\s+(?:definitely\s+|clearly\s+|therefore\s+|thus\s+)?(?:the\s+)?(?:correct|right|best|most\s+accurate)\b(?!\s+or\b)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"(?:(?:the\s+)?(?:correct\s+|final\s+|best\s+)?(?:option|choice|answer|letter)\s*[:=\-]?\s*)?"
    r"[\"'(\[{<]{0,2}(?P<letter>[A-Za-z])[\"')\]}>]{0,2}\s*[.:;,!)]?",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?:(?:option|choice)\s+)?[(\[]?(?P<letter>[A-Za-z])(?P<mark>[)\].:]{1,2}|\s*[-–—:]\s|,)(?=\s|$)\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_SPACED = re.compile(r"(?P<letter>[A-Z])\s+(?P<rest>\S.*)")
_TRAILED = re.compile(r"(?P<rest>\S.*?)\s*\((?P<letter>[A-Z])\)\s*\.?")
# A second letter joined to the first names two options: "A or B", "A and C", "A, B", "A/B".
_JOINED = re.compile(
    r"\s*(?:,\s*(?:and|or)?|/|&|\+|\band\b|\bor\b|\bnor\b|\bas\s+well\s+as\b)\s*(?:maybe\s+|perhaps\s+|possibly\s+)?(?:option\s+|choice\s+)?[\"'(\[]?[A-Z][\"')\]]?(?![\w'])"
)
_JOINED_BEFORE = re.compile(r"[A-Z][\"')\]]?\s*(?:,|/|&|\+|\band|\bor|\bnor)\s*(?:option\s+)?[\"'(\[]?$")
_ENDS_LETTER = re.compile(
    r"\s*(?:$|[.,;:!?)\]\n]|[-–—]\s|\((?!\s*$)|(?:because|since|as|for|which|with|due)\b|is\s+(?:the\s+)?(?:correct|right|best))"
)


def parse_choice(text: str, options: Sequence[str]) -> str | None:
    """The letter of the option that an answer chooses, or None where it is unreadable.

    Read are the letter alone, with its option's text, or declared ("The answer is (C)", \\boxed{C}, {"answer": "C"}),
    and an option's exact text. A final answer outranks what was said before; declarations that contradict each other,
    two letters, a letter beyond the options, and prose are unreadable.

    Args:
        text: what the model said.
        options: the options' texts in order, at most 26.
    """
    letters = string.ascii_uppercase[: len(options)]
    text = without_thoughts(text)
    if (said := _from_json(text)) is not None:
        text = said
    boxed = [match[1] for match in _BOXED.finditer(text)]
    cleaned = _plain(text)
    if not cleaned:
        return None
    folded = _folded_options(tuple(options))
    if (whole := _whole(cleaned, letters, folded)) is not None:
        return whole.letter
    declared = [
        *(_boxed(content, letters, folded) for content in boxed),
        *_declarations(cleaned, letters, folded),
    ]
    if not declared:
        return None
    weightiest = max(declaration.weight for declaration in declared)
    named = {declaration.letter for declaration in declared if declaration.weight == weightiest}
    return named.pop() if len(named) == 1 else None


def grade_choice(*, answer: str, gold: str, options: Sequence[str]) -> Graded:
    """Grade a multiple-choice answer by its letter.

    Args:
        answer: what the model said.
        gold: the letter of the right option.
        options: the options' texts in order.

    Returns:
        correct, incorrect or not attempted; an unreadable choice is incorrect and its reason begins with UNREADABLE.

    Raises:
        ConfigurationError: the gold is no option's letter.
    """
    letters = string.ascii_uppercase[: len(options)]
    right = gold.strip().upper()
    if len(right) != 1 or right not in letters:
        raise ConfigurationError(
            f"the answer “{gold}” is no option's letter; expected one of {', '.join(letters)}: mend the item's answer"
        )
    chosen = parse_choice(answer, options)
    if chosen is not None:
        grade = Grade.CORRECT if chosen == right else Grade.INCORRECT
        return Graded(grade, f"chose {chosen}, the answer is {right}")
    cleaned = _plain(without_thoughts(answer))
    if not any(letter.isalnum() for letter in cleaned):
        return Graded(Grade.NOT_ATTEMPTED, "abstention: empty text")
    if said := abstention(cleaned):
        return Graded(Grade.NOT_ATTEMPTED, f"abstention: “{said[:80]}”")
    return Graded(Grade.INCORRECT, f"{UNREADABLE}: “{cleaned[:80]}”")


def _from_json(text: str) -> str | None:
    fenced = _FENCE.fullmatch(text.strip())
    try:
        read = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    if isinstance(read, dict):
        found = [read[key] for key in _JSON_KEYS if isinstance(read.get(key), str)]
        return found[0] if len(set(found)) == 1 else ""
    return read if isinstance(read, str) else None


def _plain(text: str) -> str:
    return clean(text).replace("#", " ").replace("{", " ").replace("}", " ").strip()


def _folded(text: str) -> str:
    return " ".join(words_of(tokens(clean(text)))) or clean(text).strip()


@lru_cache(maxsize=4096)
def _folded_options(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_folded(option) for option in options)


def _letter(letter: str, letters: str) -> str | None:
    return letter.upper() if letter.upper() in letters else None


def _whole(cleaned: str, letters: str, folded: Sequence[str]) -> _Declaration | None:
    """The choice where the text is nothing else: a letter, an option's text, or both."""
    if match := _ALONE.fullmatch(cleaned):
        return _Declaration(_letter(match["letter"], letters), _Weight.FINAL)
    if (by_text := _by_text(cleaned, letters, folded)) is not None:
        return _Declaration(by_text, _Weight.FINAL)
    for form in (_SPACED, _TRAILED):
        match = form.fullmatch(cleaned)
        if match and _by_text(match["rest"], letters, folded) == match["letter"]:
            return _Declaration(match["letter"], _Weight.FINAL)
    return None


def _by_text(text: str, letters: str, folded: Sequence[str]) -> str | None:
    said = _folded(text)
    found = [letter for letter, option in zip(letters, folded, strict=True) if option == said]
    return found[0] if len(found) == 1 else None


def _boxed(content: str, letters: str, folded: Sequence[str]) -> _Declaration:
    found = _whole(_plain(content), letters, folded) or _labelled(_plain(content), letters, folded)
    return _Declaration(found.letter if found else None, _Weight.FINAL)


def _declarations(cleaned: str, letters: str, folded: Sequence[str]) -> Iterator[_Declaration]:
    lines = [line.strip() for line in cleaned.split("\n") if line.strip()]
    labelled = [found for line in lines if (found := _LABELLED.fullmatch(line))]
    if lines and len(labelled) <= 1 and (first := _labelled(lines[0], letters, folded)):
        yield first
    if len(lines) > 1:
        ends = (lines[0], lines[-1]) if len(labelled) <= 1 else (lines[-1],)
        for line in ends:
            found = _whole(line, letters, folded)
            if found is None and line is lines[-1] and len(labelled) <= 1:
                found = _labelled(line, letters, folded)
            if found is not None:
                yield _Declaration(found.letter, _Weight.STATED)
    yield from _stated(cleaned, letters)
    yield from _stated_by_text(lines, letters, folded)


def _labelled(line: str, letters: str, folded: Sequence[str]) -> _Declaration | None:
    """A letter that leads its line: "C) Paris", "C. Because …"; "A:" may also stand for "Answer:"."""
    match = _LABELLED.fullmatch(line)
    if match is None:
        return None
    letter, rest = match["letter"], match["rest"].strip()
    if _JOINED.match(line[match.end("letter") :]) or _LABELLED.match(rest):
        return _Declaration(None, _Weight.STATED)
    by_text = _by_text(rest, letters, folded)
    if letter.upper() == "A" and match["mark"].strip() == ":" and by_text != "A":
        return _whole(rest, letters, folded)
    if by_text is not None and by_text != letter.upper():
        return _Declaration(None, _Weight.STATED)
    if match["mark"] == "," and letter in _WORDS and by_text is None:
        return None
    if letter.islower() and by_text is None:
        return None
    return _Declaration(_letter(letter, letters), _Weight.STATED)


def _stated(cleaned: str, letters: str) -> Iterator[_Declaration]:
    """Letters in sentences: "the answer is C", "I choose C", "C is correct"."""
    for match in _LEAD.finditer(cleaned):
        letter = match["letter"] or match["chosen"] or match["it"]
        behind = cleaned[match.end() :]
        if _JOINED.match(behind):
            yield _Declaration(None, _Weight.FINAL if match["final"] else _Weight.STATED)
        elif _ENDS_LETTER.match(behind) or (letter.isupper() and letter not in _WORDS) or _quoted(match):
            yield _Declaration(_letter(letter, letters), _Weight.FINAL if match["final"] else _Weight.STATED)
    for match in _IS_CORRECT.finditer(cleaned):
        if match["letter"].islower():
            continue
        two = _JOINED_BEFORE.search(cleaned[max(match.start() - 20, 0) : match.start("letter")])
        yield _Declaration(None if two else _letter(match["letter"], letters), _Weight.STATED)


def _quoted(match: re.Match[str]) -> bool:
    return match[0].rstrip()[-1] in "\"')]}"


def _stated_by_text(lines: Sequence[str], letters: str, folded: Sequence[str]) -> Iterator[_Declaration]:
    """An option's exact text behind "the answer is", to the end of its line."""
    for line in lines:
        lead = re.match(
            rf"(?:so,?\s+|therefore,?\s+|thus,?\s+)?(?:the\s+|my\s+)?(final\s+)?(?:correct\s+|right\s+|best\s+)?{_NOUN}\s*(?:is|:)\s*:?\s*(.+)",
            line,
            re.IGNORECASE,
        )
        if lead and (by_text := _by_text(lead[2], letters, folded)) is not None:
            yield _Declaration(by_text, _Weight.FINAL if lead[1] else _Weight.STATED)
