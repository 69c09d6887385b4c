"""How a gold stands where an answer names it: asserted, denied, or as one of several.

Finding the places where it is named belongs in `golds`; values further away that compete with it in `contest`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from assets.grades.folding import ARTICLES, Kind, Token, word_set


class Standing(StrEnum):
    ASSERTED = "asserted"
    DENIED = "denied"
    ONE_OF_SEVERAL = "one of several"


@dataclass(frozen=True, slots=True)
class Place:
    """The tokens that name the gold, `last` included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Scene:
    """An answer with what counts as the gold in it.

    `is_gold` holds the tokens that name the gold or an alias; `others` the tokens of other values of the gold's kind,
    None where the gold is a wording and not a value; `denying` says that the question itself denies something.
    """

    read: Sequence[Token]
    is_gold: frozenset[int]
    others: frozenset[int] | None
    denying: bool

    def is_other(self, at: int, place: Place) -> bool:
        """Whether something else than the gold may stand at a token: a value of its kind, a name where it is one."""
        if at >= len(self.read) or at in self.is_gold:
            return False
        if self.others is not None:
            return at in self.others
        token = self.read[at]
        if token.kind is Kind.PUNCT or token.text in NOT_NAMES:
            return False
        return token.capital or token.kind is Kind.NUMBER or not self.read[place.first].capital


COPULAS = frozenset({"is", "was", "are", "were", "be", "been", "its", "thats", "becomes", "became"})
_AUXILIARIES = COPULAS | word_set("did does do has had have would could can will should may might")
NOT_NAMES = _AUXILIARIES | word_set("it he she they you we there this that i who which")
_QUOTES = frozenset("\"'()[]{}*_<>`")
_CLAUSE_ENDS = frozenset(".!?\n;:,(—–")
_CONTRASTS = frozenset({"but", "however", "because", "although", "though", "while", "whereas", "instead", "rather"})
_FINITE = COPULAS - {"be", "been"}
_NEGATIONS = word_set(
    "not never neither nor without cannot isnt wasnt arent werent dont doesnt didnt cant couldnt wont wouldnt "
    "hasnt havent hadnt shouldnt aint hardly unlike except excluding"
)
NEGATION_WORDS = _NEGATIONS | {"no"}
_NEGATION_PAIRS = frozenset(
    {("rather", "than"), ("instead", "of"), ("other", "than"), ("far", "from"), ("followed", "by")}
)
# Words behind a negation that turn it into an assertion: "not until 1947", "none other than Paris", "not only Paris".
_RESTORING = word_set("until before only just merely simply but if whether later fewer least other")
_BELIEFS = word_set("think believe say suppose mean claim imply suggest")
_CONTRACTED = word_set("isnt wasnt arent werent doesnt didnt dont cant couldnt wont wouldnt hasnt hadnt havent cannot")
_REJECTED = word_set("wrong incorrect false excluded untrue")
# What "or" may lead to without naming another value: synonyms, paraphrases and figures of speech.
_NO_OTHER_VALUE = word_set(
    "also simply more as so otherwise at better even known called formerly rather less later earlier both something "
    "any similar its their his her to other"
)
# Behind these, what "or" joins are two names of one thing: "is called a goad or prod".
_NAMING = word_set("called known termed named means mean meaning refers referred aka styled nicknamed dubbed")
_BARE_SUBJECTS = word_set("it its this that thats answer")
_HEDGES = frozenset({"maybe", "perhaps", "possibly", "alternatively"})
LINKS = frozenset({"in", "of", "from", "at", "on", "by", "de", "von", "van", "la", "le", "du", "del", "st"})
_FARTHEST_NEGATION = 7
_FARTHEST_NAMING = 9
_LONGEST_NAME = 6


def standing(scene: Scene, place: Place) -> Standing:
    """How the gold stands at one place."""
    if _or_behind(scene, place) or _or_before(scene, place):
        return Standing.ONE_OF_SEVERAL
    if _denied_before(scene, place.first) or (not scene.denying and _denied_behind(scene.read, place.last)):
        return Standing.DENIED
    return Standing.ASSERTED


def _denied_before(scene: Scene, first: int) -> bool:
    read = scene.read
    between: list[str] = []
    at = first - 1
    while at >= 0 and len(between) < _FARTHEST_NEGATION:
        token = read[at]
        if token.text in _QUOTES:
            at -= 1
            continue
        if token.text in _CLAUSE_ENDS or (token.text in _CONTRASTS and not _negation_pair(read, at)):
            return False
        if _negation_pair(read, at):
            return not _RESTORING & set(between[:-1])
        if token.text in _NEGATIONS and not (at and read[at - 1].text in ("or", "if", "whether", "why")):
            return _denies(between[::-1], scene.denying) and not (scene.denying and token.text == "without")
        if (token.text == "no" and not between) or (token.text == "doubt" and read[at - 1].text not in ("no", "a")):
            return True
        if token.text == "than" and scene.others is None and set(between) <= ARTICLES and not _restored(read, at - 1):
            return True
        between.append(token.text)
        at -= 1
    return False


def _denies(between: Sequence[str], asked_to_deny: bool) -> bool:
    """Whether a negation reaches the gold over the words between them."""
    if _RESTORING & set(between):
        return False
    if between[:1] and between[0] in _BELIEFS:
        return True
    if asked_to_deny:
        return all(word in ARTICLES or word in COPULAS for word in between)
    return not _FINITE & set(between)


