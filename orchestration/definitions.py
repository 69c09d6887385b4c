"""The graph as Dagster loads it. `build_definitions` gives fresh Definitions, with resources swapped for tests."""

import orchestration  # noqa: F401  (before all else, since it spares the collector)

# isort: split
from dagster import Definitions, ResourceDefinition, in_process_executor

from assets.drift.assets import drift_watch, no_drift
from assets.evidence_cards.assets import evidence_cards
from assets.items.assets import items
from assets.metrics.assets import leaderboard, scores
from assets.reports.assets import benchmark_db, report
from assets.sources.assets import sources
from assets.summaries.assets import summary
from assets.sweeps.assets import answer_and_grade, sweeps
from assets.watch.assets import open_partitions_asset
from checks.asset_checks import build_asset_checks
from orchestration.console import Console
from orchestration.housekeeping import housekeeping, housekeeping_schedule
from orchestration.jobs import BUILD, DRIFT, RECONCILE, SWEEP
from orchestration.model_sensor import new_models_sensor
from orchestration.notices import failures_sensor
from orchestration.resources import InstallationResource, LakeResource
from orchestration.schedules import build_schedules
from orchestration.sensors import registry_sensor


def build_definitions(**overrides: object) -> Definitions:
    """Fresh Definitions; `overrides` replace resources by their key."""
    resources = {
        "installation": InstallationResource(),
        "lake": LakeResource(),
        "console": ResourceDefinition.hardcoded_resource(Console()),
    }
    return Definitions(
        assets=[
            sources,
            evidence_cards,
            items,
            answer_and_grade,
            sweeps,
            scores,
            leaderboard,
            report,
            benchmark_db,
            summary,
            open_partitions_asset,
            drift_watch,
        ],
        asset_checks=[*build_asset_checks(), no_drift],
        jobs=[BUILD, SWEEP, RECONCILE, DRIFT, housekeeping],
        schedules=[*build_schedules(), housekeeping_schedule],
        sensors=[registry_sensor, new_models_sensor, failures_sensor],
        resources=resources | overrides,
        # One process a run: a process a step pays for start-up and imports each time.
        executor=in_process_executor,
    )


defs = build_definitions()
