"""Difficulty: the share of a panel that misses a question; what all of it knows is dropped."""

import pytest

from assets.items.passes.draft import Verdict
from tests.support.author import Asking, Trouble, always
from tests.support.catalogue import KNOWN_TO_ALL, KNOWN_TO_ONE, KNOWN_TO_TWO, PANEL, QUAY
from tests.support.facts import Fact, draft_of
from tests.support.replies import Reply, server_error
from tests.support.workshop import Workshop


def of_member(member: str, reply: Reply) -> Trouble:
    def troubled(asking: Asking, proper: Reply) -> Reply:
        return reply if asking.model == member else proper

    return troubled


@pytest.mark.parametrize(
    ("fact", "verdict", "difficulty"),
    [
        (KNOWN_TO_ALL, Verdict.FAIL, 0),
        (KNOWN_TO_TWO, Verdict.PASS, 1 / 3),
        (KNOWN_TO_ONE, Verdict.PASS, 2 / 3),
        (QUAY, Verdict.PASS, 1),
    ],
    ids=["all", "two", "one", "none"],
)
def test_difficulty_is_the_share_that_misses_it(
    workshop: Workshop, fact: Fact, verdict: Verdict, difficulty: float
) -> None:
    workshop.author.facts = (fact,)

    ruling = workshop.ruling("difficulty", draft_of(fact))

    assert ruling.verdict is verdict
    assert ruling.draft.difficulty == pytest.approx(difficulty)


def test_the_reason_holds_the_whole_record(workshop: Workshop) -> None:
    workshop.author.facts = (KNOWN_TO_ONE,)

    reason = workshop.ruling("difficulty", draft_of(KNOWN_TO_ONE)).reason

    assert reason == "1 of 3 know it: panel-a correct, panel-b not attempted, panel-c not attempted"


def test_the_panel_sees_question_and_topic_and_neither_gold_nor_evidence(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)

    workshop.ruling("difficulty", draft_of(QUAY))

    prompt = next(request.message for request in workshop.server.log if request.model in PANEL)
    assert QUAY.question in prompt
    assert QUAY.answer not in prompt
    assert QUAY.excerpt not in prompt


def test_a_member_that_fails_leaves_the_draft_waiting(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("answer", QUAY, of_member("panel-b", server_error()))

    ruling = workshop.ruling("difficulty", draft_of(QUAY))

    assert (ruling.verdict, ruling.reason) == (None, "no grade yet for panel-b")


def test_an_answer_whose_grade_is_missing_waits_for_the_judge(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("answer", QUAY, always(Reply(text="A hundred fathoms")))
    workshop.author.trouble("judge", QUAY, always(server_error()))

    ruling = workshop.ruling("difficulty", draft_of(QUAY))

    assert ruling.reason == "no grade yet for panel-a, panel-b, panel-c"


def test_a_judge_that_gives_no_verdict_makes_no_answer_wrong(workshop: Workshop) -> None:
    workshop.author.facts = (KNOWN_TO_TWO,)
    workshop.author.trouble("answer", KNOWN_TO_TWO, of_member("panel-c", Reply(text="A hundred fathoms")))
    workshop.author.trouble("judge", KNOWN_TO_TWO, always(Reply(text="Who can say?")))

    ruling = workshop.ruling("difficulty", draft_of(KNOWN_TO_TWO))

    assert "panel-c" not in ruling.reason
    assert ruling.draft.difficulty == 0


def test_who_does_not_know_needs_no_judge(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)

    workshop.ruling("difficulty", draft_of(QUAY))

    assert workshop.author.places()["judge"] == 0


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_an_answer_that_was_cut_off_or_filtered_counts_for_nothing(workshop: Workshop, finish: str) -> None:
    workshop.author.facts = (KNOWN_TO_ONE,)
    workshop.author.trouble("answer", KNOWN_TO_ONE, of_member("panel-c", Reply(text="", finish_reason=finish)))

    ruling = workshop.ruling("difficulty", draft_of(KNOWN_TO_ONE))

    assert ruling.draft.difficulty == pytest.approx(1 / 2)


def test_where_nobody_gives_an_answer_the_difficulty_is_unknown(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("answer", QUAY, always(Reply(text="", finish_reason="content_filter")))

    ruling = workshop.ruling("difficulty", draft_of(QUAY))

    assert (ruling.verdict, ruling.draft.difficulty) == (Verdict.PASS, None)
    assert "its difficulty is unknown" in ruling.reason


def test_without_a_judge_the_rules_grade(workshop: Workshop) -> None:
    del workshop.bank["roles"]["judge"]
    workshop.write()
    workshop.author.facts = (KNOWN_TO_TWO,)

    ruling = workshop.ruling("difficulty", draft_of(KNOWN_TO_TWO))

    assert ruling.draft.difficulty == pytest.approx(1 / 3)
    assert workshop.author.places() == {"answer": 3}
