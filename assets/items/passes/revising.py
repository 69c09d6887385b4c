"""A pass whose criterion stands in a prompt: the verifier says pass, revise or drop, and gives the new words itself."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assets.authoring.desk import DEFAULT_RETRY, Ask, Desk, Said
from assets.authoring.labs import lab_of
from assets.authoring.replies import as_data
from assets.items.passes.draft import Draft, Ruling, Verdict
from resources.registries import ModelSpec, Prompt
from resources.types import Role

_LONGEST_REASON = 1_000


def as_word(value: object) -> object:
    """`Revise.` is the word `revise`."""
    return value.strip(" .!*\"'").lower() if isinstance(value, str) else value


def shortened(value: object) -> object:
    """A reason is for people: a long one is cut, and its length decides nothing."""
    return f"{value[:_LONGEST_REASON]}…" if isinstance(value, str) and len(value) > _LONGEST_REASON else value


class Opinion(BaseModel):
    """What the verifier says of a draft; further keys are left unread."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    verdict: Annotated[Literal["pass", "revise", "drop"], BeforeValidator(as_word)]
    reason: Annotated[str, BeforeValidator(shortened)] = ""
    question: str | None = Field(default=None, max_length=2000)
    answer: str | None = Field(default=None, max_length=500)


class RevisingPass:
    """Asks the verifier with one of the bank's prompts and carries out what it says.

    Args:
        name: of the pass, and of its prompt.
        may_change_answer: whether a revision may put the gold in other words.
        more: further variables of the prompt.
        shape: what the reply holds.
        apply: what else of the reply goes into the draft, or why the draft fails all the same.
    """

    def __init__(
        self,
        name: str,
        prompt: Prompt,
        verifier: ModelSpec,
        desk: Desk,
        *,
        may_change_answer: bool = False,
        more: Mapping[str, Any] | None = None,
        shape: type[Opinion] = Opinion,
        apply: Callable[[Draft, Any], Draft | str] = lambda draft, opinion: draft,
    ) -> None:
        self.name = name
        self._renderer = prompt.renderer()
        self._stricter = str(prompt.settings.get("retry") or DEFAULT_RETRY)
        self._verifier = verifier
        self._desk = desk
        self._may_change_answer = may_change_answer
        self._more = dict(more or {})
        self._shape = shape
        self._apply = apply

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        asks = [Ask(self._verifier, Role.VERIFY, self._text(draft), self._stricter) for draft in drafts]
        said = self._desk.ask(asks, self._shape)
        return [self._ruling(draft, one) for draft, one in zip(drafts, said, strict=True)]

    def _text(self, draft: Draft) -> str:
        return self._renderer.render(
            question=draft.question,
            answer=draft.answer,
            answer_type=draft.answer_type,
            **card_variables(draft),
            **self._more,
        )

    def _ruling(self, draft: Draft, said: Said) -> Ruling:
        if said.value is None:
            return without_value(draft, said)
        opinion: Opinion = said.value
        reason = opinion.reason or "no reason given"
        changed = self._apply(draft, opinion)
        if isinstance(changed, str):
            return ruled(draft, Verdict.FAIL, changed, said)
        if opinion.verdict == "drop":
            return ruled(draft, Verdict.FAIL, reason, said)
        if opinion.verdict == "pass":
            return ruled(changed, Verdict.PASS, reason, said)
        answer = opinion.answer if self._may_change_answer else None
        if not opinion.question and not answer:
            return ruled(draft, Verdict.FAIL, f"{reason} (a revision was asked for, and none was given)", said)
        reworded = changed.reworded(opinion.question or draft.question, answer or None)
        if (reworded.question, reworded.answer) == (draft.question, draft.answer):
            return ruled(changed, Verdict.FAIL, f"{reason} (the revision changes nothing)", said)
        return ruled(reworded, Verdict.REWRITTEN, reason, said)


def card_variables(draft: Draft) -> dict[str, Any]:
    """What prompts may know of a draft's card; nothing of it can open or close the tags around the evidence."""
    card = draft.card
    return {
        "excerpt": as_data(card.excerpt),
        "fact": as_data(card.fact),
        "about": as_data(card.about),
        "section": as_data(card.section),
        "topic": card.topic,
        "title": as_data(card.title),
        "published": card.published,
    }


def without_value(draft: Draft, said: Said) -> Ruling:
    """The ruling where a model said nothing that can be read: waiting, or failed where that is final."""
    if said.waits is not None:
        return Ruling(draft, None, f"{said.spec.id}: {said.waits}", said.spec.id, lab_of(said.spec))
    return ruled(draft, Verdict.FAIL, f"the reply of {said.spec.id}, asked twice, {said.unreadable}", said)


def ruled(draft: Draft, verdict: Verdict, reason: str, said: Said) -> Ruling:
    """A ruling that rests on what a model said."""
    at = datetime.fromtimestamp(said.answered_at, UTC) if said.answered_at else None
    return Ruling(draft, verdict, reason, said.spec.id, lab_of(said.spec), said.call_id, said.cost_usd, at)
