"""Applying a file again, after a crash or with more decisions in it, loses nothing and records nothing twice."""

from datetime import timedelta
from typing import Any

import pytest

from assets.reviews import applying
from tests.reviews.harbours import KEY, SAVED_AT, Harbours, apply, installed


def decide_on_all(harbours: Harbours) -> list[dict[str, Any]]:
    return [
        harbours.entry("berth-1", "correct", aliases=["one hundred and one"]),
        harbours.entry("berth-2", "correct", question="How long is berth 2?"),
        harbours.entry("berth-3", "reject", note="nobody knows"),
        harbours.entry("berth-9", "accept"),
    ]


def state(harbours: Harbours) -> tuple[bytes, bytes]:
    return harbours.items_file.read_bytes(), harbours.reviews_file.read_bytes()


def test_applying_a_file_again_changes_nothing(harbours: Harbours) -> None:
    entries = decide_on_all(harbours)
    assert apply(harbours, *entries).taken == 4
    after = state(harbours)

    again = apply(harbours, *entries)

    assert (again.taken, again.before, again.refused) == (0, 4, ())
    assert state(harbours) == after


def test_a_page_saved_again_brings_only_what_is_new(harbours: Harbours) -> None:
    more = harbours.entry("berth-3", "reject", note="nobody knows")
    entries = [entry for entry in decide_on_all(harbours) if entry["item_id"] != "berth-3"]
    apply(harbours, *entries)

    again = apply(harbours, *entries, more, saved_at=SAVED_AT + timedelta(hours=1))

    assert (again.taken, again.before, again.refused) == (1, 3, ())


def test_an_old_file_does_not_undo_what_was_decided_after_it(harbours: Harbours) -> None:
    old = harbours.entry("berth-1", "reject")
    apply(harbours, old)
    apply(harbours, harbours.entry("berth-1", "accept"), saved_at=SAVED_AT + timedelta(hours=1))

    again = apply(harbours, old)

    assert (again.taken, again.before) == (0, 1)
    assert harbours.status("berth-1") == "active"


class Crash(Exception):
    pass


def _crash(*arguments: object, **more: object) -> None:
    raise Crash


@pytest.mark.parametrize("step", ["add_lines", "replace_file", "reviews_frame"])
def test_whatever_step_is_stopped_applying_again_finishes_it(
    harbours: Harbours, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, step: str
) -> None:
    whole = installed(tmp_path_factory.mktemp("whole"), *harbours.items_file.read_text().splitlines())
    entries = decide_on_all(harbours)
    apply(whole, *entries)
    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr(applying, step, _crash)
        apply(harbours, *entries)

    finished = apply(harbours, *entries)

    assert finished.taken + finished.before == 4 and finished.refused == ()
    assert state(harbours) == state(whole)
    assert harbours.installation.lake.read("reviews", domain=KEY).height == 4


def test_nothing_is_carried_out_that_is_not_recorded(harbours: Harbours, monkeypatch: pytest.MonkeyPatch) -> None:
    before = harbours.items_file.read_bytes()
    monkeypatch.setattr(applying, "add_lines", _crash)

    with pytest.raises(Crash):
        apply(harbours, *decide_on_all(harbours))

    assert harbours.items_file.read_bytes() == before
