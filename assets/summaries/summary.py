"""The summary of one sweep, as data: what ran and why, what moved, what failed, what it cost, what is left.

It holds names and numbers only: no question, gold or answer, and no provider's words, since these may repeat them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from assets.drift.standing import standing
from assets.items.recorded_items import item_faults
from assets.summaries.comparing import BoardChange, ModelChange, changed_parts, compare, read_night, recorded_between
from assets.summaries.nights import Night, last_night
from assets.sweeps.buy import OVER_BUDGET
from assets.sweeps.plan import State
from assets.sweeps.targets import UNPRICED, grading_fault
from resources.installation import Installation
from resources.llm import PriceTable
from resources.registries.model_specs import BASELINES
from resources.types import Outcome

_OURS = re.compile(r"(?:the judge )?stopped: |\d+ calls failed one after the other, the last with: ")
_LONGEST_WORDS = 120
_MISSING = ("truncated", "filtered", "failed")


@dataclass(frozen=True)
class Ran:
    """The partitions that were swept for one reason."""

    reason: str
    partitions: int
    domains: tuple[str, ...]
    models: tuple[str, ...]


@dataclass(frozen=True)
class Incomplete:
    """A partition whose coverage is under 100 %: what is missing, and what stopped it where something did."""

    domain: str
    model: str
    coverage: float
    missing: str
    stopped: str | None = None


@dataclass(frozen=True)
class Cost:
    """Calls and dollars against their forecast.

    Attributes:
        price_unknown: some price is, so that the dollars are the least that it cost.
        forecast_unknown: the same of the forecast.
        of_rest: the run took up an earlier one, whose calls are not counted here.
    """

    calls: int
    forecast_calls: int
    usd: float
    forecast_usd: float
    price_unknown: bool
    forecast_unknown: bool
    of_rest: bool = False


@dataclass(frozen=True)
class FailedCheck:
    """A check that did not pass; `failing` is null where it could not be evaluated."""

    name: str
    blocking: bool
    warning: bool
    failing: int | None


@dataclass(frozen=True)
class Summary:
    """One published sweep.

    Attributes:
        previous: the night that it is compared with; None for the first one.
        ran: by reason.
        new_models, new_domains: never swept before; baselines are no models here.
        boards: all of them, against the previous night.
        swept_banks: the banks that had partitions in this sweep.
        drifting: the models whose last watched night is an alarm.
        troubles: this sweep's partitions that are incomplete now.
        left: the other registered partitions that are incomplete.
        not_asked: models that cannot be asked, and why.
        faults: what is wrong in registry files and files of items; what they hide is left as it was.
    """

    night: Night
    started_at: datetime
    previous: Night | None
    ran: tuple[Ran, ...]
    new_models: tuple[str, ...]
    new_domains: tuple[str, ...]
    boards: tuple[BoardChange, ...]
    swept_banks: tuple[str, ...]
    troubles: tuple[Incomplete, ...]
    left: tuple[Incomplete, ...]
    not_asked: tuple[tuple[str, str], ...]
    faults: tuple[str, ...]
    cost: Cost
    checks: tuple[FailedCheck, ...]
    over_budget: bool
    drifting: tuple[str, ...]

    @property
    def first(self) -> bool:
        return self.previous is None

    @property
    def moved(self) -> list[tuple[BoardChange, ModelChange]]:
        """The models with a metric that moved; a baseline moves with its items alone."""
        return [(board, model) for board, model in self._asked() if model.moved and not model.retired]

    @property
    def reranked(self) -> list[tuple[BoardChange, ModelChange]]:
        return [(board, model) for board, model in self._asked() if _reranked(model)]

    def _asked(self) -> list[tuple[BoardChange, ModelChange]]:
        return [(board, model) for board in self.boards for model in board.models if not model.baseline]


def _reranked(model: ModelChange) -> bool:
    ranks = [night.rank if night else None for night in (model.before, model.after)]
    return None not in ranks and ranks[0] != ranks[1]


def summarize(
    installation: Installation, night: Night, checks: Sequence[FailedCheck], *, takes_up_another: bool = False
) -> Summary:
    """The summary of one published night.

    Args:
        checks: those that failed in its run.
        takes_up_another: whether its run goes on where an earlier one ended.
    """
    lake, registered = installation.lake, installation.models.may_hold
    previous = last_night(lake, before=night.published_at)
    rows = lake.read("sweeps", sweep=night.sweep_id)
    partitions = _registered(installation, lake.read("partitions"))
    scores = read_night(lake, night)
    before = read_night(lake, previous) if previous else scores.clear()
    recorded = recorded_between(lake, previous, night) if previous else rows.clear()
    tonight = partitions.join(rows.select("domain", "model", "error"), on=["domain", "model"])
    incomplete = partitions.filter(pl.col("coverage") < 1).join(rows, on=["domain", "model"], how="anti")
    return Summary(
        night=night,
        started_at=rows["started_at"][0] if rows.height else night.published_at,
        previous=previous,
        ran=tuple(_ran(rows)),
        new_models=tuple(model for model in _new("model", rows, partitions) if model not in BASELINES),
        new_domains=_new("domain", rows, partitions),
        boards=tuple(compare(before, scores, recorded, registered)),
        swept_banks=tuple(sorted(rows["bank"].unique())),
        troubles=tuple(_troubles(installation, tonight.filter(pl.col("coverage") < 1))),
        left=tuple(_incomplete(row) for row in incomplete.sort("domain", "model").iter_rows(named=True)),
        not_asked=tuple(_not_asked(installation, set(rows["model"]))),
        faults=(*installation.problems, *item_faults(installation)),
        cost=_cost(rows, of_rest=takes_up_another),
        checks=tuple(checks),
        over_budget=bool((rows["error"] == OVER_BUDGET).any()),
        drifting=_drifting(installation),
    )


def own_words(reason: str) -> str:
    """A stop's or failure's reason without what the provider said, which may repeat a question or name an account."""
    ours = _OURS.match(reason)
    prefix = ours.group() if ours else ""
    said = reason[len(prefix) :]
    if inner := _OURS.match(said):
        prefix, said = prefix + inner.group(), said[inner.end() :]
    return (prefix + said.partition(":")[0].strip())[:_LONGEST_WORDS]


def reason_told(status: str, reason: str) -> str:
    """Why a partition was swept, in words that stand for all partitions of its kind."""
    if parts := changed_parts(reason):
        changed = [part for part in parts if part != "epoch"]
        told = [f"stale: {', '.join(changed)} changed"] if changed else []
        return ", ".join([*told, *(["asked anew"] if "epoch" in parts else [])])
    match status:
        case State.MISSING:
            return "new" if reason == "never swept" else "a damaged file was rebuilt"
        case State.FAILED:
            return "failed before, tried again"
        case State.INCOMPLETE:
            return "incomplete before, tried again"
        case _:
            return "asked for"


def _ran(rows: pl.DataFrame) -> Iterator[Ran]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for status, reason, domain, model in rows.select("status", "reason", "domain", "model").iter_rows():
        groups.setdefault(reason_told(status, reason), []).append((domain, model))
    for reason, keys in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        domains, models = ({key[place] for key in keys} for place in (0, 1))
        yield Ran(reason, len(keys), tuple(sorted(domains)), tuple(sorted(models)))


def _new(column: str, rows: pl.DataFrame, partitions: pl.DataFrame) -> tuple[str, ...]:
    """The models or domains all of whose partitions this sweep recorded for the first time."""
    first = rows.filter((pl.col("status") == State.MISSING) & (pl.col("reason") == "never swept"))
    others = partitions.join(first, on=["domain", "model"], how="anti")
    return tuple(sorted(set(first[column]) - set(others[column])))


def _registered(installation: Installation, partitions: pl.DataFrame) -> pl.DataFrame:
    banks, models = installation.banks, installation.models
    retired = {key for key, (_, domain) in banks.domains.items() if domain.spec.retired}
    domains = [key for key in partitions["domain"].unique() if banks.may_hold(key) and key not in retired]
    here = [id for id in partitions["model"].unique() if models.may_hold(id)]
    return partitions.filter(pl.col("domain").is_in(domains) & pl.col("model").is_in(here))


def _troubles(installation: Installation, incomplete: pl.DataFrame) -> Iterator[Incomplete]:
    """This sweep's incomplete partitions, with what most of their failed calls came to."""
    for row in incomplete.sort("domain", "model").iter_rows(named=True):
        faults: Counter[str] = Counter()
        if row["failed"]:
            columns = ["outcome", "finish_reason"]
            asked = installation.lake.read("responses", columns, domain=row["domain"], model=row["model"])
            reasons = asked.filter(pl.col("outcome") == Outcome.FAILED)["finish_reason"].drop_nulls()
            faults.update(own_words(reason) for reason in reasons)
        yield _incomplete(row, faults, row["error"])


