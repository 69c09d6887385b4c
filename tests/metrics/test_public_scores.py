"""The public part of a bank beside the whole: which models have a row, and what it says."""

from dataclasses import replace

import polars as pl
import pytest

from assets.metrics.public_scores import public_score_table, rank_correlation
from checks.contracts import PUBLIC_SCORES
from resources.types import Method
from tests.metrics.tables import Answer, Tables, tables

LETTERS = {"c": "correct", "p": "partial", "i": "incorrect", "a": "not_attempted"}


def answers(model: str, public: str, private: str, **more: object) -> list[Answer]:
    """A model's grades by letter on public and private items, each item from a source of its own; - is not asked."""
    items = [(f"{part}{place}", letter) for part, letters in (("pub", public), ("priv", private))
             for place, letter in enumerate(letters)]  # fmt: skip
    return [Answer(item, LETTERS[letter], model=model, **more) for item, letter in items if letter != "-"]  # type: ignore[arg-type]


def splitted(found: Tables) -> Tables:
    """Items called priv… are private."""
    private = pl.col("item_id").str.starts_with("priv")
    split = pl.when(private).then(pl.lit("private")).otherwise(pl.lit("public"))
    return replace(found, items=found.items.with_columns(split=split))


def public_scores(found: Tables, penalty: dict[str, float] | None = None) -> pl.DataFrame:
    return public_score_table(
        found.scores(penalty), found.items, found.responses, found.grades, found.partitions, penalty=penalty or {}
    )


def made(*models: list[Answer]) -> pl.DataFrame:
    return public_scores(splitted(tables([answer for each in models for answer in each])))


def test_values_by_hand() -> None:
    """Public: 4 correct, 2 incorrect. All: 6 correct, 5 incorrect, 1 partial, of 12."""
    row = made(answers("m", "cccc" + "ii", "cc" + "iii" + "p")).row(0, named=True)

    assert (row["items_public"], row["items_all"]) == (6, 12)
    assert row["index_public"] == pytest.approx(100 * (4 - 2) / 6)
    assert row["index_all"] == pytest.approx(100 * (6 - 5) / 12)
    assert row["index_difference"] == pytest.approx(25)
    assert (row["accuracy_public"], row["accuracy_all"]) == (pytest.approx(4 / 6), 0.5)
    assert (row["hallucination_rate_public"], row["hallucination_rate_all"]) == (1, pytest.approx(5 / 6))


def test_the_public_interval_by_hand() -> None:
    """Residuals 1/9 four times and -2/9 twice: standard error sqrt(6 · (12/81) / 5) = 0.4216, t of 5 degrees 2.5706.

    On the logit of the place 2/3 between -1 and 1 the half-width is 0.4216 · 2.5706 / 2 / (2/3 · 1/3) = 2.4387.
    """
    row = made(answers("m", "ccccii", "cciiip")).row(0, named=True)

    assert row["index_public_low"] == pytest.approx(-70.28, abs=0.01)
    assert row["index_public_high"] == pytest.approx(91.64, abs=0.01)
    assert row["index_covered"] is True


def test_the_values_on_all_are_those_of_the_scores() -> None:
    found = splitted(tables(answers("m", "cccciia", "ccipa")))

    row, score = public_scores(found).row(0, named=True), found.row()

    for metric in ("index", "accuracy", "hallucination_rate"):
        for end in ("", "_low", "_high"):
            assert row[f"{metric}_all{end}"] == score[metric + end]


def test_an_interval_that_leaves_the_whole_out_is_told() -> None:
    row = made(answers("m", "c" * 30, "i" * 300)).row(0, named=True)

    assert row["index_public_low"] > row["index_all"]
    assert row["index_covered"] is False


def test_ranks_are_among_the_models_of_the_table() -> None:
    """`few` leads the leaderboard on the items it answered, but has too few public ones."""
    table = made(
        answers("a", "ccccc", "iiiii"), answers("b", "cccci", "ccccc"), answers("few", "cccc-", "ccccc"),
    )  # fmt: skip

    assert table.select("model", "rank_public", "rank_all").rows() == [("b", 2, 1), ("a", 1, 2)]


