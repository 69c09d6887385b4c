"""Lines of an items file that no build changes: a person's, a reviewed one, one that cannot even be read."""

import json
from typing import Any

import pytest

from assets.evidence_cards.stage import make_cards
from assets.items.making import make_items
from assets.items.standing_lines import Standing, read_standing, write_lines
from tests.support.catalogue import FERRY, LAPSE, MOLE, MOLE_AGAIN, QUAY
from tests.support.workshop import NOW, Workshop

BY_HAND = b'{"topic": "Harbours",  "id":"mine","question":"What is the tonnage of the Brae lock?","answer":"40"}'


def built(workshop: Workshop) -> bytes:
    """The file after a build of two items."""
    workshop.document("ports", QUAY, FERRY)
    workshop.wants(Harbours=2, Law=1)
    workshop.build()
    return workshop.items_file.read_bytes()


def edit(workshop: Workshop, id: str, **changes: Any) -> bytes:
    """The file with one of its lines edited, as a person would."""
    lines = [json.loads(line) for line in workshop.items_file.read_text(encoding="utf-8").splitlines()]
    edited = [line | changes if line["id"] == id else line for line in lines]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in edited) + "\n"
    workshop.items_file.write_text(text, encoding="utf-8")
    return text.encode()


def test_a_build_knows_its_own_lines_again(workshop: Workshop) -> None:
    built(workshop)

    standing = _standing(workshop)

    assert standing.mine == {workshop.line(QUAY).id, workshop.line(FERRY).id}
    assert standing.kept == frozenset()


def _standing(workshop: Workshop, *reviewed: str) -> Standing:
    bank, domain, _ = workshop.parts(workshop.open())
    return read_standing(bank, domain, reviewed)


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "How long is the quay of Ostrel in metres?"},
        {"answer": "25"},
        {"aliases": ["24.80"]},
        {"topic": "Law"},
        {"status": "disputed"},
        {"answer_type": "name"},
        {"difficulty": 0.9},
        {"answerable_from": "1999-01"},
        {"source_url": "https://example.org/other"},
        {"evidence": "checked by hand"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_line_that_a_person_edited_stays_as_it_is(workshop: Workshop, changes: dict[str, Any]) -> None:
    built(workshop)
    content = edit(workshop, workshop.line(QUAY).id, **changes)
    requests = workshop.requests

    workshop.build()

    assert workshop.items_file.read_bytes() == content
    assert workshop.requests == requests


def test_an_edited_line_outlives_its_source(workshop: Workshop) -> None:
    built(workshop)
    content = edit(workshop, workshop.line(QUAY).id, answer="25")

    workshop.document("ports", FERRY)
    workshop.build()

    assert workshop.items_file.read_bytes() == content


def test_a_reviewed_line_outlives_its_source(workshop: Workshop) -> None:
    content = built(workshop)
    reviewed = workshop.line(QUAY).id

    workshop.document("ports", FERRY)
    workshop.build(reviewed=[reviewed])

    assert workshop.items_file.read_bytes() == content


def test_a_reviewed_line_is_not_checked_again(workshop: Workshop) -> None:
    built(workshop)

    built_again = workshop.build(reviewed=[workshop.line(QUAY).id]).items.built

    assert set(built_again.kept) == {workshop.line(FERRY).id}


def test_what_was_made_public_stays_public(workshop: Workshop) -> None:
    built(workshop)
    content = edit(workshop, workshop.line(QUAY).id, split="public")

    workshop.build()

    assert workshop.items_file.read_bytes() == content


@pytest.mark.parametrize(
    "others",
    [
        BY_HAND + b"\n",
        BY_HAND,
        BY_HAND + b"\r\n\r\n",
        b"\xef\xbb\xbf" + BY_HAND + b"\n",
        b'{"id": "broken", "topic": \n\xff\xfe\n' + BY_HAND + b"\n",
        b"# a note\n" + BY_HAND + b"\n",
    ],
    ids=["line", "no newline", "crlf", "byte order mark", "broken", "note"],
)
def test_lines_of_others_stay_byte_for_byte(workshop: Workshop, others: bytes) -> None:
    workshop.items_file.write_bytes(others)

    content = built(workshop)

    assert content.startswith(others)
    assert len(content[len(others) :].strip().splitlines()) == 1  # the line by hand is one of the two


def test_a_person_s_items_count_towards_the_target(workshop: Workshop) -> None:
    workshop.items_file.write_bytes(BY_HAND + b"\n")
    workshop.document("ports", QUAY)

    workshop.build()

    assert "draft" not in workshop.author.places()


def test_what_a_person_asks_is_not_asked_again(workshop: Workshop) -> None:
    by_hand = {"id": "m", "topic": "Law", "question": MOLE_AGAIN.question, "answer": "4 May 1912"}
    workshop.items_file.write_text(json.dumps(by_hand) + "\n")
    workshop.document("ports", MOLE, LAPSE)

    workshop.build()

    assert workshop.line(MOLE).status == "dropped"


def test_a_changed_line_takes_the_place_of_the_former_and_new_ones_stand_at_the_end(workshop: Workshop) -> None:
    workshop.items_file.write_text('{"id": "a", "n": 1}\n{"id": "b"}\n')
    bank, domain, _ = workshop.parts(workshop.open())

    differing = write_lines(bank, domain, {"new": '{"id": "new"}', "a": '{"id": "a", "n": 2}'})

    assert differing == 2
    assert workshop.items_file.read_text() == '{"id": "a", "n": 2}\n{"id": "b"}\n{"id": "new"}\n'


def test_a_file_that_would_not_change_is_not_written(workshop: Workshop) -> None:
    workshop.items_file.write_text('{"id": "a"}')
    bank, domain, _ = workshop.parts(workshop.open())
    before = workshop.items_file.stat().st_mtime_ns

    assert write_lines(bank, domain, {}) == 0
    assert workshop.items_file.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.replace('"language": "en"', '"answerable_from": "2017-6", "language": "en"'),
        lambda text: text.replace('"topic": "Harbours"', '"topic": "Harbours'),
        lambda text: text.replace('"status": "active"', '"status": "aktive"'),
    ],
    ids=["a month", "broken JSON", "a status"],
)
def test_a_line_with_a_persons_slip_in_it_is_not_written_over(workshop: Workshop, spoilt: Any) -> None:
    built(workshop)
    id = workshop.line(QUAY).id
    lines = workshop.items_file.read_text(encoding="utf-8").splitlines()
    mine = [spoilt(line.replace("quay", "QUAY")) if f'"id": "{id}"' in line else line for line in lines]
    workshop.items_file.write_text("\n".join(mine) + "\n", encoding="utf-8")
    content = workshop.items_file.read_bytes()

    workshop.build()

    assert workshop.items_file.read_bytes() == content


def test_what_a_person_does_while_a_build_runs_stays_theirs(workshop: Workshop) -> None:
    built(workshop)
    workshop.document("ports", FERRY)  # the build would retire the quay
    id = workshop.line(QUAY).id
    asked = iter(range(9))

    def reviewed_meanwhile() -> list[str]:
        return [id] if next(asked) else []

    with workshop.desk() as (installation, desk):
        parts = workshop.parts(installation)
        workshop.gather()
        make_cards(installation, *parts, desk)
        make_items(installation, *parts, desk, NOW, reviewed_meanwhile)

    assert workshop.line(QUAY).status == "active"
