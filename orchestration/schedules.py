"""The schedules: the nightly sweep, and the daily look at which domains' documents have grown old.

On by default in production only: they spend money.
"""

from collections.abc import Iterator
from datetime import datetime

from dagster import (
    DefaultScheduleStatus,
    RunRequest,
    ScheduleDefinition,
    ScheduleEvaluationContext,
    SkipReason,
    schedule,
)

from orchestration.jobs import BUILD, DRIFT, RECONCILE, SWEEP
from orchestration.modes import in_production
from orchestration.resources import InstallationResource
from resources.home import models_file
from resources.installation import Installation
from resources.registries import Nightly, load_models

_BY_DEFAULT = DefaultScheduleStatus.RUNNING if in_production() else DefaultScheduleStatus.STOPPED


def build_schedules() -> list[ScheduleDefinition]:
    """Those that spend money or look after it, at the time and in the zone that models.yaml states.

    It is read when the code location loads; a line that Dagster cannot read gives the default time, since a location
    that fails to load would take everything with it.
    """
    nightly = load_models(models_file()).nightly
    if not _is_cron(nightly.cron):
        nightly = nightly.model_copy(update={"cron": Nightly().cron})
    return [nightly_schedule(nightly), reconcile_schedule(nightly), drift_schedule(nightly), refresh_schedule]


def nightly_schedule(nightly: Nightly) -> ScheduleDefinition:
    """The schedule of the job `sweep`."""

    @schedule(
        job=SWEEP,
        name="nightly",
        cron_schedule=nightly.cron,
        execution_timezone=nightly.timezone,
        default_status=_BY_DEFAULT,
        description=(
            "Every night: buys what is missing, failed or stale, and nothing else. Time, zone and budget stand under "
            "`nightly:` in models.yaml; start `make up` anew after a change."
        ),
    )
    def sweep_nightly(context: ScheduleEvaluationContext, installation: InstallationResource) -> RunRequest:
        budget = installation.get().models.nightly.budget_usd
        config = {} if budget is None else {"ops": {"sweeps": {"config": {"budget_usd": budget}}}}
        return RunRequest(run_key=f"night of {context.scheduled_execution_time:%Y-%m-%d}", run_config=config)

    return sweep_nightly


def reconcile_schedule(nightly: Nightly) -> ScheduleDefinition:
    """The schedule of the job `reconcile`, at noon where the nights are."""
    return ScheduleDefinition(
        job=RECONCILE,
        name="reconcile",
        cron_schedule="0 12 * * *",
        execution_timezone=nightly.timezone,
        default_status=_BY_DEFAULT,
        description="Every noon: whether a partition has been missing, failed or stale for more than two nights.",
    )


def drift_schedule(nightly: Nightly) -> ScheduleDefinition:
    """The schedule of the job `drift`, in the morning where the nights are: the sweep has the night to itself."""

    @schedule(
        job=DRIFT,
        name="drift",
        cron_schedule="0 6 * * *",
        execution_timezone=nightly.timezone,
        default_status=_BY_DEFAULT,
        description="Every morning: a few items of each model asked again, where models.yaml has `drift:`.",
    )
    def watch_drift(context: ScheduleEvaluationContext, installation: InstallationResource) -> RunRequest | SkipReason:
        if installation.get().models.drift is None:
            return SkipReason("models.yaml has no `drift:`; add `drift: {items: 24}` to watch the models.")
        return RunRequest(run_key=f"drift of {context.scheduled_execution_time:%Y-%m-%d}")

    return watch_drift


@schedule(
    job=BUILD,
    name="refresh_sources",
    cron_schedule="0 3 * * *",
    execution_timezone="UTC",
    default_status=_BY_DEFAULT,
    description=(
        "Builds each domain anew whose pages were last fetched more than `build.refresh_days` of its bank ago, within "
        "the bank's `build.budget_usd`. What did not change buys nothing."
    ),
)
def refresh_schedule(
    context: ScheduleEvaluationContext, installation: InstallationResource
) -> Iterator[RunRequest | SkipReason]:
    opened = installation.get()
    now = context.scheduled_execution_time
    due = list(domains_to_refresh(opened, now))
    if not due:
        yield SkipReason(
            "No domain has pages that are older than its bank's `build.refresh_days`, within a cap: `build.budget_usd` "
            "of the bank or `budget:` in models.yaml."
        )
    for key in due:
        yield RunRequest(run_key=f"{key} {now:%Y-%m-%d}", partition_key=key)


def domains_to_refresh(installation: Installation, now: datetime) -> Iterator[str]:
    """Keys of the domains whose pages are older than their bank wants them."""
    from assets.sources.gathering import due_for_refresh

    for key, (bank, domain) in installation.banks.domains.items():
        days = bank.spec.build.refresh_days
        capped = bank.spec.build.budget_usd is not None or installation.models.budget is not None
        # Nobody looks on: without a cap nothing is built.
        if days is None or not capped or domain.spec.retired or not domain.spec.sources:
            continue
        if due_for_refresh(installation.lake.read("sources", domain=key), now, days):
            yield key


def _is_cron(line: str) -> bool:
    from dagster._utils.schedules import is_valid_cron_schedule

    return is_valid_cron_schedule(line)
