"""Grading the answers of one night as a sweep does: by rule, or by a judge with one stricter try."""

from collections.abc import Sequence
from dataclasses import dataclass

from assets.authoring.desk import WAITS, Desk
from assets.drift.sampling import Watched
from assets.grades.graded import Graded
from assets.grades.judging import Judge
from assets.sweeps.record import graded_by_rule
from assets.sweeps.work import Workbook
from resources.installation import Installation
from resources.ledger import StoredCall
from resources.llm import Asked, Call


@dataclass(frozen=True)
class Answer:
    watched: Watched
    text: str


@dataclass(frozen=True)
class Judged:
    """A grade, or none and why.

    Attributes:
        verdicts: the judge's calls that it rests on.
        retry: the stricter call is still to be asked.
    """

    graded: Graded
    verdicts: tuple[StoredCall, ...] = ()
    retry: bool = False


def grade_answers(installation: Installation, desk: Desk, answers: Sequence[Answer]) -> list[Judged]:
    """The grade of each answer, in their order.

    A verdict's call does not depend on the night, so that one on the same words is bought once and for all.
    """
    bench = _Bench(installation)
    judged: dict[int, Judged] = {}
    for place, answer in enumerate(answers):
        target = answer.watched.target
        if target.judge is None:
            judged[place] = Judged(graded_by_rule(target.method, answer.watched.item, answer.text))
    waiting = [place for place in range(len(answers)) if place not in judged]
    for stricter in (False, True):
        asked = desk.buy([bench.call(answers[place], stricter=stricter) for place in waiting])
        for place, came in zip(waiting, asked, strict=True):
            before = judged[place].verdicts if stricter else ()
            judged[place] = bench.read(answers[place], came, before, stricter=stricter)
        waiting = [place for place in waiting if judged[place].retry]
    return [judged[place] for place in range(len(answers))]


class _Bench:
    """The judge of each partition."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._books: dict[tuple[str, str], Workbook] = {}

    def call(self, answer: Answer, *, stricter: bool) -> Call:
        book, judge = self._sitting(answer)
        return book.verdict_call(judge, answer.watched.item, answer.text, stricter=stricter)

    def read(self, answer: Answer, came: Asked, before: tuple[StoredCall, ...], *, stricter: bool) -> Judged:
        if came.stored is None:
            return Judged(Graded(None, f"no verdict: {WAITS.get(came.status, came.status)}"), before)
        verdict = self._sitting(answer)[1].read(came.stored, stricter=stricter)
        return Judged(verdict.graded, (*before, came.stored), verdict.retry)

    def _sitting(self, answer: Answer) -> tuple[Workbook, Judge]:
        target = answer.watched.target
        if target.key not in self._books:
            self._books[target.key] = Workbook(self._installation, target)
        book = self._books[target.key]
        assert book.judge is not None, "only answers that a judge grades come here"
        return book, book.judge
