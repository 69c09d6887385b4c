"""Models that are no longer registered keep their scores and are ranked apart from those that are."""

from datetime import UTC, datetime

import polars as pl

from assets.metrics.leaderboard import leaderboard_notes, leaderboard_rows, leaderboard_table, retired_models
from assets.metrics.ranks import ranks_apart
from tests.metrics.tables import Answer, tables

PARTITIONS = pl.DataFrame(
    {
        "bank": ["omniscience"] * 3,
        "model": ["here", "gone", "gone"],
        "items": [8, 8, 4],
        "recorded_at": [datetime(2026, 3, day, tzinfo=UTC) for day in (9, 1, 2)],
    }
)


def answers_of(model: str, correct: int, incorrect: int) -> list[Answer]:
    grades = ["correct"] * correct + ["incorrect"] * incorrect
    return [Answer(str(item), grade, model=model) for item, grade in enumerate(grades)]


def board() -> pl.DataFrame:
    made = tables([*answers_of("good", 8, 0), *answers_of("gone", 6, 2), *answers_of("here", 4, 4)])
    retired = pl.DataFrame({"bank": ["omniscience"], "model": ["gone"], "answered": ["12 items, last on 2026-03-02"]})
    frames = (made.items, made.responses, made.grades, made.partitions)
    return leaderboard_table(made.scores(), ranks_apart(*frames, retired, penalty={}), retired)


def test_who_is_not_registered_is_retired_with_what_it_answered() -> None:
    assert retired_models(PARTITIONS, ["here"].__contains__).rows() == [
        ("omniscience", "gone", "12 items, last on 2026-03-02")
    ]
    assert retired_models(PARTITIONS, ["here", "gone"].__contains__).is_empty()


def test_a_retired_model_takes_no_rank_from_the_others_and_stands_last() -> None:
    found = board()

    assert found.select("model", "retired", "rank").rows() == [
        ("good", False, 1),
        ("here", False, 2),
        ("gone", True, 1),
    ]
    assert found.filter(pl.col("model") == "here")["rank_worst"].to_list() == [2]


def test_a_reader_is_told_what_it_answered() -> None:
    found = board()

    assert [row[:2] for row in leaderboard_rows(found, "omniscience")][-1] == ("(1)", "gone, retired")
    assert list(leaderboard_notes(found, "omniscience"))[-1] == (
        "gone is retired: it answered 12 items, last on 2026-03-02, and is ranked among retired models only"
    )
