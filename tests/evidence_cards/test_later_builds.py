"""Cards of an earlier build: nothing is read twice, and a changed source takes away only what it no longer says."""

from dataclasses import replace

import polars as pl
import pytest

from tests.evidence_cards.recorded import cards, kept
from tests.support.bad_evidence import STRAY
from tests.support.catalogue import FERRY, LAPSE, MOLE, QUAY
from tests.support.workshop import Workshop


def test_nothing_is_read_twice(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, STRAY)
    workshop.make_cards()
    before = workshop.requests, cards(workshop)

    workshop.make_cards()

    assert (workshop.requests, cards(workshop)) == before


def test_a_source_that_changes_in_part_loses_what_it_no_longer_states(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=1)
    workshop.make_cards()
    assert kept(workshop) == {QUAY.excerpt, FERRY.excerpt}

    workshop.document("ports", QUAY, MOLE)
    workshop.make_cards()

    assert kept(workshop) == {QUAY.excerpt, MOLE.excerpt}


def test_a_card_survives_a_change_in_its_own_passage(workshop: Workshop) -> None:
    workshop.bank["build"] = {"cards_per_item": 1}
    workshop.wants(Harbours=1)
    workshop.plain_document("ports", f"{QUAY.excerpt} It is old.", QUAY)
    workshop.make_cards()
    before = workshop.table("evidence_cards")

    workshop.plain_document("ports", f"{QUAY.excerpt} It was mended.", QUAY)
    workshop.make_cards()

    assert workshop.table("evidence_cards").equals(before)
    assert workshop.requests == 1


def test_the_cards_of_a_source_that_is_gone_go_with_it(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.document("law", LAPSE)
    workshop.make_cards()

    workshop.no_document("ports")
    workshop.make_cards()

    assert kept(workshop) == {LAPSE.excerpt}


def test_a_topic_that_is_added_has_the_passages_read_again(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, LAPSE)
    workshop.wants(Harbours=1)
    workshop.make_cards()
    assert kept(workshop) == {QUAY.excerpt}

    workshop.wants(Harbours=1, Law=1)
    workshop.make_cards()

    assert kept(workshop) == {QUAY.excerpt, LAPSE.excerpt}


def test_a_topic_of_another_name_has_the_passages_read_again_and_loses_its_cards(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.wants(Harbours=1)
    workshop.make_cards()

    workshop.wants(Quays=1)
    workshop.author.facts = (replace(QUAY, topic="Quays"),)
    workshop.make_cards()

    kept_cards = workshop.table("evidence_cards").filter(pl.col("status") == "kept")
    assert list(kept_cards.select("excerpt", "topic").iter_rows()) == [(QUAY.excerpt, "Quays")]


def test_without_a_generator_nothing_is_read_and_what_is_there_stays(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.document("ports", QUAY)
    workshop.make_cards()
    before = workshop.table("evidence_cards")
    workshop.document("more", FERRY)

    monkeypatch.delenv("GENERATOR_KEY")
    stage = workshop.make_cards()

    assert workshop.table("evidence_cards").equals(before)
    assert len(stage.made.unread) == 2
    assert workshop.requests == 1


def test_over_the_cap_no_passage_is_read_and_the_next_build_goes_on(workshop: Workshop) -> None:
    workshop.document("ports", QUAY, FERRY)

    stage = workshop.make_cards(budget=0.000001)
    assert (workshop.requests, len(stage.made.waiting)) == (0, 2)
    workshop.make_cards()

    assert workshop.requests == 2
    assert kept(workshop) == {QUAY.excerpt, FERRY.excerpt}


def test_topics_that_were_short_want_more_cards_the_next_time(workshop: Workshop) -> None:
    workshop.bank["build"] = {"cards_per_item": 1}
    workshop.wants(Harbours=1)
    workshop.document("ports", QUAY, FERRY, MOLE)
    workshop.make_cards()
    balance = workshop.table("topic_balance")
    used_up = balance.with_columns(short=pl.lit(1, pl.Int64), reason=pl.lit("1 ambiguous"))
    workshop.open().lake.write("topic_balance", used_up, domain="land.ports")

    workshop.make_cards()

    assert len(kept(workshop)) == 2
