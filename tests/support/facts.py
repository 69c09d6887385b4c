"""Facts for the scripted author: what a passage states, what is drafted from it, and what is wrong with that.

Product code sees a fact's sentences and the words that models say of it, never the fact itself.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from assets.evidence_cards.card import Card, card_id_of
from assets.items.passes.draft import Draft

GENERATOR = "gen-one"


@dataclass(frozen=True)
class Flaw:
    """What a pass finds in one wording of a question.

    Attributes:
        check: the pass.
        question: the wording.
        cue: words of the prompt's criterion; a verifier that does not read them finds nothing.
        revised: the wording proposed; None where nothing helps.
        revised_answer: the gold proposed.
        unless: words of the prompt that allow it.
    """

    check: str
    question: str
    cue: str
    revised: str | None = None
    revised_answer: str | None = None
    unless: str | None = None


@dataclass(frozen=True)
class Fact:
    """One fact of a fictional land, as the models that build a bank know it.

    Attributes:
        excerpt: the sentences as they stand in the document.
        copied: the excerpt as the generator copies it, where it is not faithful.
        filed_under: the topic that the generator names, where it is another.
        derived: what the verifier reads from the evidence; None where it is the gold, if that stands there.
        same: answers that only a judge knows to mean the gold.
        known_to: members of the panel who know it.
        month: first month in which it could be known.
        changing: whether its answer may change.
    """

    excerpt: str
    question: str = ""
    answer: str = ""
    topic: str = "Harbours"
    aliases: tuple[str, ...] = ()
    answer_type: str = "other"
    quality: Any = 4
    flaws: tuple[Flaw, ...] = ()
    copied: str | None = None
    filed_under: str | None = None
    derived: str | None = None
    same: tuple[str, ...] = ()
    known_to: tuple[str, ...] = ()
    month: str | None = "1912-05"
    changing: bool = False

    @property
    def wordings(self) -> set[str]:
        """Every wording that its question may take."""
        return {self.question, *(flaw.revised for flaw in self.flaws if flaw.revised)}

    @property
    def golds(self) -> set[str]:
        return {self.answer, *(flaw.revised_answer for flaw in self.flaws if flaw.revised_answer)}

    def final(self) -> str:
        """The wording after all revisions."""
        wording = self.question
        for flaw in self.flaws:
            if flaw.question == wording and flaw.revised:
                wording = flaw.revised
        return wording


def card_of(fact: Fact, published: str | None = None, **more: Any) -> Card:
    """The card of a fact, as a build would have made it."""
    fields: dict[str, Any] = {
        "card_id": card_id_of("land.ports", "documents/ports.md", fact.excerpt),
        "source_id": "source",
        "topic": fact.topic,
        "excerpt": fact.excerpt,
        "fact": fact.excerpt,
        "about": "Varnland",
        "quality": 4,
        "section": "Ports",
        "title": "Ports of Varnland",
        "language": "en",
        "published": published,
        "published_day": date.fromisoformat((published + "-01-01")[:10]) if published else None,
        "source_url": "documents/ports.md",
    }
    return Card(**fields | more)


def draft_of(fact: Fact, question: str | None = None, **card: Any) -> Draft:
    """The draft of a fact by the first generator."""
    return Draft(
        card_of(fact, **card),
        question or fact.question,
        fact.answer,
        fact.aliases,
        fact.answer_type,
        generator=GENERATOR,
        lab="openai",
    )
