"""The plan: which partitions are missing, failed or stale, why, and what bringing them up to date would cost.

Compares fingerprints and never asks Dagster what is materialized: failed and condemned partitions count there as done.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import polars as pl

from assets.items.item import Item
from assets.items.sampling import stratified_sample
from assets.sweeps.request import Request
from assets.sweeps.targets import DomainItems, Target, read_domains, targets, what_changed
from resources.installation import Installation


class State(StrEnum):
    FRESH = "fresh"
    STALE = "stale"
    INCOMPLETE = "incomplete"
    MISSING = "missing"
    FAILED = "failed"
    RETIRED = "retired"
    FAULTY = "faulty"


@dataclass(frozen=True)
class Planned:
    """One partition as it stands; `due` says that a sweep would do something about it."""

    target: Target
    state: State
    reason: str
    due: bool
    coverage: float | None
    items: tuple[Item, ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.target.key


@dataclass(frozen=True)
class Unplanned:
    """A recorded partition that the registries do not name: retired, or hidden by a fault in a file.

    Its history stays, and what is hidden by a fault counts as before.
    """

    domain: str
    model: str
    state: State
    reason: str
    coverage: float


@dataclass(frozen=True)
class Plan:
    partitions: tuple[Planned, ...]
    contents: tuple[DomainItems, ...]
    unplanned: tuple[Unplanned, ...]

    @property
    def due(self) -> list[Planned]:
        """What a sweep works on: due, and nothing stands in its way."""
        return [planned for planned in self.partitions if planned.due and planned.target.blocked is None]

    @property
    def blocked(self) -> list[Planned]:
        """What is due and cannot be bought."""
        return [planned for planned in self.partitions if planned.due and planned.target.blocked is not None]

    def asked_anew(self, *, narrow: bool) -> "Plan":
        """The plan that `--again` makes: a further epoch for each partition, or for its items in a narrow request."""
        partitions = []
        for planned in self.partitions:
            epochs = dict(planned.target.epochs)
            for name in [item.item_id for item in planned.items] if narrow else [""]:
                epochs[name] = epochs.get(name, 0) + 1
            anew = replace(planned.target, epochs=epochs)
            reason = planned.reason or "asked anew"
            partitions.append(replace(planned, target=anew, due=bool(planned.items), reason=reason))
        return replace(self, partitions=tuple(partitions))


def make_plan(installation: Installation, request: Request) -> Plan:
    """The plan for a resolved request.

    What cannot be graded or asked is blocked and says why; the rest of the plan stands.
    """
    contents = read_domains(installation, request)
    recorded = _recorded(installation)
    selected = _selected(contents, request)
    partitions = []
    for target in targets(installation, request, contents):
        row = recorded.pop(target.key, None)
        items = tuple(item for item in target.content.items if item.item_id in selected[target.key[0]])
        partitions.append(_planned(installation, target, row, items, whole=not (request.items or request.limit)))
    return Plan(tuple(partitions), tuple(contents), tuple(_unplanned(installation, recorded.values())))


def _selected(contents: list[DomainItems], request: Request) -> dict[str, set[str]]:
    """Ids of the items to ask, by domain."""
    chosen: dict[str, set[str]] = {}
    for content in contents:
        ids = {item.item_id for item in content.items}
        chosen[content.domain.key] = ids & set(request.items) if request.items else ids
    if request.limit is None:
        return chosen
    for bank in {content.bank.name for content in contents}:
        own = [content for content in contents if content.bank.name == bank]
        frame = pl.concat([content.read.frame for content in own]).filter(pl.col("status") == "active")
        for content in own:
            key = content.domain.key
            frame = frame.filter((pl.col("domain") != key) | pl.col("item_id").is_in(list(chosen[key])))
        for content in own:
            chosen[content.domain.key] = set()
        for domain, item_id in stratified_sample(frame, request.limit, bank).select("domain", "item_id").iter_rows():
            chosen[domain].add(item_id)
    return chosen


def _recorded(installation: Installation) -> dict[tuple[str, str], dict[str, object]]:
    rows = installation.lake.read("partitions").iter_rows(named=True)
    return {(row["domain"], row["model"]): row for row in rows}


def _planned(
    installation: Installation, target: Target, row: dict | None, items: tuple[Item, ...], *, whole: bool
) -> Planned:
    """The partition's state, from its recorded row and the items the request wants."""
    domain, model = target.key
    if row is None:
        reason = "never swept" if items else "the domain has no active items"
        return Planned(target, State.MISSING, _with_block(target, reason), bool(items), None, items)
    coverage = float(row["coverage"])
    if not all(installation.lake.holds(table, domain=domain, model=model) for table in ("responses", "grades")):
        return Planned(target, State.MISSING, "a file is damaged; it is rebuilt from the ledger", True, coverage, items)
    if row["fingerprint"] != target.fingerprint:
        reason = f"changed: {what_changed(str(row['fingerprint']), target.fingerprint)}"
        # A request for items of other domains leaves this one as it is.
        due = whole or bool(items)
        return Planned(target, State.STALE, _with_block(target, reason), due, coverage, items)
    nothing_came = row["graded"] == 0 and int(row["failed"]) > 0
    state = State.FRESH if coverage >= 1 else State.FAILED if nothing_came else State.INCOMPLETE
    reasons = [str(row["note"])] if row["note"] else []
    due = int(row["retryable"]) > 0
    if int(row["asked"]) < len(target.content.items) * target.samples:
        missing = len(items) * target.samples
        if not whole:
            missing -= _asked_among(installation, target, items)
        else:
            missing -= int(row["asked"])
        due = due or missing > 0
    if not target.content.items:
        state, due = State.FRESH, False
    return Planned(target, state, _with_block(target, "; ".join(reasons)), due, coverage, items)


