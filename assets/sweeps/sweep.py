"""One sweep from plan to record: plain functions that the Dagster asset and a single partition's asset both call."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import polars as pl

from assets.sweeps.buy import Bought, Progress, buy
from assets.sweeps.plan import Plan, Planned, make_plan
from assets.sweeps.record import Recorded, record
from assets.sweeps.request import Request
from assets.sweeps.targets import DomainItems
from assets.sweeps.work import Forecast, planned_forecast
from checks.contracts import SWEEPS
from resources.installation import Installation, utc_now
from resources.ledger import Owner, Purse
from resources.llm import PriceTable
from resources.types import ConfigurationError


class Listener(Protocol):
    """Who is told what a sweep does: Dagster's log, the command line."""

    def planned(self, plan: Plan, forecasts: dict[tuple[str, str], Forecast]) -> None: ...

    def progress(self, progress: Progress) -> None: ...

    def items_recorded(self, content: DomainItems) -> None: ...

    def recorded(self, planned: Planned, recorded: Recorded) -> None: ...

    def warned(self, message: str) -> None: ...


@dataclass(frozen=True)
class SweepResult:
    """What a sweep did; `rows` is its part of the table `sweeps`."""

    sweep_id: str
    rows: pl.DataFrame
    bought: Bought
    spent_usd: float


def sweep_id_for(run_id: str, now: datetime) -> str:
    """Sorts by time and names its run."""
    return f"{now:%Y%m%dT%H%M%SZ}-{run_id[:8]}"


def forecasts(installation: Installation, plan: Plan) -> dict[tuple[str, str], Forecast]:
    """The forecast of each due partition."""
    prices = PriceTable()
    return {planned.key: planned_forecast(installation, planned, prices) for planned in plan.due}


def start_epochs(installation: Installation, request: Request, asked_by: str) -> None:
    """`--again`: the next plan asks anew what the request names, once for each `asked_by`."""
    plan = make_plan(installation, request)
    keys = []
    for planned in plan.partitions:
        domain, model = planned.key
        keys += [(domain, model, item.item_id) for item in planned.items] if request.items else [(domain, model, "")]
    installation.ledger.start_epoch(keys, asked_by)


def run_sweep(installation: Installation, request: Request, sweep_id: str, listener: Listener) -> SweepResult:
    """Brings every due partition of the request up to date.

    Args:
        request: resolved; `again` is carried out by `start_epochs`, before.

    Raises:
        ConfigurationError: before anything is bought.
        LedgerError, DiskFull: what was bought is on disk.
        BaseException: an interrupt, after what was bought is recorded.
    """
    started = utc_now()
    installation.ledger.bury_dead()
    plan = make_plan(installation, request)
    for content in plan.contents:
        _record_items(installation, content, listener)
    forecast = forecasts(installation, plan)
    listener.planned(plan, forecast)
    _refuse_unknown_prices(installation, plan, request)
    owner = Owner.register()
    try:
        purse = _purse(installation, request, sweep_id, owner, started)
        bought = buy(installation, plan.due, purse, listener.progress)
        rows = _record_all(installation, plan, sweep_id, started, forecast, bought, listener)
    finally:
        owner.retire()
    if bought.interrupt is not None:
        raise bought.interrupt
    return SweepResult(sweep_id, rows, bought, installation.ledger.spent(f"sweep:{sweep_id}"))


def _purse(installation: Installation, request: Request, sweep_id: str, owner: Owner, now: datetime) -> Purse:
    day = installation.budget_day(now)
    caps = {}
    if request.budget_usd is not None:
        caps[f"sweep:{sweep_id}"] = request.budget_usd
    if installation.models.budget is not None:
        caps[f"day:{day}"] = installation.models.budget.per_day
    return Purse(owner, sweep_id, day, caps)


def _refuse_unknown_prices(installation: Installation, plan: Plan, request: Request) -> None:
    """A cap cannot hold where a price is unknown."""
    if request.budget_usd is None and installation.models.budget is None:
        return
    prices = PriceTable()
    specs = {spec.id: spec for due in plan.due for spec in (due.target.spec, due.target.judge) if spec}
    if unknown := [id for id, spec in specs.items() if prices.of(spec) is None]:
        raise ConfigurationError(
            f"a budget needs every price, and nobody states one for {', '.join(unknown)}; "
            "add `price: {input: …, output: …}` (USD per million tokens) in models.yaml"
        )


def _record_items(installation: Installation, content: DomainItems, listener: Listener) -> None:
    """The domain's items as a table, when its file changed since."""
    for problem in content.read.refused:
        listener.warned(str(problem))
    key = content.domain.key
    if not installation.lake.holds("items", domain=key) or not installation.lake.read("items", domain=key).equals(
        content.read.frame
    ):
        installation.lake.write("items", content.read.frame, domain=key)
        listener.items_recorded(content)


def _record_all(
    installation: Installation,
    plan: Plan,
    sweep_id: str,
    started: datetime,
    forecast: dict[tuple[str, str], Forecast],
    bought: Bought,
    listener: Listener,
) -> pl.DataFrame:
    """Every due partition recorded, and the sweep's rows in `sweeps` written after each of them."""
    rows: list[dict[str, object]] = []
    for planned in plan.due:
        now = utc_now()
        stopped = _stop_reason(planned, bought)
        done = record(installation, planned.target, sweep_id, now, stopped)
        rows.append(_sweep_row(planned, sweep_id, started, now, forecast[planned.key], bought, done))
        listener.recorded(planned, done)
    frame = SWEEPS.frame(rows)
    if rows:
        installation.lake.write("sweeps", frame, sweep=sweep_id)
    return frame


def _sweep_row(
    planned: Planned,
    sweep_id: str,
    started: datetime,
    now: datetime,
    forecast: Forecast,
    bought: Bought,
    done: Recorded,
) -> dict[str, object]:
    domain, model = planned.key
    share = bought.share(planned.key)
    return {
        "sweep_id": sweep_id,
        "bank": planned.target.bank.name,
        "domain": domain,
        "model": model,
        "status": planned.state,
        "reason": planned.reason or "asked for",
        "forecast_calls": forecast.calls,
        "forecast_usd": forecast.usd,
        "bought_calls": share.requests,
        "bought_usd": share.usd,
        "coverage": done.summary["coverage"],
        "result": "complete" if done.summary["coverage"] >= 1 else "incomplete",
        "error": _stop_reason(planned, bought),
        "started_at": started,
        "finished_at": now,
    }


def _stop_reason(planned: Planned, bought: Bought) -> str | None:
    """Why the partition's model, its judge or the whole sweep was stopped; a baseline buys nothing."""
    target = planned.target
    return bought.stop_reason(target.model, target.judge.id if target.judge else None) if target.spec else None
