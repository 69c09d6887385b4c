"""`factsweep tidy`: old runs out of Dagster's history, half-written files out of the home."""

import click

from orchestration.instance import HISTORY_DAYS


@click.command("tidy")
@click.option(
    "--older-than", "days", type=click.IntRange(min=1), default=HISTORY_DAYS, show_default=True, metavar="DAYS",
    help="Runs that ended longer ago go.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def tidy_command(days: int, dry_run: bool) -> None:
    """Delete old runs and their event logs from Dagster's history, and half-written files.

    A run stays, however old, when it holds the last materialization of a partition or the last
    attempt at one. Answers, grades and scores are not in there: ledger and lake stay as they are.
    Half-written files are what killed processes left; those of the last day stay.
    Under `make up` the schedule `housekeeping` does this every week.
    """
    from datetime import timedelta

    from assets.reports.facts import counted
    from orchestration.instance import prepare_dagster_home
    from resources.home import current_home
    from resources.installation import utc_now

    prepare_dagster_home()
    from dagster import DagsterInstance

    from orchestration.tidying import delete_leftovers, tidy

    now = utc_now()
    with DagsterInstance.get() as instance:
        done = tidy(instance, now - timedelta(days=days), dry_run=dry_run)
    files, size = delete_leftovers(current_home().root, now, dry_run=dry_run)
    kept = f"; {done.kept} as old stay, since a partition's last state is theirs" if done.kept else ""
    if dry_run:
        click.echo(f"{len(done.deleted)} runs would be deleted{kept}.")
    else:
        click.echo(f"{len(done.deleted)} runs deleted{kept}; {done.freed / 1e6:.1f} MB given back.")
    if files:
        would = " would be" if dry_run else ""
        click.echo(f"{counted(files, 'half-written file')}{would} deleted, {size / 1e6:.1f} MB.")
