"""Building a domain's items: as many as wanted, from the best cards first, and nothing bought or changed twice."""

import json
from dataclasses import replace

import polars as pl

from tests.support.catalogue import (
    BEACON,
    FERRY,
    GUILDS,
    ISLAND,
    KNOWN_TO_ALL,
    KNOWN_TO_ONE,
    LAMP,
    LAPSE,
    MOLE,
    MOLE_AGAIN,
    QUAY,
    SECTION,
    TIDE,
    TOLL,
)
from tests.support.facts import Fact
from tests.support.workshop import Workshop

FIFTH = replace(FERRY, quality=5)  # the card that is drafted from first


def asked(workshop: Workshop, place: str) -> list[str]:
    """Golds of the facts that were asked about in one place."""
    return [fact.answer for name, fact in workshop.author.asked if name == place]


# -- how many ----------------------------------------------------------------------------------------------------


def test_each_topic_gets_what_it_wants_and_no_card_more_is_drafted_from(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY, MOLE, BEACON, LAPSE, TOLL)
    workshop.wants(Harbours=2, Law=1)

    workshop.build()

    balance = workshop.table("topic_balance")
    assert dict(balance.select("topic", "active").iter_rows()) == {"Harbours": 2, "Law": 1}
    assert workshop.author.places()["draft"] == 3


def test_the_best_cards_are_drafted_from_first(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, MOLE, FIFTH, BEACON)

    workshop.build()

    assert asked(workshop, "draft") == ["Aldena"]


def test_what_is_dropped_is_made_up_for_by_the_next_cards(workshop: Workshop) -> None:
    workshop.document("ports", replace(GUILDS, quality=5), replace(ISLAND, quality=5), QUAY, LAMP)
    workshop.wants(Harbours=2)

    built = workshop.build().items.built

    assert workshop.statuses() == {
        "coopers, riggers and pilots": "dropped",
        "Hask": "dropped",
        "24.8": "active",
        "The Widow's Lamp": "active",
    }
    assert built.dropped_by_pass == {"form": 1, "ambiguity": 1}


def test_waves_are_as_large_as_what_is_missing(workshop: Workshop) -> None:
    workshop.bank["build"] = {"cards_per_item": 5}
    workshop.document("ports", replace(GUILDS, quality=5), QUAY, LAMP, BEACON)
    workshop.wants(Harbours=1)

    workshop.build()

    assert workshop.author.places()["draft"] == 2


def test_an_item_holds_all_that_is_known_of_it(workshop: Workshop) -> None:
    workshop.document("ports", KNOWN_TO_ONE)

    workshop.build()

    line = workshop.line(KNOWN_TO_ONE)
    assert (line.id, line.topic, line.answer_type, line.difficulty) == (line.card_id, "Harbours", "date", 0.6667)
    assert (line.source_url, line.answerable_from) == ("documents/ports.md", "1912-05")
    assert (line.split, line.status) == ("private", "active")


# -- again -------------------------------------------------------------------------------------------------------


def test_a_second_build_buys_nothing_and_changes_no_byte(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, MOLE, MOLE_AGAIN, GUILDS, KNOWN_TO_ALL, LAPSE, SECTION, TIDE)
    workshop.wants(Harbours=4, Law=2)
    workshop.build()
    requests, content = workshop.requests, workshop.items_file.read_bytes()
    balance, verdicts = workshop.table("topic_balance"), workshop.table("verdicts").drop("decided_at")

    again = workshop.build()

    assert workshop.requests == requests
    assert workshop.items_file.read_bytes() == content
    assert again.items.changed == 0
    assert workshop.table("topic_balance").equals(balance)
    assert (
        workshop.table("verdicts").drop("decided_at").sort("item_id", "step").equals(verdicts.sort("item_id", "step"))
    )


def test_a_topic_that_wants_more_gets_more_and_keeps_what_it_has(workshop: Workshop) -> None:
    workshop.document("ports", FIFTH, QUAY, LAMP)
    workshop.build()
    first = workshop.items_file.read_bytes()

    workshop.wants(Harbours=3)
    workshop.build()

    assert workshop.items_file.read_bytes().startswith(first)
    assert len(workshop.lines()) == 3


