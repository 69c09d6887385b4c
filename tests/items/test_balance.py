"""Balance: why items of a topic are missing, for a person who has to do something about it."""

import polars as pl

from tests.support.author import always
from tests.support.catalogue import (
    GUILDS,
    ISLAND,
    KNOWN_TO_ALL,
    QUAY,
)
from tests.support.replies import server_error
from tests.support.workshop import Workshop


def reason(workshop: Workshop, topic: str = "Harbours") -> str | None:
    return workshop.table("topic_balance").filter(pl.col("topic") == topic)["reason"].item()


def test_the_balance_says_what_became_of_the_cards(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, ISLAND, GUILDS, KNOWN_TO_ALL)
    workshop.wants(Harbours=3)

    made = workshop.build().items

    assert made.short.select("topic", "target", "active").rows() == [("Harbours", 3, 1)]
    assert set(str(reason(workshop)).split("; ")) == {
        "1 had no short exact answer",
        "1 ambiguous",
        "1 known to all of the panel",
        "all of its 4 cards are used, no passage is left unread: add sources",
    }


def test_a_topic_without_cards_says_so(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)

    workshop.build()

    assert reason(workshop, "Law") == "no cards, no passage is left unread: add sources"
    assert reason(workshop, "Harbours") is None


def test_passages_that_are_left_are_to_be_read_by_building_again(workshop: Workshop) -> None:
    workshop.bank["build"] = {"cards_per_item": 1}
    workshop.document("ports", GUILDS, ISLAND)
    workshop.wants(Harbours=1)
    workshop.build()
    assert "all of its 1 cards are used, 1 passages are unread: build again" in str(reason(workshop))

    workshop.build()

    assert len(workshop.lines()) == 2


def test_passages_whose_call_failed_are_unread(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.author.trouble("cards", QUAY, always(server_error()))

    workshop.build()

    assert reason(workshop) == "no cards, 1 passages are unread: build again"
