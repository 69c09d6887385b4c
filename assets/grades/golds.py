"""A gold or alias as the matcher looks for it, and the places where an answer names it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assets.grades.asked import IDENTIFIER_NOUNS, Asked, in_question
from assets.grades.folding import ARTICLES, Kind, Token, clean, tokens, without_thoughts, word_set
from assets.grades.phrases import Phrase, phrase, stands_in
from assets.grades.sameness import same
from assets.grades.short_golds import FUNCTION_WORDS, short_form, short_places
from assets.grades.standing import Place
from assets.grades.values import Mention, Quantity, Value, mentions

_APPROXIMATE = word_set(
    "about approximately approx around roughly circa ca c nearly almost over some in on exactly precisely estimated at "
    "by from since ~ ≈ ± ."
)
_SHORT_UNITS = word_set("m km cm mm mi ft kg g lb s h")
# Words in front that make another name of a name.
_CHANGES_NAME = frozenset({"new", "north", "south", "east", "west"})
_OPERATORS = frozenset("=<>+^√∑∏∫*≤≥≠∂∇/|·×÷−-")
_DASHES = {"−": "-", "–": "-", "·": "*", "×": "*"}
_FORMULA = frozenset("=<>^√∑∏∫≤≥≠∂∇÷")


@dataclass(frozen=True)
class Gold:
    """One wording of the gold: a value, a short word, else a phrase; `operators` are those of a formula."""

    text: str
    value: Value | None
    wording: Phrase
    short: str | None
    operators: tuple[str, ...] | None


@dataclass(frozen=True)
class Answer:
    """An answer read once for all golds."""

    cleaned: str
    read: Sequence[Token]
    values: Sequence[Mention]
    wordings: Sequence[Phrase]


def gold_of(text: str, question: Asked) -> Gold:
    """Read one wording of the gold."""
    cleaned = clean(text).strip()
    read = tokens(cleaned)
    short = short_form(read)
    inside = [at for at, token in enumerate(read) if token.kind is not Kind.PUNCT]
    operators = _operators(read[inside[0] : inside[-1] + 1]) if inside and _FORMULA & set(cleaned) else None
    value = None if short else _value(read, question)
    return Gold(cleaned, value, phrase(_implied(read, question)), short, operators)


def answer_of(text: str) -> Answer:
    """Read an answer: its tokens, values, and wordings with and without possessive endings."""
    cleaned = clean(without_thoughts(text))
    read = tokens(cleaned)
    wordings = [phrase(read)]
    if any(token.possessive for token in read):
        wordings.append(phrase(read, drop_possessive=True))
    labels = _labels(read)
    values = [mention for mention in mentions(read) if mention.first not in labels]
    return Answer(cleaned, read, values, wordings)


def places(gold: Gold, answer: Answer, question: Asked) -> Iterator[Place]:
    """Where the answer names the gold, in order."""
    if gold.short is not None:
        yield from short_places(gold.short, answer.read)
    elif gold.value is not None:
        for mention in answer.values:
            if mention.value is None or _qualifies(answer.read, mention, question):
                continue
            if same(gold.value, mention.value, question):
                yield Place(mention.first, mention.last)
    else:
        seen = set()
        for wording in answer.wordings:
            for first, last in stands_in(gold.wording, wording):
                if (first, last) in seen or _other_name(answer.read, first, gold.wording):
                    continue
                if gold.operators is not None and gold.operators != _operators(answer.read[first : last + 1]):
                    continue
                seen.add((first, last))
                yield Place(first, last)


def _value(read: Sequence[Token], question: Asked) -> Value | None:
    """The value that a gold consists of, beside articles, "about", and words that the question says."""
    found = mentions(read)
    if len(found) != 1 or found[0].value is None:
        return None
    first, last = found[0].first, found[0].last
    before = all(_says_nothing(token, question) for token in read[:first])
    behind = all(
        token.text in ARTICLES or (token.kind is Kind.PUNCT and token.text in ".\"')") or _asked_word(token, question)
        for token in read[last + 1 :]
    )
    return found[0].value if before and behind else None


def _says_nothing(token: Token, question: Asked) -> bool:
    """Whether a token in front of a value adds nothing to it: "about", "the", "Section" where a section was asked."""
    if token.text in _APPROXIMATE or token.text in ARTICLES or token.text in ("(", '"', "'"):
        return True
    return question.identifier and (token.text in IDENTIFIER_NOUNS or token.text == "§")


def _asked_word(token: Token, question: Asked) -> bool:
    return token.kind is Kind.WORD and in_question(token, question)


def _implied(read: Sequence[Token], question: Asked) -> Sequence[Token]:
    """A gold without the noun that the question has: "Section 10b-5", where a section was asked, is "10b-5"."""
    at = 0
    if question.identifier:
        while at < len(read) and read[at].text in IDENTIFIER_NOUNS and in_question(read[at], question):
            at += 1
    rest = read[at:]
    return rest if any(token.kind is Kind.NUMBER for token in rest) else read


def _labels(read: Sequence[Token]) -> frozenset[int]:
    """Tokens of numbers that only cite a source or number one of several lines: "[3]", "2. Rome"."""
    texts = [token.text for token in read]
    starts = [0, *(at + 1 for at, text in enumerate(texts) if text == "\n")]
    numbered = [at for at in starts if texts[at + 1 : at + 2] in (["."], [")"]) and read[at].kind is Kind.NUMBER]
    cited = [at for at in range(1, len(read) - 1) if texts[at - 1] == "[" and texts[at + 1] == "]" and len(read) > 3]
    return frozenset([*cited, *(numbered if len(numbered) > 1 else [])])


def _qualifies(read: Sequence[Token], mention: Mention, question: Asked) -> bool:
    """Whether a measure in short only qualifies a noun where no amount was asked: a "1500 m run" is a run."""
    if question.amount or not isinstance(mention.value, Quantity) or not mention.value.units:
        return False
    unit = read[mention.last].raw.lower().lstrip("0123456789.,")
    behind = read[mention.last + 1] if mention.last + 1 < len(read) else None
    if unit not in _SHORT_UNITS or behind is None or behind.kind is not Kind.WORD or behind.capital:
        return False
    return behind.text not in FUNCTION_WORDS and not in_question(behind, question)


def _other_name(read: Sequence[Token], first: int, wording: Phrase) -> bool:
    """Whether the word in front makes another name of it: New York is no York, non-alcoholic not alcoholic."""
    if first == 0 or read[first].kind is Kind.PUNCT:
        return False
    before = first - 1
    if read[before].text == "-" and read[first].soft and before:
        before -= 1
        return read[before].text in ("non", "anti", "ex", "un")
    return (
        read[before].text in _CHANGES_NAME
        and read[before].capital
        and read[first].capital
        and not (wording.words and wording.words[0].text in _CHANGES_NAME)
    )


def _operators(read: Sequence[Token]) -> tuple[str, ...]:
    """The operators of a formula: folding drops them as punctuation, though x + y is not x - y."""
    return tuple(_DASHES.get(token.text, token.text) for token in read if token.text in _OPERATORS)
