"""The job `housekeeping` and its weekly schedule: Dagster's own history and leftovers. `tidying.py` does it."""

from datetime import timedelta

from dagster import Config, DefaultScheduleStatus, OpExecutionContext, ScheduleDefinition, job, op
from pydantic import Field

from orchestration.instance import HISTORY_DAYS
from orchestration.modes import in_production
from resources.home import current_home
from resources.installation import utc_now


class HousekeepingConfig(Config):
    """How much history stays."""

    older_than_days: int = Field(default=HISTORY_DAYS, ge=1, description="Runs that ended longer ago go.")


# The resource says which process the run is, so that its death is noticed.
@op(
    required_resource_keys={"installation"},
    description="Deletes old runs that no partition needs, and half-written files.",
)
def tidy_history(context: OpExecutionContext, config: HousekeepingConfig) -> None:
    from orchestration.tidying import delete_leftovers, tidy

    now = utc_now()
    done = tidy(context.instance, now - timedelta(days=config.older_than_days))
    files, size = delete_leftovers(current_home().root, now)
    context.log.info(
        "%d runs deleted that ended over %d days ago, %d as old kept, %.1f MB given back.",
        len(done.deleted), config.older_than_days, done.kept, done.freed / 1e6,
    )  # fmt: skip
    context.log.info("%d half-written files of killed processes deleted, %.1f MB.", files, size / 1e6)


@job(
    description=(
        "Deletes old runs with their event logs, but none that holds the last materialization of a partition or the "
        "last attempt at one, shrinks Dagster's databases, and deletes what killed processes left half-written. "
        "`factsweep tidy` does the same."
    )
)
def housekeeping() -> None:
    tidy_history()


housekeeping_schedule = ScheduleDefinition(
    job=housekeeping,
    name="housekeeping",
    cron_schedule="30 12 * * 0",  # Sunday noon: no night's sweep waits for it
    execution_timezone="UTC",
    default_status=DefaultScheduleStatus.RUNNING if in_production() else DefaultScheduleStatus.STOPPED,
    description="Once a week, so that Dagster's own history does not grow for ever. On by default under `make up`.",
)