def _incomplete(row: dict, faults: Counter[str] | None = None, stopped: str | None = None) -> Incomplete:
    parts = [f"{row[name]} {name}" for name in _MISSING if row[name]]
    if faults:
        parts = [f"{part} ({_counted(faults)})" if part.endswith(" failed") else part for part in parts]
    if ungraded := row["answered"] - row["graded"]:
        parts.append(f"{ungraded} ungraded")
    if (unasked := row["items"] * row["samples"] - row["asked"]) > 0:
        parts.append(f"{unasked} not asked")
    told = own_words(stopped) if stopped else None
    return Incomplete(row["domain"], row["model"], row["coverage"], ", ".join(parts), told)


def _counted(faults: Counter[str]) -> str:
    return ", ".join(f"{fault} × {count}" for fault, count in faults.most_common(3))


def _not_asked(installation: Installation, asked: Collection[str]) -> Iterable[tuple[str, str]]:
    """Models that lack a key, or that lack a price where the night has a cap; banks whose judge does."""
    models, prices = installation.models, PriceTable()
    for bank in installation.banks.banks.values():
        if fault := grading_fault(installation, bank, capped=models.night_is_capped):
            yield f"bank {bank.name}", fault
    for id, spec in models.specs.items():
        if variable := spec.missing_variable():
            yield id, f"{variable} is not set"
        elif models.night_is_capped and id not in asked and spec.banks != () and prices.of(spec) is None:
            yield id, UNPRICED


def _cost(rows: pl.DataFrame, *, of_rest: bool) -> Cost:
    return Cost(
        calls=int(rows["bought_calls"].sum()),
        forecast_calls=int(rows["forecast_calls"].sum()),
        usd=float(rows["bought_usd"].sum()),
        forecast_usd=float(rows["forecast_usd"].sum()),
        price_unknown=rows["bought_usd"].null_count() > 0,
        forecast_unknown=rows["forecast_usd"].null_count() > 0,
        of_rest=of_rest,
    )


def _drifting(installation: Installation) -> tuple[str, ...]:
    if installation.models.drift is None:
        return ()
    alarmed = standing(installation.lake.read("drift")).filter("alarm")
    return tuple(sorted(set(alarmed["model"]) & set(installation.models.ids)))
