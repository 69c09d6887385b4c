"""The assets `scores` and `leaderboard`: metrics over all recorded partitions."""

import polars as pl
from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, asset

from assets.metrics.leaderboard import leaderboard_charts, leaderboard_markdown, leaderboard_table, retired_models
from assets.metrics.pictures import png_markdown
from assets.metrics.public_scores import public_score_table
from assets.metrics.ranks import ranks_apart
from assets.metrics.scores import score_table
from assets.metrics.tallies import COLUMNS
from assets.reports.publishing import mark_scored, state_digest
from checks.contracts import LEADERBOARD, SCORE_HISTORY, SCORES
from orchestration.freshness import LEADERBOARD_FRESHNESS
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.resources import InstallationResource
from resources.installation import Installation, utc_now

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
    fresh = score_table(
        *_tables(opened),
        penalty={name: bank.spec.penalty for name, bank in banks.items()},
        notes={name: bank.spec.note for name, bank in banks.items() if bank.spec.note},
    )
    frame = pl.concat([fresh, _as_published(opened, "scores")])
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


def _tables(opened: Installation) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Items, responses, grades and partitions, of all banks whose bank.yaml can be read; of these what is looked at."""
    lake = opened.lake
    items, responses, grades = (_scorable(opened, lake.read(table, list(names))) for table, names in COLUMNS.items())
    return items, responses, grades, _scorable(opened, lake.read("partitions"))


def _scorable(opened: Installation, frame: pl.DataFrame) -> pl.DataFrame:
    hidden = _hidden(opened, frame)
    return frame.filter(~pl.col("bank").is_in(hidden)) if hidden else frame


def _as_published(opened: Installation, table: str) -> pl.DataFrame:
    """The rows of banks that could not be scored, as they stand: how to score one is said in its bank.yaml."""
    frame = opened.lake.read(table)
    return frame.filter(pl.col("bank").is_in(_hidden(opened, frame)))


def _hidden(opened: Installation, frame: pl.DataFrame) -> list[str]:
    """Banks that are recorded and cannot be read at present."""
    banks = opened.banks
    return [name for name in frame["bank"].unique() if name not in banks.banks and banks.unsure_of(name)]


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
    opened = installation.for_run()
    lake = opened.lake
    penalty = {name: bank.spec.penalty for name, bank in opened.banks.banks.items()}
    scored = _scorable(opened, lake.read("scores"))
    tables = _tables(opened)
    retired = retired_models(tables[-1], opened.models.may_hold)
    fresh = leaderboard_table(scored, ranks_apart(*tables, retired, penalty=penalty), retired)
    frame = pl.concat([fresh, _as_published(opened, "leaderboard")])
    public = pl.concat([public_score_table(scored, *tables, penalty=penalty), _as_published(opened, "public_scores")])
    lake.write("public_scores", public)
    lake.write("leaderboard", frame)
    metadata: dict[str, MetadataValue] = {"dagster/row_count": MetadataValue.int(frame.height)}
    if public.height:
        metadata["public part"] = table_markdown(public, PUBLIC_SHOWN, rows=40)
    for bank, png in leaderboard_charts(frame).items():
        metadata[bank] = MetadataValue.md(leaderboard_markdown(frame, bank))
        metadata[f"{bank} chart"] = MetadataValue.md(png_markdown(bank, png))
    return MaterializeResult(metadata=metadata)
