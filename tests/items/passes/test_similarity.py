"""Similarity: of items that ask the same, the first stays."""

from assets.items.passes.draft import Draft, Verdict
from assets.items.passes.similarity import SimilarityPass
from assets.items.similarity import Posed
from tests.support.catalogue import MOLE, MOLE_AGAIN, QUAY
from tests.support.facts import draft_of

FIRST = draft_of(MOLE, MOLE.final())
AGAIN = draft_of(MOLE_AGAIN)


def posed(draft: Draft, id: str) -> Posed:
    return Posed(id, draft.question, draft.answer, draft.aliases)


def test_what_nothing_else_asks_passes() -> None:
    rulings = SimilarityPass([], {}).rule([FIRST, draft_of(QUAY)])

    assert [ruling.verdict for ruling in rulings] == [Verdict.PASS, Verdict.PASS]


def test_a_duplicate_in_other_words_is_dropped_and_names_the_first() -> None:
    first, again = SimilarityPass([], {}).rule([FIRST, AGAIN])

    assert (first.verdict, again.verdict) == (Verdict.PASS, Verdict.FAIL)
    assert again.reason.startswith(f"asks what item {FIRST.item_id} asks (")
    assert again.reason.endswith(FIRST.question)


def test_a_later_wave_is_compared_with_the_earlier_ones() -> None:
    check = SimilarityPass([], {})
    check.rule([FIRST])

    assert check.rule([AGAIN])[0].verdict is Verdict.FAIL


def test_a_draft_is_no_duplicate_of_itself_in_earlier_words() -> None:
    check = SimilarityPass([], {})
    check.rule([draft_of(MOLE, "On which day, month and year was Ostrel's outer mole in Varnland finished?")])

    assert check.rule([FIRST])[0].verdict is Verdict.PASS


def test_what_stands_elsewhere_is_not_asked_again() -> None:
    (ruling,) = SimilarityPass([posed(AGAIN, "other.domain/x1")], {}).rule([FIRST])

    assert ruling.verdict is Verdict.FAIL
    assert "asks what item other.domain/x1 asks" in ruling.reason


def test_an_item_that_was_here_first_outlives_a_later_one_elsewhere() -> None:
    check = SimilarityPass([posed(AGAIN, "other.domain/x1")], {FIRST.item_id: FIRST.question})

    assert check.rule([FIRST])[0].verdict is Verdict.PASS


def test_an_item_that_was_reworded_was_not_here_first() -> None:
    check = SimilarityPass([posed(AGAIN, "other.domain/x1")], {FIRST.item_id: "When was it finished?"})

    assert check.rule([FIRST])[0].verdict is Verdict.FAIL


def test_another_gold_is_another_question() -> None:
    same_words = draft_of(QUAY, FIRST.question)

    assert SimilarityPass([posed(FIRST, "x")], {}).rule([same_words])[0].verdict is Verdict.PASS
