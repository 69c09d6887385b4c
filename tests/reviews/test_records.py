"""The bank's record of reviews: what is read of it, what is set aside, and the table made of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from assets.reviews.records import Decision, Review, read_reviews, reviewed_ids, reviews_frame
from checks.bank_contracts import DECISIONS, REVIEWS
from resources.registries import Problem
from tests.reviews.harbours import Harbours, installed, item_line

REVIEW: dict[str, Any] = {
    "item_id": "berth-1",
    "decision": "accept",
    "question_before": "How long?",
    "answer_before": "101",
    "decided_at": "2026-06-02T09:30:00Z",
}


@pytest.fixture
def harbours(tmp_path: Path) -> Harbours:
    return installed(tmp_path, item_line(1))


def write(harbours: Harbours, *lines: dict[str, Any] | str) -> list[Problem]:
    """Writes the record; returns what is set aside of it."""
    harbours.reviews_file.parent.mkdir(exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    harbours.reviews_file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    refused: list[Problem] = []
    read_reviews(harbours.bank, harbours.domain, refused)
    return refused


def test_a_domain_without_a_record_has_no_reviews(harbours: Harbours) -> None:
    assert read_reviews(harbours.bank, harbours.domain) == []
    assert reviews_frame(harbours.bank, harbours.domain).is_empty()


def test_the_decisions_are_those_of_the_table() -> None:
    assert tuple(Decision) == DECISIONS


def test_a_review_is_read_back_as_it_is_written(harbours: Harbours) -> None:
    review = Review.model_validate(REVIEW | {"note": "Läuft “gut”", "reviewer": "Ann"})

    write(harbours, review.line)

    assert read_reviews(harbours.bank, harbours.domain) == [review]


def test_the_table_keeps_its_contract(harbours: Harbours) -> None:
    write(harbours, REVIEW | {"decision": "correct", "question_after": "How many metres?"})

    [row] = REVIEWS.validate(reviews_frame(harbours.bank, harbours.domain)).to_dicts()

    assert (row["domain"], row["decision"], row["question_after"]) == ("port.harbours", "correct", "How many metres?")


def test_the_last_decision_counts_whatever_the_order_of_the_lines(harbours: Harbours) -> None:
    later = REVIEW | {"decision": "reject", "decided_at": "2026-06-03T08:00:00+02:00"}
    write(harbours, later, REVIEW)

    last = reviewed_ids(read_reviews(harbours.bank, harbours.domain))

    assert {item_id: review.decision for item_id, review in last.items()} == {"berth-1": Decision.REJECT}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: is not valid JSON"),
        ("[]", "line 2: is not a JSON object"),
        (
            REVIEW | {"decision": "approve"},
            "line 2.decision: Input should be 'accept', 'reject', 'dispute' or 'correct'",
        ),
        ({name: value for name, value in REVIEW.items() if name != "item_id"}, "line 2.item_id: is missing; add it"),
        (REVIEW | {"decided_at": "2026-06-02T09:30:00"}, "line 2.decided_at: Input should have timezone info"),
        (REVIEW | {"decided_at": "2026-06-02T11:30:00+02:00"}, "decided at the same moment in line 1; remove one"),
        (REVIEW | {"mood": "good"}, "line 2.mood: is not a known key; remove it"),
    ],
    ids=["no JSON", "no object", "decision", "missing", "no time zone", "same moment", "unknown key"],
)
def test_a_bad_line_is_set_aside_with_its_reason(harbours: Harbours, line: Any, message: str) -> None:
    [problem] = write(harbours, REVIEW, line)

    assert message in str(problem)
    assert len(read_reviews(harbours.bank, harbours.domain)) == 1


def test_a_line_that_is_not_utf8_is_set_aside(harbours: Harbours) -> None:
    harbours.reviews_file.parent.mkdir()
    harbours.reviews_file.write_bytes(b'{"item_id": "\xff"}\n' + json.dumps(REVIEW).encode())
    refused: list[Problem] = []

    assert len(read_reviews(harbours.bank, harbours.domain, refused)) == 1
    assert "line 1: is not UTF-8 at byte 14; save the file as UTF-8" in str(refused[0])
