"""The graph as Dagster loads it. `build_definitions` gives fresh Definitions, with resources swapped for tests."""

from dagster import Definitions, ResourceDefinition, in_process_executor

from assets.evidence_cards.assets import evidence_cards
from assets.items.assets import items
from assets.metrics.assets import leaderboard, scores
from assets.reports.assets import benchmark_db, report
from assets.sources.assets import sources
from assets.sweeps.assets import answer_and_grade, sweeps
from assets.watch.assets import open_partitions_asset
from checks.asset_checks import build_asset_checks
from orchestration.console import Console
from orchestration.jobs import BUILD, RECONCILE, SWEEP
from orchestration.model_sensor import new_models_sensor
from orchestration.resources import InstallationResource, LakeResource
from orchestration.schedules import nightly_schedule, reconcile_schedule, refresh_schedule
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
            open_partitions_asset,
        ],
        asset_checks=build_asset_checks(),
        jobs=[BUILD, SWEEP, RECONCILE],
        schedules=[nightly_schedule(), reconcile_schedule(), refresh_schedule],
        sensors=[registry_sensor, new_models_sensor],
        resources=resources | overrides,
        # One process a run: a process a step pays for start-up and imports each time.
        executor=in_process_executor,
    )


defs = build_definitions()
