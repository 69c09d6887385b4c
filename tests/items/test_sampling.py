from itertools import pairwise

import polars as pl
import pytest

from assets.items.sampling import stratified_sample


def bank(**sizes: int) -> pl.DataFrame:
    """Items of domain d with so many of each topic."""
    rows = [("d", topic, f"{topic}{number}") for topic, size in sizes.items() for number in range(size)]
    return pl.DataFrame(rows, schema=["domain", "topic", "item_id"], orient="row")


def topics(sample: pl.DataFrame) -> dict[str, int]:
    return dict(sample.group_by("topic").len().iter_rows())


def test_every_topic_gives_one_before_any_gives_two() -> None:
    assert topics(stratified_sample(bank(a=97, b=2, c=1), 3, "s")) == {"a": 1, "b": 1, "c": 1}


def test_shares_are_those_of_the_topics() -> None:
    assert topics(stratified_sample(bank(a=60, b=30, c=10), 50, "s")) == {"a": 30, "b": 15, "c": 5}


def test_a_larger_limit_keeps_what_a_smaller_one_chose() -> None:
    items = bank(a=13, b=7, c=3, d=1)
    samples = [stratified_sample(items, limit, "s")["item_id"].to_list() for limit in range(25)]
    assert [len(sample) for sample in samples] == list(range(25))
    assert all(smaller == larger[:-1] for smaller, larger in pairwise(samples))


def test_the_order_of_rows_does_not_matter() -> None:
    items = bank(a=20, b=10)
    assert stratified_sample(items.reverse(), 9, "s").equals(stratified_sample(items, 9, "s"))


def test_another_seed_draws_other_items() -> None:
    items = bank(a=100)
    drawn = [set(stratified_sample(items, 10, seed)["item_id"]) for seed in ("s", "t")]
    assert drawn[0] != drawn[1]


def test_a_limit_over_the_number_of_items_takes_all() -> None:
    assert stratified_sample(bank(a=3), 10, "s").height == 3


def test_few_items_are_spread_over_the_domains() -> None:
    parts = [
        bank(**{f"{domain}{topic}": 5 for topic in range(7)}).with_columns(domain=pl.lit(domain)) for domain in "xyz"
    ]
    sample = stratified_sample(pl.concat(parts), 6, "s")
    assert sorted(sample["domain"].to_list()) == ["x", "x", "y", "y", "z", "z"]


def test_an_id_that_two_domains_share_is_chosen_in_each_by_itself() -> None:
    items = pl.concat([bank(a=50), bank(a=50).with_columns(domain=pl.lit("e"))])
    sample = stratified_sample(items, 20, "s")
    assert sample.select("domain", "item_id").is_unique().all()
    assert sample.height == 20


def test_items_are_chosen_by_chance_and_not_by_place() -> None:
    chosen = stratified_sample(bank(a=1000), 100, "s")["item_id"].str.slice(1).cast(pl.Int64)
    assert chosen.mean() == pytest.approx(500, abs=90)


def test_no_items_give_no_sample() -> None:
    assert stratified_sample(bank(), 5, "s").height == 0
