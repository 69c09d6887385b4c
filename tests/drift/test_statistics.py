"""The permutation test: exact chances, few false alarms whatever a model's own instability, and a stated power."""

from math import comb

import numpy as np
import pytest

from assets.drift.statistics import (
    NIGHT_LEVEL,
    NIGHTS_A_YEAR,
    WEEK_LEVEL,
    Given,
    Series,
    evidence,
    permutation_p,
    power,
    rate,
    rounded_up,
    smallest_found,
)

NIGHTS = 7
RIGHT, WRONG = Given("correct", "42"), Given("incorrect", "41")


def test_an_item_that_never_changed_says_nothing() -> None:
    assert permutation_p([([RIGHT] * NIGHTS, [RIGHT])]) == 1.0


@pytest.mark.parametrize("items", [1, 2, 3])
def test_steady_items_that_change_tonight_have_one_chance_in_eight_each(items: int) -> None:
    changed = [([RIGHT] * NIGHTS, [WRONG])] * items
    steady = [([RIGHT] * NIGHTS, [RIGHT])] * 5

    assert permutation_p([*changed, *steady]) == pytest.approx(8.0**-items)


def test_a_change_that_lasts_a_week_is_a_change_even_of_one_item() -> None:
    p = permutation_p([([RIGHT] * NIGHTS, [WRONG] * 7)])

    assert p == pytest.approx(2 / comb(14, 7))
    assert p <= WEEK_LEVEL


def test_other_words_alone_count_too() -> None:
    assert permutation_p([([RIGHT] * NIGHTS, [Given("correct", "It is 42.")])]) == pytest.approx(1 / 8)


def test_a_model_that_never_repeats_itself_is_compared_by_grades_alone() -> None:
    words = [Given("correct", f"{night}") for night in range(NIGHTS)]

    assert permutation_p([(words, [Given("correct", "new")])]) == 1.0
    assert permutation_p([(words, [Given("incorrect", "new")])]) == pytest.approx(1 / 8)


def test_an_item_that_is_half_the_time_otherwise_says_nothing() -> None:
    assert permutation_p([([RIGHT] * 4 + [WRONG] * 3, [WRONG])]) == 1.0


def test_a_night_without_an_answer_says_nothing() -> None:
    assert evidence([Series((RIGHT,) * NIGHTS, (), None)]).alarm is False


def test_the_rate_is_the_share_of_pairs_of_nights_that_differ() -> None:
    assert rate([["a", "a", "b"], ["c", "c", "c"]]) == pytest.approx(2 / 6)
    assert rate([["a"]]) is None


def test_the_levels_leave_at_most_one_false_alarm_a_year() -> None:
    assert NIGHTS_A_YEAR * (NIGHT_LEVEL + WEEK_LEVEL) <= 1


@pytest.mark.parametrize("unstable", [0.0, 0.02, 0.1, 0.3])
def test_an_unchanged_model_gives_few_alarms(unstable: float) -> None:
    """Each trial is a model of its own: its unstable items, each in its own degree, a baseline and a week."""
    chance = np.random.default_rng(3)
    trials, items = 3000, 24
    alarms = 0
    for _ in range(trials):
        series = []
        for _ in range(items):
            odds = chance.dirichlet([2, 1, 1, 0.5]) if chance.random() < unstable else [1, 0, 0, 0]
            cells = [RIGHT, WRONG, Given("correct", "two and forty"), Given("partial", "40")]
            told = [cells[drawn] for drawn in chance.choice(4, size=NIGHTS + 7, p=odds)]
            series.append(Series(tuple(told[:NIGHTS]), tuple(told[NIGHTS:-1]), told[-1]))
        alarms += evidence(series).alarm

    # Expected are at most 3000 / 365 = 8.2 alarms; 17 or more of a Poisson variable of that mean come once in 250.
    assert alarms <= 16


@pytest.mark.parametrize(("flip_rate", "in_a_night", "in_a_week"), [(0.0, 3, 1), (0.05, 6, 2), (0.2, 11, 3)])
def test_so_many_changed_items_of_24_are_found(flip_rate: float, in_a_night: int, in_a_week: int) -> None:
    for nights, expected in ((1, in_a_night), (7, in_a_week)):
        found = smallest_found(nights, items=24, flip_rate=flip_rate, baseline_nights=NIGHTS)

        assert found is not None and abs(found - expected) <= 1  # the simulation is seeded, its generator may change
        assert power(found, nights, items=24, flip_rate=flip_rate, baseline_nights=NIGHTS) >= 0.8


def test_a_model_that_answers_at_random_is_not_watched_at_all() -> None:
    assert smallest_found(1, items=4, flip_rate=0.5, baseline_nights=NIGHTS) is None


def test_a_rate_is_rounded_up_to_one_of_a_few() -> None:
    assert [rounded_up(rate) for rate in (0.0, 0.03, 0.9)] == [0.0, 0.05, 0.4]
