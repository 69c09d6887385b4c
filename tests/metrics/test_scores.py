"""What counts as graded, what coverage is over, and what each row of `scores` says."""

from dataclasses import replace

import polars as pl
import pytest

from assets.grades.graded import UNREADABLE
from checks.contracts import PARTITIONS, SCORES
from resources.types import Method, Outcome
from tests.metrics.tables import Answer, Tables, tables

LAW, HEALTH = "omniscience.law", "omniscience.health"


def with_column(frame: pl.DataFrame, item: str, **values: object) -> pl.DataFrame:
    """`frame` with these values in the rows of `item`."""
    return frame.with_columns(
        pl.when(pl.col("item_id") == item).then(pl.lit(value)).otherwise(pl.col(name)).alias(name)
        for name, value in values.items()
    )


def four_grades() -> list[Answer]:
    return [Answer("1"), Answer("2", "partial"), Answer("3", "incorrect"), Answer("4", "not_attempted")]


def test_counts_and_metrics_of_four_grades():
    row = tables([*four_grades(), Answer("5", "incorrect")]).row()

    assert [row[name] for name in ("correct", "partial", "incorrect", "not_attempted")] == [1, 1, 2, 1]
    assert (row["index"], row["accuracy"], row["hallucination_rate"], row["attempt_rate"]) == (-20, 0.2, 0.5, 0.8)
    assert (row["items"], row["coverage"], row["incomplete"]) == (5, 1, False)


def test_the_table_keeps_its_contract():
    SCORES.validate(tables(four_grades()).scores())


def test_each_level_has_its_keys_in_order():
    scores = tables(
        [Answer("1"), Answer("2", topic="Contract law"), Answer("1", domain=HEALTH, topic="Anatomy")]
    ).scores()

    assert scores.select("level", "key", "items").rows() == [
        ("all", "omniscience", 3),
        ("domain", HEALTH, 1),
        ("domain", LAW, 2),
        ("topic", f"{HEALTH}/Anatomy", 1),
        ("topic", f"{LAW}/Contract law", 1),
        ("topic", f"{LAW}/Tort", 1),
    ]


def test_banks_are_scored_apart():
    scores = tables([Answer("1"), Answer("1", "incorrect", domain="occupations.nurse")]).scores()

    of_all = scores.filter(pl.col("level") == "all")
    assert of_all.select("bank", "index").rows() == [("occupations", -100), ("omniscience", 100)]


def test_a_domain_that_the_model_was_not_asked_lowers_its_coverage_of_the_bank():
    found = tables([Answer("1"), Answer("1", domain=HEALTH), Answer("1", model="law-only")])

    row = found.row(model="law-only")
    assert (row["items"], row["coverage"], row["incomplete"], row["index"]) == (2, 0.5, True, 100)


def test_a_domain_that_the_model_was_not_asked_is_no_row_of_it():
    scores = tables([Answer("1"), Answer("1", domain=HEALTH), Answer("1", model="law-only")]).scores()

    of_model = scores.filter((pl.col("model") == "law-only") & (pl.col("level") == "domain"))
    assert of_model["key"].to_list() == [LAW]


def test_an_unasked_item_lowers_coverage():
    found = tables(four_grades())

    row = replace(found, responses=found.responses.head(3), grades=found.grades.head(3)).row()

    assert (row["coverage"], row["not_attempted"], row["ungraded"]) == (0.75, 0, 0)


def test_a_topic_without_any_answer_has_a_row_with_coverage_0():
    found = tables([Answer("1"), Answer("2", topic="Tax")])

    row = replace(found, responses=found.responses.head(1)).row("topic", f"{LAW}/Tax")

    assert (row["items"], row["coverage"], row["index"], row["cost_usd"]) == (1, 0, None, 0)


def test_a_model_whose_calls_all_failed_has_a_row_without_metrics():
    row = tables([Answer("1", None, outcome=Outcome.FAILED, cost=None)]).row()

    assert (row["items"], row["coverage"], row["failed"], row["incomplete"]) == (1, 0, 1, True)
    metrics = ("index", "accuracy", "hallucination_rate", "attempt_rate")
    assert all(row[metric + end] is None for metric in metrics for end in ("", "_low", "_high"))
    assert row["note"] == "no answer is graded"


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TRUNCATED, Outcome.FILTERED])
def test_what_is_no_answer_never_counts_as_a_grade(outcome: Outcome):
    row = tables([Answer("1"), Answer("2", "incorrect", outcome=outcome)]).row()

    assert (row["index"], row["incorrect"], row["coverage"], row[outcome]) == (100, 0, 0.5, 1)


def test_an_answer_without_a_grade_lowers_coverage():
    row = tables([Answer("1"), Answer("2", None, reason="judge did not answer")]).row()

    assert (row["index"], row["coverage"], row["ungraded"]) == (100, 0.5, 1)


