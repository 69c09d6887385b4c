"""What `factsweep discover` does and prints, and the exit status it ends with."""

import shlex
from pathlib import Path
from uuid import uuid4

import click

from assets.authoring.cast import Scouts, cast_of
from assets.authoring.session import desk_for, refuse_unknown_prices
from assets.items.recorded_items import require_items
from assets.sources.discovery.accepting import accept_marked
from assets.sources.discovery.candidates import candidates_file
from assets.sources.discovery.discovering import Discovery, forecast_discovery, ready, usual_queries
from assets.sources.discovery.discovering import discover as discover_domain
from assets.sources.discovery.searching import Page, Sifted
from assets.sweeps.request import domain_key
from orchestration.domain_builds import BuildConsole, check_budget
from orchestration.sweeping import DONE, INCOMPLETE, INTERRUPTED, OVER_BUDGET
from resources.installation import Installation
from resources.llm import PriceTable, search_fault
from resources.registries import Bank, Domain
from resources.types import ConfigurationError

_MOST_SHOWN = 20


def dry_run_discovery(name: str, bank: str | None, queries: int | None, budget: float | None) -> int:
    """Prints who would be asked what, and what that would cost; buys nothing."""
    installation, of_bank, domain, scouts, cap = _opened(name, bank, budget)
    forecast = forecast_discovery(of_bank, domain, scouts, queries or usual_queries(domain))
    planner, search = ready(of_bank, domain, scouts)
    click.echo(f"{domain.key}: {planner.id} plans at most {forecast.queries} searches, which {search.id} makes.")
    click.echo(f"Pages of these hosts are taken: {', '.join(domain.spec.hosts)}")
    most = forecast.at_most_usd
    click.echo(
        "At most: unknown, since a price is" if most is None else f"At most ${most:.4f}; what was bought is free."
    )
    refuse_unknown_prices(installation, scouts, cap)
    return DONE


def discover(name: str, bank: str | None, queries: int | None, budget: float | None) -> int:
    """Searches, writes the candidates down, says what came of it and returns the exit status."""
    installation, of_bank, domain, scouts, cap = _opened(name, bank, budget)
    _, search = ready(of_bank, domain, scouts)
    if fault := search_fault(search):
        raise ConfigurationError(f"role search {search.id}: {fault}")
    console = BuildConsole(domain.key)
    try:
        with desk_for(
            installation, scouts, f"discover-{uuid4().hex}", cap, lambda tally: console.asking("discover", tally)
        ) as desk:
            discovery = discover_domain(installation, of_bank, domain, scouts, desk, queries or usual_queries(domain))
    except KeyboardInterrupt:
        console.close()
        click.echo("factsweep: cancelled; what was bought is on record, discover again to go on", err=True)
        return INTERRUPTED
    finally:
        console.close()
    _tell(discovery, domain, candidates_file(of_bank, domain))
    for id, reason in desk.stopped.items():
        click.echo(f"factsweep: {id} is asked nothing more: {reason}", err=True)
    prices = PriceTable()
    known = all(prices.of(spec) for spec in scouts.specs)
    cost = f"${desk.tally.cost_usd:.4f}" if known else "an unknown sum, since a price is"
    click.echo(f"{desk.tally.requests} calls bought for {cost}")
    if desk.over_budget:
        click.echo("factsweep: stopped by the budget; discover again with a higher --budget to go on", err=True)
        return OVER_BUDGET
    return DONE if discovery.complete else INCOMPLETE


def accept(name: str, bank: str | None) -> int:
    """Adds the marked candidates to the domain's sources and says which."""
    _, of_bank, domain = _named(name, bank)
    file = candidates_file(of_bank, domain)
    if not file.exists():
        raise ConfigurationError(
            f"{file}: no such file, so there is nothing to accept; `factsweep discover --domain {domain.key}` makes it"
        )
    accepted = accept_marked(of_bank, domain)
    for url in accepted.added:
        click.echo(f"added: {url}")
    for url in accepted.standing:
        click.echo(f"is a source already: {url}")
    if not (accepted.added or accepted.standing):
        click.echo(f"Nothing is marked: write `accept: true` behind what you want in {file}.")
    elif accepted.added:
        click.echo(f"{len(accepted.added)} sources added to {domain.file}")
        click.echo(f"Build: factsweep build --domain {shlex.quote(domain.key)}")
    return DONE


def _opened(
    name: str, bank: str | None, budget: float | None
) -> tuple[Installation, Bank, Domain, Scouts, float | None]:
    check_budget(budget)
    installation, of_bank, domain = _named(name, bank)
    require_items(installation, of_bank, domain)  # they say what a topic lacks
    scouts = cast_of(of_bank, installation.models).scouts
    return installation, of_bank, domain, scouts, budget if budget is not None else of_bank.spec.build.budget_usd


def _named(name: str, bank: str | None) -> tuple[Installation, Bank, Domain]:
    installation = Installation.open()
    for problem in installation.problems:
        click.echo(f"factsweep: {problem}", err=True)
    of_bank, domain = installation.banks.domains[domain_key(name, (bank,) if bank else (), installation.banks)]
    return installation, of_bank, domain


def _tell(discovery: Discovery, domain: Domain, file: Path) -> None:
    sifted, queries = discovery.sifted, discovery.queries
    if discovery.plan_fault:
        click.echo(f"factsweep: no plan: {discovery.plan_fault}", err=True)
    for query, reason in discovery.failed:
        click.echo(f"factsweep: no answer to {query.text!r}: {reason}", err=True)
    for topic in domain.spec.targets:
        pages = [page for page in sifted.new if page.topic == topic]
        asked = sum(query.topic == topic for query in queries.asked)
        click.echo(f"{topic}: {len(pages)} new pages by {asked} searches")
        for page in pages[:_MOST_SHOWN]:
            click.echo(f"  {_line(page)}")
        if len(pages) > _MOST_SHOWN:
            click.echo(f"  and {len(pages) - _MOST_SHOWN} more")
    for line in _left_out(sifted):
        click.echo(f"left out: {line}")
    if queries.of_no_topic:
        click.echo(f"not searched: {queries.of_no_topic} queries for what is no topic of the domain")
    if queries.too_many:
        click.echo(f"not searched: {queries.too_many} queries more than were asked for")
    if sifted.new:
        key = shlex.quote(domain.key)
        click.echo(f"Look at {file}, write `accept: true` behind what you want, then:")
        click.echo(f"  factsweep discover --domain {key} --accept-marked")
    elif discovery.complete:
        click.echo("Nothing new was found. Another number of --queries, or more hosts, make other searches.")


def _line(page: Page) -> str:
    return f"{page.url}  (tier {page.tier}) {page.title}".rstrip()


def _left_out(sifted: Sifted) -> list[str]:
    lines = []
    if sifted.strange_hosts:
        hosts = ", ".join(f"{host} {count}" for host, count in sifted.strange_hosts.most_common(_MOST_SHOWN))
        more = len(sifted.strange_hosts) - _MOST_SHOWN
        hosts += f" and {more} hosts more" if more > 0 else ""
        count = sifted.strange_hosts.total()
        lines.append(f"{count} pages of hosts that are not among the domain's: {hosts}; add one to hosts: to take it")
    if sifted.known:
        lines.append(f"{len(sifted.known)} pages that a source or a candidate names already")
    lines += [f"{url!r} {reason}" for url, reason in list(sifted.unusable.items())[:_MOST_SHOWN]]
    if len(sifted.unusable) > _MOST_SHOWN:
        lines.append(f"{len(sifted.unusable) - _MOST_SHOWN} more addresses that cannot be used")
    return lines
