"""What `factsweep sweep` and `factsweep demo` do and print, and the exit status they end with."""

import click
import polars as pl
from rich.table import Table
from rich.text import Text

from assets.items.recorded_items import read_faults
from assets.metrics.leaderboard import COLUMNS, leaderboard_notes, leaderboard_rows
from assets.reports.publishing import is_published
from assets.sweeps.logging import plan_lines
from assets.sweeps.plan import Plan, Planned, make_plan, refusal
from assets.sweeps.request import Request
from assets.sweeps.sweep import forecasts
from orchestration.tables import add_name_column, table_terminal
from resources.installation import Installation
from resources.types import ConfigurationError

DONE, FAULT, INCOMPLETE, OVER_BUDGET = 0, 1, 3, 4
INTERRUPTED = 130  # as shells say it of a program that Ctrl-C ended


def dry_run(request: Request) -> int:
    """Prints what a sweep would buy and what it would cost; buys nothing."""
    installation, request = _opened(request)
    plan = _plan(installation, request)
    if request.again:
        plan = plan.asked_anew(narrow=bool(request.items) or request.limit is not None)
    forecast = forecasts(installation, plan)
    for line in plan_lines(plan, forecast):
        click.echo(line)
    known = [each.at_most_usd for each in forecast.values()]
    if any(most is None for most in known):
        click.echo("At most: unknown, since a price is; add it in models.yaml. A --budget leaves out what has none.")
    else:
        click.echo(f"At most ${sum(most or 0.0 for most in known):.4f}, if every answer is as long as may be.")
    return DONE


def sweep(request: Request) -> int:
    """Sweeps, prints the leaderboard and returns the exit status."""
    installation, request = _opened(request)
    if _nothing_to_do(installation, request):
        print_leaderboards(installation, request)
        return _status(installation, request, over_budget=False)

    from orchestration.launch import run_sweep_job
    from orchestration.terminal import TerminalConsole

    console = TerminalConsole()
    try:
        launched = run_sweep_job(request, console)
    finally:
        seen = console.close()
    if seen.interrupted or launched.interrupted:
        click.echo("factsweep: cancelled; what was bought is recorded, sweep again to go on", err=True)
        return INTERRUPTED
    if seen.error is not None and not launched.success:
        raise seen.error
    if not launched.success and not any(blocking for _, blocking, _ in launched.failed_checks):
        for step, message in launched.failed_steps:
            click.echo(f"factsweep: step {step} failed: {message}", err=True)
        click.echo(f"factsweep: run {launched.run_id} did not succeed; `make dev` shows its log", err=True)
        return FAULT
    print_leaderboards(installation, request)
    for name, blocking, description in launched.failed_checks:
        kind = "blocking check failed, so no scores were published" if blocking else "check failed"
        click.echo(f"factsweep: {kind}: {name}: {description}", err=True)
    if any(blocking for _, blocking, _ in launched.failed_checks):
        return FAULT
    for reason in seen.stop_reasons:
        click.echo(f"factsweep: {reason}", err=True)
    return _status(installation, request, over_budget=seen.over_budget)


def _nothing_to_do(installation: Installation, request: Request) -> bool:
    """Whether all is fresh and published, which is told; the run makes a plan of its own, so this one is let go."""
    plan = _plan(installation, request)
    if plan.due or request.again or not is_published(installation):
        return False
    for planned in plan.blocked:
        click.echo(f"factsweep: {' | '.join(planned.key)}: {planned.reason}", err=True)
    fresh = "all that can be asked" if plan.blocked else "all that was asked for"
    click.echo(f"Nothing to do: {fresh} is fresh. Nothing was bought.")
    return True


def _plan(installation: Installation, request: Request) -> Plan:
    plan = make_plan(installation, request)
    for content in plan.contents:
        for fault in read_faults(content.read, content.bank, content.domain):
            click.echo(f"factsweep: {fault}", err=True)
    if refused := refusal(plan, request):
        raise ConfigurationError(refused)
    return plan


def print_leaderboards(installation: Installation, request: Request) -> None:
    """The leaderboards of the banks that the request is about."""
    terminal = table_terminal()
    leaderboard = installation.lake.read("leaderboard")
    banks = request.banks or tuple(dict.fromkeys(key.split(".", 1)[0] for key in request.domains))
    for bank in leaderboard["bank"].unique(maintain_order=True):
        if banks and bank not in banks:
            continue
        table = Table(title=f"{bank}: index, with the 95 % interval", title_justify="left")
        rows = list(leaderboard_rows(leaderboard, bank))
        for place, column in enumerate(COLUMNS):
            if column.name == "model":
                add_name_column(table, column.name, [row[place] for row in rows])
            else:
                table.add_column(column.name, justify="right" if column.numeric else "left", no_wrap=True)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        terminal.print(table)
        for note in leaderboard_notes(leaderboard, bank):
            terminal.print(Text(note))


def _opened(request: Request) -> tuple[Installation, Request]:
    installation = Installation.open()
    for problem in installation.problems:
        click.echo(f"factsweep: {problem}", err=True)
    if not installation.models.ids:
        raise ConfigurationError("no model can be used; mend models.yaml as said above, then `factsweep doctor`")
    return installation, request.resolved(installation.banks, installation.models)


def _status(installation: Installation, request: Request, *, over_budget: bool) -> int:
    """The exit status of a sweep that went through."""
    if not over_budget and _all_covered(installation, request):
        return DONE
    plan = make_plan(installation, request)
    if over_budget and plan.due:
        return OVER_BUDGET
    asked = [planned for planned in plan.partitions if planned.target.blocked is None]
    return DONE if all(_covered(installation, planned) for planned in asked) else INCOMPLETE


def _all_covered(installation: Installation, request: Request) -> bool:
    """Whether every recorded partition of a whole request is complete, which needs no second plan of a large bank."""
    if request.items or request.limit is not None:
        return False
    recorded = installation.lake.read("partitions", ["bank", "domain", "model", "coverage"])
    for column, names in (("bank", request.banks), ("domain", request.domains), ("model", request.models)):
        if names:
            recorded = recorded.filter(pl.col(column).is_in(names))
    return not recorded.is_empty() and bool((recorded["coverage"] >= 1).all())


def _covered(installation: Installation, planned: Planned) -> bool:
    """Whether every item that was asked for has its grades."""
    if planned.coverage == 1 or not planned.items:
        return True
    domain, model = planned.key
    wanted = [item.item_id for item in planned.items]
    grades = installation.lake.read("grades", domain=domain, model=model)
    graded = grades.filter(pl.col("item_id").is_in(wanted) & pl.col("grade").is_not_null()).height
    return graded == len(wanted) * planned.target.samples
