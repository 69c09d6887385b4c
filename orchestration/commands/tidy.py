"""`factsweep tidy`: old runs out of Dagster's history."""

import click

from orchestration.instance import HISTORY_DAYS


@click.command("tidy")
@click.option(
    "--older-than", "days", type=click.IntRange(min=1), default=HISTORY_DAYS, show_default=True, metavar="DAYS",
    help="Runs that ended longer ago go.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only say how many runs would go.")
def tidy_command(days: int, dry_run: bool) -> None:
    """Delete old runs and their event logs from Dagster's history.

    A run stays, however old, when it holds the last materialization of a partition or the last
    attempt at one. Answers, grades and scores are not in there: ledger and lake stay as they are.
    Under `make up` the schedule `housekeeping` does this every week.
    """
    from datetime import timedelta

    from orchestration.instance import prepare_dagster_home
    from resources.installation import utc_now

    prepare_dagster_home()
    from dagster import DagsterInstance

    from orchestration.tidying import tidy

    with DagsterInstance.get() as instance:
        done = tidy(instance, utc_now() - timedelta(days=days), dry_run=dry_run)
    kept = f"; {done.kept} as old stay, since a partition's last state is theirs" if done.kept else ""
    if dry_run:
        click.echo(f"{len(done.deleted)} runs would be deleted{kept}.")
    else:
        click.echo(f"{len(done.deleted)} runs deleted{kept}; {done.freed / 1e6:.1f} MB given back.")
