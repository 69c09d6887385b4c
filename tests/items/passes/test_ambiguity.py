"""Ambiguity: one right answer, with all its context in the question; a revision never changes the gold."""

from assets.items.passes.draft import Verdict
from tests.support.author import with_keys
from tests.support.bad_evidence import HOSTILE
from tests.support.catalogue import ISLAND, LAPSE, QUAY
from tests.support.facts import draft_of
from tests.support.workshop import Workshop


def test_a_question_with_one_right_answer_passes(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)

    assert workshop.ruling("ambiguity", draft_of(QUAY)).verdict is Verdict.PASS


def test_context_that_the_evidence_gives_is_added(workshop: Workshop) -> None:
    workshop.author.facts = (LAPSE,)

    ruling = workshop.ruling("ambiguity", draft_of(LAPSE))

    assert ruling.verdict is Verdict.REWRITTEN
    assert ruling.draft.question == LAPSE.final()
    assert ruling.draft.answer == "18"


def test_what_no_wording_helps_is_dropped(workshop: Workshop) -> None:
    workshop.author.facts = (ISLAND,)

    assert workshop.ruling("ambiguity", draft_of(ISLAND)).verdict is Verdict.FAIL


def test_a_revision_does_not_change_the_gold(workshop: Workshop) -> None:
    workshop.author.facts = (LAPSE,)
    workshop.author.trouble("ambiguity", LAPSE, with_keys(answer="24"))

    assert workshop.ruling("ambiguity", draft_of(LAPSE)).draft.answer == "18"


def test_a_revision_of_the_gold_alone_is_none(workshop: Workshop) -> None:
    workshop.author.facts = (LAPSE,)
    workshop.author.trouble("ambiguity", LAPSE, with_keys(question=None, answer="24"))

    ruling = workshop.ruling("ambiguity", draft_of(LAPSE))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason.endswith("(a revision was asked for, and none was given)")


def test_an_order_that_the_evidence_gives_the_verifier_is_not_obeyed(workshop: Workshop) -> None:
    workshop.author.facts = (HOSTILE,)

    assert workshop.ruling("ambiguity", draft_of(HOSTILE)).verdict is Verdict.FAIL
