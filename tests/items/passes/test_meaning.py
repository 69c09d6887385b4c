"""Similarity by meaning: where gold, numbers, names and terms agree, an embedder tells what is one."""

from dataclasses import replace

import pytest

from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.similarity import Posed, SimilarityIndex
from tests.support.catalogue import QUAY
from tests.support.facts import draft_of
from tests.support.replies import Reply, Request, server_error
from tests.support.workshop import Workshop

ONE = "In which year did the Ostrel lighthouse first get visitors?"
OTHER = "Since what year have people been able to see the Ostrel lighthouse for the first time?"
NEAR, FAR = (0.6, 0.8), (0.8, -0.6)


def draft(id: str, question: str, answer: str = "1890") -> Draft:
    made = draft_of(QUAY)
    return replace(made, card=replace(made.card, card_id=id), question=question, answer=answer, aliases=())


def rulings(workshop: Workshop, vector: tuple[float, float], *drafts: Draft) -> list[Ruling]:
    """What the pass says when OTHER has this vector, and ONE points along (0.6, 0.8)."""
    workshop.models.append(
        workshop.model("embedder", "openai/embedder", workshop.server.url, params={}, api_key_env="GENERATOR_KEY")
    )
    workshop.bank["roles"]["embedder"] = "embedder"
    workshop.write()

    def script(request: Request) -> Reply:
        return Reply(vector=vector if request.message == OTHER else NEAR)

    workshop.server.script = script
    return workshop.rulings("similarity", *drafts)


def test_words_alone_do_not_tell_that_they_are_one() -> None:
    index = SimilarityIndex([Posed("a", ONE, "1890")])

    assert index.duplicate_of(Posed("b", OTHER, "1890")) is None
    assert [each.id for each in index.agreeing(Posed("b", OTHER, "1890"))] == ["a"]


def test_what_means_the_same_is_dropped(workshop: Workshop) -> None:
    first, second = rulings(workshop, NEAR, draft("a", ONE), draft("b", OTHER))

    assert (first.verdict, second.verdict) == (Verdict.PASS, Verdict.FAIL)
    assert second.reason == (f"asks what item a asks (gold, numbers and names agree, likeness 1.00): {ONE}")
    assert second.model == "embedder"


def test_what_means_something_else_stays(workshop: Workshop) -> None:
    _, second = rulings(workshop, FAR, draft("a", ONE), draft("b", OTHER))

    assert (second.verdict, second.reason) == (Verdict.PASS, "nothing else asks this; the nearest at 0.00")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (OTHER, "1891"),
        (OTHER.replace("Ostrel", "Brae"), "1890"),
        (OTHER.replace("lighthouse", "granary"), "1890"),
        (OTHER.replace("first", "last"), "1890"),
        (OTHER.replace("people", "12 people"), "1890"),
    ],
    ids=["gold", "name", "term", "opposite", "number"],
)
def test_nobody_is_asked_where_something_that_tells_differs(workshop: Workshop, question: str, answer: str) -> None:
    _, second = rulings(workshop, NEAR, draft("a", ONE), draft("b", question, answer))

    assert second.verdict is Verdict.PASS
    assert workshop.requests == 0


def test_an_embedder_that_fails_leaves_the_draft_waiting(workshop: Workshop) -> None:
    rulings(workshop, NEAR, draft("c", "Which port lies on the Brae?", "Ostrel"))
    workshop.server.script = lambda request: server_error()

    first, second = workshop.rulings("similarity", draft("a", ONE), draft("b", OTHER))

    assert (first.verdict, second.verdict) == (Verdict.PASS, None)
    assert second.reason == "embedder has not read it yet"
