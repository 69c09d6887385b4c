"""The asset `sources`: the documents of a domain, fetched and read anew."""

from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, ResourceParam, asset

from checks.bank_contracts import SOURCES
from orchestration.console import Console
from orchestration.endings import ending_well
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.partitions import DOMAINS
from orchestration.resources import InstallationResource
from resources.installation import utc_now

SHOWN = ("name", "status", "reason", "tier", "kind", "characters", "published", "published_basis")


@asset(
    partitions_def=DOMAINS,
    group_name="g1_bank",
    kinds={"httpx", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(SOURCES),
    description=(
        "The documents that a domain's file names under `sources:`, with their text. A document that cannot be "
        "fetched or read is a row with its reason."
    ),
)
def sources(
    context: AssetExecutionContext, installation: InstallationResource, console: ResourceParam[Console]
) -> MaterializeResult:
    from assets.sources.gathering import gather, sources_digest

    opened = installation.get()
    key = context.partition_key
    entry = opened.banks.domains.get(key)
    if entry is None or entry[1].spec.retired:
        context.log.warning("Domain %s is retired or no longer registered: nothing is fetched.", key)
        return MaterializeResult(metadata={"retired": True})
    with ending_well(context, console):
        frame = gather(*entry, opened.lake.read("sources", domain=key), utc_now())
        opened.lake.write("sources", frame, domain=key)
    unread = frame.filter(frame["status"] != "read")
    for name, reason in unread.select("name", "reason").iter_rows():
        context.log.warning("%s: %s", name, reason)
        console.built("sources", f"{name}: {reason}")
    console.built("sources", f"{frame.height - unread.height} of {frame.height} documents can be read")
    return MaterializeResult(
        metadata={
            "dagster/row_count": MetadataValue.int(frame.height),
            "readable": MetadataValue.int(frame.height - unread.height),
            "characters": MetadataValue.int(int(frame["characters"].sum())),
            "documents": table_markdown(frame, SHOWN, rows=40),
        },
        data_version=DataVersion(sources_digest(frame)),
    )
