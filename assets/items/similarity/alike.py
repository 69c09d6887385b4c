"""Whether two questions whose golds agree ask the same: their words, numbers, names, and who does what to whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assets.grades.folding import word_set
from assets.items.similarity.everyday import EVERYDAY
from assets.items.similarity.ordinary import ORDINARY
from assets.items.similarity.reading import Reading
from assets.items.similarity.scanning import Role
from assets.items.similarity.spelling import is_typo
from assets.items.similarity.vocabulary import PHRASES, SYNONYMS

_MOST_TYPOS = 2
# A word that is written apart lacks as two.
MOST_LACKING = 2 * _MOST_TYPOS
_OPPOSITE_DIRECTIONS = {"from": "to", "to": "from"}
_JOINERS = frozenset({"and", "or", "the", "a", "an"})
_SYNONYM_HEADS = frozenset(SYNONYMS.values()) | {meaning for listed in PHRASES.values() for _, meaning in listed}
_NO_SUBJECTS = ORDINARY | EVERYDAY
_TURNING = word_set(
    "first last next previous earliest latest early late oldest newest old new highest lowest largest smallest "
    "longest shortest most least more less maximum minimum upper lower before after above below over under north "
    "south east west left right not no never without except start started begin began begun end ended finish "
    "finished open opened close closed enter entered leave give gave given take took taken rise rose risen fall "
    "fell fallen win won lose lost buy bought sell sold import imported export exported male female parent child "
    "teacher pupil"
)
_SILENT_ROLES = frozenset({Role.FILLER, Role.KIND})
# Two questions whose words are the same in another frame are told from equal ones.
_MOST_LIKE = 0.99


@dataclass(frozen=True, slots=True)
class Alike:
    likeness: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that the other question lacks."""

    canon: str
    surface: str
    role: str


def alike(one: Reading, other: Reading, seen: Mapping[str, int]) -> Alike | None:
    """What two questions with the same gold have in common; None where they ask different things.

    Args:
        one, other: the questions; the answer is the same either way round.
        seen: in how many questions of the corpus a word stands, which tells a misspelling from a rare word.
    """
    if one.canon == other.canon:
        return _same_row(one, other)
    if one.numbers != other.numbers or not (one.content or one.numbers):
        return None
    if not (one.names <= other.words and other.names <= one.words):
        return None
    if _plainly_differ(one.content - other.content, other.content - one.content):
        return None
    mine, theirs = _missing(one, other), _missing(other, one)
    if max(_weight(mine), _weight(theirs)) > MOST_LACKING:
        return None
    slips = _slips(mine, theirs, seen, bool(one.names or other.names))
    if slips is None:
        return None
    used = {word for pair in slips for word in pair}
    if _kinds_differ(one, other, used) or _turned_round(one, other):
        return None
    common = (Counter(one.canon) & Counter(other.canon)).total() + len(slips)
    likeness = 2 * common / (len(one.canon) + len(other.canon))
    return Alike(round(min(likeness, _MOST_LIKE), 3), _reason(slips, mine + theirs))


