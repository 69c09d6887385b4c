"""The metrics of the paper from counts."""

import random

import pytest

from assets.metrics.points import Counts


def test_all_correct_is_an_index_of_100_and_no_hallucination_rate():
    counts = Counts(correct=100, partial=0, incorrect=0, not_attempted=0)

    assert (counts.index(), counts.accuracy, counts.hallucination_rate, counts.attempt_rate) == (100, 1, None, 1)


def test_half_correct_half_wrong_is_an_index_of_0():
    assert Counts(correct=50, partial=0, incorrect=50, not_attempted=0).index() == 0


def test_abstaining_always_is_an_index_of_0_without_hallucination():
    counts = Counts(correct=0, partial=0, incorrect=0, not_attempted=100)

    assert (counts.index(), counts.hallucination_rate, counts.attempt_rate) == (0, 0, 0)


def test_all_wrong_is_an_index_of_minus_100_and_hallucinates_always():
    counts = Counts(correct=0, partial=0, incorrect=100, not_attempted=0)

    assert (counts.index(), counts.hallucination_rate) == (-100, 1)


def test_a_partial_answer_counts_as_attempted_and_costs_nothing():
    counts = Counts(correct=1, partial=1, incorrect=1, not_attempted=1)

    assert (counts.index(), counts.accuracy, counts.hallucination_rate, counts.attempt_rate) == (0, 0.25, 1 / 3, 0.75)


def test_the_penalty_is_what_a_wrong_answer_costs():
    assert Counts(correct=50, partial=0, incorrect=50, not_attempted=0).index(penalty=0.5) == 25


def test_nothing_graded_has_no_metric():
    counts = Counts(correct=0, partial=0, incorrect=0, not_attempted=0)

    assert (counts.index(), counts.accuracy, counts.hallucination_rate, counts.attempt_rate) == (None,) * 4


@pytest.mark.parametrize("seed", range(20))
def test_index_equals_accuracy_less_hallucinations_among_the_rest(seed: int):
    draw = random.Random(seed)
    counts = Counts(*(draw.randrange(500) for _ in range(3)), not_attempted=draw.randrange(1, 500))
    accuracy, hallucination_rate = counts.accuracy, counts.hallucination_rate
    assert accuracy is not None and hallucination_rate is not None

    assert counts.index() == pytest.approx(100 * (accuracy - (1 - accuracy) * hallucination_rate))
