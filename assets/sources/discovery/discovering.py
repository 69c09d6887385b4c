"""Discovery of one domain: plan, search, sift, write down. It takes nothing into the domain by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from assets.authoring.cast import Scouts
from assets.authoring.desk import WAITS, Desk, Said
from assets.sources.discovery.candidates import add_candidates, candidates_file, load_candidates
from assets.sources.discovery.planning import Plan, Queries, Query, plan_ask, read_plan
from assets.sources.discovery.searching import Sifted, host_filter, normal_forms, sift
from resources.installation import Installation
from resources.ledger import Ledger
from resources.llm import Asked, Call, PriceTable, Status
from resources.locks import bank_files
from resources.registries import Bank, Domain, ModelSpec
from resources.types import ConfigurationError, Outcome

_A_TOPIC = 2  # queries for each topic where nobody says how many


@dataclass(frozen=True)
class Discovery:
    """What a discovery came to.

    Attributes:
        plan_fault: why there is no plan.
        queries: what was searched for.
        failed: queries without an answer, with the reason.
        sifted: what was found.
    """

    plan_fault: str | None
    queries: Queries
    failed: tuple[tuple[Query, str], ...]
    sifted: Sifted

    @property
    def complete(self) -> bool:
        return self.plan_fault is None and not self.failed


@dataclass(frozen=True)
class Forecast:
    """The most that a discovery can ask and cost; None where a price is unknown."""

    queries: int
    at_most_usd: float | None


def usual_queries(domain: Domain) -> int:
    return _A_TOPIC * len(domain.spec.targets)


def ready(bank: Bank, domain: Domain, scouts: Scouts) -> tuple[ModelSpec, ModelSpec]:
    """Planner and search, where a discovery can begin; what a person must mend is told before anything is bought.

    Raises:
        ConfigurationError: when a role is vacant, no host is whitelisted or the candidates file cannot be used.
    """
    if domain.spec.retired:
        raise ConfigurationError(f"domain {domain.key} is marked retired in {domain.file}; nothing is looked for")
    if not domain.spec.hosts:
        raise ConfigurationError(
            f"domain {domain.key} names no hosts; say under hosts: in {domain.file} where its documents may come from, "
            "such as `ecfr.gov: 1`"
        )
    if scouts.planner is None or scouts.search is None:
        raise ConfigurationError("; ".join(f"role {vacancy}" for vacancy in scouts.vacancies))
    load_candidates(candidates_file(bank, domain))
    return scouts.planner, scouts.search


def forecast_discovery(bank: Bank, domain: Domain, scouts: Scouts, most: int) -> Forecast:
    """What a discovery may ask and cost at most; the ledger may have some of it."""
    planner, search = ready(bank, domain, scouts)
    prices = PriceTable()
    ask = plan_ask(bank, domain, planner, most)
    plan = prices.largest_of(planner, len(f"{ask.text}\n\n{ask.stricter}".encode()))
    query = prices.largest_of(search, 0)
    return Forecast(most, None if plan is None or query is None else 2 * plan + most * query)


def discover(
    installation: Installation, bank: Bank, domain: Domain, scouts: Scouts, desk: Desk, most: int
) -> Discovery:
    """Look for sources of a domain with at most so many queries, and add what is new to its candidates.

    Raises:
        ConfigurationError: as `ready`.
    """
    planner, search = ready(bank, domain, scouts)
    [said] = desk.ask([plan_ask(bank, domain, planner, most)], Plan)
    queries = read_plan(said, domain, most)
    hosts = host_filter(search.provider, domain.spec.hosts)
    calls = [desk.search(search, query.text, hosts) for query in queries.asked]
    found: list[tuple[Query, str]] = []
    failed: list[tuple[Query, str]] = []
    for query, call, asked in zip(queries.asked, calls, desk.buy(calls), strict=True):
        pages = _pages(asked)
        if pages is None:
            failed.append((query, _why(asked, call, installation.ledger)))
        else:
            found.append((query, pages))
    return Discovery(_plan_fault(said, queries), queries, tuple(failed), _written_down(bank, domain, found))


def _pages(asked: Asked) -> str | None:
    """What the ledger keeps of the pages; None where there is no answer."""
    stored = asked.stored if asked.status is Status.COMPLETED else None
    return stored.text if stored is not None and stored.outcome is Outcome.ANSWERED else None


def _why(asked: Asked, call: Call, ledger: Ledger) -> str:
    if asked.status is Status.COMPLETED:
        return "its provider refuses it"
    stored = ledger.find([call.call_id]).get(call.call_id) if asked.status is Status.FAILED else None
    return (stored and stored.error) or WAITS[asked.status]


def _plan_fault(said: Said[Plan], queries: Queries) -> str | None:
    if said.value is None:
        return said.waits or f"its reply, asked twice, {said.unreadable}"
    return None if queries.asked else "no query of it is for a topic of the domain"


def _written_down(bank: Bank, domain: Domain, found: Sequence[tuple[Query, str]]) -> Sifted:
    """What was found, sifted and added to the file, which a person may have changed since the search began."""
    file = candidates_file(bank, domain)
    with bank_files(bank.folder):
        named = [source.url for source in domain.spec.sources if source.url]
        named += [entry.url for entry in load_candidates(file).entries]
        sifted = sift(found, domain.spec.hosts, normal_forms(named))
        add_candidates(file, domain.key, sifted.new)
    return sifted
