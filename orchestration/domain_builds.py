"""What `factsweep build` does and prints, and the exit status it ends with."""

from dataclasses import dataclass, field
from math import isfinite
from shlex import quote

import click
import polars as pl
from rich.console import Console as Terminal
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from assets.items.recorded_items import require_items
from assets.sweeps.request import domain_key
from orchestration.console import Console
from orchestration.sweeping import DONE, FAULT, INCOMPLETE, INTERRUPTED, OVER_BUDGET
from resources.installation import Installation
from resources.llm import Tally
from resources.types import ConfigurationError, FactsweepError


def dry_run_build(names: tuple[str, ...], bank: str | None, budget: float | None) -> int:
    """Prints what a build would ask and what that would cost; fetches no page and buys nothing."""
    from assets.authoring.cast import cast_of
    from assets.authoring.session import refuse_unknown_prices
    from assets.items.forecasting import forecast_build

    installation, keys = _opened(names, bank, budget)
    for key in keys:
        of_bank, domain = installation.banks.domains[key]
        cast = cast_of(of_bank, installation.models)
        for line in forecast_build(installation, of_bank, domain, cast):
            click.echo(line)
        for vacancy in cast.vacancies:
            click.echo(f"role {vacancy}")
        refuse_unknown_prices(installation, cast, budget if budget is not None else of_bank.spec.build.budget_usd)
    return DONE


def build(names: tuple[str, ...], bank: str | None, budget: float | None) -> int:
    """Builds each domain in a run of its own and returns the exit status of the worst."""
    from orchestration.launch import run_build_job

    _, keys = _opened(names, bank, budget)
    statuses = []
    for key in keys:
        console = BuildConsole(key)
        try:
            launched = run_build_job(key, budget, console)
        finally:
            console.close()
        if console.was_interrupted or launched.interrupted:
            click.echo("factsweep: cancelled; what was bought is on record, build again to go on", err=True)
            return INTERRUPTED
        if console.error is not None:
            if len(keys) == 1:
                raise console.error
            click.echo(f"factsweep: {key}: {console.error}", err=True)
            statuses.append(2 if isinstance(console.error, ConfigurationError) else FAULT)
            continue
        for step, message in () if launched.success else launched.failed_steps:
            if not step.endswith("_checks"):  # told below, check by check
                click.echo(f"factsweep: step {step} failed: {message}", err=True)
        for name, blocking, description in launched.failed_checks:
            kind = "blocking check failed, so no items were made" if blocking else "check failed"
            click.echo(f"factsweep: {kind}: {name}: {description}", err=True)
        if not launched.success or any(blocking for _, blocking, _ in launched.failed_checks):
            statuses.append(FAULT)
            continue
        short = print_balance(Installation.open(), key)
        statuses.append(OVER_BUDGET if console.over_budget else INCOMPLETE if console.waiting or short else DONE)
    return next((status for status in (FAULT, 2, OVER_BUDGET, INCOMPLETE) if status in statuses), DONE)


def print_balance(installation: Installation, key: str) -> bool:
    """The domain's topics with what they want and have; whether one is short."""
    balance = installation.lake.read("topic_balance", domain=key)
    terminal = Terminal(soft_wrap=False, width=None if Terminal().is_terminal else 160)
    table = Table(title=f"{key}: items by topic", title_justify="left")
    for name in ("topic", "wanted", "active", "cards", "drafts", "dropped", "waiting"):
        table.add_column(name, justify="left" if name == "topic" else "right")
    table.add_column("why some are missing")
    for row in balance.iter_rows(named=True):
        numbers = [str(row[name]) for name in ("target", "active", "cards", "drafts", "dropped", "waiting")]
        table.add_row(Text(row["topic"]), *numbers, Text(row["reason"] or ""))
    terminal.print(table)
    if balance["active"].sum():
        click.echo(f"Look at them: factsweep review --domain {quote(key)} --open")
        click.echo(f"Ask models:   factsweep sweep --domain {quote(key)}")
    return bool(balance.filter(pl.col("short") > 0).height)


def check_budget(budget: float | None) -> None:
    """Whether a cap is one.

    Raises:
        ConfigurationError: when it is not.
    """
    if budget is not None and not (isfinite(budget) and budget > 0):
        raise ConfigurationError(f"--budget is {budget}; it must be over 0")


@dataclass
class BuildConsole(Console):
    """Draws a build's progress on standard error and keeps what the exit status needs."""

    domain: str
    over_budget: bool = False
    waiting: int = 0
    error: FactsweepError | None = None
    was_interrupted: bool = False
    _terminal: Terminal = field(default_factory=lambda: Terminal(stderr=True))
    _bar: Progress | None = None
    _told: set[str] = field(default_factory=set)

    def built(self, stage: str, line: str) -> None:
        told = f"{stage}: {line}"
        if told not in self._told:  # both stages look at the roles
            self._told.add(told)
            self._terminal.print(told, markup=False, highlight=False, soft_wrap=True)

    def asking(self, stage: str, tally: Tally) -> None:
        if self._bar is None:
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}: {task.fields[done]} calls  ${task.fields[usd]:.4f}"),
                TextColumn("{task.fields[failed]} failed"),
                TimeElapsedColumn(),
                console=self._terminal,
                transient=True,
            )
            self._bar.add_task(self.domain, total=None, done=0, usd=0.0, failed=0)
            self._bar.start()
        self._bar.update(
            self._bar.task_ids[0],
            description=f"{self.domain} {stage}",
            done=tally.completed,
            usd=tally.cost_usd,
            failed=tally.failed,
        )

    def left_over(self, stage: str, waiting: int, *, over_budget: bool) -> None:
        self.waiting += waiting
        self.over_budget = self.over_budget or over_budget

    def interrupted(self) -> None:
        self.was_interrupted = True

    def failed(self, error: FactsweepError) -> None:
        self.error = error

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _opened(names: tuple[str, ...], bank: str | None, budget: float | None) -> tuple[Installation, list[str]]:
    """The installation and the keys of the domains to build.

    Raises:
        ConfigurationError: when a domain is not registered or names no sources.
    """
    check_budget(budget)
    installation = Installation.open()
    for problem in installation.problems:
        click.echo(f"factsweep: {problem}", err=True)
    banks = installation.banks
    if bank is not None and bank not in banks.banks:
        raise ConfigurationError(f"bank {bank!r} is not registered; known: {', '.join(banks.banks) or 'none'}")
    if names:
        keys = [domain_key(name, (bank,) if bank else (), banks) for name in names]
    else:
        keys = [key for key, (of, domain) in banks.domains.items() if of.name == bank and domain.spec.sources]
    for key in keys:
        of_bank, domain = banks.domains[key]
        if domain.spec.retired:
            raise ConfigurationError(f"domain {key} is marked retired in {domain.file}; nothing is built for it")
        if not domain.spec.sources:
            raise ConfigurationError(
                f"domain {key} names no sources; add a url or a path under sources: in {domain.file}"
            )
        require_items(installation, of_bank, domain)
    if not keys:
        raise ConfigurationError(
            f"no domain of bank {bank} names sources; `factsweep new-domain {bank}.NAME` makes one"
        )
    return installation, keys
