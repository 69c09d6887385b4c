"""The asset `summary`: what a sweep did, as Markdown in the report's folder, and told to the webhook."""

from datetime import UTC
from pathlib import Path

from dagster import AssetExecutionContext, MaterializeResult, MetadataValue, asset

from assets.summaries.nights import last_night, night_of
from assets.summaries.summary import Summary, summarize
from orchestration.failed_checks import failed_checks
from orchestration.notices import run_link
from orchestration.resources import InstallationResource
from orchestration.runs import takes_up_another
from resources.home import Home
from resources.warehouse import replacing
from resources.webhook import send

_SHOWN = 9_000  # Dagster stores a run's metadata three times


@asset(
    deps=["benchmark_db", "report"],
    group_name="g4_publish",
    kinds={"markdown"},
    owners=["team:factsweep"],
    # The last step of a run: in one process the checks that do not block come first, and it tells of them.
    op_tags={"dagster/priority": "-1"},
    description=(
        "What the sweep did: what ran and why, what moved and what failed since the last one, and what it cost. "
        "In `report/nights`, the last one in `report/summary.md`; sent to FACTSWEEP_WEBHOOK where that is set."
    ),
)
def summary(context: AssetExecutionContext, installation: InstallationResource) -> MaterializeResult:
    from assets.summaries.markdown import summary_markdown
    from assets.summaries.slack import summary_notice

    opened = installation.get()
    lake, run_id = opened.lake, context.run.run_id
    night = night_of(lake, run_id)
    if night is None and not lake.holds("score_history", sweep=run_id):
        night = last_night(lake)  # by hand, without a sweep: the last one is told anew
    if night is None:
        context.log.info("Nothing is scored yet, so there is nothing to tell.")
        return MaterializeResult(metadata={"summary": MetadataValue.md("Nothing is scored yet.")})
    made = summarize(
        opened,
        night,
        failed_checks(context.instance, night.sweep_id),
        takes_up_another=takes_up_another(context.instance, night.sweep_id),
    )
    link = run_link(night.sweep_id)
    text = summary_markdown(made, link)
    file = _night_file(opened.home, made)
    for each in (file, opened.home.report / "summary.md"):
        with replacing(each) as temporary:
            temporary.write_text(text, encoding="utf-8")
    send(summary_notice(made, link), context.log.warning)
    return MaterializeResult(
        metadata={"summary": MetadataValue.md(_shown(text)), "file": MetadataValue.path(str(file))}
    )


def _shown(text: str) -> str:
    if len(text) <= _SHOWN:
        return text
    return text[:_SHOWN].rpartition("\n")[0] + "\n\n… the file has the rest"


def _night_file(home: Home, made: Summary) -> Path:
    started = made.started_at.astimezone(UTC)
    return home.report / "nights" / f"{started:%Y-%m-%dT%H-%M-%SZ}_{made.night.short_id}.md"
