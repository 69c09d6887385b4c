"""Whether an answer reaches a draft's gold: by the rules for short answers, then by the bank's judge where one is."""

from collections.abc import Sequence
from typing import NamedTuple

from assets.authoring.desk import Desk
from assets.grades.judging import Judge
from assets.grades.match import grade_match, supports
from assets.items.item import Item
from assets.items.item_lines import fold
from assets.items.passes.draft import Draft
from resources.llm import Status
from resources.registries import ModelSpec, Prompt
from resources.types import Format, Grade


class Reached(NamedTuple):
    """What an answer comes to.

    Attributes:
        grade: None where there is none; for good, or, where it `waits`, until the judge has answered.
    """

    grade: Grade | None
    reason: str
    waits: bool = False


class GoldReader:
    """Grades answers to drafts.

    What the rules find correct is correct, and who says that he does not know does not; of the rest a judge may still
    know that it means the same. A judge that gives no verdict makes no answer wrong.
    """

    def __init__(self, desk: Desk, judge: ModelSpec | None, prompt: Prompt, endpoint: str | None) -> None:
        self._desk = desk
        self._judge = Judge(prompt, judge, endpoint) if judge else None

    def grade(self, answers: Sequence[tuple[Draft, str]]) -> list[Reached]:
        """What each answer comes to."""
        reached = [_by_rule(draft, answer) for draft, answer in answers]
        if self._judge is not None:
            doubtful = [place for place, one in enumerate(reached) if one.grade in (None, Grade.INCORRECT)]
            open_ = self._judged(self._judge, answers, doubtful, reached, stricter=False)
            self._judged(self._judge, answers, open_, reached, stricter=True)
        return reached

    def _judged(
        self,
        judge: Judge,
        answers: Sequence[tuple[Draft, str]],
        places: Sequence[int],
        reached: list[Reached],
        *,
        stricter: bool,
    ) -> list[int]:
        """Puts the judge's verdicts in their places; returns those for which it has to be asked more strictly."""
        calls = [judge.call(item_of(answers[place][0]), answers[place][1], stricter=stricter) for place in places]
        again = []
        for place, asked in zip(places, self._desk.buy(calls), strict=True):
            if asked.status is not Status.COMPLETED or asked.stored is None:
                waits = asked.status is not Status.GIVEN_UP
                reached[place] = Reached(None, f"the judge {judge.spec.id} has not answered", waits)
                continue
            verdict = judge.read(asked.stored, stricter=stricter)
            reached[place] = Reached(verdict.graded.grade, verdict.graded.reason)
            if verdict.retry:
                again.append(place)
        return again


def _by_rule(draft: Draft, answer: str) -> Reached:
    if not supports(draft.card.language):
        same = fold(answer) in {fold(gold) for gold in (draft.answer, *draft.aliases)}
        if same:
            return Reached(Grade.CORRECT, "the same words as the gold")
        return Reached(Grade.INCORRECT, "other words than the gold")
    graded = grade_match(
        question=draft.question,
        gold=draft.answer,
        aliases=draft.aliases,
        answer=answer,
        language=draft.card.language,
    )
    return Reached(graded.grade, graded.reason)


def item_of(draft: Draft) -> Item:
    """The draft as it would be asked."""
    return Item(
        item_id=draft.item_id,
        topic=draft.card.topic,
        question_version="",
        answer_version="",
        format=Format.SHORT_ANSWER,
        question=draft.question,
        options=(),
        answer=draft.answer,
        aliases=draft.aliases,
        answer_type=draft.answer_type,
        language=draft.card.language,
    )
