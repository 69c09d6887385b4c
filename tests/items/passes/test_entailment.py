"""Entailment: a verifier of another lab reaches the gold from the card alone, or the item is dropped."""

from dataclasses import replace

import pytest

from assets.items.passes.draft import Verdict
from tests.support.author import BROKEN, always, at_first, reworked, with_keys
from tests.support.bad_evidence import HOSTILE
from tests.support.catalogue import CRANE, DREDGING, LAMP, MASTER_DATED, QUAY
from tests.support.facts import Fact, draft_of
from tests.support.replies import Reply, server_error
from tests.support.workshop import Workshop


@pytest.mark.parametrize("fact", [QUAY, LAMP, MASTER_DATED], ids=["another unit", "same by judge", "word for word"])
def test_a_gold_that_follows_from_its_card_passes(workshop: Workshop, fact: Fact) -> None:
    workshop.author.facts = (fact,)

    ruling = workshop.ruling("entailment", draft_of(fact))

    assert ruling.verdict is Verdict.PASS
    assert ruling.reason == f"from the card alone: {fact.derived or fact.answer}"


def test_what_the_rules_match_needs_no_judge(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)

    workshop.ruling("entailment", draft_of(QUAY))

    assert workshop.author.places() == {"entailment": 1}


def test_what_only_a_judge_knows_to_be_the_same_fails_without_one(workshop: Workshop) -> None:
    del workshop.bank["roles"]["judge"]
    workshop.write()
    workshop.author.facts = (LAMP,)

    assert workshop.ruling("entailment", draft_of(LAMP)).verdict is Verdict.FAIL


def test_a_card_that_does_not_state_the_answer_fails(workshop: Workshop) -> None:
    workshop.author.facts = (DREDGING,)

    ruling = workshop.ruling("entailment", draft_of(DREDGING))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason == "the card does not state the answer: the evidence does not say it"


def test_a_card_that_states_another_answer_fails_and_says_which(workshop: Workshop) -> None:
    workshop.author.facts = (CRANE,)

    ruling = workshop.ruling("entailment", draft_of(CRANE))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason.startswith("from the card alone: 1934; the judge said B")


def test_an_answer_as_a_number_is_read(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("entailment", QUAY, reworked(lambda text: text.replace('"24.8 metres"', "24.80")))

    assert workshop.ruling("entailment", draft_of(QUAY)).reason == "from the card alone: 24.80"


def test_the_generators_own_lab_does_not_verify(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    own = replace(draft_of(QUAY), lab="hosted_vllm/verifier")

    ruling = workshop.ruling("entailment", own)

    assert ruling.verdict is None
    assert "the verifier verifier is not known to be made by another lab" in ruling.reason
    assert workshop.requests == 0


def test_the_verdict_names_the_verifier_and_its_lab(workshop: Workshop) -> None:
    workshop.models[2]["developer"] = "Third Lab"
    workshop.write()
    workshop.author.facts = (QUAY,)

    ruling = workshop.ruling("entailment", draft_of(QUAY))

    assert (ruling.model, ruling.lab) == ("verifier", "third lab")
    assert ruling.lab != ruling.draft.lab


def test_an_order_in_the_evidence_is_not_obeyed(workshop: Workshop) -> None:
    workshop.author.facts = (HOSTILE,)

    workshop.ruling("entailment", draft_of(HOSTILE))

    prompt = workshop.server.log[0].message
    assert (prompt.count("<evidence>"), prompt.count("</evidence>")) == (1, 1)


def test_a_verifier_that_fails_leaves_the_draft_waiting(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("entailment", QUAY, always(server_error()))

    ruling = workshop.ruling("entailment", draft_of(QUAY))

    assert (ruling.verdict, ruling.reason) == (None, "verifier: its call failed")


def test_a_judge_that_fails_leaves_the_draft_waiting(workshop: Workshop) -> None:
    workshop.author.facts = (LAMP,)
    workshop.author.trouble("judge", LAMP, always(server_error()))

    ruling = workshop.ruling("entailment", draft_of(LAMP))

    assert (ruling.verdict, ruling.reason) == (None, "the judge judge has not answered")


def test_a_judge_that_gives_no_label_is_asked_again_in_stricter_words(workshop: Workshop) -> None:
    workshop.author.facts = (LAMP,)
    workshop.author.trouble("judge", LAMP, at_first(Reply(text="They mean the same.")))

    assert workshop.ruling("entailment", draft_of(LAMP)).verdict is Verdict.PASS


def test_a_judge_that_never_gives_a_label_proves_nothing(workshop: Workshop) -> None:
    workshop.author.facts = (LAMP,)
    workshop.author.trouble("judge", LAMP, always(Reply(text="They mean the same.")))

    ruling = workshop.ruling("entailment", draft_of(LAMP))

    assert ruling.verdict is Verdict.FAIL
    assert "the judge's reply is no label: 'They mean the same.'" in ruling.reason


def test_a_reply_that_cannot_be_read_twice_is_a_reason_to_drop(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("entailment", QUAY, always(BROKEN))

    ruling = workshop.ruling("entailment", draft_of(QUAY))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason.startswith("the reply of verifier, asked twice, is no valid JSON")


def test_stated_without_an_answer_fails(workshop: Workshop) -> None:
    workshop.author.facts = (QUAY,)
    workshop.author.trouble("entailment", QUAY, with_keys(answer=""))

    assert workshop.ruling("entailment", draft_of(QUAY)).verdict is Verdict.FAIL


def test_a_language_without_rules_takes_the_same_words_alone(workshop: Workshop) -> None:
    del workshop.bank["roles"]["judge"]
    workshop.write()
    workshop.author.facts = (QUAY, MASTER_DATED)

    other, same = workshop.rulings("entailment", draft_of(QUAY, language="ja"), draft_of(MASTER_DATED, language="ja"))

    assert (other.verdict, same.verdict) == (Verdict.FAIL, Verdict.PASS)
