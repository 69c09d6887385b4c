"""One item as text: nothing that others wrote steers the terminal."""

from pathlib import Path

import pytest

from assets.reports.showing import show_item
from checks.contracts import GRADES, ITEMS, RESPONSES
from resources.installation import Installation

ESCAPE, TURNED = "\x1b[2J", "\u202e"
HOSTILE = f"a{ESCAPE}b{TURNED}c"
ESCAPED = "a\\u001b[2Jb\\u202ec"
WHERE = {"bank": "mine", "domain": "mine.law"}


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """One item, answered by `m` and failed by `n`, whose every text is hostile."""
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "banks"))
    monkeypatch.setenv("FACTSWEEP_MODELS", str(tmp_path / "models.yaml"))
    (tmp_path / "models.yaml").write_text("models: []")
    opened = Installation.open()
    item = WHERE | {
        "topic": "Tort",
        "item_id": "i",
        "question_version": "q",
        "answer_version": "a",
        "format": "multiple_choice",
        "question": f"question {HOSTILE}",
        "options": [f"option {HOSTILE}", "another"],
        "answer": f"gold {HOSTILE}",
        "aliases": [f"alias {HOSTILE}"],
        "language": "en",
        "source_url": f"https://example.org/{HOSTILE}",
        "split": "public",
        "status": "active",
    }
    asked = WHERE | {"item_id": "i", "question_version": "q", "sample": 0, "epoch": 0}
    answered = asked | {"model": "m", "outcome": "answered", "text": f"answer {HOSTILE}"}
    failed = asked | {"model": "n", "outcome": "failed", "finish_reason": f"error {HOSTILE}"}
    grade = WHERE | {
        "model": "m",
        "item_id": "i",
        "answer_version": "a",
        "sample": 0,
        "epoch": 0,
        "grade": "incorrect",
        "reason": f"reason {HOSTILE}",
        "method": "choice",
    }
    opened.lake.write("items", ITEMS.frame([item]), domain="mine.law")
    opened.lake.write("responses", RESPONSES.frame([answered, failed]), domain="mine.law", model="m")
    opened.lake.write("grades", GRADES.frame([grade]), domain="mine.law", model="m")
    return opened


@pytest.mark.parametrize(
    "text",
    ["question ", "option ", "gold ", "alias ", "https://example.org/", "answer ", "error ", "reason "],
)
def test_control_and_direction_characters_are_shown_as_escapes(installation: Installation, text: str) -> None:
    shown = "\n".join(show_item(installation, "i", model=None))

    assert ESCAPE not in shown and TURNED not in shown
    assert text + ESCAPED in shown
