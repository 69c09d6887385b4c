"""The job `sweep`: plan, buy and record, then the checks, the metrics and the published database."""

from dagster import AssetSelection, define_asset_job

SWEEP_TAG = "factsweep/sweep"

SWEEP = define_asset_job(
    "sweep",
    selection=AssetSelection.assets("sweeps", "scores", "leaderboard", "report", "benchmark_db")
    | AssetSelection.checks_for_assets("items", "responses", "grades", "sweeps"),
    description="Brings every stale (domain, model) up to date, checks the tables, computes the metrics, publishes.",
    tags={SWEEP_TAG: "true"},
)
