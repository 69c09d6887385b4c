"""Runs whose process is gone: the default launcher never notices, so each run carries its process as a tag."""

from dagster import AssetExecutionContext, DagsterInstance, DagsterRunStatus, RunsFilter

from resources.ledger import Owner

PROCESS_TAG = "factsweep/process"
_RUNNING = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]


def process_tag() -> dict[str, str]:
    """The tag that names this process."""
    owner = Owner.register()
    owner.retire()
    return {PROCESS_TAG: str(owner)}


def claim_run(instance: DagsterInstance, run_id: str) -> None:
    """Tags a run with this process, so that its death can be seen."""
    instance.add_run_tags(run_id, process_tag())


def takes_up_another(instance: DagsterInstance, run_id: str) -> bool:
    """Whether the run goes on where an earlier one ended: Dagster's retry after a crash, or a re-execution by hand."""
    run = instance.get_run_by_id(run_id)
    return run is not None and run.root_run_id is not None


def cancel_run(context: AssetExecutionContext) -> None:
    """Says that the run is being cancelled: Dagster takes a Ctrl-C that nobody announced for a failure."""
    run = context.instance.get_run_by_id(context.run.run_id)
    if run is not None and run.status is DagsterRunStatus.STARTED:
        context.instance.report_run_canceling(run)


def bury_dead_runs(instance: DagsterInstance) -> list[str]:
    """Marks runs as failed whose process on this host is gone; returns their ids."""
    dead = []
    for run in instance.get_runs(RunsFilter(statuses=_RUNNING)):
        tag = run.tags.get(PROCESS_TAG)
        if tag is None or Owner.parse(tag).process_lives_here() is not False:
            continue
        instance.report_run_failed(
            run,
            "The run's process is gone (killed, or the machine restarted). What it bought is in the ledger; "
            "the next sweep buys exactly what is missing.",
        )
        dead.append(run.run_id)
    return dead
