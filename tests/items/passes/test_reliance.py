"""Source reliance: about the subject, never about a document; provisions are the subject where a domain says so."""

import pytest

from assets.items.passes.draft import Verdict
from tests.support.catalogue import LAPSE, PAGE, PUBLISHER, QUAY, SECTION, TIDE
from tests.support.facts import Fact, draft_of
from tests.support.workshop import Workshop


@pytest.mark.parametrize("fact", [QUAY, LAPSE], ids=["a length", "a named act"])
def test_a_question_about_the_subject_passes(workshop: Workshop, fact: Fact) -> None:
    workshop.author.facts = (fact,)

    assert workshop.ruling("reliance", draft_of(fact)).verdict is Verdict.PASS


@pytest.mark.parametrize("fact", [PUBLISHER, PAGE], ids=["who published it", "on which page"])
def test_a_gold_about_the_document_is_dropped(workshop: Workshop, fact: Fact) -> None:
    workshop.author.facts = (fact,)

    assert workshop.ruling("reliance", draft_of(fact)).verdict is Verdict.FAIL


def test_a_question_that_leans_on_an_example_is_asked_without_it(workshop: Workshop) -> None:
    workshop.author.facts = (TIDE,)

    ruling = workshop.ruling("reliance", draft_of(TIDE))

    assert ruling.verdict is Verdict.REWRITTEN
    assert ruling.draft.question == TIDE.final()
    assert ruling.draft.answer == "3.2"


@pytest.mark.parametrize(("provisions", "verdict"), [(True, Verdict.PASS), (False, Verdict.FAIL)])
def test_a_section_number_is_the_subject_where_the_domain_says_so(
    workshop: Workshop, provisions: bool, verdict: Verdict
) -> None:
    workshop.domain["provisions"] = provisions
    workshop.write()
    workshop.author.facts = (SECTION,)

    assert workshop.ruling("reliance", draft_of(SECTION)).verdict is verdict


def test_provisions_do_not_excuse_a_page_number(workshop: Workshop) -> None:
    workshop.domain["provisions"] = True
    workshop.write()
    workshop.author.facts = (PAGE,)

    assert workshop.ruling("reliance", draft_of(PAGE)).verdict is Verdict.FAIL
