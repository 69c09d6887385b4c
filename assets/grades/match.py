"""The deterministic grader for short answers, used where no judge is configured. English only; it never says partial.

Reading text, numbers and abstentions belongs in the modules it imports; what a judge model says, in `verdict`.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from assets.grades.abstention import abstention
from assets.grades.asked import Asked, asked
from assets.grades.contest import competing
from assets.grades.folding import Kind, clean
from assets.grades.golds import Answer, Gold, answer_of, gold_of, places
from assets.grades.graded import Graded
from assets.grades.sameness import converted, same, same_kind
from assets.grades.standing import Place, Scene, Standing, standing
from assets.grades.values import Mention
from resources.types import Grade

_AROUND_SYMBOLS = "\"'. "


def supports(language: str) -> bool:
    """Whether `match` has rules for a language, given as a BCP 47 tag ("en", "en-US")."""
    return language.replace("_", "-").split("-")[0].strip().lower() == "en"


def grade_match(*, question: str, gold: str, aliases: Sequence[str], answer: str, language: str) -> Graded:
    """Grade one short answer by rules.

    Args:
        question: the question as asked; its own numbers and words contradict nothing.
        gold: the expected answer.
        aliases: other wordings of it.
        answer: what the model said.
        language: BCP 47 tag of question and answer.

    Returns:
        correct, incorrect or not attempted with the rule that fired; no grade for a language without rules.
    """
    if not supports(language):
        return Graded(None, f"match has no rules for the language “{language}”; configure a judge")
    read = answer_of(answer)
    context = asked(question)
    golds = _golds(question, (gold, *aliases))
    if not any(token.kind is not Kind.PUNCT for token in read.read):
        return _symbols(read, golds)
    named = [(one, place) for one in golds for place in places(one, read, context)]
    said = abstention(_without_gold(read, golds, named))
    if said is not None:
        return Graded(Grade.NOT_ATTEMPTED, f"abstention: “{said[:80]}”")
    if not named:
        return Graded(Grade.INCORRECT, f"neither the gold nor an alias stands in the answer: “{gold}”")
    return _stand(read, golds, named, context)


@lru_cache(maxsize=4096)
def _golds(question: str, golds: tuple[str, ...]) -> tuple[Gold, ...]:
    """An item's golds, kept as its question is: every model's answer to it is graded by them."""
    context = asked(question)
    return tuple(gold_of(text, context) for text in golds if text.strip())


def _symbols(answer: Answer, golds: Sequence[Gold]) -> Graded:
    """Answers without a letter or digit: nothing, unless the gold has none either (an operator, an emoji)."""
    said = answer.cleaned.strip()
    for one in golds:
        symbols = not any(letter.isalnum() for letter in one.text)
        if said and symbols and said.strip(_AROUND_SYMBOLS) == one.text.strip(_AROUND_SYMBOLS):
            return Graded(Grade.CORRECT, f"the gold is the answer: “{one.text}”")
    return Graded(Grade.NOT_ATTEMPTED, "abstention: empty text" if not said else "abstention: punctuation only")


def _without_gold(answer: Answer, golds: Sequence[Gold], named: Sequence[tuple[Gold, Place]]) -> str:
    """The answer with the golds left out that would themselves read as an abstention ("unknown")."""
    abstaining = [one for one in golds if abstention(one.text) is not None]
    if not abstaining:
        return answer.cleaned
    covered = {at for one, place in named if one in abstaining for at in range(place.first, place.last + 1)}
    kept = [("gold" if at in covered else token.raw) for at, token in enumerate(answer.read)]
    return clean(" ".join(kept))


def _stand(answer: Answer, golds: Sequence[Gold], named: Sequence[tuple[Gold, Place]], question: Asked) -> Graded:
    """Whether an answer that names the gold asserts it, and nothing else in its slot."""
    is_gold = frozenset(at for _, place in named for at in range(place.first, place.last + 1))
    others = _other_values(answer, golds, is_gold)
    other_tokens = frozenset(at for mention in others for at in range(mention.first, mention.last + 1))
    denied: Place | None = None
    asserted: tuple[Gold, Place, Scene] | None = None
    several: Place | None = None
    for one, place in sorted(named, key=lambda pair: (pair[1].first, -pair[1].last)):
        scene = Scene(answer.read, is_gold, other_tokens if one.value is not None else None, question.denying)
        stands = standing(scene, place)
        if stands is Standing.DENIED:
            denied = place
        elif stands is Standing.ONE_OF_SEVERAL:
            several = several or (place if asserted is None else None)
        elif asserted is None or (denied is not None and asserted[1].first < denied.first):
            asserted = (one, place, scene)
    if several is not None and (asserted is None or not _declares(answer, asserted[1])):
        return Graded(Grade.INCORRECT, f"names the gold as one of several: “{_around(answer, several)}”")
    if denied is not None and (asserted is None or (denied.first > asserted[1].first and _takes_back(answer, denied))):
        return Graded(Grade.INCORRECT, f"denies the gold: “{_around(answer, denied)}”")
    assert asserted is not None
    one, place, scene = asserted
    beside = [mention for mention in others if not _stands_in_question(mention, question)]
    if span := competing(scene, place, beside, question):
        other = " ".join(token.raw for token in answer.read[span[0] : span[1] + 1])
        return Graded(Grade.INCORRECT, f"asserts a competing value: {other}")
    return Graded(Grade.CORRECT, f"the gold stands in the answer: “{one.text}”")


def _other_values(answer: Answer, golds: Sequence[Gold], is_gold: Collection[int]) -> list[Mention]:
    """The values of the gold's kind that are not the gold, nor the gold in another unit."""
    values = [one.value for one in golds if one.value is not None]
    return [
        mention
        for mention in answer.values
        if mention.value is not None
        and mention.first not in is_gold
        and any(same_kind(value, mention.value) for value in values)
        and not any(converted(value, mention.value) for value in values)
    ]


def _stands_in_question(mention: Mention, question: Asked) -> bool:
    return mention.value is not None and any(same(value, mention.value, question) for value in question.values)


def _declares(answer: Answer, place: Place) -> bool:
    """Whether the gold stands behind words that settle it: "the answer is", "I would say", "most likely"."""
    before = {token.text for token in answer.read[max(place.first - 5, 0) : place.first]}
    return bool(before & {"answer", "say", "choose", "pick", "go", "likely", "probably", "final", "guess"})


def _takes_back(answer: Answer, place: Place) -> bool:
    """Whether "not" stands right before the gold."""
    return any(token.text in ("not", "isnt", "wasnt") for token in answer.read[max(place.first - 2, 0) : place.first])


def _around(answer: Answer, place: Place) -> str:
    return " ".join(token.raw for token in answer.read[max(place.first - 4, 0) : place.last + 5]).replace("\n", " ")
