"""Time: the first month in which an item could be answered, and a date in every question whose answer may change."""

from dataclasses import replace

import pytest

from assets.items.passes.draft import Verdict
from tests.support.author import with_keys
from tests.support.catalogue import BEACON, DUES, FERRY, FLEET, MASTER_DATED, MASTER_UNDATED, QUAY
from tests.support.facts import draft_of
from tests.support.workshop import Workshop


def test_a_stable_fact_passes_with_its_first_month(workshop: Workshop) -> None:
    workshop.author.facts = (FERRY,)

    ruling = workshop.ruling("temporal", draft_of(FERRY))

    assert (ruling.verdict, ruling.draft.answerable_from) == (Verdict.PASS, "1888-01")


def test_a_changing_fact_passes_with_a_date_in_its_question(workshop: Workshop) -> None:
    workshop.author.facts = (MASTER_DATED,)

    ruling = workshop.ruling("temporal", draft_of(MASTER_DATED))

    assert (ruling.verdict, ruling.draft.answerable_from) == (Verdict.PASS, "2022-09")


def test_a_changing_fact_is_given_the_date_that_the_evidence_has(workshop: Workshop) -> None:
    workshop.author.facts = (MASTER_UNDATED,)

    ruling = workshop.ruling("temporal", draft_of(MASTER_UNDATED))

    assert ruling.verdict is Verdict.REWRITTEN
    assert (
        ruling.draft.question == "Who was the harbour master of Sund in Varnland as of June 2023? Give the full name."
    )


def test_a_changing_fact_without_any_date_is_dropped(workshop: Workshop) -> None:
    workshop.author.facts = (DUES,)

    assert workshop.ruling("temporal", draft_of(DUES)).verdict is Verdict.FAIL


def test_a_changing_fact_that_the_verifier_lets_through_undated_is_dropped_by_rule(workshop: Workshop) -> None:
    workshop.author.facts = (FLEET,)

    ruling = workshop.ruling("temporal", draft_of(FLEET))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason == (
        "the answer may change, and the question carries no date as of which it is asked: temporal finds nothing"
    )


def test_a_revision_that_still_carries_no_date_is_dropped_by_rule(workshop: Workshop) -> None:
    workshop.author.facts = (MASTER_UNDATED,)
    workshop.author.trouble("temporal", MASTER_UNDATED, with_keys(question="Who is harbour master of Sund now?"))

    assert workshop.ruling("temporal", draft_of(MASTER_UNDATED)).verdict is Verdict.FAIL


@pytest.mark.parametrize(("words", "verdict"), [("its 4500 tons", Verdict.FAIL), ("1840", Verdict.REWRITTEN)])
def test_a_number_that_is_no_year_is_no_date(workshop: Workshop, words: str, verdict: Verdict) -> None:
    question = f"Who was harbour master of Sund at {words}?"
    workshop.author.facts = (MASTER_UNDATED,)
    workshop.author.trouble("temporal", MASTER_UNDATED, with_keys(question=question))

    assert workshop.ruling("temporal", draft_of(MASTER_UNDATED)).verdict is verdict


def test_what_nobody_calls_stable_is_taken_for_changing(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("temporal", QUAY, with_keys(stability="changing"))

    assert workshop.ruling("temporal", draft_of(QUAY)).verdict is Verdict.FAIL


@pytest.mark.parametrize("month", ["2999-01", "1912", "May 1912", "1912-13", None, 1912])
def test_what_is_no_month_that_has_been_is_the_month_of_the_source(workshop: Workshop, month: object) -> None:
    workshop.author.facts = (BEACON,)
    workshop.author.trouble("temporal", BEACON, with_keys(answerable_from=month))

    ruling = workshop.ruling("temporal", draft_of(BEACON, published="2019-03-07"))

    assert (ruling.verdict, ruling.draft.answerable_from) == (Verdict.PASS, "2019-03")


@pytest.mark.parametrize("published", [None, "2019", "2999-01-01"])
def test_a_source_that_is_dated_by_the_year_or_not_yet_out_tells_no_month(
    workshop: Workshop, published: str | None
) -> None:
    workshop.author.facts = (BEACON,)

    assert workshop.ruling("temporal", draft_of(BEACON, published=published)).draft.answerable_from is None


def test_a_month_of_an_earlier_round_is_replaced(workshop: Workshop) -> None:
    workshop.author.facts = (FERRY,)

    ruling = workshop.ruling("temporal", replace(draft_of(FERRY), answerable_from="2020-01"))

    assert ruling.draft.answerable_from == "1888-01"