def _asked_among(installation: Installation, target: Target, items: Iterable[Item]) -> int:
    domain, model = target.key
    ids = [item.item_id for item in items]
    responses = installation.lake.read("responses", ["item_id"], domain=domain, model=model)
    return responses.filter(pl.col("item_id").is_in(ids)).height


def _with_block(target: Target, reason: str) -> str:
    return f"skipped: {target.blocked}" if target.blocked else reason


def refusal(plan: Plan, request: Request) -> str | None:
    """Why what was named cannot be swept. What was not named is skipped, and the plan says why."""
    of_banks = bool(request.banks or request.domains or not plan.due)
    named = [
        planned
        for planned in plan.blocked
        if (of_banks if planned.target.bank_fault else planned.target.model in request.models)
    ]
    if named:
        return "; ".join(
            dict.fromkeys(each.target.bank_fault or f"{each.target.model}: {each.target.blocked}" for each in named)
        )
    known = {item.item_id for planned in plan.partitions for item in planned.target.content.items}
    if unknown := [item for item in request.items if item not in known]:
        return f"no active item is called {', '.join(unknown)}; `factsweep export items` lists them"
    if not plan.partitions:
        return "nothing matches what was named; a model's `banks:` or a private bank's `providers:` may exclude it"
    return None


def _unplanned(installation: Installation, rows: Iterable[dict]) -> Iterable[Unplanned]:
    """Recorded partitions that the registries do not name, whatever the request is about."""
    banks, models = installation.banks, installation.models
    for row in rows:
        state = State.RETIRED
        entry = banks.domains.get(row["domain"])
        spec = models.specs.get(row["model"])
        if row["model"] not in models.ids:
            reason = "the model is no longer in models.yaml, or its provider no longer lists it"
            if models.may_hold(row["model"]):
                state, reason = State.FAULTY, "models.yaml has a fault; `factsweep doctor` tells it"
        elif entry is None:
            reason = "the domain has no file any more"
            if banks.may_hold(row["domain"]):
                state, reason = State.FAULTY, "its file or its bank has a fault; `factsweep doctor` tells it"
        elif entry[1].spec.retired:
            reason = "the domain is marked retired"
        elif spec is not None and not (spec.asked_by(entry[0].name) and entry[0].admits(spec.provider)):
            reason = "the model is no longer asked of this bank"
        else:
            continue
        yield Unplanned(row["domain"], row["model"], state, reason, float(row["coverage"]))
