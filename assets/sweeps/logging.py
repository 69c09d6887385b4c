"""A sweep's plan and progress as log lines, at a rate that a person can read."""

import logging
import time
from collections.abc import Mapping

from assets.sweeps.buy import Progress
from assets.sweeps.plan import Plan
from assets.sweeps.work import Forecast

EVERY_S = 15.0
_LISTED = 40


def plan_lines(plan: Plan, forecasts: Mapping[tuple[str, str], Forecast]) -> list[str]:
    """What the sweep will do and why, a line a partition; long plans are cut."""
    due = plan.due
    calls = sum(forecast.calls for forecast in forecasts.values())
    lines = [f"{len(due)} of {len(plan.partitions)} partitions are due; forecast: {calls} calls, {usd(forecasts)}."]
    for planned in due[:_LISTED]:
        forecast = forecasts[planned.key]
        lines.append(f"{' | '.join(planned.key)}: {planned.state}, {planned.reason} ({forecast.calls} calls)")
    if len(due) > _LISTED:
        lines.append(f"… and {len(due) - _LISTED} more")
    lines += [f"{' | '.join(planned.key)}: {planned.reason}" for planned in plan.blocked[:_LISTED]]
    return lines


def usd(forecasts: Mapping[tuple[str, str], Forecast]) -> str:
    """The forecast's dollars; "at least" where a price is unknown."""
    known = sum(forecast.usd or 0.0 for forecast in forecasts.values())
    unknown = any(forecast.usd is None for forecast in forecasts.values())
    return f"at least ${known:.4f} (a price is unknown)" if unknown else f"${known:.4f}"


class ProgressLog:
    """Logs progress at most every EVERY_S seconds."""

    def __init__(self, log: logging.Logger, forecast_calls: int) -> None:
        self._log = log
        self._forecast_calls = forecast_calls
        self._last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < EVERY_S:
            return
        self._last = now
        self._log.info(
            "%d of about %d calls done, %d failed, $%.4f, %.1f a second",
            progress.completed,
            self._forecast_calls,
            progress.failed,
            progress.cost_usd,
            progress.completed / max(progress.seconds, 1e-9),
        )