def _plainly_differ(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether one glance at the words that each lacks is enough; of most pairs nothing more need be read."""
    if max(len(mine), len(theirs)) > MOST_LACKING:
        return True
    if len(mine) != 1 or len(theirs) != 1:
        return False
    [word], [twin] = mine, theirs
    # A synonym's first letter says nothing of the word as written.
    return word[0] != twin[0] and not {word, twin} & _SYNONYM_HEADS


def same_subject(one: Reading, other: Reading) -> bool:
    """Whether two questions whose golds agree may ask the same in wholly other words; a reader of meaning decides.

    Numbers, names and every word that may be a subject stand in both, and no word that turns a question round
    stands in one of them alone.
    """
    if one.numbers != other.numbers or one.repeated != other.repeated:
        return False
    mine, theirs = one.words - other.words, other.words - one.words
    if (one.names & mine) or (other.names & theirs) or ((mine | theirs) & _TURNING):
        return False
    terms = (one.content & mine) | (other.content & theirs)
    return terms <= _NO_SUBJECTS and not _kinds_differ(one, other, set()) and not _turned_round(one, other)


def _same_row(one: Reading, other: Reading) -> Alike | None:
    if not one.canon:
        return None
    if one.surface == other.surface:
        return Alike(1.0, "the same words, apart from case, punctuation and spacing")
    return Alike(_MOST_LIKE, "the same words in other spellings or synonyms")


def _missing(one: Reading, other: Reading) -> list[_Word]:
    """What of one question the other lacks, numbers aside."""
    found = [word for word in _words(one) if word.canon not in other.words]
    if one.repeated != other.repeated:
        for canon in (Counter(one.repeated) - Counter(other.repeated)).elements():
            # Where it stands both in a name and as a word of its own, only the latter can be misspelled.
            found.append(
                min((word for word in _words(one) if word.canon == canon), key=lambda word: word.role != Role.PLAIN)
            )
    return found


def _words(reading: Reading) -> Iterator[_Word]:
    for canon, surface, role in zip(reading.canon, reading.surface, reading.roles, strict=True):
        if role != Role.NUMBER:
            yield _Word(canon, surface, role)


def _weight(words: Iterable[_Word]) -> int:
    return sum(word.role not in _SILENT_ROLES for word in words)


def _slips(
    mine: Sequence[_Word], theirs: Sequence[_Word], seen: Mapping[str, int], names_marked: bool
) -> list[tuple[_Word, _Word]] | None:
    """The pairs of words that are one word misspelled or run together; None where a subject word stays alone."""
    mine_left, theirs_left = _apart(list(mine), list(theirs))
    slips: list[tuple[_Word, _Word]] = []
    for word in [word for word in mine_left if word.role not in _SILENT_ROLES]:
        twin = _twin(word, theirs_left, seen, names_marked)
        if twin is None:
            return None
        mine_left.remove(word)
        theirs_left.remove(twin)
        slips.append((word, twin))
    for word in [word for word in theirs_left if word.role not in _SILENT_ROLES]:
        twin = _twin(word, mine_left, seen, names_marked)
        if twin is None:
            return None
        mine_left.remove(twin)
        slips.append((twin, word))
    return slips if len(slips) <= _MOST_TYPOS else None


def _twin(word: _Word, others: Sequence[_Word], seen: Mapping[str, int], names_marked: bool) -> _Word | None:
    """The word of the other question that this one is a misspelling of; a name or a sign is none of another."""
    if word.role not in (Role.PLAIN, Role.FIRST):
        return None
    for other in others:
        if other.role in (Role.NAME, Role.SIGN) or not other.surface:
            continue
        no_names = names_marked and Role.FIRST not in (word.role, other.role)
        if is_typo(word.surface, other.surface, seen, names_marked=no_names):
            return other
    return None


def _apart(mine: list[_Word], theirs: list[_Word]) -> tuple[list[_Word], list[_Word]]:
    """Both without what one of them writes as two words and the other as one (data base, database)."""
    for joined, parted in ((mine, theirs), (theirs, mine)):
        for whole in list(joined):
            for left, right in pairwise(list(parted)):
                if left.surface + right.surface == whole.surface and left.surface:
                    joined.remove(whole)
                    parted.remove(left)
                    parted.remove(right)
                    break
    return mine, theirs


def _kinds_differ(one: Reading, other: Reading, used: set[_Word]) -> bool:
    """Whether both name a kind of answer that the other does not: a city, a country."""
    corrected = {word.canon for word in used if word.role == Role.KIND}
    mine, theirs = _kinds(one) - corrected, _kinds(other) - corrected
    if (mine - theirs) and (theirs - mine):
        return True
    return bool(one.told and other.told and not (one.told | mine) & (other.told | theirs))


def _kinds(reading: Reading) -> set[str]:
    return {canon for canon, role in zip(reading.canon, reading.roles, strict=True) if role == Role.KIND}


def _turned_round(one: Reading, other: Reading) -> bool:
    """Whether the same words say the opposite: from A to B and from B to A, A beat B and B beat A."""
    ways, others = _ways(one), _ways(other)
    if any(
        (opposite, goal) in others and (way, goal) not in others
        for way, goal in ways
        if (opposite := _OPPOSITE_DIRECTIONS[way])
    ):
        return True
    frame, names = _frame(one)
    other_frame, other_names = _frame(other)
    if frame == other_frame and names != other_names and sorted(names) == sorted(other_names):
        return not set(_between(frame)) <= _JOINERS
    return _exchanged(one, other)


def _ways(reading: Reading) -> set[tuple[str, str]]:
    """Directions with the word that each leads to."""
    found = set()
    for at, word in enumerate(reading.canon):
        if word in _OPPOSITE_DIRECTIONS:
            behind = (
                canon
                for canon, role in zip(reading.canon[at + 1 :], reading.roles[at + 1 :], strict=True)
                if role != Role.FILLER
            )
            found.add((word, next(behind, "")))
    return found


def _frame(reading: Reading) -> tuple[list[str | None], list[tuple[str, ...]]]:
    """The question with a gap for each run of names, and the names."""
    frame: list[str | None] = []
    names: list[tuple[str, ...]] = []
    for canon, role in zip(reading.canon, reading.roles, strict=True):
        if role not in (Role.NAME, Role.FIRST):
            frame.append(canon)
        elif frame and frame[-1] is None:
            names[-1] = (*names[-1], canon)
        else:
            frame.append(None)
            names.append((canon,))
    return frame, names


def _between(frame: Sequence[str | None]) -> list[str]:
    """What stands between the first gap and the last."""
    gaps = [at for at, word in enumerate(frame) if word is None]
    return [word for word in frame[gaps[0] : gaps[-1]] if word is not None]


def _exchanged(one: Reading, other: Reading) -> bool:
    """Whether two words of one role changed places across a third: ounces to grams, grams to ounces."""
    if len(one.canon) != len(other.canon):
        return False
    pairs = zip(one.canon, other.canon, strict=True)
    moved = [at for at, (here, there) in enumerate(pairs) if here != there]
    if len(moved) != 2 or len({one.roles[at] for at in moved}) != 1 or one.roles[moved[0]] in _SILENT_ROLES:
        return False
    first, last = moved
    if one.canon[first] != other.canon[last] or one.canon[last] != other.canon[first]:
        return False
    between = one.canon[first + 1 : last]
    return bool(between) and not set(between) <= _JOINERS


def _reason(slips: Sequence[tuple[_Word, _Word]], missing: Sequence[_Word]) -> str:
    if slips:
        spelled = ", ".join(f"“{one.surface}” for “{other.surface}”" for one, other in slips)
        return f"the same words but for a slip: {spelled}"
    if missing:
        fillers = ", ".join(f"“{word.surface}”" for word in missing[:6])
        return f"the same subject, numbers and gold; only words that say nothing differ: {fillers}"
    return "the same words in another order"
