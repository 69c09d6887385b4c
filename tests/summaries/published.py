"""Nights for the tests of this room: scores as a sweep publishes them, and the log of what it did."""

from datetime import UTC, datetime, timedelta

import polars as pl

from assets.summaries.nights import Night
from checks.contracts import SCORE_HISTORY, SWEEPS
from resources.warehouse import Lake

BANK = "capitals"
FIRST = datetime(2026, 11, 29, 2, 10, tzinfo=UTC)
_COUNTS = (
    *("correct", "partial", "incorrect", "not_attempted", "clusters"),
    *("truncated", "filtered", "failed", "ungraded", "unreadable"),
)


def night(number: int) -> Night:
    """The night `number` days after the first."""
    return Night(f"{number}aaaaaaa-sweep", FIRST + timedelta(days=number))


def score(model: str, index: float | None, low: float | None = None, high: float | None = None, **more) -> dict:
    """A model's row at level `all`; the other metrics have no interval unless `more` names them."""
    return {
        "bank": BANK,
        "level": "all",
        "key": more.get("bank", BANK),
        "model": model,
        "method": "match",
        "items": 60,
        "coverage": 1.0,
        "index": index,
        "index_low": low,
        "index_high": high,
        "penalty": 1.0,
        "cost_usd": 0.5,
        "incomplete": more.get("coverage", 1.0) < 1,
        **dict.fromkeys(_COUNTS, 0),
        **more,
    }


def history(published: Night, *rows: dict) -> pl.DataFrame:
    """What the night published."""
    own = {"sweep_id": published.sweep_id, "published_at": published.published_at}
    return SCORE_HISTORY.frame([own | row for row in rows])


def swept(published: Night, model: str, status: str = "stale", reason: str = "changed: items", **more) -> dict:
    """One partition in the log of sweeps, recorded shortly before its scores were published."""
    return {
        "sweep_id": published.sweep_id,
        "bank": BANK,
        "domain": "capitals.europe",
        "model": model,
        "status": status,
        "reason": reason,
        "forecast_calls": 5,
        "forecast_usd": 0.7,
        "bought_calls": 5,
        "bought_usd": 0.64,
        "coverage": 1.0,
        "result": "complete",
        "started_at": published.published_at - timedelta(minutes=10),
        "finished_at": published.published_at - timedelta(minutes=1),
        **more,
    }


def publish(lake: Lake, published: Night, *rows: dict, log: tuple[dict, ...] = ()) -> None:
    """Writes the night as a sweep does."""
    lake.write("score_history", history(published, *rows), sweep=published.sweep_id)
    if log:
        lake.write("sweeps", SWEEPS.frame(log), sweep=published.sweep_id)
