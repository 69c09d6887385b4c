"""The asset `drift_watch`, and the check `no_drift` on it."""

import time
from collections.abc import Iterator

import polars as pl
from dagster import (
    AssetCheckResult,
    AssetCheckSeverity,
    AssetExecutionContext,
    MaterializeResult,
    MetadataValue,
    ResourceParam,
    asset,
    asset_check,
)

from assets.drift.standing import remedies, standing
from assets.sweeps.logging import EVERY_S
from checks.drift_contracts import DRIFT
from orchestration.console import Console
from orchestration.endings import ending_well
from orchestration.metadata import dollars, schema_metadata, table_markdown
from orchestration.notices import tell_drift
from orchestration.pools import PROVIDERS
from orchestration.resources import InstallationResource, LakeResource
from resources.installation import utc_now
from resources.llm import Tally

SHOWN = ("model", "state", "compared", "changed_grades", "changed_texts", "p_night", "p_week", "alarm_reason", "note")


@asset(
    name="drift_watch",
    group_name="g5_watch",
    kinds={"litellm", "parquet"},
    owners=["team:factsweep"],
    output_required=False,
    pool=PROVIDERS,
    metadata=schema_metadata(DRIFT),
    description=(
        "Asks each model the same few items again, once a night, and tests whether it still answers as in its first "
        "nights. These answers count in no score. Does nothing unless models.yaml has `drift:`."
    ),
)
def drift_watch(
    context: AssetExecutionContext, installation: InstallationResource, console: ResourceParam[Console]
) -> Iterator[MaterializeResult]:
    from assets.drift.watching import watch

    opened = installation.for_run()
    drift = opened.models.drift
    if drift is None:
        context.log.info("No model is watched: models.yaml has no `drift:`; add `drift: {items: 24}` to watch them.")
        return
    with ending_well(context, console):
        now = utc_now()
        night = opened.budget_day(now)
        # One account a night, so that its cap holds however often the job runs.
        result = watch(opened, night, now, f"drift-{night}", _Watch(context))
    for model, reason in result.rows.filter(items=0).select("model", "note").iter_rows():
        context.log.warning("%s was asked nothing: %s", model, reason)
    for model, reason in result.stopped.items():
        context.log.warning("%s was stopped: %s", model, reason)
    if result.over_budget:
        context.log.warning("The budget is reached; run the job again to ask what is missing, tonight still.")
    tell_drift(context, result.newly_alarmed)
    rows = result.rows
    yield MaterializeResult(
        metadata={
            "dagster/row_count": MetadataValue.int(rows.height),
            "night": MetadataValue.text(night),
            "alarms": MetadataValue.int(int(rows["alarm"].sum())),
            "calls bought": MetadataValue.int(result.requests),
            "cost": dollars(None if rows["cost_usd"].null_count() else float(rows["cost_usd"].sum())),
            "models": table_markdown(rows, SHOWN, rows=40),
            "what is found": MetadataValue.md(_sharpness(rows, drift.items, drift.baseline_nights)),
        }
    )


@asset_check(
    asset=drift_watch,
    name="no_drift",
    description=(
        "Each watched model still answers as in its baseline, under the same served name. At most one false alarm a "
        "year for a model that does not change."
    ),
)
def no_drift(lake: LakeResource) -> AssetCheckResult:
    now = standing(lake.get().read("drift"))
    alarmed = now.filter("alarm")
    told = "\n\n".join(remedies(alarmed))
    watching = now.filter(pl.col("state") == "watching").height
    return AssetCheckResult(
        passed=alarmed.is_empty(),
        severity=AssetCheckSeverity.WARN,
        description=told or f"{watching} of {now.height} models watched, none changed; the others are being learnt",
        metadata={
            "alarmed models": MetadataValue.text(", ".join(alarmed["model"]) or "none"),
            "models": table_markdown(now, ("night", *SHOWN), rows=40),
        },
    )


def _sharpness(rows: pl.DataFrame, items: int, baseline_nights: int) -> str:
    """The smallest changes that are found with 80 % probability, for each instability that a watched model has."""
    from assets.drift.statistics import rounded_up, smallest_found

    lines = []
    for rate in sorted({rounded_up(rate) for rate in rows.filter(pl.col("compared") > 0)["grade_rate"].drop_nulls()}):
        night, week = (
            smallest_found(nights, items=items, flip_rate=rate, baseline_nights=baseline_nights) or "none"
            for nights in (1, 7)
        )
        lines.append(f"| {rate:.0%} | {night} | {week} |")
    if not lines:
        return "The baselines are still being learnt."
    return "\n".join(
        [
            f"| two nights differ in so many grades | found in a night: of {items} items changed | in a week |",
            "| --- | --- | --- |",
            *lines,
        ]
    )


class _Watch:
    """Progress for the log, at a rate that a person can read."""

    def __init__(self, context: AssetExecutionContext) -> None:
        self._context = context
        self._last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        if time.monotonic() - self._last >= EVERY_S:
            self._last = time.monotonic()
            self._context.log.info("%d calls done, %d failed, $%.4f", tally.completed, tally.failed, tally.cost_usd)
