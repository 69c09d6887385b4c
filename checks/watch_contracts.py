"""Contract of the table that says which partitions are open, and since when."""

import polars as pl

from checks.contract import TIMESTAMP, Column, Contract

OPEN_PARTITIONS = Contract(
    "open_partitions",
    "The (domain, model) partitions that are missing, failed, stale or incomplete, since when, and why.",
    (
        Column("bank", pl.String, "Bank.", required=True),
        Column("domain", pl.String, "Partition key bank.domain.", required=True),
        Column("model", pl.String, "Model or baseline.", required=True),
        Column(
            "state", pl.String, "How it stands.", required=True, values=("missing", "failed", "stale", "incomplete")
        ),
        Column("due", pl.Boolean, "Whether the next sweep does something about it.", required=True),
        Column("reason", pl.String, "Why it is in the plan.", required=True),
        Column("excuse", pl.String, "Why it was not done: what blocks it, what failed, what stopped the sweep."),
        Column("since", TIMESTAMP, "When it was first found open, without being fresh in between.", required=True),
        Column("seen_at", TIMESTAMP, "When it was last looked at.", required=True),
    ),
    unique=("domain", "model"),
)
