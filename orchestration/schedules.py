"""The schedule that fetches sources anew: once a day it asks which domains' documents have grown old."""

from collections.abc import Iterator
from datetime import datetime

from dagster import DefaultScheduleStatus, RunRequest, ScheduleEvaluationContext, SkipReason, schedule

from orchestration.jobs import BUILD
from orchestration.resources import InstallationResource
from resources.installation import Installation


@schedule(
    job=BUILD,
    name="refresh_sources",
    cron_schedule="0 3 * * *",
    execution_timezone="UTC",
    default_status=DefaultScheduleStatus.STOPPED,
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
        yield SkipReason("No domain has pages that are older than its bank's `build.refresh_days`.")
    for key in due:
        yield RunRequest(run_key=f"{key} {now:%Y-%m-%d}", partition_key=key)


def domains_to_refresh(installation: Installation, now: datetime) -> Iterator[str]:
    """Keys of the domains whose pages are older than their bank wants them."""
    from assets.sources.gathering import due_for_refresh

    for key, (bank, domain) in installation.banks.domains.items():
        days = bank.spec.build.refresh_days
        if days is None or domain.spec.retired or not domain.spec.sources:
            continue
        if due_for_refresh(installation.lake.read("sources", domain=key), now, days):
            yield key
