"""The asset `benchmark_db`: all tables in one DuckDB file, for a SQL shell or a notebook."""

from dagster import MaterializeResult, MetadataValue, asset

from assets.reports.publishing import mark_published
from orchestration.resources import InstallationResource
from resources.warehouse import publish


@asset(
    deps=["leaderboard"],
    group_name="g4_publish",
    kinds={"duckdb"},
    owners=["team:factsweep"],
    description="All tables in one DuckDB file, swapped in whole: whoever has the old one open keeps it.",
)
def benchmark_db(installation: InstallationResource) -> MaterializeResult:
    opened = installation.get()
    rows = publish(opened.lake, opened.ledger.frame(), opened.home.benchmark)
    mark_published(opened)
    counts = "\n".join(
        ["| table | rows |", "| --- | --- |", *(f"| {table} | {count} |" for table, count in rows.items())]
    )
    return MaterializeResult(
        metadata={
            "path": MetadataValue.path(str(opened.home.benchmark)),
            "tables": MetadataValue.md(counts),
            "try": MetadataValue.md(f"`duckdb -readonly {opened.home.benchmark} 'from leaderboard'`"),
        }
    )
