"""The asset `items`: one partition a domain, built from its cards and read from the bank's file of record."""

import polars as pl
from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, ResourceParam, asset

from assets.items.bank_files import ReadItems
from assets.items.recorded_items import read_domain_items
from checks.contracts import ITEMS
from orchestration.building import Build, BuildConfig, open_build, registered
from orchestration.console import Console
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.partitions import DOMAINS
from orchestration.pools import PROVIDERS
from orchestration.resources import InstallationResource

SHOWN = ("topic", "question", "answer", "answer_type", "source_url")
BALANCE_SHOWN = ("topic", "target", "active", "short", "cards", "drafts", "dropped", "waiting", "reason")


def items_metadata(content: ReadItems) -> dict[str, MetadataValue]:
    """Row counts, topics, refused lines and a few rows of a domain's items."""
    frame = content.frame
    active = frame.filter(pl.col("status") == "active")
    shown = {
        "dagster/row_count": MetadataValue.int(frame.height),
        "active": MetadataValue.int(active.height),
        "topics": MetadataValue.int(frame["topic"].n_unique()),
        "examples": table_markdown(active, SHOWN),
    }
    if content.refused:
        shown["refused lines"] = MetadataValue.md("\n".join(f"- {problem}" for problem in content.refused))
    return shown


@asset(
    deps=["evidence_cards"],
    partitions_def=DOMAINS,
    pool=PROVIDERS,
    group_name="g1_bank",
    kinds={"litellm", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(ITEMS),
    description=(
        "The questions of a domain with their gold answers, from `banks/<bank>/items/<domain>.jsonl`. Where the domain "
        "names sources they are drafted from its cards and sent through the bank's passes first; what a person wrote, "
        "edited or reviewed stays."
    ),
)
def items(
    context: AssetExecutionContext,
    config: BuildConfig,
    installation: InstallationResource,
    console: ResourceParam[Console],
) -> MaterializeResult:
    opened = installation.get()
    key = context.partition_key
    if (entry := registered(context, opened)) is None:
        return MaterializeResult(metadata={"retired": True})
    with open_build(context, opened, config, console, "items") as build:
        made = {} if build is None else _built(build)
    content = read_domain_items(opened, *entry)
    for problem in content.refused:
        context.log.warning("%s", problem)
    opened.lake.write("items", content.frame, domain=key)
    return MaterializeResult(metadata=items_metadata(content) | made, data_version=DataVersion(content.digest))


def _built(build: Build) -> dict[str, MetadataValue]:
    """Builds the domain's items; what the UI shows of it."""
    from assets.items.making import make_items
    from assets.items.splitting import split_bank
    from assets.items.standing_lines import read_standing
    from assets.reviews.records import protected_ids
    from resources.installation import utc_now

    for id in read_standing(build.bank, build.domain, ()).unreadable:
        build.warn(f"{id}: its line in {build.bank.items_file(build.domain)} has a fault and stays as it is; mend it")
    made = make_items(
        build.installation,
        build.bank,
        build.domain,
        build.cast,
        build.desk,
        utc_now(),
        lambda: protected_ids(build.bank, build.domain),
        lambda built: build.say(f"{len(built.kept)} items kept, {len(built.dropped)} dropped so far"),
    )
    split_bank(build.bank, build.bank.spec.build.public_share)
    built = made.built
    passes = pl.DataFrame({"pass": list(built.dropped_by_pass), "dropped": list(built.dropped_by_pass.values())})
    build.say(
        f"{len(built.kept)} items kept, {len(built.dropped)} dropped, {len(built.retired)} retired; "
        f"{made.changed} lines of {build.bank.items_file(build.domain)} differ"
    )
    for name, count in built.dropped_by_pass.items():
        build.say(f"{name} dropped {count}")
    for topic, target, active, reason in made.short.iter_rows():
        build.warn(f"{topic}: {active} of {target} items; {reason}")
    build.waiting(len(built.waiting))
    return {
        **build.cost_metadata(),
        "waiting": MetadataValue.int(len(built.waiting)),
        "retired": MetadataValue.int(len(built.retired)),
        "dropped by pass": table_markdown(passes, ("pass", "dropped"), rows=20),
        "topics and their targets": table_markdown(made.balance, BALANCE_SHOWN, rows=60),
    }
