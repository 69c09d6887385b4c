"""What goes through the passes and what they decide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from assets.evidence_cards.card import Card


class Verdict(StrEnum):
    """What a pass decided; a draft that it could not decide yet has no verdict."""

    PASS = "pass"
    FAIL = "fail"
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class Draft:
    """An item on its way; its id is its card's.

    Attributes:
        answerable_from: first month in which it could be answered, YYYY-MM.
        difficulty: share of the panel that missed it.
        generator: id of the model that drafted it, `lab` who made that model.
    """

    card: Card
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    answer_type: str = "other"
    answerable_from: str | None = None
    difficulty: float | None = None
    generator: str = ""
    lab: str = ""

    @property
    def item_id(self) -> str:
        return self.card.card_id

    def reworded(self, question: str, answer: str | None = None) -> "Draft":
        """The draft with other words; aliases of another gold do not hold any more."""
        if answer is None or answer == self.answer:
            return replace(self, question=question)
        return replace(self, question=question, answer=answer, aliases=())


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a pass decided about one draft.

    Attributes:
        draft: as it leaves the pass.
        verdict: None while it waits; `reason` says for what then.
        model: id of the model that decided; None for a rule.
        cost_usd: None when a price is unknown.
    """

    draft: Draft
    verdict: Verdict | None
    reason: str
    model: str | None = None
    lab: str | None = None
    call_id: str | None = None
    cost_usd: float | None = 0.0
    decided_at: datetime | None = None


class Pass(Protocol):
    """One quality check.

    Attributes:
        name: as bank.yaml's `passes:` names it.
    """

    name: str

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        """A ruling for each draft, in their order."""
        ...