def test_a_grade_against_an_earlier_gold_is_no_grade():
    found = tables([Answer("1"), Answer("2", "incorrect")])

    row = replace(found, items=with_column(found.items, "2", answer_version="a2")).row()

    assert (row["incorrect"], row["coverage"], row["ungraded"]) == (0, 0.5, 1)


def test_an_answer_to_an_earlier_question_counts_nowhere():
    found = tables([Answer("1"), Answer("2", "incorrect", cost=7.0)])

    row = replace(found, items=with_column(found.items, "2", question_version="q2")).row()

    assert (row["incorrect"], row["coverage"], row["ungraded"], row["cost_usd"]) == (0, 0.5, 0, 0)


def test_a_grade_of_an_earlier_epoch_is_no_grade_of_the_new_answer():
    found = tables([Answer("1"), Answer("2", "incorrect")])

    row = replace(found, responses=with_column(found.responses, "2", epoch=1)).row()

    assert (row["incorrect"], row["coverage"], row["ungraded"]) == (0, 0.5, 1)


def test_only_active_items_count():
    found = tables([Answer("1"), Answer("2", "incorrect")])

    row = replace(found, items=with_column(found.items, "2", status="disputed")).row()

    assert (row["items"], row["coverage"], row["incorrect"]) == (1, 1, 0)


def test_a_bank_without_active_items_has_no_rows():
    found = tables([Answer("1")])

    assert replace(found, items=with_column(found.items, "1", status="retired")).scores().is_empty()


def test_no_tables_at_all_are_no_scores():
    empty = tables([Answer("1")])
    empty = Tables(empty.items.clear(), empty.responses.clear(), empty.grades.clear(), empty.partitions.clear())

    SCORES.validate(empty.scores())


def test_samples_are_counted_each_and_covered_each():
    row = tables([Answer("1", sample=0), Answer("1", "incorrect", sample=1), Answer("2", sample=0)]).row()

    assert (row["items"], row["correct"], row["incorrect"], row["coverage"]) == (2, 2, 1, 0.75)


def test_samples_of_an_item_are_one_cluster():
    answers = [Answer(str(item), sample=sample) for item in range(6) for sample in range(4)]

    assert tables(answers).row()["clusters"] == 6


def test_items_of_one_source_are_one_cluster():
    answers = [Answer(str(item), source=f"https://example.org/{item // 3}") for item in range(15)]

    assert tables(answers).row()["clusters"] == 5


def test_places_within_one_document_are_one_cluster():
    answers = [Answer(str(item), source=f"https://example.org/{item % 5}#part-{item}") for item in range(15)]

    assert tables(answers).row()["clusters"] == 5


def test_under_five_sources_there_is_no_interval_and_the_note_says_so():
    row = tables([Answer(str(item), source=f"https://example.org/{item % 4}") for item in range(40)]).row()

    assert (row["index_low"], row["index_high"], row["note"]) == (None, None, "too few clusters")


def test_the_hallucination_rate_may_have_too_few_clusters_alone():
    row = tables([*(Answer(str(item)) for item in range(9)), Answer("9", "incorrect")]).row()

    assert (row["hallucination_rate"], row["hallucination_rate_low"]) == (1, None)
    assert row["accuracy_low"] is not None
    assert row["note"] == "too few clusters for the hallucination rate"


def test_intervals_hold_their_estimate_at_a_penalty_of_one_half():
    answers = [Answer(str(item), ("correct", "incorrect", "not_attempted")[item % 3]) for item in range(30)]

    row = tables(answers).scores(penalty={"omniscience": 0.5}).row(0, named=True)

    assert (row["index"], row["penalty"]) == (pytest.approx(100 / 6), 0.5)
    assert -50 < row["index_low"] < row["index"] < row["index_high"] < 100


def test_the_worst_index_of_a_model_that_is_always_wrong_is_the_penalty():
    answers = [Answer(str(item), "incorrect") for item in range(8)]

    row = tables(answers).scores(penalty={"omniscience": 0.5}).row(0, named=True)

    assert row["index_low"] == row["index"] == -50 < row["index_high"]


def test_the_banks_note_stands_in_domain_and_topic_rows_only():
    scores = tables(four_grades()).scores(notes={"omniscience": "a small public set"})

    assert scores["note"].to_list() == ["too few clusters", *["too few clusters; a small public set"] * 2]


def test_truncated_and_filtered_answers_bound_the_index():
    row = tables(
        [
            Answer("1"),
            Answer("2", "incorrect"),
            Answer("3", None, outcome=Outcome.TRUNCATED),
            Answer("4", None, outcome=Outcome.FILTERED),
        ]
    ).row()

    assert (row["index"], row["index_worst"], row["index_best"]) == (0, -50, 50)


def test_the_cost_is_unknown_where_an_answers_price_is():
    assert tables([Answer("1", cost=0.25), Answer("2", cost=None)]).row()["cost_usd"] is None


