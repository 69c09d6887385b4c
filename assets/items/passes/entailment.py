"""Entailment: a verifier of another lab than the generator answers from the card alone and must reach the gold."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from assets.authoring.desk import DEFAULT_RETRY, Ask, Desk, Said
from assets.authoring.labs import are_apart, lab_of
from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.golds import GoldReader, Reached
from assets.items.passes.revising import card_variables, ruled, shortened, without_value
from resources.registries import ModelSpec, Prompt
from resources.types import Grade, Role


class Derived(BaseModel):
    """The verifier's answer, or that the card does not state it."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    stated: bool
    answer: Annotated[str, BeforeValidator(shortened)] = ""
    reason: Annotated[str, BeforeValidator(shortened)] = ""


class EntailmentPass:
    """Args:
    golds: says whether an answer reaches a gold.
    """

    name = "entailment"

    def __init__(self, prompt: Prompt, verifier: ModelSpec, desk: Desk, golds: GoldReader) -> None:
        self._renderer = prompt.renderer()
        self._stricter = str(prompt.settings.get("retry") or DEFAULT_RETRY)
        self._verifier = verifier
        self._desk = desk
        self._golds = golds

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        fit = [draft for draft in drafts if are_apart(draft.lab, lab_of(self._verifier))]
        asks = [Ask(self._verifier, Role.VERIFY, self._text(draft), self._stricter) for draft in fit]
        said = dict(zip([draft.item_id for draft in fit], self._desk.ask(asks, Derived), strict=True))
        derived = [
            (draft, value.answer) for draft in fit if (value := said[draft.item_id].value) is not None and value.stated
        ]
        graded = self._golds.grade(derived)
        grades = dict(zip([draft.item_id for draft, _ in derived], graded, strict=True))
        return [self._ruling(draft, said.get(draft.item_id), grades.get(draft.item_id)) for draft in drafts]

    def _text(self, draft: Draft) -> str:
        return self._renderer.render(question=draft.question, **card_variables(draft))

    def _ruling(self, draft: Draft, said: Said[Derived] | None, graded: Reached | None) -> Ruling:
        if said is None:
            return Ruling(
                draft, None, f"the verifier {self._verifier.id} is not known to be made by another lab than {draft.lab}"
            )
        if said.value is None:
            return without_value(draft, said)
        if not said.value.stated or graded is None:
            reason = said.value.reason or "no reason given"
            return ruled(draft, Verdict.FAIL, f"the card does not state the answer: {reason}", said)
        if graded.waits:
            return Ruling(draft, None, graded.reason, said.spec.id, lab_of(said.spec))
        if graded.grade is Grade.CORRECT:
            return ruled(draft, Verdict.PASS, f"from the card alone: {said.value.answer}", said)
        return ruled(draft, Verdict.FAIL, f"from the card alone: {said.value.answer}; {graded.reason}", said)