def _negation_pair(read: Sequence[Token], at: int) -> bool:
    if read[at].text == "but" and at and read[at - 1].text == "anything":
        return True
    if at + 1 >= len(read) or (read[at].text, read[at + 1].text) not in _NEGATION_PAIRS:
        return False
    return not _restored(read, at)


def _restored(read: Sequence[Token], at: int) -> bool:
    """Whether a second negation stands before "other than": "none other than", "cannot be anything other than"."""
    if not at:
        return False
    before = read[at - 1].text
    return before in ("none", "no", "not", "nothing") or (
        before == "anything" and any(token.text in _NEGATIONS for token in read[max(at - 5, 0) : at])
    )


def _denied_behind(read: Sequence[Token], last: int) -> bool:
    at = _next(read, last)
    words = [token.text for token in read[at : at + 4]]
    if words[:2] == ["?", "no"]:
        return True
    if words[:1] and words[0] in _CONTRACTED:
        rest = words[1:]
    elif words[:1] and words[0] in _AUXILIARIES and words[1:2] == ["not"]:
        rest = words[2:]
    else:
        return bool(words[:1]) and words[0] in COPULAS and bool(_REJECTED & set(words[1:3]))
    return not _RESTORING & set(rest[:1]) and "until" not in [token.text for token in read[at : at + 12]]


def _or_behind(scene: Scene, place: Place) -> bool:
    """Whether "or" with another value stands behind the gold: "Paris or London", "1947/1948", "Paris, maybe London"."""
    read = scene.read
    at = _next(read, _name_end(scene, place))
    if [token.text for token in read[at : at + 2]] == [",", "i"]:
        # ", I think,"
        at = min(at + 3, len(read))
    comma = at < len(read) and read[at].text == ","
    at = _next(read, at) if comma else at
    if at >= len(read):
        return False
    if read[at].text in _HEDGES:
        return scene.is_other(_next(read, at), place)
    if read[at].text != "or" and (read[at].text != "/" or comma):
        return False
    other = _next(read, at)
    while other < len(read) and (read[other].text in ARTICLES | _HEDGES or read[other].text in LINKS):
        other = _next(read, other)
    if other >= len(read) or read[other].text in _NO_OTHER_VALUE or not scene.is_other(other, place):
        return False
    return scene.others is not None or not _two_names(scene, place, at, range(other, other + 3), comma)


def _or_before(scene: Scene, place: Place) -> bool:
    read = scene.read
    at = _previous(read, place.first)
    while at >= 0 and read[at].text in ARTICLES | _HEDGES | LINKS:
        at = _previous(read, at)
    if at < 1 or read[at].text not in ("or", "/"):
        return False
    before = _previous(read, at)
    comma = before >= 0 and read[before].text == ","
    before = _previous(read, before) if comma else before
    if before < 0 or before in scene.is_gold or read[before].kind is Kind.PUNCT:
        return False
    if scene.others is not None:
        return before in scene.others or read[before].kind is Kind.WORD
    return not _two_names(scene, place, at, range(before - 2, before + 1), comma)


def _two_names(scene: Scene, place: Place, join: int, other: range, comma: bool) -> bool:
    """Whether "or" gives a second name of the same thing instead of a second thing.

    It does in parentheses, behind a naming verb, where the other has the gold in it, and, for common nouns, in the
    middle of a sentence ("the fear of dawn or sunrise"); as the bare answer it offers a choice ("heart or liver").
    """
    read = scene.read
    if scene.is_gold & set(other) or any(token.text == "(" for token in read[max(join - 1, 0) : join]):
        return True
    clause = _clause_start(read, min(place.first, other.start))
    before = [token.text for token in read[max(clause, place.first - _FARTHEST_NAMING) : place.first]]
    if _NAMING & set(before):
        return True
    if read[place.first].capital or read[join].text == "/":
        return False
    subject = [word for word in before if word not in ARTICLES and word not in COPULAS and word != "either"]
    opening = min(place.first, max(other.start, 0)) - clause
    return comma or ("either" not in before and opening > 1 and not (set(subject[:2]) & _BARE_SUBJECTS))


def _clause_start(read: Sequence[Token], at: int) -> int:
    at = max(at, 0)
    while at > 0 and read[at - 1].text not in (".", "!", "?", "\n", ";"):
        at -= 1
    return at


def _name_end(scene: Scene, place: Place) -> int:
    """The end of the longer name that the gold starts: Paris, France; Campbell-Bannerman."""
    read, end, at = scene.read, place.last, place.last + 1
    if scene.others is not None:
        return end
    while at < len(read) and at - place.last <= _LONGEST_NAME:
        token = read[at]
        if (
            token.kind is Kind.WORD
            and token.capital
            and token.text not in NOT_NAMES
            and token.text not in ("or", "and")
        ):
            end = at
        elif token.text not in LINKS | ARTICLES and token.text not in (",", "-", "'", '"'):
            break
        at += 1
    return end


def _next(read: Sequence[Token], at: int) -> int:
    at += 1
    while at < len(read) and read[at].text in _QUOTES:
        at += 1
    return at


def _previous(read: Sequence[Token], at: int) -> int:
    at -= 1
    while at >= 0 and read[at].text in _QUOTES:
        at -= 1
    return at
