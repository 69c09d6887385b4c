"""The asset `evidence_cards`: one to three sentences of a source a card, read by generator models."""

from hashlib import sha256

import polars as pl
from dagster import AssetExecutionContext, DataVersion, MaterializeResult, MetadataValue, ResourceParam, asset

from checks.bank_contracts import EVIDENCE_CARDS
from orchestration.building import BuildConfig, open_build
from orchestration.console import Console
from orchestration.metadata import schema_metadata, table_markdown
from orchestration.partitions import DOMAINS
from orchestration.pools import PROVIDERS
from orchestration.resources import InstallationResource

SHOWN = ("topic", "excerpt", "fact", "quality", "source_name", "generator")


@asset(
    deps=["sources"],
    partitions_def=DOMAINS,
    pool=PROVIDERS,
    group_name="g1_bank",
    kinds={"litellm", "parquet"},
    owners=["team:factsweep"],
    metadata=schema_metadata(EVIDENCE_CARDS),
    description=(
        "Facts that make good questions, each with the sentences that state it, word for word. An excerpt that is not "
        "in its source is refused."
    ),
)
def evidence_cards(
    context: AssetExecutionContext,
    config: BuildConfig,
    installation: InstallationResource,
    console: ResourceParam[Console],
) -> MaterializeResult:
    opened = installation.get()
    with open_build(context, opened, config, console, "evidence_cards") as build:
        if build is None:
            opened.lake.write("evidence_cards", EVIDENCE_CARDS.empty(), domain=context.partition_key)
            return MaterializeResult(metadata={"sources": "none"})
        from assets.evidence_cards.stage import make_cards

        stage = make_cards(build.installation, build.bank, build.domain, build.cast, build.desk)
        refused = stage.cards.filter(pl.col("status") == "refused")
        kept = stage.cards.filter(pl.col("status") == "kept")
        build.say(
            f"{kept.height} cards kept, {refused.height} refused; "
            f"{stage.made.read} passages read, {len(stage.made.unread)} unread"
        )
        build.warn_of(stage.made.malformed, "cards are malformed and left out")
        build.warn_of(stage.made.unreadable, "replies, asked for twice, cannot be read; these passages give no cards")
        build.warn_of(stage.made.waiting, "passages wait for a later build")
        build.waiting(len(stage.made.waiting))
        ids = "\n".join(sorted(kept["card_id"]))
        return MaterializeResult(
            metadata={
                "dagster/row_count": MetadataValue.int(stage.cards.height),
                "kept": MetadataValue.int(kept.height),
                "refused": MetadataValue.int(refused.height),
                "passages read": MetadataValue.int(stage.made.read),
                "passages unread": MetadataValue.int(len(stage.made.unread)),
                "calls waiting": MetadataValue.int(len(stage.made.waiting)),
                "replies unreadable": MetadataValue.int(len(stage.made.unreadable)),
                "cards malformed": MetadataValue.int(len(stage.made.malformed)),
                **build.cost_metadata(),
                "by topic": table_markdown(
                    kept.group_by("topic").agg(cards=pl.len()).sort("topic"), ("topic", "cards"), rows=40
                ),
                "examples": table_markdown(kept, SHOWN),
                "refused because": table_markdown(refused, ("excerpt", "reason", "generator")),
            },
            data_version=DataVersion(sha256(ids.encode()).hexdigest()[:16]),
        )
