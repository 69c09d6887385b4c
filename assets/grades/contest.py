"""Whether an answer that asserts the gold asserts another value in its slot too, further away than the next word."""

from collections.abc import Sequence

from assets.grades.asked import Asked, in_question
from assets.grades.folding import ARTICLES, Kind, Token, word_set
from assets.grades.standing import COPULAS, LINKS, NOT_NAMES, Place, Scene
from assets.grades.values import Mention, Quantity

Span = tuple[int, int]

_SENTENCE_ENDS = frozenset(".!?\n")
_PAUSES = _SENTENCE_ENDS | frozenset(";,—–:")
_CORRECTIONS = word_set("no actually wait correction sorry alternatively or maybe perhaps possibly rather")
_REALLY = frozenset({"actually", "really"})
_BEHIND_CORRECTION = word_set(
    "it is was its i mean the answer correct right actually really maybe perhaps possibly should be could might also "
    "think in , :"
)
_SUBORDINATES = word_set("after before since when while following than compared surpassing until")
_APPROXIMATE = word_set(
    "about approximately approx around roughly in on circa ca c the ~ ≈ over nearly almost some exactly"
)
_VALUE_JOINS = frozenset({",", "and", "&", "-", "–", "in", ";", "\n"})
_LIST_JOINS = word_set(", and & ; or / | ? plus also") | {"\n"}
_ITEM_MARKS = frozenset("-•*–·\"'()")
_LIST_OPENERS = COPULAS | frozenset({"by", ":", "answer", "either", "both", "include", "includes", "are"})
_LONGEST_ITEM = 4


def competing(scene: Scene, place: Place, values: Sequence[Mention], question: Asked) -> Span | None:
    """The tokens of the value that competes with the gold asserted at a place, or None.

    Args:
        scene: the answer with what counts as the gold in it.
        place: where it asserts the gold.
        values: the other values of the gold's kind, without those that stand in the question; empty for a wording.
        question: what was asked.
    """
    found = _corrected(scene, place) or _declared_last(scene, place) or _repeated(scene, place)
    if found is not None:
        return found
    if scene.others is None:
        return None if question.several else _listed(scene, place, question)
    found = _leading(scene.read, place, values) or _explained(scene.read, place, values)
    found = found or _counted(scene, place, values, question)
    if found is None and not question.several:
        found = _joined(scene.read, place, values)
    return found


def _corrected(scene: Scene, place: Place) -> Span | None:
    """What a correction puts in the gold's place: "Paris. No, London", "thought to be Sydney, but it is Canberra"."""
    read = scene.read
    sentences = 0
    for at in range(place.last + 1, len(read)):
        token = read[at]
        if token.text in _SENTENCE_ENDS and not (at and read[at - 1].text in _SENTENCE_ENDS):
            sentences += 1
            if sentences > 2:
                return None
        if token.text in _CORRECTIONS and read[at - 1].text in _SENTENCE_ENDS | {",", "—", "–", ";"}:
            if token.text == "or" and read[at - 1].text not in _SENTENCE_ENDS:
                continue
        elif token.text != "but" or sentences or not _restates(scene, place, at + 1):
            continue
        start = at + 1
        if token.text == "but":
            start = next((near for near in range(at, min(at + 10, len(read))) if read[near].text in _REALLY), start)
        while start < len(read) and read[start].text in _BEHIND_CORRECTION:
            start += 1
        if not scene.is_other(start, place):
            continue
        end = start
        while end + 1 < len(read) and read[end + 1].text not in _PAUSES:
            end += 1
        if end - start < 5 and not any(
            read[near].text in NOT_NAMES or near in scene.is_gold for near in range(start, end + 1)
        ):
            return start, end
    return None


def _restates(scene: Scene, place: Place, at: int) -> bool:
    """Whether "but" goes on with "it is", "actually" or "the answer is"; a common noun may be described by "it is"."""
    words = [token.text for token in scene.read[at : at + 9]]
    if _REALLY & set(words):
        return True
    words = words[:5]
    if words[:1] in (["it"], ["its"]):
        return scene.others is not None or scene.read[place.first].capital
    return words[:1] == ["the"] and "answer" in words


def _declared_last(scene: Scene, place: Place) -> Span | None:
    """What the last "the answer is …" names, where the gold stands only before it."""
    read = scene.read
    for at in range(len(read) - 2, place.last, -1):
        if read[at].text != "answer" or read[at + 1].text not in (":", "is", "was", "would", "should", "must"):
            continue
        start = at + 2
        while start < len(read) and (read[start].text in ARTICLES | COPULAS or read[start].kind is Kind.PUNCT):
            start += 1
        if any(index > at for index in scene.is_gold) or not scene.is_other(start, place):
            return None
        end = start
        while end + 1 < len(read) and read[end + 1].text not in _PAUSES:
            end += 1
        return start, end
    return None


def _repeated(scene: Scene, place: Place) -> Span | None:
    """What a later sentence says in the same words: "It is Paris. It is also London"."""
    read, first = scene.read, place.first
    while first > 0 and read[first - 1].text not in _SENTENCE_ENDS | {";"}:
        first -= 1
    words = [token.text for token in read[first : place.first]]
    if not words or (scene.others is None and not read[place.first].capital):
        return None
    for at in range(place.last + 1, len(read) - len(words)):
        if read[at - 1].text not in _SENTENCE_ENDS | {";"}:
            continue
        if [token.text for token in read[at : at + len(words)]] != words[: len(read) - at]:
            continue
        start = at + len(words)
        while start < len(read) and read[start].text in ("also", "maybe", "perhaps"):
            start += 1
        end = start
        while end + 1 < len(read) and read[end + 1].text not in _PAUSES:
            end += 1
        if scene.is_other(start, place) and end - start < _LONGEST_ITEM:
            return start, end
    return None


