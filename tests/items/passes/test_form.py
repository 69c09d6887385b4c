"""Form: rules in code first, then a reader for what only a reader can tell."""

from dataclasses import replace

import pytest

from assets.items.passes.draft import Verdict
from assets.items.passes.form import form_fault, gold_in_question
from tests.support.author import with_keys
from tests.support.catalogue import ENGINEER, FORMAT, GUILDS, MOLE, QUAY
from tests.support.facts import draft_of
from tests.support.workshop import Workshop


def test_a_sound_form_passes(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)

    ruling = workshop.ruling("form", draft_of(QUAY))

    assert (ruling.verdict, ruling.draft.question, ruling.model) == (Verdict.PASS, QUAY.question, "verifier")


def test_a_question_that_states_no_format_is_revised(workshop: Workshop) -> None:
    workshop.author.facts = (MOLE,)

    ruling = workshop.ruling("form", draft_of(MOLE))

    assert ruling.verdict is Verdict.REWRITTEN
    assert ruling.draft.question == "On which day, month and year was the outer mole of Ostrel in Varnland finished?"
    assert ruling.draft.answer == MOLE.answer


def test_a_gold_in_a_sentence_is_put_in_a_word_and_loses_its_aliases(workshop: Workshop) -> None:
    workshop.author.facts = (ENGINEER,)

    ruling = workshop.ruling("form", draft_of(ENGINEER))

    assert (ruling.verdict, ruling.draft.answer, ruling.draft.aliases) == (Verdict.REWRITTEN, "Ilva Roth", ())


def test_a_list_is_dropped(workshop: Workshop) -> None:
    workshop.author.facts = (GUILDS,)

    assert workshop.ruling("form", draft_of(GUILDS)).verdict is Verdict.FAIL


def test_a_revision_that_changes_nothing_is_dropped(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("form", QUAY, with_keys(verdict="revise", question=QUAY.question, answer=QUAY.answer))

    ruling = workshop.ruling("form", draft_of(QUAY))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason == "form finds nothing (the revision changes nothing)"


def test_a_revision_without_words_is_dropped(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("form", QUAY, with_keys(verdict="Revise"))

    ruling = workshop.ruling("form", draft_of(QUAY))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason == "form finds nothing (a revision was asked for, and none was given)"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("unknown", "'unknown' is no answer to look up"),
        ("Yes.", "'Yes.' is no answer to look up"),
        ("...", "'...' is no answer to look up"),
        ("one\ntwo", "the answer is long: 2 words; 14 at most"),
        ("word " * 15, "the answer is long: 15 words; 14 at most"),
        ("x" * 121, "the answer is long: 1 words; 14 at most"),
    ],
)
def test_golds_that_no_words_mend(answer: str, reason: str) -> None:
    assert form_fault(replace(draft_of(QUAY), answer=answer)) == reason


@pytest.mark.parametrize("answer", ["24.8", "C++", "§ 14", "+", "4 May 1912", "∅"])
def test_golds_that_may_be_looked_up(answer: str) -> None:
    assert form_fault(replace(draft_of(QUAY), answer=answer)) is None


@pytest.mark.parametrize(
    "question",
    [
        "According to the text, how long is the quay of Ostrel?",
        "As stated in the document, how long is the quay of Ostrel?",
        "How long is the quay of Ostrel in the given example?",
        "How long is the quay that this passage describes?",
        "How long is the quay of Ostrel, as shown in Figure 3?",
        "How long is the quay mentioned above, in metres?",
    ],
)
def test_a_question_that_leans_on_a_document_is_dropped_without_asking(workshop: Workshop, question: str) -> None:
    ruling = workshop.ruling("form", draft_of(QUAY, question))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason.startswith("the question leans on a document: “")
    assert workshop.requests == 0


@pytest.mark.parametrize(
    "question",
    [
        "Which author in the field of harbour law drafted Varnland's Pilotage Act 1931?",
        "On what is the table of tides at Ostrel based, by name of the gauge?",
        "Which text is carved on the gate of Ostrel in Varnland?",
    ],
)
def test_a_subject_that_is_a_text_or_a_table_is_no_fault(question: str) -> None:
    assert form_fault(draft_of(QUAY, question)) is None


@pytest.mark.parametrize(("question", "length"), [("How long?", 9), ("How long is it? " * 40, 639)])
def test_questions_have_bounds(question: str, length: int) -> None:
    fault = form_fault(draft_of(QUAY, question))

    assert fault == f"the question has {length} characters; 15 to 600 are asked"


@pytest.mark.parametrize(
    ("question", "golds", "held"),
    [
        ("In which year was the mole of 1912 finished?", ("1912",), True),
        ("Who, if not ILVA  ROTH, drew it?", ("Ilva Roth",), True),
        ("Who drew the Rothenburg bridge?", ("Roth",), False),
        ("Which 2 piers stand?", ("2",), False),
        ("Which engineer is called I. Roth?", ("Ilva Roth", "I. Roth"), True),
    ],
)
def test_whether_a_question_holds_its_own_answer(question: str, golds: tuple[str, ...], held: bool) -> None:
    assert gold_in_question(question, golds) is held


def test_a_draft_with_a_fault_is_not_sent_and_the_others_are(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY, MOLE)

    bad, good = workshop.rulings("form", replace(draft_of(MOLE), answer="n/a"), draft_of(QUAY))

    assert (bad.verdict, bad.model) == (Verdict.FAIL, None)
    assert good.verdict is Verdict.PASS
    assert workshop.requests == 1


def test_the_format_is_missed_only_where_the_prompt_asks_for_it(workshop: Workshop) -> None:
    workshop.author.facts = (MOLE,)
    workshop.without_criterion("form", FORMAT)

    assert workshop.ruling("form", draft_of(MOLE)).verdict is Verdict.PASS
