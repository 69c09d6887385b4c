"""The review page as a file: what it says of each item, that it stays text and offline, and its size."""

import json
from pathlib import Path
from typing import Any

import pytest

from assets.reviews.page import write_review_page
from assets.reviews.records import Review
from tests.reports.reading import ReadPage
from tests.reviews.harbours import EXCERPT, NOW, PILOTS, Harbours, built, installed, item_line, large

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


def page_of(harbours: Harbours) -> ReadPage:
    return ReadPage(write_review_page(harbours.installation, harbours.bank, harbours.domain, NOW))


def items_of(harbours: Harbours) -> list[dict[str, Any]]:
    return page_of(harbours).json("data")["items"]


def test_an_item_comes_with_its_card_its_source_and_its_verdicts(tmp_path: Path) -> None:
    item = items_of(built(tmp_path))[0]

    assert (item["answer"], item["aliases"], item["type"], item["since"]) == ("85", ["85 metres"], "number", "2025-04")
    assert item["difficulty"] == "75%"
    card = item["card"]
    assert (card["excerpt"], card["section"], card["found"]) == (EXCERPT, "Harbour › Pilots", True)
    assert card["before"].endswith("north quay. ") and card["after"].startswith(" A master")
    assert item["source"] == {
        "name": PILOTS,
        "href": PILOTS + "#:~:text=Pilotage%20is%20compulsory%20for%20vessels,"
        "85%20metres%2C%20whatever%20they%20carry.",
        "title": "Rules of the harbour",
        "tier": 1,
        "published": "2025-04, as the document declares (dc.date)",
    }
    assert [(row[0], row[1], row[3]) for row in item["verdicts"]] == [
        ("draft", "pass", "writer, $0.001200"),
        ("ambiguity", "rewritten", "checker, $0.001200"),
        ("entailment", "pass", "checker, price unknown"),
    ]
    assert item["verdicts"][1][4][0][0] == "question"


def test_a_dropped_item_says_which_pass_dropped_it(tmp_path: Path) -> None:
    assert [item.get("dropped_by") for item in items_of(built(tmp_path))] == [None, "reliance"]


def test_what_a_person_rejected_was_dropped_by_a_reviewer(tmp_path: Path) -> None:
    harbours = built(tmp_path)
    dropped = items_of(harbours)[1]
    review = {"item_id": dropped["id"], "decision": "reject", "question_before": "q", "answer_before": "a"}
    harbours.reviews_file.parent.mkdir()
    harbours.reviews_file.write_text(Review.model_validate(review | {"decided_at": NOW}).line)

    again = items_of(harbours)[1]

    assert again["dropped_by"] == "a reviewer"
    assert again["reviews"] == [["reject", "somebody", "2026-06-02 12:00 UTC", "", []]]


def test_an_excerpt_that_its_source_no_longer_holds_is_shown_as_such(tmp_path: Path) -> None:
    card = items_of(built(tmp_path, texts={"page": "The rules were withdrawn."}))[0]["card"]

    assert (card["excerpt"], card["found"], card.get("before")) == (EXCERPT, False, "")


def test_items_without_a_build_are_shown_with_what_their_file_says(tmp_path: Path) -> None:
    page = page_of(installed(tmp_path, item_line(1, source_url="https://harbour.example/berths")))

    [item] = page.json("data")["items"]
    assert item["source"]["name"] == "https://harbour.example/berths"
    assert "card" not in item and "verdicts" not in item
    assert "No build of this domain is recorded" in page.seen


def test_retired_items_are_not_shown(tmp_path: Path) -> None:
    assert [item["id"] for item in items_of(installed(tmp_path, item_line(1, status="retired"), item_line(2)))] == [
        "berth-2"
    ]


def test_the_top_says_what_was_dropped_and_what_is_short(tmp_path: Path) -> None:
    page = page_of(built(tmp_path, item_line(1)))

    assert "port.harbours. 3 items: 2 active, 1 dropped. 0 reviewed before." in page.seen
    assert page.tables[0][1:] == [
        ["draft", "2", "2", "0", "0"],
        ["ambiguity", "1", "0", "1", "0"],
        ["reliance", "1", "0", "0", "1"],
        ["entailment", "1", "1", "0", "0"],
    ]
    reason = "1 about a document; no passage is left unread; add sources"
    assert page.tables[1][1:] == [["Pilots", "3", "1", "2", "2", "2", "1", "0", "0", reason]]


def test_lines_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    harbours = installed(tmp_path, item_line(1), *["torn"] * 7)

    seen = page_of(harbours).seen

    assert "harbours.jsonl: line 2: is not valid JSON" in seen and "2 more lines cannot be read." in seen


def test_decisions_are_kept_for_one_state_of_the_items(tmp_path: Path) -> None:
    harbours = installed(tmp_path, item_line(1))
    store = page_of(harbours).json("data")["store"]
    assert store.startswith("factsweep-review:port.harbours:")
    assert page_of(harbours).json("data")["store"] == store

    harbours.items_file.write_text(json.dumps(item_line(1, status="disputed")))

    assert page_of(harbours).json("data")["store"] != store


@pytest.mark.parametrize("name", ["question", "answer", "fact", "reason", "title", "page"])
def test_whatever_others_wrote_makes_no_element(tmp_path: Path, name: str) -> None:
    plain, hostile = (
        page_of(built(tmp_path / "a")),
        page_of(built(tmp_path / "b", texts={name: f"{EXCERPT} {HOSTILE}"})),
    )

    assert hostile.tags == plain.tags
    assert "<script>window" not in hostile.raw


def test_a_page_refers_to_nothing_outside(tmp_path: Path) -> None:
    page = page_of(built(tmp_path))

    assert "default-src 'none'" in page.raw
    assert [attributes["src"] for _, attributes in page.elements if "src" in attributes] == []
    assert [attributes["href"] for tag, attributes in page.elements if tag in ("a", "link")] == ["data:,"]


def test_every_control_has_a_label(tmp_path: Path) -> None:
    page = page_of(built(tmp_path))
    labels = page.raw.count("<label>")

    assert labels == sum(tag in ("input", "select", "textarea") for tag in page.tags)


def test_a_domain_of_a_thousand_items_stays_under_five_megabytes(tmp_path: Path) -> None:
    harbours = large(tmp_path, 1_000)

    file = write_review_page(harbours.installation, harbours.bank, harbours.domain, NOW)

    assert 3_000_000 < file.stat().st_size < 5_000_000