def _leading(read: Sequence[Token], place: Place, values: Sequence[Mention]) -> Span | None:
    """A bare value at the start is the answer, and what comes behind it explains: "1948, a year after 1947"."""
    start = 0
    while start < len(read) and (read[start].text in _APPROXIMATE or read[start].kind is Kind.PUNCT):
        start += 1
    for mention in values:
        if mention.first <= start <= mention.last and mention.last < place.first:
            behind = read[mention.last + 1].text if mention.last + 1 < len(read) else ""
            return (mention.first, mention.last) if behind in _PAUSES or behind == "(" else None
    return None


def _counted(scene: Scene, place: Place, values: Sequence[Mention], question: Asked) -> Span | None:
    """The first number that counts what was asked ("how many moons") decides."""
    for mention in values:
        if mention.first > place.first:
            return None
        behind = scene.read[mention.last + 1 : mention.last + 3]
        if any(token.text.removesuffix("s") in question.counted for token in behind if token.kind is Kind.WORD):
            return mention.first, mention.last
    return None


def _explained(read: Sequence[Token], place: Place, values: Sequence[Mention]) -> Span | None:
    """A value in the main clause, where the gold only explains it: "in 1948, three years after 1945"."""
    at = place.first - 1
    subordinate = None
    while at >= 0 and read[at].text not in _SENTENCE_ENDS | {";"}:
        if read[at].text in _SUBORDINATES and subordinate is None and place.first - at <= 7:
            subordinate = at
        at -= 1
    for mention in values:
        if subordinate is not None and at < mention.first and mention.last < subordinate:
            return mention.first, mention.last
    return None


def _joined(read: Sequence[Token], place: Place, values: Sequence[Mention]) -> Span | None:
    """A second value of the same kind, joined to the gold by a comma or "and": "1947 and 1948"."""
    for mention in values:
        if mention.first > place.last:
            between, last = read[place.last + 1 : mention.first], mention.last
        else:
            between, last = read[mention.last + 1 : place.first], place.last
        if not 1 <= len(between) <= 3 or not all(token.text in _VALUE_JOINS for token in between):
            continue
        behind = read[last + 1] if last + 1 < len(read) else None
        bare = behind is None or behind.kind is Kind.PUNCT or behind.text in ("and", "or")
        measured = isinstance(mention.value, Quantity) and (mention.value.units or mention.value.year_like)
        if bare or (measured and any(token.text in ("and", "&") for token in between)):
            return mention.first, mention.last
    return None


def _listed(scene: Scene, place: Place, question: Asked) -> Span | None:
    """Another item of the bare list that the gold stands in: "Paris, London and Rome".

    Only a list that is the whole answer, or what a sentence of it says ("It is by …"), to its end. An apposition is
    no list: two items parted by a comma ("Canberra, Australia"), a place in a larger one where a place was asked, or
    an item with an article ("Gregor Mendel, an Austrian monk").
    """
    read = scene.read
    first, last = place.first, place.last
    while first > 0 and read[first - 1].text not in (".", "!", "?") and not _opens_list(scene, first - 1):
        first -= 1
    while last + 1 < len(read) and read[last + 1].text not in (".", "!", "("):
        last += 1
    if first > 0 and not read[place.first].capital:
        return None
    items, joins = _items(scene, first, last)
    if len(items) < 2 or any(_is_no_item(scene, item, place) for item in items):
        return None
    if len(items) == 2 and joins <= {",", "or"}:
        return None
    others = [item for item in items if not scene.is_gold & set(item)]
    others = [item for item in others if not all(in_question(read[at], question) for at in item)]
    if not others or len(others) == len(items) or (joins == {","} and question.place):
        return None
    return others[0][0], others[0][-1]


def _opens_list(scene: Scene, at: int) -> bool:
    return scene.read[at].text in _LIST_OPENERS and at not in scene.is_gold


def _items(scene: Scene, first: int, last: int) -> tuple[list[list[int]], set[str]]:
    items: list[list[int]] = [[]]
    joins: set[str] = set()
    for at in range(first, last + 1):
        token = scene.read[at]
        if at not in scene.is_gold and (token.text in _LIST_JOINS or _as_well_as(scene.read, at)):
            if items[-1] and at < last:
                joins.add(token.text)
                items.append([])
        elif token.text not in _ITEM_MARKS:
            items[-1].append(at)
    return [item for item in items if item], joins


def _as_well_as(read: Sequence[Token], at: int) -> bool:
    return any(
        [token.text for token in read[start : start + 3]] == ["as", "well", "as"]
        for start in range(max(at - 2, 0), at + 1)
    )


def _is_no_item(scene: Scene, item: Sequence[int], place: Place) -> bool:
    read = scene.read
    if scene.is_gold & set(item):
        beside = [at for at in item if at not in scene.is_gold]
        return len(beside) > _LONGEST_ITEM or any(read[at].text in NOT_NAMES for at in beside)
    if len(item) > _LONGEST_ITEM or read[item[0]].text in ARTICLES or any(read[at].text in NOT_NAMES for at in item):
        return True
    if not read[place.first].capital:
        return False
    return any(read[at].kind is Kind.WORD and not read[at].capital and read[at].text not in LINKS for at in item)
