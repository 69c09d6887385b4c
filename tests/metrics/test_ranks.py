"""Ranks as ranges: what is told apart, and how often that is wrong."""

import numpy as np
import polars as pl
import pytest

from assets.metrics.ranks import rank_ranges
from tests.metrics.tables import Answer, Tables, tables

GRADES = {1: "correct", 0: "not_attempted", -1: "incorrect"}


def ranges(answers: list[Answer]) -> dict[str, tuple[int, int]]:
    return ranges_of(tables(answers))


def ranges_of(made: Tables, penalty: dict[str, float] | None = None) -> dict[str, tuple[int, int]]:
    return {row["model"]: (row["rank_best"], row["rank_worst"]) for row in made.ranks(penalty).iter_rows(named=True)}


def answers_of(model: str, values: list[int], sources: list[str] | None = None) -> list[Answer]:
    return [
        Answer(str(item), GRADES[value], model=model, source=sources[item] if sources else None)
        for item, value in enumerate(values)
    ]


def tallies_of(values: np.ndarray, clusters: np.ndarray, topics: np.ndarray) -> pl.DataFrame:
    """`item_tallies` of values −1, 0, 1, items × models."""
    items, models = values.shape
    frames = [
        pl.DataFrame(
            {
                "stratum": [f"t{topic}" for topic in topics],
                "cluster": [f"c{cluster}" for cluster in clusters],
                "domain": ["d"] * items,
                "item_id": [str(item) for item in range(items)],
                "model": [f"m{model:02}"] * items,
                "correct": (values[:, model] > 0).astype(int),
                "partial": np.zeros(items, int),
                "incorrect": (values[:, model] < 0).astype(int),
                "not_attempted": (values[:, model] == 0).astype(int),
            }
        )
        for model in range(models)
    ]
    return pl.concat(frames)


def test_one_model_has_the_first_rank() -> None:
    assert ranges(answers_of("m", [1] * 8)) == {"m": (1, 1)}


def test_equal_models_share_all_ranks() -> None:
    assert ranges([*answers_of("a", [1, -1] * 5), *answers_of("b", [1, -1] * 5)]) == {"a": (1, 2), "b": (1, 2)}


def test_models_that_differ_on_every_item_are_told_apart() -> None:
    assert ranges([*answers_of("right", [1] * 10), *answers_of("wrong", [-1] * 10)]) == {
        "right": (1, 1),
        "wrong": (2, 2),
    }


def test_the_better_ones_are_named() -> None:
    made = tables([*answers_of("right", [1] * 10), *answers_of("wrong", [-1] * 10)])
    assert dict(made.ranks().select("model", "better").iter_rows()) == {"right": [], "wrong": ["right"]}


def test_pairs_are_compared_on_the_same_items() -> None:
    """Both intervals are wide, since items differ much; the difference between the two models is small and steady."""
    hard = [1, -1] * 30
    better = [0 if item % 6 == 1 else value for item, value in enumerate(hard)]
    assert ranges([*answers_of("a", hard), *answers_of("b", better)]) == {"a": (2, 2), "b": (1, 1)}


def test_ten_items_of_one_document_are_no_ten_observations() -> None:
    one_document = ["s"] * 10
    answers = [*answers_of("right", [1] * 10, one_document), *answers_of("wrong", [-1] * 10, one_document)]
    assert ranges(answers) == {"right": (1, 2), "wrong": (1, 2)}


def test_only_items_that_both_answered_count() -> None:
    some = [answer for answer in answers_of("some", [1] * 20) if int(answer.item) < 3]
    assert ranges([*some, *answers_of("all", [-1] * 20)]) == {"all": (1, 2), "some": (1, 2)}


def test_the_penalty_decides_what_is_better() -> None:
    made = tables([*answers_of("bold", [1, -1] * 20), *answers_of("mute", [0] * 40)])
    assert ranges_of(made, {"omniscience": 0.0}) == {"bold": (1, 1), "mute": (2, 2)}
    assert ranges([*answers_of("bold", [1, -1] * 20), *answers_of("mute", [0] * 40)])["bold"] == (1, 2)


@pytest.mark.parametrize("spread", [0.0, 1.5])
def test_equal_models_are_told_apart_in_one_leaderboard_of_twenty_at_most(spread: float) -> None:
    """Family-wise error over 10 models, items in documents that share their difficulty for a model."""
    rng = np.random.default_rng(7)
    clusters, topics = np.repeat(np.arange(60), 2), np.repeat(np.arange(6), 20)
    wrong, runs = 0, 200
    for _ in range(runs):
        taste = rng.normal(0, spread, (60, 10))[clusters]
        chance = 1 / (1 + np.exp(-(rng.normal(0, 1, (120, 1)) + taste)))
        found = rank_ranges(tallies_of(np.where(rng.random((120, 10)) < chance, 1, -1), clusters, topics), 1.0)
        wrong += not ((found["rank_best"] == 1).all() and (found["rank_worst"] == 10).all())
    assert wrong / runs <= 0.08  # 5 %, and three standard errors of 200 runs
