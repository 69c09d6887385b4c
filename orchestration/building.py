"""One stage of a build inside a Dagster run: the domain's bank, its cast, a desk, and what is told meanwhile."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from dagster import AssetExecutionContext, Config, MetadataValue
from pydantic import Field

from assets.authoring.cast import Cast, cast_of
from assets.authoring.desk import Desk
from assets.authoring.session import desk_for
from assets.items.recorded_items import require_items
from assets.sweeps.logging import EVERY_S
from orchestration.console import Console
from orchestration.endings import ending_well, refuse_hidden, root_run
from orchestration.notices import tell_budget_stop
from resources.installation import Installation
from resources.llm import Tally
from resources.registries import Bank, Domain

_SHOWN = 3


class BuildConfig(Config):
    """What a build may cost."""

    budget_usd: float | None = Field(
        default=None, description="Hard cap in dollars of the whole run; the bank's own `build.budget_usd` without it."
    )


@dataclass(frozen=True)
class Build:
    """What a stage works with."""

    context: AssetExecutionContext
    installation: Installation
    bank: Bank
    domain: Domain
    cast: Cast
    desk: Desk
    console: Console
    stage: str

    def say(self, line: str) -> None:
        self.context.log.info("%s", line)
        self.console.built(self.stage, line)

    def warn(self, line: str) -> None:
        self.context.log.warning("%s", line)
        self.console.built(self.stage, line)

    def warn_of(self, cases: Sequence[str], what: str) -> None:
        """Says how many cases there are, with the first few of them: there may be thousands."""
        if cases:
            more = "" if len(cases) <= _SHOWN else f"; and {len(cases) - _SHOWN} more"
            self.warn(f"{len(cases)} {what}: {'; '.join(cases[:_SHOWN])}{more}")

    def waiting(self, count: int) -> None:
        """Says that a later build has to ask for so many replies again, and what stopped them."""
        for model, reason in self.desk.stopped.items():
            self.warn(f"{model} was stopped: {reason}")
        if self.desk.over_budget:
            self.warn("the budget is reached; what was bought is kept, build again to go on")
            tell_budget_stop(self.context, f"build of {self.domain.key}", self.desk.tally.cost_usd)
        if count or self.desk.over_budget:
            self.console.left_over(self.stage, count, over_budget=self.desk.over_budget)

    def cost_metadata(self) -> dict[str, MetadataValue]:
        tally = self.desk.tally
        return {
            "calls bought": MetadataValue.int(tally.requests),
            "cost": MetadataValue.text(f"${tally.cost_usd:.4f}"),
        }


def registered(context: AssetExecutionContext, installation: Installation) -> tuple[Bank, Domain] | None:
    """The partition's bank and domain; None where the domain is retired or gone, of which the log says so."""
    key = context.partition_key
    refuse_hidden(installation, key)
    entry = installation.banks.domains.get(key)
    if entry is None or entry[1].spec.retired:
        context.log.warning("Domain %s is retired or no longer registered: nothing is read, its history stays.", key)
        return None
    return entry


@contextmanager
def open_build(
    context: AssetExecutionContext, installation: Installation, config: BuildConfig, console: Console, stage: str
) -> Iterator[Build | None]:
    """The stage's build; None where the partition has no sources, so that there is nothing to build."""
    entry = registered(context, installation)
    if entry is None or not entry[1].spec.sources:
        context.log.info("%s: nothing is built; its items come from its items file.", context.partition_key)
        yield None
        return
    bank, domain = entry
    with ending_well(context, console):
        require_items(installation, bank, domain)
        cast = cast_of(bank, installation.models)
        for vacancy in cast.vacancies:
            context.log.warning("Role %s", vacancy)
            console.built("roles", str(vacancy))
        budget = config.budget_usd if config.budget_usd is not None else bank.spec.build.budget_usd
        watch = _Watch(context, console, stage)
        with desk_for(installation, cast, root_run(context), budget, watch) as desk:
            yield Build(context, installation, bank, domain, cast, desk, console, stage)


class _Watch:
    """Tells the console each time, and the log at a rate that a person can read."""

    def __init__(self, context: AssetExecutionContext, console: Console, stage: str) -> None:
        self._context = context
        self._console = console
        self._stage = stage
        self._last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        self._console.asking(self._stage, tally)
        now = time.monotonic()
        if now - self._last >= EVERY_S:
            self._last = now
            self._context.log.info("%d calls done, %d failed, $%.4f", tally.completed, tally.failed, tally.cost_usd)
