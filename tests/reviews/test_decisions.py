"""A file of decisions is held to its format as a whole; its faults are told with their entry and remedy."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from assets.reviews.decisions import read_decisions
from resources.types import ConfigurationError
from tests.reviews.harbours import NOW, SAVED_AT, decisions_file

ENTRY: dict[str, Any] = {"item_id": "berth-1", "decision": "accept", "question_version": "q", "answer_version": "a"}


def fault(file: Path) -> str:
    with pytest.raises(ConfigurationError) as raised:
        read_decisions(file, NOW)
    return str(raised.value)


def test_a_file_is_read(tmp_path: Path) -> None:
    read = read_decisions(decisions_file(tmp_path, ENTRY | {"note": "so"}), NOW)

    assert (read.domain, read.reviewer, read.saved_at) == ("port.harbours", "Ann", SAVED_AT)
    assert [(entry.item_id, entry.decision, entry.note) for entry in read.entries] == [("berth-1", "accept", "so")]


def test_a_file_without_decisions_is_a_file(tmp_path: Path) -> None:
    assert list(read_decisions(decisions_file(tmp_path), NOW).entries) == []


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("accept", "entry 2: Input should be a valid dictionary"),
        (ENTRY | {"decision": "keep"}, "entry 2 (berth-1).decision: Input should be 'accept', 'reject', 'dispute' or"),
        (ENTRY | {"verdict": "x"}, "entry 2 (berth-1).verdict: is not a known key; remove it or mend its spelling"),
        ({"item_id": "berth-1", "decision": "accept"}, "entry 2 (berth-1).question_version: is missing; add it"),
        (ENTRY | {"item_id": ""}, "entry 2 ().item_id: String should have at least 1 character"),
        (ENTRY | {"answer": "85"}, "entry 2 (berth-1): accept changes no answer; remove it, or decide correct"),
        (
            ENTRY | {"decision": "correct", "aliases": "85 m"},
            "entry 2 (berth-1).aliases: Input should be a valid tuple",
        ),
    ],
)
def test_a_fault_of_an_entry_refuses_the_file(tmp_path: Path, entry: Any, message: str) -> None:
    said = fault(decisions_file(tmp_path, ENTRY | {"item_id": "berth-2"}, entry))

    assert said.startswith(f"nothing was taken from {tmp_path / 'decisions.json'}; mend this and apply it again:")
    assert message in said


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    said = fault(decisions_file(tmp_path, ENTRY | {"decision": "keep"}, ENTRY | {"item_id": 3.5} | {"note": []}))

    assert "entry 1 (berth-1).decision" in said and "entry 2 (3.5).note" in said


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ({"format": "factsweep-review-2"}, "format: Input should be 'factsweep-review-1'"),
        ({"domain": ""}, "domain: String should have at least 1 character"),
        ({"saved_at": "yesterday"}, "saved_at: Input should be a valid datetime"),
        ({"saved_at": "2026-06-02T09:30:00"}, "saved_at: Input should have timezone info"),
        (
            {"saved_at": (NOW + timedelta(days=2)).isoformat()},
            "saved_at: is in the future (2026-06-04); set it to today",
        ),
        ({"decisions": {}}, "decisions: Input should be a valid list"),
        ({"version": "1"}, "version: is not a known key"),
    ],
)
def test_a_fault_of_its_head_refuses_the_file(tmp_path: Path, head: dict[str, Any], message: str) -> None:
    assert message in fault(decisions_file(tmp_path, ENTRY, **head))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not valid JSON at character 2"),
        (b"[]", "is not a JSON object"),
        (b"\xff\xfe", "is not UTF-8 text; name the file that the page saved"),
        (b'{"format": "\\ud800"}', "holds half of a character"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "decisions.json"
    file.write_bytes(content)

    assert message in fault(file)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "cannot be read (No such file or directory); name the file" in fault(tmp_path / "none.json")
