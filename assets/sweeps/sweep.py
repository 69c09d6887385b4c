"""One sweep from plan to record: plain functions that the Dagster asset and a single partition's asset both call."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import polars as pl

from assets.sweeps.buy import Bought, Progress, buy
from assets.sweeps.plan import Plan, Planned, make_plan, refusal
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


def forecasts(installation: Installation, plan: Plan) -> dict[tuple[str, str], Forecast]:
    """The forecast of each due partition."""
    prices = PriceTable()
    return {planned.key: planned_forecast(installation, planned, prices) for planned in plan.due}


def start_epochs(installation: Installation, request: Request, asked_by: str) -> None:
    """`--again`: the next plan asks anew what the request names, once for each `asked_by`.

    Raises:
        ConfigurationError: when the sweep would be refused; nothing is asked anew then.
    """
    plan = make_plan(installation, request)
    if request.named and (refused := refusal(plan, request)):
        raise ConfigurationError(refused)
    narrow = request.items or request.limit is not None
    keys = []
    for planned in plan.partitions:
        if planned.target.blocked is None:
            domain, model = planned.key
            keys += [(domain, model, item.item_id) for item in planned.items] if narrow else [(domain, model, "")]
    installation.ledger.start_epoch(keys, asked_by)


def run_sweep(
    installation: Installation, request: Request, sweep_id: str, listener: Listener, account: str | None = None
) -> SweepResult:
    """Brings every due partition of the request up to date.

    Args:
        request: resolved; `again` is carried out by `start_epochs`, before.
        sweep_id: what the tables call this sweep.
        account: on whose budget it buys; a run that takes up a crashed one goes on with its account.

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
    _retire_items(installation)
    forecast = forecasts(installation, plan)
    listener.planned(plan, forecast)
    if request.named and (refused := refusal(plan, request)):
        raise ConfigurationError(refused)
    owner = Owner.register()
    try:
        purse = _purse(installation, request, account or sweep_id, owner, started)
        bought = buy(installation, plan.due, purse, listener.progress)
        rows = _record_all(installation, plan, sweep_id, started, forecast, bought, listener)
    finally:
        owner.retire()
    if bought.interrupt is not None:
        raise bought.interrupt
    return SweepResult(sweep_id, rows, bought)


def _purse(installation: Installation, request: Request, account: str, owner: Owner, now: datetime) -> Purse:
    day = installation.budget_day(now)
    caps = {}
    if request.budget_usd is not None:
        caps[f"sweep:{account}"] = request.budget_usd
    if installation.models.budget is not None:
        caps[f"day:{day}"] = installation.models.budget.per_day
    return Purse(owner, account, day, caps)


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


def _retire_items(installation: Installation) -> None:
    """Items of domains that are no longer registered count nowhere; their rows stay.

    A domain whose file cannot be read is left as it is.
    """
    lake, banks = installation.lake, installation.banks
    for domain in lake.read("items")["domain"].unique():
        _, entry = banks.domains.get(domain, (None, None))
        if entry.spec.retired if entry else not banks.may_hold(domain):
            frame = lake.read("items", domain=domain)
            if (frame["status"] == "active").any():
                lake.write("items", frame.with_columns(status=pl.lit("retired")), domain=domain)


def _record_all(
    installation: Installation,
    plan: Plan,
    sweep_id: str,
    started: datetime,
    forecast: dict[tuple[str, str], Forecast],
    bought: Bought,
    listener: Listener,
) -> pl.DataFrame:
    """Every due partition recorded; the sweep's rows are written after each, so that a kill loses at most one."""
    rows: list[dict[str, object]] = []
    for planned in plan.due:
        now = utc_now()
        stopped = _stop_reason(planned, bought)
        done = record(installation, planned.target, sweep_id, now, stopped)
        rows.append(_sweep_row(planned, sweep_id, started, now, forecast[planned.key], bought, done))
        installation.lake.write("sweeps", SWEEPS.frame(rows), sweep=sweep_id)
        listener.recorded(planned, done)
    return SWEEPS.frame(rows)


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
        "error": None if done.summary["coverage"] >= 1 else _stop_reason(planned, bought),
        "started_at": started,
        "finished_at": now,
    }


def _stop_reason(planned: Planned, bought: Bought) -> str | None:
    """Why the partition's model, its judge or the whole sweep was stopped; a baseline buys nothing."""
    target = planned.target
    return bought.stop_reason(target.model, target.judge.id if target.judge else None) if target.spec else None