def test_models_of_one_index_share_a_rank() -> None:
    table = made(answers("a", "cccci", "c"), answers("b", "ccicc", "c"), answers("c", "iiiii", "c"))

    assert table.select("rank_public", "rank_all").rows() == [(1, 1), (1, 1), (3, 3)]


@pytest.mark.parametrize(
    ("public", "private"),
    [
        pytest.param("ccccc", "", id="all are public"),
        pytest.param("", "ccccc", id="all are private"),
        pytest.param("cccc", "ccccc", id="four public items"),
    ],
)
def test_no_row_where_the_parts_cannot_be_compared(public: str, private: str) -> None:
    table = made(answers("m", public, private))

    assert table.is_empty()
    PUBLIC_SCORES.validate(table)


def test_no_row_where_nothing_private_is_graded() -> None:
    """With public answers only, the part would be the whole and say nothing."""
    table = made(answers("m", "ccccci", "------"), answers("other", "ccccci", "cccccc"))

    assert table["model"].to_list() == ["other"]


def test_samples_of_few_items_are_no_more_items() -> None:
    sampled = [replace(answer, sample=sample) for answer in answers("m", "cc", "cc") for sample in range(5)]

    assert made(sampled).is_empty()


def test_few_public_sources_have_no_interval() -> None:
    public = [replace(answer, source=f"https://example.org/{place % 2}")
              for place, answer in enumerate(answers("m", "ccccii", ""))]  # fmt: skip

    row = made([*public, *answers("m", "", "cccciii")]).row(0, named=True)

    assert row["index_public"] == pytest.approx(100 / 3)
    assert (row["index_public_low"], row["index_public_high"], row["index_covered"]) == (None, None, None)
    assert row["index_all_low"] is not None


def test_items_that_are_not_active_make_no_part() -> None:
    found = splitted(tables(answers("m", "cccccc", "cc")))
    retired = pl.when(pl.col("split") == "private").then(pl.lit("retired")).otherwise("status")

    assert public_scores(replace(found, items=found.items.with_columns(status=retired))).is_empty()


def test_graders_and_banks_are_never_mixed() -> None:
    table = made(
        answers("m", "ccccc", "ccccc"),
        answers("m", "iiiii", "iiiii", method=Method.JUDGE, judge="j", domain="omniscience.health"),
        answers("m", "aaaaa", "aaaaa", domain="other.law"),
    )

    assert table.select("bank", "method", "judge", "index_public", "rank_all").rows() == [
        ("omniscience", "judge", "j", -100, 1),
        ("omniscience", "match", None, 100, 1),
        ("other", "match", None, 0, 1),
    ]


def test_the_penalty_is_the_banks() -> None:
    row = public_scores(splitted(tables(answers("m", "ccccii", "cc"))), {"omniscience": 0.5}).row(0, named=True)

    assert (row["index_public"], row["index_all"]) == (pytest.approx(50), pytest.approx(62.5))


def test_the_table_keeps_its_contract() -> None:
    PUBLIC_SCORES.validate(made(answers("a", "ccccci", "cci"), answers("b", "aaaaaa", "aaa")))


def test_no_tables_at_all() -> None:
    found = tables(answers("m", "c", ""))
    empty = Tables(found.items.clear(), found.responses.clear(), found.grades.clear(), found.partitions.clear())

    PUBLIC_SCORES.validate(public_scores(empty))


def indices(public: list[float], whole: list[float]) -> pl.DataFrame:
    return pl.DataFrame(
        {"index_public": public, "index_all": whole}, schema={"index_public": float, "index_all": float}
    )


@pytest.mark.parametrize(
    ("public", "whole", "correlation"),
    [
        ([3, 2, 1], [30, 20, 10], 1),
        ([1, 2, 3], [30, 20, 10], -1),
        # 1 − 6 · (0 + 1 + 1 + 0) / (4 · 15)
        ([4, 2, 3, 1], [40, 30, 20, 10], 0.8),
        # ranks 1, 2.5, 2.5 against 1, 2, 3: covariance 1.5 / sqrt(1.5 · 2)
        ([1, 2, 2], [1, 2, 3], 3**0.5 / 2),
        ([1, 2], [1, 2], None),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_rank_correlation_by_hand(public: list[float], whole: list[float], correlation: float | None) -> None:
    assert rank_correlation(indices(public, whole)) == (correlation and pytest.approx(correlation))
