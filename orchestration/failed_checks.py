"""Which checks of a run failed, as the instance's event log has them."""

from dagster import AssetCheckEvaluation, AssetCheckSeverity, DagsterEventType, DagsterInstance

from assets.summaries.summary import FailedCheck

_FAILING = "failing rows"


def failed_checks(instance: DagsterInstance, run_id: str) -> list[FailedCheck]:
    """The run's checks that did not pass, the blocking ones first.

    One query of the run's own events: asking for each check's history would be one for each of fifty.
    """
    records = instance.get_records_for_run(run_id, of_type=DagsterEventType.ASSET_CHECK_EVALUATION).records
    events = (record.event_log_entry.dagster_event for record in records)
    evaluations = [event.event_specific_data for event in events if event is not None]
    failed = [_failed(each) for each in evaluations if isinstance(each, AssetCheckEvaluation) and not each.passed]
    return sorted(failed, key=lambda check: (not check.blocking, check.warning, check.name))


def _failed(evaluation: AssetCheckEvaluation) -> FailedCheck:
    counted = evaluation.metadata.get(_FAILING)
    failing = counted.value if counted is not None and isinstance(counted.value, int) else None
    return FailedCheck(
        name=f"{evaluation.asset_key.to_user_string()}: {evaluation.check_name}",
        blocking=bool(evaluation.blocking),
        warning=evaluation.severity is AssetCheckSeverity.WARN,
        failing=failing or None,  # a rule that could not be evaluated has counted no rows
    )
