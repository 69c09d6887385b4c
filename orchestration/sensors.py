"""The registry sensor: what the registry files name becomes a partition, and dead runs are marked failed.

It registers and requests nothing: runs are asked for by one road only.
"""

from collections.abc import Sequence

from dagster import DefaultSensorStatus, SensorEvaluationContext, SensorResult, SkipReason, sensor

from orchestration.partitions import DOMAINS, MODELS, missing_keys
from orchestration.resources import InstallationResource
from orchestration.runs import bury_dead_runs


@sensor(
    name="registry",
    minimum_interval_seconds=30,
    default_status=DefaultSensorStatus.RUNNING,
    description="Registers the domains of the bank folders and the models of models.yaml as partitions.",
)
def registry_sensor(context: SensorEvaluationContext, installation: InstallationResource) -> SensorResult | SkipReason:
    opened = installation.get()
    for problem in opened.problems:
        context.log.warning(problem)
    buried = bury_dead_runs(context.instance)
    missing = missing_keys(context.instance, opened.banks, opened.models)
    if not any(missing.values()):
        return SkipReason(
            f"All {len(opened.banks.domains)} domains and {len(opened.models.ids)} models are registered; "
            f"{len(buried)} dead runs marked failed; {_faults(opened.problems)}"
        )
    requests = [
        definition.build_add_request(missing[name])
        for definition, name in ((DOMAINS, "domains"), (MODELS, "models"))
        if missing[name]
    ]
    return SensorResult(skip_reason=_faults(opened.problems), dynamic_partitions_requests=requests)


def _faults(problems: Sequence[str]) -> str:
    """What is wrong in registry files, for the tick's line in the UI; what is right in them is in force."""
    return "\n".join([f"{len(problems)} faults in registry files.", *problems])
