"""The leaderboard's ranks, its Markdown and its chart."""

import base64

import polars as pl

from assets.metrics.leaderboard import leaderboard_charts, leaderboard_markdown, leaderboard_rows, leaderboard_table
from checks.contracts import LEADERBOARD
from resources.types import Method, Outcome
from tests.metrics.tables import Answer, tables


def board(answers: list[Answer]) -> pl.DataFrame:
    made = tables(answers)
    return leaderboard_table(made.scores(), made.ranks())


def answers_of(model: str, correct: int, incorrect: int, **fields: object) -> list[Answer]:
    grades = ["correct"] * correct + ["incorrect"] * incorrect
    return [Answer(str(item), grade, model=model, **fields) for item, grade in enumerate(grades)]  # type: ignore[arg-type]


def failed(model: str) -> list[Answer]:
    return [Answer(str(item), None, model=model, outcome=Outcome.FAILED, cost=None) for item in range(8)]


def test_models_are_ranked_by_index_and_ties_share_the_rank():
    found = board(
        [*answers_of("b", 4, 4), *answers_of("a", 4, 4), *answers_of("best", 8, 0), *answers_of("worst", 0, 8)]
    )

    assert found.select("rank", "model").rows() == [(1, "best"), (2, "a"), (2, "b"), (4, "worst")]


def test_a_model_without_an_index_comes_last():
    found = board([*failed("a"), *answers_of("worst", 0, 8)])

    assert found.select("rank", "model").rows() == [(1, "worst"), (2, "a")]


def test_each_grading_method_has_its_own_ranks():
    found = board([*answers_of("a", 8, 0), *answers_of("b", 4, 4, method=Method.JUDGE, judge="j")])

    assert found.select("method", "judge", "rank", "model").rows() == [("judge", "j", 1, "b"), ("match", None, 1, "a")]


def test_the_table_keeps_its_contract():
    LEADERBOARD.validate(board([*answers_of("a", 4, 4), *failed("b")]))


def test_ranks_are_ranges_where_models_cannot_be_told_apart():
    answers = [
        *answers_of("best", 40, 0),
        *answers_of("a", 20, 20),
        *answers_of("b", 21, 19),
        *answers_of("worst", 0, 40),
    ]
    cells = {row[1]: row[0] for row in leaderboard_rows(board(answers), "omniscience")}

    assert cells == {"best": "1", "a": "2–3", "b": "2–3", "worst": "4"}


def markdown_cells(answers: list[Answer], line: int = 0) -> list[str]:
    lines = leaderboard_markdown(board(answers), "omniscience").splitlines()
    return [cell.strip().replace("\u00a0", " ") for cell in lines[2 + line].strip("| ").split(" | ")]


def test_markdown_shows_the_index_with_its_interval_and_the_rates():
    rank, model, index, accuracy, hallucinations, attempts, coverage, cost, grader = markdown_cells(
        answers_of("m", 2, 6, cost=0.5)
    )

    assert (rank, model, accuracy, hallucinations, attempts) == ("1", "m", "25.0 %", "100.0 %", "100.0 %")
    assert index.startswith("−50.0 (−") and " to " in index
    assert (coverage, cost, grader) == ("100 %", "$4.00", "match")


def test_markdown_tells_truncated_and_filtered_apart_with_the_index_at_worst_and_at_best():
    answers = [*answers_of("m", 2, 0), Answer("x", None, model="m", outcome=Outcome.FILTERED)]

    last = leaderboard_markdown(board(answers), "omniscience").splitlines()[-1]

    assert last == "- m: 1 filtered, not graded; the index would be 33.3 at worst, 100.0 at best"


def test_markdown_says_unknown_for_an_unknown_cost():
    assert markdown_cells(answers_of("m", 8, 0, cost=None))[7] == "unknown"


def test_markdown_marks_an_incomplete_model():
    answers = [*answers_of("m", 999, 0), Answer("999", None, model="m", outcome=Outcome.FILTERED)]

    assert markdown_cells(answers)[6] == "⚠ 99.9 % incomplete"


def test_markdown_says_why_an_interval_is_missing():
    assert markdown_cells(answers_of("m", 1, 1))[2] == "0.0 (too few clusters)"


def test_markdown_has_words_for_what_is_not_known():
    assert markdown_cells(failed("m"))[2:6] == ["none"] * 4


def test_markdown_keeps_a_bar_in_a_models_name():
    assert "| a\\|b |" in leaderboard_markdown(board(answers_of("a|b", 8, 0)), "omniscience")


def test_markdown_names_the_judge():
    assert markdown_cells(answers_of("m", 8, 0, method=Method.JUDGE, judge="gpt-5-mini"))[8] == "judge (gpt-5-mini)"


def test_the_chart_of_thirty_models_is_a_picture_under_10_kb_in_base64():
    found = board(
        [
            *(
                answer
                for n in range(29)
                for answer in answers_of(f"provider/some-model-with-a-long-name@{n}", n, 29 - n)
            ),
            *failed("provider/failed"),
        ]
    )

    png = leaderboard_charts(found)["omniscience"]

    assert png.startswith(b"\x89PNG") and 2_000 < len(base64.b64encode(png)) < 10_000


def test_each_bank_has_a_chart_and_no_bank_has_none():
    two = [*answers_of("m", 8, 0), *answers_of("m", 8, 0, domain="occupations.law")]

    assert set(leaderboard_charts(board(two))) == {"omniscience", "occupations"}
    assert leaderboard_charts(board(two).clear()) == {}
