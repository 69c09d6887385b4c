"""Each item's graded samples, model by model: what scores, ranks and the report are made of.

What counts as graded is decided here and nowhere else.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from assets.grades.graded import UNREADABLE
from resources.types import Grade, Outcome

RUN = ("model", "method", "judge")
# Of each table what scores and ranks look at: no text of a question or an answer, which may be long.
COLUMNS: Mapping[str, Sequence[str]] = {
    "items": (
        *("bank", "domain", "topic", "item_id", "question_version", "answer_version"),
        *("source_url", "split", "status"),
    ),
    "responses": ("bank", "domain", "model", "item_id", "question_version", "sample", "epoch", "outcome", "cost_usd"),
    "grades": (
        *("bank", "domain", "model", "item_id", "answer_version", "sample", "epoch"),
        *("grade", "reason", "method", "judge"),
    ),
}


def item_tallies(
    active: pl.DataFrame, responses: pl.DataFrame, grades: pl.DataFrame, partitions: pl.DataFrame
) -> pl.DataFrame:
    """One row an item and run (model, method, judge) with its samples counted by grade and outcome.

    `stratum` (the topic) and `cluster` (the source document) stand beside them. What is not listed under a grade or an
    outcome was not asked, or only an earlier question.

    Args:
        active: the items of a bank that are asked.
        responses, grades, partitions: the bank's rows, or more.
    """
    samples = samples_owed(active, responses, partitions)
    responses = responses.join(samples, on=["domain", "model"]).filter(pl.col("sample") < pl.col("samples"))
    place = active.select(
        "domain",
        "topic",
        "item_id",
        "question_version",
        "answer_version",
        stratum=pl.concat_str("domain", pl.lit("/"), "topic"),
        # A fragment names a place within the document, which is one cluster (RFC 3986, 3.5).
        cluster=pl.coalesce(
            pl.col("source_url").str.replace("#.*", ""),
            pl.concat_str(pl.lit("item "), "domain", pl.lit(" "), "item_id"),
        ),
    )
    graders = partitions.select("domain", "model", partition_method="method", partition_judge="judge")
    rows = (
        responses.select(
            "bank", "domain", "model", "item_id", "question_version", "sample", "epoch", "outcome", "cost_usd"
        )
        .join(place, on=["domain", "item_id", "question_version"])
        .join(
            grades.select(
                "domain",
                "model",
                "item_id",
                "sample",
                "epoch",
                "grade",
                "reason",
                "method",
                "judge",
                graded_version="answer_version",
            ),
            on=["domain", "model", "item_id", "sample", "epoch"],
            how="left",
        )
        .join(graders, on=["domain", "model"], how="left")
        .with_columns(
            judge=pl.when(pl.col("method").is_null()).then("partition_judge").otherwise("judge"),
            method=pl.coalesce("method", "partition_method"),
        )
        .filter(pl.col("method").is_not_null())
        .sort("domain", "item_id", "sample", *RUN)
    )
    answered = pl.col("outcome") == Outcome.ANSWERED
    graded = answered & pl.col("grade").is_not_null() & (pl.col("graded_version") == pl.col("answer_version"))
    return rows.group_by("bank", "domain", "topic", "stratum", "cluster", "item_id", *RUN, maintain_order=True).agg(
        *((graded & (pl.col("grade") == grade)).sum().cast(pl.Int64).alias(grade) for grade in Grade),
        truncated=(pl.col("outcome") == Outcome.TRUNCATED).sum(),
        filtered=(pl.col("outcome") == Outcome.FILTERED).sum(),
        failed=(pl.col("outcome") == Outcome.FAILED).sum(),
        ungraded=(answered & ~graded.fill_null(False)).sum(),
        unreadable=(graded & pl.col("reason").str.starts_with(UNREADABLE)).sum(),
        cost_usd=pl.col("cost_usd").sum(),
        cost_unknown=(pl.col("cost_usd").is_null() & (pl.col("outcome") != Outcome.FAILED)).any(),
    )


def samples_owed(active: pl.DataFrame, responses: pl.DataFrame, partitions: pl.DataFrame) -> pl.DataFrame:
    """The samples that each model owes an item, for each domain with active items."""
    own = partitions.select("domain", "model", own=pl.col("samples"))
    models = pl.concat([partitions.select("model"), responses.select("model")]).unique()
    most = partitions.group_by("model").agg(most=pl.col("samples").max())
    return (
        active.select("domain")
        .unique()
        .join(models.join(most, on="model", how="left"), how="cross")
        .join(own, on=["domain", "model"], how="left")
        .select("domain", "model", samples=pl.coalesce("own", "most", pl.lit(1, pl.Int64)))
    )
