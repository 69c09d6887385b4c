"""The asset `open_partitions`, on which the check `nothing_left_behind` stands."""

from dagster import AssetExecutionContext, MaterializeResult, MetadataValue, asset

from checks.watch_contracts import OPEN_PARTITIONS
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.notices import tell_left_behind
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
def open_partitions_asset(context: AssetExecutionContext, installation: InstallationResource) -> MaterializeResult:
    """Tells of what is left behind here and not where the check is: the last look is still on record here.

    Told when there are others than at the last look, so that a fault that stays is not told every day.
    """
    from assets.watch.open_partitions import left_behind, open_partitions

    opened = installation.for_run()
    frame = open_partitions(opened, utc_now())
    before, now = (left_behind(table) for table in (opened.lake.read("open_partitions"), frame))
    opened.lake.write("open_partitions", frame)
    if set(now.select("domain", "model").rows()) - set(before.select("domain", "model").rows()):
        tell_left_behind(context, now)
    return MaterializeResult(
        metadata={
            "dagster/row_count": MetadataValue.int(frame.height),
            "without an excuse": MetadataValue.int(frame["excuse"].null_count()),
            "open": table_markdown(frame.sort("since"), SHOWN, rows=40),
        }
    )
