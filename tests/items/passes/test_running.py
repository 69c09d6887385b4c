"""Running the passes: in the bank's order, a rewritten draft from the start, and no more rewrites than allowed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.running import Ran, run_passes
from tests.support.author import REFUSAL, always
from tests.support.bad_evidence import HOSTILE
from tests.support.catalogue import (
    DROPPED_AS_ABOUT_THE_DOCUMENT,
    DROPPED_AS_HOPELESSLY_AMBIGUOUS,
    FERRY,
    KNOWN_TO_ALL,
    LAMP,
    MASTER_UNDATED,
    MOLE,
    MOLE_AGAIN,
    QUAY,
    REVISED_FOR_AMBIGUITY,
    REVISED_FOR_RELIANCE,
    SALVAGE,
    TOLL,
)
from tests.support.facts import Fact, draft_of
from tests.support.replies import server_error
from tests.support.workshop import Workshop

ORDER = ["form", "entailment", "ambiguity", "reliance", "temporal", "similarity", "difficulty"]


def steps(ran: Ran, fact: Fact) -> list[tuple[str, str]]:
    """Pass and verdict of each row of a fact's item, by step."""
    rows = [row for row in ran.rows if row["item_id"] == draft_of(fact).item_id]
    return [(row["pass"], row["verdict"]) for row in sorted(rows, key=lambda row: row["step"])]


def run(workshop: Workshop, *facts: Fact, revisions: int = 2) -> Ran:
    workshop.author.facts = facts
    return workshop.run(*map(draft_of, facts), revisions=revisions)


# -- the four kinds of examples that the method is published with ------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "check"),
    [(REVISED_FOR_AMBIGUITY, "ambiguity"), (REVISED_FOR_RELIANCE, "reliance")],
    ids=["ambiguity", "reliance"],
)
def test_an_item_that_can_be_mended_is_revised_and_kept(workshop: Workshop, fact: Fact, check: str) -> None:
    ran = run(workshop, fact)

    assert [(draft.question, draft.answer) for draft in ran.kept] == [(fact.final(), fact.answer)]
    assert (check, "rewritten") in steps(ran, fact)


@pytest.mark.parametrize(
    ("fact", "check"),
    [(DROPPED_AS_HOPELESSLY_AMBIGUOUS, "ambiguity"), (DROPPED_AS_ABOUT_THE_DOCUMENT, "reliance")],
    ids=["ambiguity", "reliance"],
)
def test_an_item_that_cannot_be_mended_is_dropped(workshop: Workshop, fact: Fact, check: str) -> None:
    ran = run(workshop, fact)

    assert [name for _, name in ran.dropped] == [check]
    assert steps(ran, fact)[-1] == (check, "fail")


# -- order and rewrites ------------------------------------------------------------------------------------------


def test_a_sound_item_goes_through_every_pass_in_the_banks_order(workshop: Workshop) -> None:
    assert steps(run(workshop, QUAY), QUAY) == [(name, "pass") for name in ORDER]


def test_another_order_is_kept_and_passes_left_out_are_not_run(workshop: Workshop) -> None:
    workshop.bank["passes"] = ["temporal", "form"]
    workshop.write()

    assert steps(run(workshop, QUAY), QUAY) == [("temporal", "pass"), ("form", "pass")]
    assert workshop.author.places() == {"temporal": 1, "form": 1}


def test_a_bank_without_passes_keeps_its_drafts_as_they_are(workshop: Workshop) -> None:
    workshop.bank["passes"] = []
    workshop.write()

    ran = run(workshop, QUAY)

    assert (ran.kept, ran.rows) == ([draft_of(QUAY)], [])


def test_a_rewritten_item_goes_through_from_the_start(workshop: Workshop) -> None:
    assert steps(run(workshop, MASTER_UNDATED), MASTER_UNDATED) == [
        *((name, "pass") for name in ORDER[:4]),
        ("temporal", "rewritten"),
        *((name, "pass") for name in ORDER),
    ]


def test_two_rewrites_are_allowed(workshop: Workshop) -> None:
    ran = run(workshop, TOLL)

    assert [draft.question for draft in ran.kept] == [TOLL.final()]
    assert [verdict for _, verdict in steps(ran, TOLL)].count("rewritten") == 2


def test_a_third_rewrite_drops_the_item(workshop: Workshop) -> None:
    ran = run(workshop, SALVAGE)

    assert [name for _, name in ran.dropped] == ["ambiguity"]
    assert ran.rows[-1]["reason"] == "would have to be rewritten more than 2 times: ambiguity finds fault"


def test_a_bank_may_allow_no_rewrite(workshop: Workshop) -> None:
    ran = run(workshop, REVISED_FOR_AMBIGUITY, revisions=0)

    assert [name for _, name in ran.dropped] == ["ambiguity"]


