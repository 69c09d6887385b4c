"""Running a job in this process, on the installation's Dagster instance, so that its history shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock

from assets.sweeps.request import Request
from orchestration.console import Console
from orchestration.instance import prepare_dagster_home

if TYPE_CHECKING:
    from dagster_shared.error import SerializableErrorInfo

_INTERRUPT = "DagsterExecutionInterruptedError"


@dataclass(frozen=True)
class Launched:
    """How the run ended; `failed_checks` are (name, blocking, description)."""

    success: bool
    interrupted: bool
    run_id: str
    failed_steps: tuple[tuple[str, str], ...]
    failed_checks: tuple[tuple[str, bool, str], ...]


def run_sweep_job(request: Request, console: Console) -> Launched:
    """Executes the job `sweep` for a request, watched by `console`."""
    from orchestration.jobs import SWEEP_TAG

    config = {
        "banks": list(request.banks),
        "domains": list(request.domains),
        "models": list(request.models),
        "items": list(request.items),
        "limit": request.limit,
        "samples": request.samples,
        "budget_usd": request.budget_usd,
        "again": request.again,
    }
    return _run("sweep", {"sweeps": config}, console, SWEEP_TAG)


def run_build_job(domain: str, budget_usd: float | None, console: Console) -> Launched:
    """Executes the job `build` for one domain, watched by `console`."""
    from orchestration.jobs import BUILD_TAG

    config = {"budget_usd": budget_usd}
    return _run("build", {"evidence_cards": config, "items": config}, console, BUILD_TAG, domain)


def _run(
    job: str, config: Mapping[str, Mapping[str, object]], console: Console, tag: str, domain: str | None = None
) -> Launched:
    folder = prepare_dagster_home()
    from dagster import AssetCheckSeverity, DagsterInstance, DagsterRunStatus, ResourceDefinition

    from orchestration.definitions import build_definitions
    from orchestration.partitions import register_keys
    from orchestration.runs import process_tag
    from resources.installation import Installation

    watched = ResourceDefinition.hardcoded_resource(console)
    with FileLock(folder / ".opening"):  # two first commands at once would both make its tables
        opened = DagsterInstance.get()
    with opened as instance:
        if domain is not None:
            installation = Installation.open()
            register_keys(instance, installation.banks, installation.models)
        result = (
            build_definitions(console=watched)
            .resolve_job_def(job)
            .execute_in_process(
                partition_key=domain,
                run_config={
                    "ops": {
                        asset: {"config": {name: value for name, value in content.items() if value is not None}}
                        for asset, content in config.items()
                    },
                    "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
                },
                instance=instance,
                tags={tag: "true"} | process_tag(),
                raise_on_error=False,
            )
        )
        interrupted = any(
            event.step_failure_data.error is not None and _INTERRUPT in event.step_failure_data.error.message
            for event in result.all_events
            if event.is_step_failure
        )
        run = instance.get_run_by_id(result.run_id)
        if interrupted and run is not None and run.status is DagsterRunStatus.FAILURE:
            # Dagster takes a Ctrl-C that nobody announced for a failure.
            instance.report_run_canceled(run, "Cancelled by Ctrl-C.")
    steps = tuple(
        (event.step_key or "", _told(event.step_failure_data.error))
        for event in result.all_events
        if event.is_step_failure
    )
    checks = tuple(
        (
            f"{evaluation.asset_key.to_user_string()}: {evaluation.check_name}",
            evaluation.blocking or False,
            evaluation.description or "",
        )
        for evaluation in result.get_asset_check_evaluations()
        if not evaluation.passed and evaluation.severity is AssetCheckSeverity.ERROR
    )
    return Launched(result.success, interrupted, result.run_id, steps, checks)


def _told(error: "SerializableErrorInfo | None") -> str:
    """The error with what caused it: Dagster's own says no more than which step it was."""
    told = []
    while error is not None:
        told.append(error.message.strip())
        error = error.cause
    return " ".join(told)
