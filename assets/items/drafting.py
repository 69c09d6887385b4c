"""Drafting: one question from each card, by one of several generators in rotation."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, model_validator

from assets.authoring.desk import DEFAULT_RETRY, Ask, Desk, Said
from assets.authoring.labs import lab_of
from assets.authoring.rotation import in_rotation
from assets.evidence_cards.card import Card
from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.form import tidied
from assets.items.passes.revising import card_variables, ruled, without_value
from resources.registries import ModelSpec, Prompt
from resources.types import Role

DRAFT = "draft"  # the name of the first row of an item's verdicts


class DraftReply(BaseModel):
    """The generator's question, or why the card makes none."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    question: str = Field(default="", max_length=3_000)
    answer: str = Field(default="", max_length=2_000)
    aliases: tuple[str, ...] = ()
    answer_type: str = "other"
    skip: str | None = None

    @property
    def holds_question(self) -> bool:
        return bool(self.question and self.answer)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        """A null stands for what is left out, among the aliases too."""
        if not isinstance(value, dict):
            return value
        content = {key: each for key, each in value.items() if each is not None}
        if isinstance(aliases := content.get("aliases"), list):
            content["aliases"] = [alias for alias in aliases if alias is not None]
        return content

    @model_validator(mode="after")
    def _whole(self) -> "DraftReply":
        if self.skip is None and not self.holds_question:
            raise ValueError("holds no question with its answer")
        return self


class Drafter:
    """Args:
    title: the domain's.
    """

    def __init__(self, title: str, prompt: Prompt, generators: Sequence[ModelSpec], desk: Desk) -> None:
        self._title = title
        self._renderer = prompt.renderer()
        self._stricter = str(prompt.settings.get("retry") or DEFAULT_RETRY)
        self._generators = generators
        self._desk = desk

    def draft(self, cards: Sequence[Card], former: Mapping[str, str]) -> list[Ruling]:
        """A ruling for each card: passed with its draft, failed, or waiting.

        Args:
            former: by card, the id of the generator that drafted from it before; it does so again while it can.
        """
        empty = [Draft(card, "", "") for card in cards]
        asks = [
            Ask(self._generator(draft.item_id, former), Role.DRAFT, self.text(draft), self._stricter) for draft in empty
        ]
        said = self._desk.ask(asks, DraftReply)
        return [_ruling(draft, one) for draft, one in zip(empty, said, strict=True)]

    def _generator(self, card_id: str, former: Mapping[str, str]) -> ModelSpec:
        known = next((spec for spec in self._generators if spec.id == former.get(card_id)), None)
        return known or in_rotation(card_id, self._generators)

    def text(self, draft: Draft) -> str:
        """The prompt for a card, also for a forecast."""
        return self._renderer.render(domain=self._title, **card_variables(draft))


def _ruling(draft: Draft, said: Said[DraftReply]) -> Ruling:
    if said.value is None:
        return without_value(draft, said)
    if said.value.skip or not said.value.holds_question:  # all keys may be there, `skip` empty
        return ruled(draft, Verdict.FAIL, f"no question was drafted: {said.value.skip or 'no reason given'}", said)
    made = Draft(
        card=draft.card,
        question=said.value.question,
        answer=said.value.answer,
        aliases=said.value.aliases,
        answer_type=said.value.answer_type,
        generator=said.spec.id,
        lab=lab_of(said.spec),
    )
    return ruled(tidied(made), Verdict.PASS, "drafted from its card", said)