def test_a_dropped_item_is_asked_nothing_more(workshop: Workshop) -> None:
    run(workshop, DROPPED_AS_HOPELESSLY_AMBIGUOUS)

    assert workshop.author.places() == {"form": 1, "entailment": 1, "ambiguity": 1}


def test_each_row_holds_the_words_before_and_after(workshop: Workshop) -> None:
    ran = run(workshop, REVISED_FOR_AMBIGUITY)

    row = next(row for row in ran.rows if row["verdict"] == "rewritten")
    assert (row["question_before"], row["question_after"]) == (
        REVISED_FOR_AMBIGUITY.question,
        REVISED_FOR_AMBIGUITY.final(),
    )
    assert (row["answer_before"], row["answer_after"]) == ("18", "18")
    assert (row["model"], row["lab"]) == ("verifier", "hosted_vllm/verifier")
    assert row["call_id"] and row["cost_usd"] > 0


def test_one_item_in_trouble_costs_none_of_the_others(workshop: Workshop) -> None:
    workshop.author.trouble("form", QUAY, always(REFUSAL))
    workshop.author.trouble("reliance", LAMP, always(server_error()))

    ran = run(workshop, QUAY, FERRY, LAMP)

    assert [draft.answer for draft in ran.kept] == ["Aldena"]
    assert [(draft.answer, name) for draft, name in ran.dropped] == [("24.8", "form")]
    assert [(draft.answer, name) for draft, name, _ in ran.waiting] == [("The Widow's Lamp", "reliance")]


def test_an_item_that_waits_has_no_row_of_the_pass_that_it_waits_for(workshop: Workshop) -> None:
    workshop.author.trouble("ambiguity", QUAY, always(server_error()))

    ran = run(workshop, QUAY)

    assert steps(ran, QUAY) == [("form", "pass"), ("entailment", "pass")]
    assert ran.waiting[0][1:] == ("ambiguity", "verifier: its call failed")


def test_what_waited_is_asked_again_and_that_alone(workshop: Workshop) -> None:
    workshop.author.trouble("ambiguity", QUAY, always(server_error()))
    run(workshop, QUAY)
    workshop.author.at_ease()
    before = workshop.author.places()

    ran = run(workshop, QUAY)

    assert [draft.answer for draft in ran.kept] == ["24.8"]
    asked = workshop.author.places() - before
    assert asked["form"] == asked["entailment"] == 0
    assert asked["ambiguity"] == 1


def test_duplicates_meet_though_one_of_them_was_rewritten_before(workshop: Workshop) -> None:
    ran = run(workshop, MOLE, MOLE_AGAIN)

    assert [draft.item_id for draft in ran.kept] == [draft_of(MOLE).item_id]
    assert [(draft.item_id, name) for draft, name in ran.dropped] == [(draft_of(MOLE_AGAIN).item_id, "similarity")]


def test_hostile_evidence_gets_no_item_through(workshop: Workshop) -> None:
    assert [name for _, name in run(workshop, HOSTILE).dropped] == ["ambiguity"]


def test_what_the_whole_panel_knows_is_dropped_at_the_end(workshop: Workshop) -> None:
    assert steps(run(workshop, KNOWN_TO_ALL), KNOWN_TO_ALL)[-1] == ("difficulty", "fail")


@pytest.mark.parametrize(("role", "check"), [("verifier", "form"), ("panel", "difficulty")])
def test_what_nobody_can_check_waits_and_says_why(workshop: Workshop, role: str, check: str) -> None:
    del workshop.bank["roles"][role]
    workshop.write()

    ran = run(workshop, QUAY)

    assert [(name, reason.startswith(f"{role}: bank.yaml names none")) for _, name, reason in ran.waiting] == [
        (check, True)
    ]


# -- the loop itself ---------------------------------------------------------------------------------------------


@dataclass
class Scripted:
    """A pass that rules by a function and remembers what it was given together."""

    name: str
    rewrites: tuple[str, ...] = ()
    seen: list[list[str]] = field(default_factory=list)

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        self.seen.append([draft.question for draft in drafts])
        return [
            Ruling(draft.reworded(draft.question.upper()), Verdict.REWRITTEN, "louder")
            if draft.question in self.rewrites
            else Ruling(draft, Verdict.PASS, "fine")
            for draft in drafts
        ]


def test_a_pass_gets_all_drafts_that_wait_for_it_at_once_in_their_order() -> None:
    first, second = Scripted("first"), Scripted("second", ("a",))

    run_passes([draft_of(QUAY, "a"), draft_of(FERRY, "b")], [first, second], 2)

    assert first.seen == [["a", "b"], ["A"]]
    assert second.seen == [["a", "b"], ["A"]]


def test_a_rewritten_draft_catches_up_before_the_next_pass_begins() -> None:
    first, second = Scripted("first", ("a",)), Scripted("second")

    run_passes([draft_of(QUAY, "a"), draft_of(FERRY, "b")], [first, second], 2)

    assert second.seen == [["A", "b"]]
