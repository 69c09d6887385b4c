"""The asset `open_partitions`, on which the check `nothing_left_behind` stands."""

from dagster import MaterializeResult, MetadataValue, asset

from checks.watch_contracts import OPEN_PARTITIONS
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.resources import InstallationResource
from resources.installation import utc_now

SHOWN = ("domain", "model", "state", "reason", "excuse", "since")


@asset(
    name="open_partitions",
    group_name="g5_watch",
    kinds={"polars", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(OPEN_PARTITIONS),
    description="The partitions that are missing, failed, stale or incomplete, since when, and why. Buys nothing.",
)
def open_partitions_asset(installation: InstallationResource) -> MaterializeResult:
    from assets.watch.open_partitions import open_partitions

    opened = installation.for_run()
    frame = open_partitions(opened, utc_now())
    opened.lake.write("open_partitions", frame)
    return MaterializeResult(
        metadata={
            "dagster/row_count": MetadataValue.int(frame.height),
            "without an excuse": MetadataValue.int(frame["excuse"].null_count()),
            "open": table_markdown(frame.sort("since"), SHOWN, rows=40),
        }
    )