def test_a_generator_that_is_added_later_redrafts_nothing(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY, MOLE, LAMP, BEACON)
    workshop.wants(Harbours=5)
    workshop.build()
    requests, content = workshop.requests, workshop.items_file.read_bytes()

    workshop.bank["roles"]["generator"] = ["gen-two", "gen-one"]
    workshop.write()
    workshop.build()

    assert workshop.requests == requests
    assert workshop.items_file.read_bytes() == content


def test_dropped_items_stay_on_record_with_their_verdicts(workshop: Workshop) -> None:
    workshop.document("ports", ISLAND)
    workshop.build()
    workshop.build()

    assert workshop.line(ISLAND).status == "dropped"
    assert workshop.verdicts(ISLAND) == [
        ("draft", "pass"),
        ("form", "pass"),
        ("entailment", "pass"),
        ("ambiguity", "fail"),
    ]


def test_a_card_without_a_question_is_on_record_and_in_no_file(workshop: Workshop) -> None:
    workshop.document("ports", replace(QUAY, question=""))

    workshop.build()

    rows = workshop.table("verdicts").select("pass", "verdict", "question_after").rows()
    assert rows == [("draft", "fail", None)]
    assert not workshop.lines()


# -- sources that change -----------------------------------------------------------------------------------------


def test_a_changed_source_retires_only_what_it_no_longer_states(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=2)
    workshop.build()

    workshop.document("ports", QUAY)
    built = workshop.build().items.built

    assert workshop.statuses() == {"24.8": "active", "Aldena": "retired"}
    assert built.retired == [workshop.line(FERRY).id]
    assert workshop.verdicts(FERRY)[-1] == ("source", "fail")


def test_a_retired_item_keeps_its_history_and_is_retired_once(workshop: Workshop) -> None:
    workshop.document("ports", FERRY)
    workshop.document("more", QUAY)
    workshop.wants(Harbours=2)
    workshop.build()
    workshop.no_document("ports")
    workshop.build()
    history, content = workshop.verdicts(FERRY), workshop.items_file.read_bytes()

    workshop.build()

    assert history[0] == ("draft", "pass")
    assert workshop.verdicts(FERRY) == history
    assert workshop.items_file.read_bytes() == content


def test_an_item_comes_back_with_its_card(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=2)
    workshop.build()
    before = workshop.items_file.read_bytes()
    requests = workshop.requests
    workshop.document("ports", QUAY)
    workshop.build()

    workshop.document("ports", QUAY, FERRY)
    workshop.build()

    assert workshop.items_file.read_bytes() == before
    assert workshop.requests == requests


# -- beside other domains ----------------------------------------------------------------------------------------


def asked_elsewhere(workshop: Workshop, fact: Fact) -> None:
    """Another domain of the bank with an item of a person's."""
    line = {"id": "h1", "topic": "Moles", "question": fact.question, "answer": fact.answer}
    (workshop.folder / "domains" / "history.yaml").write_text("title: History\n")
    (workshop.folder / "items" / "history.jsonl").write_text(json.dumps(line) + "\n")
    workshop.write()


def test_what_another_domain_asks_is_not_asked_again(workshop: Workshop) -> None:
    asked_elsewhere(workshop, MOLE_AGAIN)
    workshop.document("ports", MOLE)

    workshop.build()

    assert workshop.line(MOLE).status == "dropped"
    row = workshop.table("verdicts").filter(pl.col("pass") == "similarity").row(0, named=True)
    assert "asks what item land.history/h1 asks" in row["reason"]


def test_an_item_that_was_here_first_is_not_dropped_for_a_later_one_elsewhere(workshop: Workshop) -> None:
    workshop.document("ports", MOLE)
    workshop.build()
    asked_elsewhere(workshop, MOLE_AGAIN)

    workshop.build()

    assert workshop.line(MOLE).status == "active"


def test_facts_of_the_catalogue_have_wordings_of_their_own() -> None:
    """Otherwise the scripted author could not tell which fact is asked for."""
    import tests.support.catalogue as catalogue

    facts = {each for each in vars(catalogue).values() if isinstance(each, Fact) and each.question}
    wordings = [wording for fact in facts for wording in fact.wordings]

    assert len(wordings) == len(set(wordings))
