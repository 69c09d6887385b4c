"""The asset `items`: one partition a domain, from the bank's file of record."""

from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, asset

from assets.items.bank_files import read_items
from checks.contracts import ITEMS
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.partitions import DOMAINS
from orchestration.resources import InstallationResource

SHOWN = ("topic", "question", "answer", "answer_type", "source_url")


def items_metadata(content) -> dict[str, MetadataValue]:
    """Row counts, topics, refused lines and a few rows of a domain's items."""
    frame = content.frame
    shown = {
        "dagster/row_count": MetadataValue.int(frame.height),
        "topics": MetadataValue.int(frame["topic"].n_unique()),
        "examples": table_markdown(frame, SHOWN),
    }
    if content.refused:
        shown["refused lines"] = MetadataValue.md("\n".join(f"- {problem}" for problem in content.refused))
    return shown


@asset(
    partitions_def=DOMAINS,
    group_name="g1_bank",
    kinds={"polars", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(ITEMS),
    description="The questions of a domain with their gold answers, read from `banks/<bank>/items/<domain>.jsonl`.",
)
def items(context: AssetExecutionContext, installation: InstallationResource) -> MaterializeResult:
    opened = installation.get()
    key = context.partition_key
    entry = opened.banks.domains.get(key)
    if entry is None or entry[1].spec.retired:
        context.log.warning("Domain %s is retired or no longer registered: nothing is read, its history stays.", key)
        return MaterializeResult(metadata={"retired": True})
    content = read_items(*entry)
    for problem in content.refused:
        context.log.warning("%s", problem)
    opened.lake.write("items", content.frame, domain=key)
    return MaterializeResult(metadata=items_metadata(content), data_version=DataVersion(content.digest))
