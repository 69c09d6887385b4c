"""The earlier questions by their golds and words, and the best of them that asks what a new one asks."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from assets.items.similarity.alike import MOST_LACKING, Alike, alike, same_subject
from assets.items.similarity.golds import golds_of
from assets.items.similarity.posed import Duplicate, Posed
from assets.items.similarity.reading import Reading, read_question

# A block of up to so many questions is compared one by one; a larger one is searched by its rarest words.
_SMALL_BLOCK = 24
# Two questions that ask the same lack at most four of each other's words, so that they share one of any five.
_RARE_WORDS = MOST_LACKING + 1


@dataclass(slots=True)
class _Block:
    """The questions that share a gold and all numbers, as places in the index."""

    places: list[int] = field(default_factory=list)
    by_word: dict[str, list[int]] | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    posed: Posed
    reading: Reading
    golds: frozenset[str]
    aliases: frozenset[str]


class SimilarityIndex:
    """Finds the question that was posed before in other words.

    Two questions ask the same where their golds and numbers agree and their words differ in nothing that could be a
    subject. Whether a word is a misspelling is decided with the words of the whole index, so that a verdict can
    change as the index grows; between two questions and one index it is the same either way round.

    Args:
        posed: questions to begin with; they are not compared with each other.
    """

    def __init__(self, posed: Iterable[Posed] = ()) -> None:
        self._entries: list[_Read] = []
        self._answers: dict[str, _Block] = {}
        self._aliases: dict[str, _Block] = {}
        self._seen: Counter[str] = Counter()
        for each in posed:
            self.add(each)

    def add(self, posed: Posed) -> None:
        """Put a question into the index, whether or not it is a duplicate."""
        read = _read(posed)
        self._seen.update(set(read.reading.surface))
        self._put(read)

    def duplicate_of(self, posed: Posed) -> Duplicate | None:
        """The likest earlier question that asks the same, the first of equals; None where none does."""
        return self._find(_read(posed))

    def agreeing(self, posed: Posed) -> list[Posed]:
        """Earlier questions that may ask the same in wholly other words: gold, numbers, names and terms agree."""
        read = _read(posed)
        places = {
            place
            for blocks, golds in self._pairs(read)
            for gold in golds
            if (block := blocks.get(_block_key(gold, read.reading))) is not None
            for place in block.places
        }
        earlier = [self._entries[place] for place in sorted(places)]
        return [each.posed for each in earlier if same_subject(each.reading, read.reading)]

    def _put(self, read: _Read) -> None:
        place = len(self._entries)
        self._entries.append(read)
        for blocks, golds in ((self._answers, read.golds), (self._aliases, read.aliases)):
            for gold in golds:
                block = blocks.setdefault(_block_key(gold, read.reading), _Block())
                block.places.append(place)
                if block.by_word is not None:
                    self._by_word(block.by_word, place)
                elif len(block.places) > _SMALL_BLOCK:
                    block.by_word = {}
                    for earlier in block.places:
                        self._by_word(block.by_word, earlier)

    def _by_word(self, by_word: dict[str, list[int]], place: int) -> None:
        for word in self._entries[place].reading.content or ("",):
            by_word.setdefault(word, []).append(place)

    def _find(self, read: _Read) -> Duplicate | None:
        best: tuple[Alike, _Read] | None = None
        for place in sorted(set(self._candidates(read))):
            earlier = self._entries[place]
            found = alike(earlier.reading, read.reading, self._seen)
            if found is not None and (best is None or found.likeness > best[0].likeness):
                best = found, earlier
        if best is None:
            return None
        found, earlier = best
        return Duplicate(earlier.posed.id, earlier.posed.question, found.likeness, found.reason)

    def _candidates(self, read: _Read) -> Iterator[int]:
        """Places of questions whose gold agrees: one's answer is the other's answer or alias."""
        for blocks, golds in self._pairs(read):
            for gold in golds:
                block = blocks.get(_block_key(gold, read.reading))
                if block is not None:
                    yield from _likely(block, read)

    def _pairs(self, read: _Read) -> Iterator[tuple[dict[str, _Block], frozenset[str]]]:
        yield self._answers, read.golds
        yield self._aliases, read.golds
        yield self._answers, read.aliases


def _likely(block: _Block, read: _Read) -> Iterator[int]:
    if block.by_word is None:
        yield from block.places
        return
    if read.reading.names:
        # A name is never a slip: whatever asks the same has them all.
        yield from min((block.by_word.get(name, []) for name in read.reading.names), key=len)
        return
    listed = [block.by_word[word] for word in sorted(read.reading.content) or ("",) if word in block.by_word]
    for places in sorted(listed, key=len)[:_RARE_WORDS]:
        yield from places


def _block_key(gold: str, reading: Reading) -> str:
    return "\x1f".join((gold, *reading.numbers))


@lru_cache(maxsize=64)
def _read(posed: Posed) -> _Read:
    """Kept for a moment: a pass asks two indexes about one question and then adds it."""
    reading = read_question(posed.question)
    golds, aliases = golds_of(posed)
    return _Read(posed, reading, golds, aliases)
