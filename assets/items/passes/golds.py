"""Whether an answer reaches a draft's gold: by the rules for short answers, then by the bank's judge where one is."""

from collections.abc import Sequence

from assets.authoring.desk import Desk
from assets.grades.judging import Judge
from assets.grades.match import grade_match, supports
from assets.items.item import Item
from assets.items.item_lines import fold
from assets.items.passes.draft import Draft
from resources.llm import Status
from resources.registries import ModelSpec, Prompt
from resources.types import Format, Grade

Graded = tuple[Grade | None, str]


class GoldReader:
    """Grades answers to drafts.

    What the rules find correct is correct; what they do not, a judge may still know to mean the same.
    """

    def __init__(self, desk: Desk, judge: ModelSpec | None, prompt: Prompt, endpoint: str | None) -> None:
        self._desk = desk
        self._judge = Judge(prompt, judge, endpoint) if judge else None

    def grade(self, answers: Sequence[tuple[Draft, str]]) -> list[Graded]:
        """Grade and reason of each answer; no grade where the judge has not said yet."""
        graded = [_by_rule(draft, answer) for draft, answer in answers]
        if self._judge is None:
            return graded
        for stricter in (False, True):
            open_ = [
                place
                for place, (grade, _) in enumerate(graded)
                if _may_mean_the_same(grade, graded[place][1], stricter)
            ]
            calls = [
                self._judge.call(item_of(answers[place][0]), answers[place][1], stricter=stricter) for place in open_
            ]
            for place, asked in zip(open_, self._desk.buy(calls), strict=True):
                if asked.status is not Status.COMPLETED or asked.stored is None:
                    graded[place] = (None, f"the judge {self._judge.spec.id} has not answered")
                    continue
                verdict = self._judge.read(asked.stored, stricter=stricter)
                if verdict.retry:
                    graded[place] = (None, _ASK_AGAIN)
                elif verdict.graded.grade is None:
                    graded[place] = (Grade.INCORRECT, verdict.graded.reason)
                else:
                    graded[place] = (verdict.graded.grade, verdict.graded.reason)
        return graded


_ASK_AGAIN = "the judge's reply is no label"


def _may_mean_the_same(grade: Grade | None, reason: str, stricter: bool) -> bool:
    if stricter:
        return reason == _ASK_AGAIN
    return grade is not Grade.CORRECT


def _by_rule(draft: Draft, answer: str) -> Graded:
    if not supports(draft.card.language):
        same = fold(answer) in {fold(gold) for gold in (draft.answer, *draft.aliases)}
        return (Grade.CORRECT, "the same words as the gold") if same else (Grade.INCORRECT, "other words than the gold")
    graded = grade_match(
        question=draft.question,
        gold=draft.answer,
        aliases=draft.aliases,
        answer=answer,
        language=draft.card.language,
    )
    return graded.grade, graded.reason


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
