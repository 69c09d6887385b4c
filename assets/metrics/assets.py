"""The assets `scores` and `leaderboard`: metrics over all recorded partitions."""

import polars as pl
from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, asset

from assets.metrics.leaderboard import leaderboard_chart, leaderboard_markdown, leaderboard_table, retired_models
from assets.metrics.pictures import png_markdown
from assets.metrics.public_scores import public_score_table
from assets.metrics.ranks import ranks_apart
from assets.metrics.scores import score_table
from assets.reports.publishing import mark_scored, state_digest
from checks.contracts import LEADERBOARD, RESPONSES, SCORE_HISTORY, SCORES
from orchestration.freshness import LEADERBOARD_FRESHNESS
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.resources import InstallationResource
from resources.installation import utc_now
from resources.warehouse import Lake

SCORES_SHOWN = ("level", "key", "model", "method", "coverage", "index", "accuracy", "hallucination_rate")
PUBLIC_SHOWN = ("bank", "method", "model", "index_public", "index_all", "index_difference", "rank_public", "rank_all")


@asset(
    deps=["items", "responses", "grades", "sweeps"],
    group_name="g3_metrics",
    kinds={"polars", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(SCORES),
    description="Index, accuracy, hallucination and attempt rate by bank, domain and topic, with 95 % intervals.",
)
def scores(context: AssetExecutionContext, installation: InstallationResource) -> MaterializeResult:
    opened = installation.get()
    lake, banks = opened.lake, opened.banks.banks
    digest = state_digest(opened)  # before reading: what changes meanwhile is published by the next sweep
    frame = score_table(
        lake.read("items"),
        _responses(lake),
        lake.read("grades"),
        lake.read("partitions"),
        penalty={name: bank.spec.penalty for name, bank in banks.items()},
        notes={name: bank.spec.note for name, bank in banks.items() if bank.spec.note},
    )
    lake.write("scores", frame)
    mark_scored(opened, digest)
    history = frame.select(
        pl.lit(context.run.run_id).alias("sweep_id"),
        pl.lit(utc_now()).cast(SCORE_HISTORY.schema["published_at"]).alias("published_at"),
        *frame.columns,
    )
    lake.write("score_history", history, sweep=context.run.run_id)
    overall = frame.filter(frame["level"] == "all")
    return MaterializeResult(
        metadata={
            "dagster/row_count": MetadataValue.int(frame.height),
            "incomplete models": MetadataValue.int(int(overall["incomplete"].sum())),
            "by bank": table_markdown(overall, SCORES_SHOWN, rows=40),
        },
        data_version=DataVersion(digest),
    )


def _responses(lake: Lake) -> pl.DataFrame:
    """All responses without their text, which may be long and which no metric looks at."""
    return lake.read("responses", columns=[name for name in RESPONSES.schema if name != "text"])


@asset(
    deps=[scores],
    group_name="g3_metrics",
    kinds={"polars", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(LEADERBOARD),
    freshness_policy=LEADERBOARD_FRESHNESS,
    description=(
        "The models of each bank and grading method, ordered by index; incomplete ones are marked. Beside it the table "
        "`public_scores`: the public part of each bank against the whole."
    ),
)
def leaderboard(installation: InstallationResource) -> MaterializeResult:
    opened = installation.get()
    lake = opened.lake
    scored, penalty = lake.read("scores"), {name: bank.spec.penalty for name, bank in opened.banks.banks.items()}
    tables = lake.read("items"), _responses(lake), lake.read("grades"), lake.read("partitions")
    retired = retired_models(tables[-1], opened.models.ids)
    frame = leaderboard_table(scored, ranks_apart(*tables, retired, penalty=penalty), retired)
    public = public_score_table(scored, *tables, penalty=penalty)
    lake.write("public_scores", public)
    lake.write("leaderboard", frame)
    metadata: dict[str, MetadataValue] = {"dagster/row_count": MetadataValue.int(frame.height)}
    if public.height:
        metadata["public part"] = table_markdown(public, PUBLIC_SHOWN, rows=40)
    for bank in frame["bank"].unique(maintain_order=True):
        metadata[f"{bank}"] = MetadataValue.md(leaderboard_markdown(frame, bank))
        metadata[f"{bank} chart"] = MetadataValue.md(png_markdown(bank, leaderboard_chart(frame, bank)))
    return MaterializeResult(metadata=metadata)
