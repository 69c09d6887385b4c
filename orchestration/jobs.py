"""The jobs: `build` makes a domain's items of its sources; `sweep` asks, grades, checks, scores and publishes."""

from dagster import AssetSelection, define_asset_job

SWEEP_TAG = "factsweep/sweep"
BUILD_TAG = "factsweep/build"

BUILD = define_asset_job(
    "build",
    selection=AssetSelection.assets("sources", "evidence_cards", "items"),
    description="Fetches a domain's sources, reads them into evidence cards, and makes items of the cards.",
    tags={BUILD_TAG: "true"},
)

DRIFT = define_asset_job(
    "drift",
    selection=AssetSelection.assets("drift_watch"),
    description="Asks each model a few items again, once a night, and tests whether it still answers as it did.",
)

RECONCILE = define_asset_job(
    "reconcile",
    selection=AssetSelection.assets("open_partitions"),
    description="Looks for partitions that were left behind; buys nothing.",
)

SWEEP = define_asset_job(
    "sweep",
    selection=AssetSelection.assets("sweeps", "scores", "leaderboard", "report", "benchmark_db", "summary")
    | AssetSelection.checks_for_assets("items", "responses", "grades", "sweeps"),
    description="Brings every stale (domain, model) up to date, checks the tables, computes the metrics, publishes.",
    tags={SWEEP_TAG: "true"},
)
