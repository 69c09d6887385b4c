"""The assets `report`, for people who decide, and `benchmark_db`, for a SQL shell or a notebook."""

from dagster import MaterializeResult, MetadataValue, asset

from assets.metrics.pictures import png_markdown, small_pngs
from assets.reports.publishing import mark_published
from orchestration.resources import InstallationResource
from resources.installation import utc_now
from resources.warehouse import publish


@asset(
    deps=["leaderboard"],
    group_name="g4_publish",
    kinds={"html"},
    owners=["team:factsweep"],
    description=(
        "One self-contained HTML page a bank, with an index, in two renderings: internal, and shareable, which holds "
        "no private item or gold."
    ),
)
def report(installation: InstallationResource) -> MaterializeResult:
    from assets.reports.figure import lit
    from assets.reports.writing import write_report_sparingly

    made = write_report_sparingly(installation.get(), utc_now())
    charts = {f"{name}: {title}": lit(spec) for name, title, spec in made.internal.charts}
    metadata: dict[str, MetadataValue] = {
        "internal": MetadataValue.path(str(made.internal.index)),
        "shareable": MetadataValue.path(str(made.shareable.index)),
        "size, kB": MetadataValue.int(sum(page.stat().st_size for page in made.internal.pages.values()) // 1000),
    }
    for name, png in zip(charts, small_pngs(list(charts.values())), strict=True):
        metadata[name] = MetadataValue.md(png_markdown(name, png))
    return MaterializeResult(metadata=metadata)


@asset(
    deps=["leaderboard"],
    group_name="g4_publish",
    kinds={"duckdb"},
    owners=["team:factsweep"],
    description="All tables in one DuckDB file, swapped in whole: whoever has the old one open keeps it.",
)
def benchmark_db(installation: InstallationResource) -> MaterializeResult:
    opened = installation.get()
    rows = publish(opened.lake, opened.ledger.frames(), opened.home.benchmark)
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
