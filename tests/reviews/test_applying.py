"""Decisions are recorded and carried out, and what cannot be taken is refused alone."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from assets.items.bank_files import read_items
from assets.reviews import applying
from assets.reviews.applying import Applied
from assets.reviews.records import read_reviews
from resources.types import FactsweepError
from tests.reviews.harbours import KEY, ODD_LINE, SAVED_AT, Harbours, apply, item_line


def reasons(applied: Applied) -> dict[str, str]:
    return {problem.key: problem.message for problem in applied.refused}


@pytest.mark.parametrize(
    ("item_id", "decision", "status"),
    [
        ("berth-1", "accept", "active"),
        ("berth-2", "accept", "active"),
        ("berth-3", "accept", "active"),
        ("berth-1", "reject", "dropped"),
        ("berth-1", "dispute", "disputed"),
        ("berth-9", "reject", "dropped"),
    ],
)
def test_a_decision_sets_the_status(harbours: Harbours, item_id: str, decision: str, status: str) -> None:
    applied = apply(harbours, harbours.entry(item_id, decision))

    assert (applied.taken, applied.before, applied.refused) == (1, 0, ())
    assert harbours.status(item_id) == status


def test_a_correction_changes_question_gold_and_aliases_and_makes_the_item_active(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-2", "correct", question="How long is it?", answer="99", aliases=["99 m"]))

    assert harbours.line("berth-2") == item_line(
        2, status="active", question="How long is it?", answer="99", aliases=["99 m"]
    )


def test_aliases_can_be_taken_away(harbours: Harbours) -> None:
    assert apply(harbours, harbours.entry("berth-1", "correct", aliases=[])).taken == 1

    assert harbours.line("berth-1")["aliases"] == []


def test_a_mended_question_is_asked_anew_and_a_mended_gold_only_graded_anew(harbours: Harbours) -> None:
    first, second = harbours.versions("berth-1"), harbours.versions("berth-2")

    apply(
        harbours,
        harbours.entry("berth-1", "correct", question="How long?"),
        harbours.entry("berth-2", "correct", answer="9"),
    )

    changed = {item: harbours.versions(item) for item in ("berth-1", "berth-2")}
    assert changed["berth-1"]["question_version"] != first["question_version"]
    assert changed["berth-1"]["answer_version"] == first["answer_version"]
    assert changed["berth-2"]["question_version"] == second["question_version"]
    assert changed["berth-2"]["answer_version"] != second["answer_version"]


def test_all_other_lines_stay_byte_for_byte(harbours: Harbours) -> None:
    before = harbours.items_file.read_bytes().splitlines()

    apply(harbours, harbours.entry("berth-3", "reject"))

    after = harbours.items_file.read_bytes().splitlines()
    assert [place for place, line in enumerate(after) if line != before[place]] == [2]


def test_in_the_changed_line_all_else_stays_as_it_was_written(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-9", "dispute"))

    assert harbours.items_file.read_text().splitlines()[-1] == ODD_LINE[:-1] + ', "status": "disputed"}'


def test_a_file_with_another_systems_marks_keeps_them(harbours: Harbours) -> None:
    content = "\ufeff" + json.dumps(item_line(1)) + "\r\n" + json.dumps(item_line(2)) + "\r\n"
    harbours.items_file.write_bytes(content.encode())

    apply(harbours, harbours.entry("berth-1", "reject"))

    assert harbours.items_file.read_bytes().decode() == content.replace('"}\r', '", "status": "dropped"}\r', 1)


def test_a_decision_is_recorded_with_what_was_reviewed(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-1", "correct", answer="102", note=" measured anew "))

    assert json.loads(harbours.reviews_file.read_text()) == {
        "item_id": "berth-1",
        "decision": "correct",
        "note": "measured anew",
        "reviewer": "Ann",
        "question_before": "How many metres long is berth 1 of the invented harbour?",
        "answer_before": "101",
        "answer_after": "102",
        "decided_at": "2026-06-02T09:30:00Z",
    }


def test_the_table_of_reviews_holds_the_record(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-1", "accept"))

    [row] = harbours.installation.lake.read("reviews", domain=KEY).to_dicts()
    assert (row["item_id"], row["decision"], row["decided_at"]) == ("berth-1", "accept", SAVED_AT)


def _other_question(harbours: Harbours) -> None:
    text = harbours.items_file.read_text().replace("How many metres long is berth 1", "How wide is berth 1")
    harbours.items_file.write_text(text)


def _other_gold(harbours: Harbours) -> None:
    harbours.items_file.write_text(harbours.items_file.read_text().replace('"101"', '"107"'))


@pytest.mark.parametrize("edit", [_other_question, _other_gold])
def test_a_decision_about_words_that_changed_since_is_refused_alone(
    harbours: Harbours, edit: Callable[[Harbours], None]
) -> None:
    entries = [harbours.entry("berth-1", "reject"), harbours.entry("berth-2", "accept")]
    edit(harbours)

    applied = apply(harbours, *entries)

    assert applied.taken == 1
    assert reasons(applied) == {
        "entry 1 (berth-1)": "its question or gold has changed since the page was made; "
        "make the page anew and decide again"
    }
    assert (harbours.status("berth-1"), harbours.status("berth-2")) == ("active", "active")


@pytest.mark.parametrize(
    ("item_id", "decision", "more", "reason"),
    [
        ("berth-7", "accept", {}, "is no item of port.harbours; make the page anew, or mend the id"),
        ("berth-4", "accept", {}, "was retired since the page was made; set its status in the items file"),
        ("berth-1", "correct", {}, "nothing of it is changed; give other words, or decide accept"),
        ("berth-1", "correct", {"answer": " 101 "}, "nothing of it is changed"),
        ("berth-1", "correct", {"aliases": ["101 metres"]}, "nothing of it is changed"),
        ("berth-1", "correct", {"question": ""}, "as corrected it is no valid item: question is empty"),
        ("berth-1", "correct", {"aliases": ["ok", ""]}, "as corrected it is no valid item: aliases.1 is empty"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_remedy(
    harbours: Harbours, item_id: str, decision: str, more: dict[str, Any], reason: str
) -> None:
    known = harbours.versions("berth-1" if item_id == "berth-7" else item_id)
    before = harbours.items_file.read_bytes()

    applied = apply(harbours, {"item_id": item_id, "decision": decision} | known | more)

    assert reason in reasons(applied)[f"entry 1 ({item_id})"]
    assert (applied.taken, harbours.items_file.read_bytes() == before, harbours.reviews_file.exists()) == (
        0,
        True,
        False,
    )


def test_an_item_is_decided_once_in_a_file(harbours: Harbours) -> None:
    applied = apply(harbours, harbours.entry("berth-1", "reject"), harbours.entry("berth-1", "accept"))

    assert reasons(applied) == {"entry 2 (berth-1)": "is decided in entry 1 already; keep one of them"}
    assert harbours.status("berth-1") == "dropped"


def test_a_later_decision_of_somebody_else_is_not_undone_by_an_earlier_file(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-1", "reject"), reviewer="Bo", saved_at=SAVED_AT + timedelta(hours=1))

    applied = apply(harbours, harbours.entry("berth-1", "accept"))

    assert reasons(applied)["entry 1 (berth-1)"].startswith("Bo decided reject about it at 2026-06-02 10:30 UTC, after")
    assert harbours.status("berth-1") == "dropped"


def test_a_decision_can_be_changed_later(harbours: Harbours) -> None:
    apply(harbours, harbours.entry("berth-1", "reject"))

    applied = apply(harbours, harbours.entry("berth-1", "accept"), saved_at=SAVED_AT + timedelta(hours=1))

    assert (applied.taken, harbours.status("berth-1")) == (1, "active")
    assert len(read_reviews(harbours.bank, harbours.domain)) == 2


def test_a_full_disk_is_told_with_the_remedy(harbours: Harbours, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr(applying, "replace_file", full)

    with pytest.raises(
        FactsweepError, match=r"harbours\.jsonl cannot be read or written \(No space left.*apply .* again"
    ):
        apply(harbours, harbours.entry("berth-3", "reject"))


def test_lines_of_the_record_that_cannot_be_read_stay_and_are_told(harbours: Harbours) -> None:
    harbours.reviews_file.parent.mkdir()
    harbours.reviews_file.write_text("torn")

    applied = apply(harbours, harbours.entry("berth-1", "accept"))

    assert [problem.key for problem in applied.set_aside] == ["line 1"]
    assert harbours.reviews_file.read_text().startswith('torn\n{"item_id":"berth-1"')


def test_what_a_build_reads_afterwards_is_valid(harbours: Harbours) -> None:
    refused = len(read_items(harbours.bank, harbours.domain).refused)

    apply(harbours, harbours.entry("berth-2", "correct", question="How long?"), harbours.entry("berth-9", "reject"))

    assert len(read_items(harbours.bank, harbours.domain).refused) == refused
