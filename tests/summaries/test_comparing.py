"""Two nights side by side: what moved, by hand, and when like is not compared with like."""

import os
from pathlib import Path

import pytest

from assets.summaries.comparing import BoardChange, ModelChange, compare, read_night, recorded_between
from assets.summaries.wording import rank_text
from checks.contracts import SWEEPS
from resources.warehouse import Lake
from tests.summaries.published import history, night, publish, score, swept

MODELS = ("m", "n", "abstain", "guess")


def compared(before: list[dict], after: list[dict], log: tuple[dict, ...] = ()) -> list[BoardChange]:
    return compare(history(night(0), *before), history(night(1), *after), SWEEPS.frame(log), MODELS.__contains__)


def only(before: dict | None, after: dict | None, *log: dict) -> ModelChange:
    [board] = compared([before] if before else [], [after] if after else [], log)
    [model] = board.models
    return model


@pytest.mark.parametrize(
    ("new", "moved"), [(19.9, True), (20.0, False), (31.0, False), (40.0, False), (40.1, True), (None, None)]
)
def test_a_metric_moved_when_it_lies_outside_the_earlier_interval(new: float | None, moved: bool | None) -> None:
    assert only(score("m", 30.0, 20.0, 40.0), score("m", new, -100.0, 100.0)).has_moved("index") is moved


def test_without_an_earlier_interval_it_cannot_be_told() -> None:
    model = only(score("m", 30.0), score("m", 90.0, 80.0, 95.0))

    assert model.has_moved("index") is None
    assert model.difference("index") == 60.0


def test_each_metric_is_looked_at_for_itself() -> None:
    before = score("m", 30.0, 20.0, 40.0, accuracy=0.5, accuracy_low=0.4, accuracy_high=0.6, hallucination_rate=0.2)
    after = score("m", 31.0, accuracy=0.7, hallucination_rate=0.9)

    model = only(before, after)

    assert model.moved == ("accuracy",)
    assert model.difference("accuracy") == pytest.approx(0.2)


def test_ranks_are_those_of_each_night() -> None:
    [board] = compared([score("m", 30.0), score("n", 20.0)], [score("m", 30.0), score("n", 50.0)])

    assert {model.model: rank_text(model) for model in board.models} == {"n": "2 → 1", "m": "1 → 2"}
    assert board.leader and board.leader.model == "n"


def test_a_baseline_leads_nothing_and_a_retired_model_has_no_rank() -> None:
    [board] = compared([], [score("abstain", 0.0), score("m", -20.0), score("gone", 90.0)])

    assert board.leader and board.leader.model == "m"
    [gone] = [model for model in board.models if model.model == "gone"]
    assert gone.retired and gone.after and gone.after.rank is None
    assert [model.model for model in board.models] == ["abstain", "m", "gone"]


def test_models_that_came_and_went() -> None:
    [board] = compared([score("n", 10.0)], [score("m", 10.0)])

    assert {model.model: (model.before is None, model.after is None) for model in board.models} == {
        "m": (True, False),
        "n": (False, True),
    }


def test_the_same_items_graded_alike_are_like_with_like() -> None:
    anew = swept(night(1), "m", reason="changed: epoch")

    assert only(score("m", 30.0), score("m", 31.0), anew).unlike == ()


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (score("m", 31.0, items=62), "60 items before, 62 after"),
        (score("m", 31.0, coverage=0.8), "coverage 100 % before, 80.0 % after"),
        (score("m", 31.0, penalty=0.5), "a wrong answer cost 1 before, 0.5 after"),
    ],
)
def test_what_is_not_like_with_like_is_said(after: dict, said: str) -> None:
    assert only(score("m", 30.0), after).unlike == (said,)


def test_items_and_prompts_that_changed_in_between_are_told_with_their_domains() -> None:
    log = (
        swept(night(1), "m", reason="changed: items, prompt"),
        swept(night(1), "m", reason="changed: items", domain="capitals.asia"),
        swept(night(1), "n", reason="changed: judge"),
    )

    model = only(score("m", 30.0), score("m", 31.0), *log)

    assert model.unlike == ("changed: items (capitals.asia, capitals.europe)", "changed: prompt (capitals.europe)")


def test_another_grader_is_another_board_and_says_who_graded_before() -> None:
    judged = score("m", 60.0, method="judge", judge="j")

    by_judge, by_match = compared([score("m", 30.0, 20.0, 40.0)], [judged])

    [came], [went] = by_judge.models, by_match.models
    assert (by_judge.grader, by_match.grader) == ("judge (j)", "match")
    assert came.unlike == ("graded by match before",)
    assert came.moved == () and went.after is None


def test_a_night_is_read_at_level_all(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    publish(lake, night(0), score("m", 30.0), score("m", 90.0, level="domain", key="capitals.europe"))

    assert read_night(lake, night(0))["index"].to_list() == [30.0]


def test_what_was_recorded_between_two_nights_is_found_by_hand_too(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    for number, log in enumerate([swept(night(0), "m"), swept(night(1), "m"), swept(night(2), "n")]):
        publish(lake, night(number), score("m", 1.0), log=(log,))
    by_hand = swept(night(1), "by-hand") | {"sweep_id": "by-hand"}
    lake.write("sweeps", SWEEPS.frame([by_hand]), sweep="by-hand")
    written = night(2).published_at.timestamp()
    for file in lake.files("sweeps"):
        os.utime(file, (written, written))

    found = recorded_between(lake, night(1), night(0))

    assert sorted(found["model"]) == ["by-hand", "m"]
