"""Difficulty: a panel of models from several labs answers closed-book; what all of them know is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from assets.authoring.desk import Desk
from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.golds import GoldReader, Reached, item_of
from assets.responses.asking import Asker
from resources.llm import Asked, Status
from resources.registries import ModelSpec
from resources.types import Grade, Outcome

_FINAL = (Status.COMPLETED, Status.GIVEN_UP)
_Answers = list[tuple[ModelSpec, Asked, Reached | None]]


class DifficultyPass:
    """Args:
    askers: by id of the panel's members, what asks as a sweep asks: a member that is swept later is not asked twice.
    """

    name = "difficulty"

    def __init__(self, panel: Sequence[ModelSpec], askers: Mapping[str, Asker], desk: Desk, golds: GoldReader) -> None:
        self._panel = list(panel)
        self._askers = askers
        self._desk = desk
        self._golds = golds

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        pairs = [(draft, spec) for draft in drafts for spec in self._panel]
        bought = self._desk.buy(
            [self._askers[spec.id].call(item_of(draft), sample=0, epoch=0) for draft, spec in pairs]
        )
        said = [
            (draft, asked.stored.text or "")
            for (draft, _), asked in zip(pairs, bought, strict=True)
            if asked.stored is not None and _answered(asked)
        ]
        graded = iter(self._golds.grade(said))
        answers: dict[str, _Answers] = {draft.item_id: [] for draft in drafts}
        for (draft, spec), asked in zip(pairs, bought, strict=True):
            answers[draft.item_id].append((spec, asked, next(graded) if _answered(asked) else None))
        return [_ruling(draft, answers[draft.item_id]) for draft in drafts]


def _answered(asked: Asked) -> bool:
    return asked.status is Status.COMPLETED and asked.stored is not None and asked.stored.outcome is Outcome.ANSWERED


def _ruling(draft: Draft, answers: _Answers) -> Ruling:
    missing = [
        spec.id for spec, asked, grade in answers if asked.status not in _FINAL or (grade is not None and grade.waits)
    ]
    if missing:
        return Ruling(draft, None, f"no grade yet for {', '.join(missing)}")
    read = [(spec, reached.grade) for spec, _, reached in answers if reached is not None and reached.grade is not None]
    costs = [asked.stored.cost_usd if asked.stored else None for _, asked, _ in answers]
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    at = max((asked.stored.completed_at or 0.0 for _, asked, _ in answers if asked.stored), default=0.0)
    when = datetime.fromtimestamp(at, UTC) if at else None
    if not read:
        reason = "no member of the panel gave an answer that could be graded, so its difficulty is unknown"
        return Ruling(draft, Verdict.PASS, reason, None, None, None, cost, when)
    correct = [spec.id for spec, grade in read if grade is Grade.CORRECT]
    record = ", ".join(f"{spec.id} {str(grade).replace('_', ' ')}" for spec, grade in read)
    done = replace(draft, difficulty=1 - len(correct) / len(read))
    known_to_all = len(correct) == len(answers)  # who gave nothing to grade may not know it
    verdict = Verdict.FAIL if known_to_all else Verdict.PASS
    knowing = "all of the panel" if verdict is Verdict.FAIL else f"{len(correct)} of {len(read)}"
    return Ruling(done, verdict, f"{knowing} know it: {record}", None, None, None, cost, when)
