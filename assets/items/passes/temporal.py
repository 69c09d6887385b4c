"""Time: the first month in which an item could be answered, and a date in every question whose answer may change."""

import re
from dataclasses import replace
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from assets.authoring.desk import Desk
from assets.items.passes.draft import Draft
from assets.items.passes.revising import Opinion, RevisingPass, as_word
from resources.registries import ModelSpec, Prompt

_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d{2}\b")


class TimedOpinion(Opinion):
    """The verifier's opinion with the two things that the pass is about."""

    answerable_from: str | None = Field(default=None, max_length=40)
    stability: Annotated[Literal["stable", "changing"], BeforeValidator(as_word)] = "changing"


def temporal_pass(prompt: Prompt, verifier: ModelSpec, desk: Desk, today: date) -> RevisingPass:
    """The pass.

    A changing fact whose question names no year fails, whatever the verifier says of it: the rule is code.

    Args:
        today: a month after it is no month in which anything could be known.
    """

    def apply(draft: Draft, opinion: TimedOpinion) -> Draft | str:
        question = (opinion.question if opinion.verdict == "revise" else None) or draft.question
        if opinion.verdict != "drop" and opinion.stability == "changing" and not _YEAR.search(question):
            return f"the answer may change, and the question carries no date as of which it is asked: {opinion.reason}"
        month = opinion.answerable_from
        known = month and _MONTH.fullmatch(month) and month <= f"{today:%Y-%m}"
        return replace(draft, answerable_from=month if known else _latest(draft, today))

    return RevisingPass("temporal", prompt, verifier, desk, shape=TimedOpinion, apply=apply)


def _latest(draft: Draft, today: date) -> str | None:
    """The month of the source: by then it was known."""
    day = draft.card.published_day
    return f"{day:%Y-%m}" if day and day <= today and draft.card.published and len(draft.card.published) >= 7 else None
