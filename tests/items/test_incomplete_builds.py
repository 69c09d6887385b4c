"""A build that lacks a model, a reply, money or its own past: what cannot be decided waits, what is there stays."""

from dataclasses import replace

import polars as pl

from tests.support.author import REFUSAL, always
from tests.support.catalogue import (
    BEACON,
    FERRY,
    KNOWN_TO_TWO,
    LAMP,
    MOLE,
    MOLE_AGAIN,
    QUAY,
)
from tests.support.replies import server_error
from tests.support.workshop import Workshop


def reason(workshop: Workshop, topic: str = "Harbours") -> str | None:
    return workshop.table("topic_balance").filter(pl.col("topic") == topic)["reason"].item()


def test_a_draft_that_waits_has_no_line_and_a_later_build_asks_for_it_alone(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=2)
    workshop.author.trouble("entailment", QUAY, always(server_error()))
    built = workshop.build().items.built
    assert [(card.excerpt, name) for card, name, _ in built.waiting.values()] == [(QUAY.excerpt, "entailment")]
    assert workshop.statuses() == {"Aldena": "active"}

    workshop.author.at_ease()
    before = workshop.author.places()
    workshop.build()

    assert workshop.statuses() == {"Aldena": "active", "24.8": "active"}
    asked = workshop.author.places() - before
    assert (asked["cards"], asked["draft"], asked["form"], asked["entailment"]) == (0, 0, 0, 1)


def test_an_outage_of_the_verifier_does_not_draft_every_card(workshop: Workshop) -> None:
    workshop.bank["build"] = {"cards_per_item": 5}
    facts = (QUAY, FERRY, MOLE, BEACON, LAMP)
    workshop.document("ports", *facts)
    for fact in facts:
        workshop.author.trouble("form", fact, always(server_error()))

    workshop.build()

    assert workshop.author.places()["draft"] == 1
    assert reason(workshop) == "1 wait for form: verifier: its call failed"


def test_an_item_that_cannot_be_looked_at_again_stays_what_it_is(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.build()
    content = workshop.items_file.read_bytes()

    workshop.bank["roles"]["verifier"] = "hosted_vllm/another"
    workshop.models.append(
        workshop.model("hosted_vllm/another", "hosted_vllm/another", workshop.server.url, retries={"attempts": 1})
    )
    workshop.write()
    workshop.author.trouble("form", QUAY, always(server_error()))
    workshop.build()

    assert workshop.items_file.read_bytes() == content
    assert workshop.table("topic_balance")["active"].sum() == 1


def test_without_a_generator_the_items_stay_and_are_counted(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.wants(Harbours=1)
    workshop.build()
    content = workshop.items_file.read_bytes()

    del workshop.bank["roles"]["generator"]
    workshop.write()
    workshop.build()

    assert workshop.items_file.read_bytes() == content
    assert workshop.table("topic_balance").select("active", "short").row(0) == (1, 0)


def test_on_another_machine_without_keys_nothing_is_retired(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.wants(Harbours=1)
    workshop.build()
    content = workshop.items_file.read_bytes()

    workshop.forget()
    del workshop.bank["roles"]["generator"]
    workshop.write()
    workshop.build()

    assert workshop.items_file.read_bytes() == content
    assert workshop.table("topic_balance").select("active", "short").row(0) == (1, 0)


def test_on_another_machine_other_cards_do_not_retire_or_repeat_the_items(workshop: Workshop) -> None:
    workshop.document("ports", MOLE)
    workshop.wants(Harbours=1)
    workshop.build()
    line = workshop.line(MOLE)

    workshop.forget()
    workshop.author.facts = (MOLE_AGAIN, MOLE)
    workshop.plain_document("more", MOLE_AGAIN.excerpt)
    workshop.author.trouble("cards", MOLE, always(REFUSAL))
    workshop.wants(Harbours=2)
    workshop.build()

    assert workshop.line(MOLE) == line
    assert workshop.line(MOLE_AGAIN).status == "dropped"


def test_on_another_machine_what_stands_is_not_worded_anew(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=2)
    workshop.build()
    content = workshop.items_file.read_bytes()

    workshop.forget()
    workshop.author.facts = tuple(replace(fact, question=f"{fact.question} (anew)") for fact in (QUAY, FERRY))
    made = workshop.build()

    assert workshop.items_file.read_bytes() == content
    assert made.items.short.is_empty()


def test_over_the_cap_drafts_wait_and_nothing_is_bought_twice(workshop: Workshop) -> None:
    facts = (QUAY, FERRY, MOLE, LAMP)
    workshop.document("ports", *facts)
    workshop.wants(Harbours=4)
    cut_off = workshop.build(budget=0.006)
    bought = workshop.requests
    assert cut_off.over_budget
    assert cut_off.items.built.waiting

    whole = workshop.build()

    assert (len(whole.items.built.kept), whole.items.built.waiting) == (4, {})
    assert 0 < bought < workshop.requests
    assert max(workshop.server.asked.values()) == 1


def test_a_member_of_the_panel_that_is_missing_leaves_the_rest_to_it(workshop: Workshop) -> None:
    workshop.bank["roles"]["panel"] = ["panel-a", "openai/no-key"]
    workshop.write()
    workshop.document("ports", KNOWN_TO_TWO)

    workshop.build()

    assert workshop.line(KNOWN_TO_TWO).status == "dropped"