def test_a_failed_call_without_a_cost_leaves_the_cost_known():
    answers = [Answer("1", cost=0.25), Answer("2", None, outcome=Outcome.FAILED, cost=None)]

    assert tables(answers).row()["cost_usd"] == 0.25


def test_the_judges_cost_adds_up_by_domain_and_is_unknown_by_topic():
    found = tables([Answer("1"), Answer("1", domain=HEALTH)])
    partitions = found.partitions.with_columns(judge_cost_usd=pl.lit(0.5))

    scores = replace(found, partitions=partitions).scores()

    assert scores["judge_cost_usd"].to_list() == [1.0, 0.5, 0.5, None, None]


def test_a_judges_unknown_cost_in_one_domain_makes_the_banks_unknown():
    found = tables([Answer("1"), Answer("1", domain=HEALTH)])
    cost = pl.when(pl.col("domain") == LAW).then(0.5)

    scores = replace(found, partitions=found.partitions.with_columns(judge_cost_usd=cost)).scores()

    assert scores.head(3)["judge_cost_usd"].to_list() == [None, None, 0.5]


def test_an_unreadable_choice_is_counted_beside_its_grade():
    row = tables([Answer("1", "incorrect", reason=f"{UNREADABLE}: no letter"), Answer("2", "incorrect")]).row()

    assert (row["incorrect"], row["unreadable"]) == (2, 1)


def test_methods_are_never_mixed():
    found = tables([Answer("1"), Answer("1", "incorrect", domain=HEALTH, method=Method.JUDGE, judge="gpt-5-mini")])

    rows = found.scores().filter(pl.col("level") == "all").select("method", "judge", "index", "coverage").rows()

    assert rows == [("judge", "gpt-5-mini", -100, 0.5), ("match", None, 100, 0.5)]


def test_a_failed_call_without_a_grade_row_belongs_to_its_partitions_judge():
    found = tables(
        [
            Answer("1", method=Method.JUDGE, judge="gpt-5-mini"),
            Answer("2", None, outcome=Outcome.FAILED, method=Method.JUDGE, judge="gpt-5-mini"),
        ]
    )

    scores = replace(found, grades=found.grades.head(1)).scores().filter(pl.col("level") == "all")

    assert scores.select("method", "judge", "failed", "coverage").rows() == [("judge", "gpt-5-mini", 1, 0.5)]


def with_samples(found: Tables, samples: dict[tuple[str, str], int]) -> Tables:
    """`found` with these samples in the partitions of (domain, model)."""
    numbers = [samples[key] for key in found.partitions.select("domain", "model").rows()]
    return replace(found, partitions=found.partitions.with_columns(samples=pl.Series(numbers, dtype=pl.Int64)))


def test_one_model_swept_with_more_samples_leaves_the_others_complete():
    found = tables([Answer("1"), *(Answer("1", model="three", sample=sample) for sample in range(3))])

    found = with_samples(found, {(LAW, "m"): 1, (LAW, "three"): 3})

    for level, key in (("all", "omniscience"), ("domain", LAW), ("topic", f"{LAW}/Tort")):
        assert [found.row(level, key, model=model)["coverage"] for model in ("m", "three")] == [1, 1]
        assert not found.row(level, key, model="m")["incomplete"]


def test_each_domain_is_covered_by_its_own_partitions_samples():
    answers = [Answer("1"), Answer("2", None), *(Answer("1", domain=HEALTH, sample=sample) for sample in range(3))]

    found = with_samples(tables(answers), {(LAW, "m"): 1, (HEALTH, "m"): 3})

    assert found.row()["coverage"] == 4 / 5
    assert (found.row("domain", LAW)["coverage"], found.row("domain", HEALTH)["coverage"]) == (0.5, 1)


def test_a_domain_without_a_partition_is_owed_the_most_samples_of_the_models_own():
    both = [Answer("1", model="both"), Answer("1", model="both", domain=HEALTH)]
    found = tables([*both, Answer("1", model="law-only"), Answer("1", model="law-only", sample=1)])

    found = with_samples(found, {(LAW, "both"): 5, (HEALTH, "both"): 5, (LAW, "law-only"): 2})

    assert found.row(model="law-only")["coverage"] == 2 / 4


def test_a_graded_response_without_any_partition_is_one_sample():
    found = tables([Answer("1"), Answer("1", sample=1)])

    row = replace(found, partitions=found.partitions.clear()).row()

    assert (row["correct"], row["coverage"]) == (1, 1)


def test_a_sample_beyond_those_of_its_partition_is_left_out():
    found = tables([Answer("1"), Answer("1", "incorrect", sample=1)])
    partitions = PARTITIONS.validate(found.partitions.with_columns(samples=pl.lit(1, pl.Int64)))

    row = replace(found, partitions=partitions).row()

    assert (row["correct"], row["incorrect"], row["coverage"]) == (1, 0, 1)
