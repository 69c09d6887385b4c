"""Published results, rebuilt from their rows by the code that scores a sweep."""

import polars as pl
import pytest

from assets.grades.graded import UNREADABLE
from assets.metrics.points import Counts
from resources.types import Method, Outcome
from tests.metrics.tables import tables_of
from tests.support.needs import shared_data

CZECH = {
    "claude-3-5-haiku-20241022": (-51.67, 64.54),
    "claude-3-5-sonnet-20240620": (-10.37, 36.50),
    "claude-3-5-sonnet-20241022": (-25.49, 75.10),
    "gpt-4o-2024-11-20": (-36.09, 97.41),
    "gpt-4o-mini-2024-07-18": (-82.41, 98.34),
}
MMLU_PRO = {
    "Llama-2-7b-hf": 18.34,
    "Meta-Llama-3_1-8B-Instruct": 44.17,
    "Qwen1.5-110B": 49.20,
    "jamba-1.5-large": 49.33,
    "Meta-Llama-3_1-70B-Instruct": 62.80,
    "gemini-1.5-flash-002": 63.91,
    "gemini-1.5-pro-002": 70.11,
}
PUBLISHED_ITEMS = 6000


def scores_of_all(answers: pl.DataFrame) -> pl.DataFrame:
    """The rows of level `all` for answers with the columns item, topic, model and grade, and others where given."""
    defaults = {
        "bank": "published",
        "domain": "published.all",
        "source": None,
        "sample": 0,
        "outcome": Outcome.ANSWERED,
        "cost": 0.0,
        "reason": "published",
        "method": Method.MATCH,
        "judge": None,
    }
    missing = {name: pl.lit(value) for name, value in defaults.items() if name not in answers.columns}
    return tables_of(answers.with_columns(**missing)).scores().filter(pl.col("level") == "all")


def test_one_models_hundred_finance_answers():
    rows = pl.read_csv(shared_data("graded/aa_omniscience_finance100_claude_sonnet_graded.csv"))
    letters = {"CORRECT": "correct", "PARTIALLY_CORRECT": "partial"}
    grade = pl.col("grade").replace(letters).str.to_lowercase()

    [row] = scores_of_all(
        rows.select("topic", item=pl.col("question_id").cast(pl.String), model=pl.lit("m"), grade=grade)
    ).iter_rows(named=True)

    assert [row[name] for name in ("correct", "partial", "incorrect", "not_attempted")] == [35, 6, 47, 12]
    assert (row["index"], round(100 * row["hallucination_rate"], 1)) == (-12.0, 72.3)


def test_five_models_on_simpleqa_in_czech():
    wide = pl.read_csv(shared_data("graded/czech_simpleqa_grades_wide.csv"))
    long = wide.unpivot(list(CZECH), index=["simpleqa_row_index", "topic"], variable_name="model", value_name="grade")
    letters = {"A": "correct", "B": "incorrect", "C": "not_attempted"}

    scores = scores_of_all(
        long.select(
            "topic",
            "model",
            item=pl.col("simpleqa_row_index").cast(pl.String),
            grade=pl.col("grade").replace_strict(letters),
        )
    )

    found = {
        model: (round(index, 2), round(100 * rate, 2))
        for model, index, rate in scores.select("model", "index", "hallucination_rate").iter_rows()
    }
    assert found == CZECH


def test_seven_models_on_mmlu_pro_by_letter():
    """Accuracy is over the items that were run: an unreadable letter is wrong, an item not run is not graded."""
    wide = pl.read_csv(shared_data("graded/mmlu_pro_predictions_7models.csv"), infer_schema=False)
    long = wide.unpivot(
        list(MMLU_PRO), index=["question_id", "category", "answer"], variable_name="model", value_name="letter"
    )
    not_run, unreadable = pl.col("letter").is_null(), pl.col("letter") == "NONE"

    scores = scores_of_all(
        long.select(
            "model",
            item="question_id",
            topic="category",
            outcome=pl.when(not_run).then(pl.lit(Outcome.FAILED)).otherwise(pl.lit(Outcome.ANSWERED)),
            grade=pl.when(~not_run).then(
                pl.when(pl.col("letter") == pl.col("answer")).then(pl.lit("correct")).otherwise(pl.lit("incorrect"))
            ),
            reason=pl.when(unreadable).then(pl.lit(UNREADABLE)).otherwise(pl.lit("letter")),
            method=pl.lit(Method.CHOICE),
        )
    )

    found = {model: round(100 * accuracy, 2) for model, accuracy in scores.select("model", "accuracy").iter_rows()}
    assert found == MMLU_PRO
    not_all_run = scores.filter("incomplete").select("model", "failed", "unreadable").rows()
    assert not_all_run == [("gemini-1.5-flash-002", 20, 71), ("gemini-1.5-pro-002", 12, 8)]


def published_counts(accuracy_pct: float, hallucination_pct: float) -> Counts:
    correct = round(PUBLISHED_ITEMS * accuracy_pct / 100)
    incorrect = round((PUBLISHED_ITEMS - correct) * hallucination_pct / 100)
    return Counts(correct, 0, incorrect, PUBLISHED_ITEMS - correct - incorrect)


def test_published_models_rebuilt_at_6000_items_hold_within_the_rounding_of_their_figures():
    published = pl.read_csv(shared_data("results/aa_omniscience_per_model_2026-06-30.csv"))

    missed = []
    for row in published.iter_rows(named=True):
        accuracy, rate, index = row["accuracy_pct"], row["hallucination_pct"], row["omniscience_index"]
        lowest = published_counts(accuracy - 0.5, rate + 0.5).index()
        highest = published_counts(accuracy + 0.5, rate - 0.5).index()
        assert lowest is not None and highest is not None
        if not lowest - 0.5 <= index <= highest + 0.5:
            missed.append(row["model"])

    assert (published.height, missed) == (219, [])


@pytest.mark.parametrize(
    ("grades", "index", "hallucination_rate"),
    [
        (["correct"] * 10, 100, None),
        (["correct", "incorrect"] * 5, 0, 1),
        (["not_attempted"] * 10, 0, 0),
        (["incorrect"] * 10, -100, 1),
    ],
)
def test_the_papers_four_example_models(grades: list[str], index: float, hallucination_rate: float | None):
    answers = pl.DataFrame({"item": [str(item) for item in range(10)], "grade": grades})

    [row] = scores_of_all(answers.with_columns(topic=pl.lit("t"), model=pl.lit("m"))).iter_rows(named=True)

    assert (row["index"], row["hallucination_rate"]) == (index, hallucination_rate)
