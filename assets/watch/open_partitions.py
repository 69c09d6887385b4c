"""Which partitions are open, and since when: bounded retries go silent, and a schedule that is off says nothing."""

from datetime import datetime
from typing import Any

import polars as pl

from assets.sweeps.plan import Planned, State, make_plan
from assets.sweeps.request import Request
from checks.watch_contracts import OPEN_PARTITIONS
from checks.watch_rules import LEFT_BEHIND
from resources.installation import Installation

_OPEN = (State.MISSING, State.FAILED, State.STALE, State.INCOMPLETE)


def open_partitions(installation: Installation, now: datetime) -> pl.DataFrame:
    """Every partition that is not as it should be (contract `open_partitions`).

    One that was open when it was last looked at keeps its `since`, whatever state it went through.
    """
    lake = installation.lake
    earlier = lake.read("open_partitions")
    since = {(row["domain"], row["model"]): row["since"] for row in earlier.iter_rows(named=True)}
    # As the night asks: what its budget leaves out for want of a price has that for a reason.
    request = Request(budget_usd=installation.models.nightly.budget_usd)
    stopped = _last_errors(lake.read("sweeps"))
    rows = [
        _row(planned, since.get(planned.key, now), stopped.get(planned.key), now)
        for planned in make_plan(installation, request).partitions
        if planned.state in _OPEN and (planned.items or planned.state is not State.MISSING)
    ]
    return OPEN_PARTITIONS.frame(rows)


def left_behind(open_partitions: pl.DataFrame) -> pl.DataFrame:
    """What the check `nothing_left_behind` finds in a table of open partitions, the oldest first."""
    import duckdb

    with duckdb.connect() as connection:
        connection.register("open_partitions", open_partitions)
        return connection.sql(f"from ({LEFT_BEHIND}) order by since, domain, model").pl()


def _row(planned: Planned, since: datetime, stopped: str | None, now: datetime) -> dict[str, Any]:
    domain, model = planned.key
    recorded = planned.reason if planned.state in (State.FAILED, State.INCOMPLETE) else None
    return {
        "bank": planned.target.bank.name,
        "domain": domain,
        "model": model,
        "state": planned.state,
        "due": planned.due,
        "reason": planned.reason or planned.state,
        "excuse": planned.target.blocked or recorded or stopped or None,
        "since": since,
        "seen_at": now,
    }


def _last_errors(sweeps: pl.DataFrame) -> dict[tuple[str, str], str | None]:
    """What stopped the last sweep of each partition."""
    last = sweeps.sort("finished_at").group_by("domain", "model").agg(pl.col("error").last())
    return {(domain, model): error for domain, model, error in last.iter_rows()}
