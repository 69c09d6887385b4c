"""What the 95 % intervals rest on, and that they cover what they say."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

from assets.metrics.intervals import cluster_intervals

Row = tuple[int, int, int, float, int]


def interval(rows: list[Row], worst: float = 0, best: float = 1) -> tuple[float, float]:
    """Of one group's rows: group, stratum, cluster, numerator, denominator."""
    [row] = intervals(rows, worst, best).iter_rows(named=True)
    return row["low"], row["high"]


def intervals(rows: list[Row], worst: float = 0, best: float = 1) -> pl.DataFrame:
    names = ["group", "stratum", "cluster", "numerator", "denominator"]
    return cluster_intervals(pl.DataFrame(rows, schema=names, orient="row"), worst, best)


def test_without_sources_it_is_the_logit_t_interval_of_independent_items():
    rows: list[Row] = [(0, 0, item, item % 2, 1) for item in range(10)]

    standard_error = math.sqrt(0.5 * 0.5 / 9)
    half = stats.t.ppf(0.975, 9) * standard_error / (0.5 * 0.5)
    assert interval(rows) == pytest.approx((1 / (1 + math.exp(half)), 1 / (1 + math.exp(-half))))


def test_items_of_one_source_that_agree_say_no_more_than_one_item():
    one_each: list[Row] = [(0, 0, source, source % 2, 1) for source in range(10)]
    four_each: list[Row] = [(0, 0, source, source % 2, 1) for source in range(10) for _ in range(4)]

    assert interval(four_each) == pytest.approx(interval(one_each))


def test_samples_of_an_item_that_agree_say_no_more_than_one_sample():
    one_each: list[Row] = [(0, 0, item, item % 2, 1) for item in range(10)]
    three_each: list[Row] = [(0, 0, item, 3 * (item % 2), 3) for item in range(10)]

    assert interval(three_each) == pytest.approx(interval(one_each))


def test_the_difference_between_topics_is_not_uncertainty():
    right = (1, 1, 1, 1, 1, 1, 1, 0)
    scores = [*right, *(1 - score for score in right)]
    by_topic: list[Row] = [(0, place // 8, place, score, 1) for place, score in enumerate(scores)]
    mixed: list[Row] = [(0, 0, place, score, 1) for place, score in enumerate(scores)]

    (low, high), (low_mixed, high_mixed) = interval(by_topic), interval(mixed)

    assert high - low < 0.75 * (high_mixed - low_mixed)


def test_a_source_in_two_topics_is_a_cluster_in_each():
    rows: list[Row] = [(0, topic, source, (topic + source) % 2, 1) for topic in range(2) for source in range(4)]

    assert intervals(rows)["clusters"].to_list() == [8]


def test_topics_with_a_single_source_are_collapsed_into_one():
    single: list[Row] = [(0, topic, topic, topic % 2, 1) for topic in range(9)]
    together: list[Row] = [(0, 0, topic, topic % 2, 1) for topic in range(9)]

    assert interval(single) == pytest.approx(interval(together))


def test_a_lone_topic_with_a_single_source_joins_the_smallest_other():
    large: list[Row] = [(0, 1, source, source % 2, 1) for source in range(6)]
    small: list[Row] = [(0, 2, 10, 1, 1), (0, 2, 11, 0, 1)]

    apart = interval([*large, *small, (0, 3, 12, 1, 1)])

    assert apart == pytest.approx(interval([*large, *small, (0, 2, 12, 1, 1)]))


def test_a_source_without_occasion_for_the_ratio_is_no_cluster_of_it():
    rows: list[Row] = [(0, 0, source, source % 2, 1) for source in range(6)]
    without_occasion: list[Row] = [(0, 0, source, 0, 0) for source in range(6, 40)]

    assert intervals(rows + without_occasion).equals(intervals(rows))


def test_four_clusters_are_too_few():
    rows: list[Row] = [(0, 0, item % 4, item % 2, 1) for item in range(40)]

    assert interval(rows) == (None, None)


def test_five_clusters_are_enough():
    low, high = interval([(0, 0, cluster, cluster % 2, 1) for cluster in range(5)])

    assert 0 < low < 0.4 < high < 1


@pytest.mark.parametrize("right", [0, 1])
def test_where_all_items_agree_it_is_clopper_pearson_over_clusters(right: int):
    rows: list[Row] = [(0, 0, item % 12, 3 * right, 3) for item in range(36)]

    exact = stats.binomtest(12 * right, 12).proportion_ci(method="exact")

    assert interval(rows) == pytest.approx((exact.low, exact.high))


def test_a_model_that_always_abstains_has_an_index_that_may_depart_to_both_sides():
    rows: list[Row] = [(0, 0, source, 0, 1) for source in range(12)]
    departing = stats.binomtest(0, 12).proportion_ci(method="exact").high

    assert interval(rows, worst=-0.5, best=1) == pytest.approx((-0.5 * departing, departing))


def test_a_model_that_is_always_wrong_has_an_index_bounded_by_the_penalty():
    rows: list[Row] = [(0, 0, source, -1, 1) for source in range(12)]
    departing = stats.binomtest(0, 12).proportion_ci(method="exact").high

    assert interval(rows, worst=-1, best=1) == pytest.approx((-1, -1 + 2 * departing))


def test_sources_that_score_alike_by_chance_are_no_certainty():
    rows: list[Row] = [(0, 0, source, right, 1) for source in range(5) for right in (0, 1)]

    low, high = interval(rows)

    independent = interval([(0, 0, item, item % 2, 1) for item in range(10)])
    assert (low, high) == pytest.approx(independent)


def test_the_order_of_rows_does_not_matter():
    draw = np.random.default_rng(5)
    rows: list[Row] = [(item % 3, item % 4, item % 29, int(draw.integers(2)), 1) for item in range(300)]

    shuffled = intervals([rows[place] for place in draw.permutation(len(rows))])

    ordered = intervals(rows).sort("group")
    for name in ("low", "high"):
        assert shuffled.sort("group")[name].to_list() == pytest.approx(ordered[name].to_list(), abs=1e-12)


@pytest.mark.parametrize("accuracy", [0.5, 0.9])
@pytest.mark.parametrize(("clusters", "topics"), [(5, 1), (10, 1), (10, 4), (42, 1), (42, 6)])
def test_it_covers_the_truth_about_95_times_in_100(clusters: int, topics: int, accuracy: float):
    """Sources of 2 to 20 items whose own accuracy varies (intraclass correlation 0.2), 1,000 times each."""
    covered = simulated_coverage(clusters, topics, accuracy)

    assert 0.93 <= covered <= 0.99


def simulated_coverage(clusters: int, topics: int, accuracy: float) -> float:
    draw, times, correlation = np.random.default_rng(11), 1000, 0.2
    sizes = np.minimum(1 + draw.geometric(0.25, (times, clusters)), 20)
    scale = (1 - correlation) / correlation
    right = draw.binomial(sizes, draw.beta(accuracy * scale, (1 - accuracy) * scale, sizes.shape))
    source = np.repeat(np.arange(sizes.size), sizes.ravel())
    nth = np.arange(len(source)) - np.repeat(np.cumsum(sizes.ravel()) - sizes.ravel(), sizes.ravel())
    tallies = pl.DataFrame(
        {
            "group": source // clusters,
            "stratum": source % clusters % topics,
            "cluster": source,
            "numerator": (nth < right.ravel()[source]).astype(np.int64),
            "denominator": np.ones_like(source),
        }
    )
    found = cluster_intervals(tallies, 0, 1)
    return float(((found["low"] <= accuracy) & (accuracy <= found["high"])).sum()) / times
