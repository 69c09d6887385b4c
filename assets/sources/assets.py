"""The asset `sources`: the documents of a domain, fetched and read anew."""

import time
from collections.abc import Callable

from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, ResourceParam, asset

from assets.sweeps.logging import EVERY_S
from checks.bank_contracts import SOURCES
from orchestration.building import registered
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
    if (entry := registered(context, opened)) is None:
        return MaterializeResult(metadata={"retired": True})

    def say(line: str) -> None:
        context.log.info("%s", line)
        console.built("sources", line)

    with ending_well(context, console):
        earlier = opened.lake.read("sources", domain=key)
        frame = gather(*entry, earlier, utc_now(), on_progress=Counted(say))
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


class Counted:
    """Says how many documents are done, at a rate that a person can read."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._clock = clock
        self._last = clock()

    def __call__(self, done: int, total: int) -> None:
        now = self._clock()
        if now - self._last >= EVERY_S:
            self._last = now
            self._say(f"{done} of {total} documents")
