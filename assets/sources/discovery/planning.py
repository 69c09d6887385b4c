"""The plan of a search: what a planner is told of a domain, and the queries that it writes."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, field_validator

from assets.authoring.desk import DEFAULT_RETRY, Ask, Said
from assets.items.bank_files import read_items
from resources.registries import Bank, Domain, ModelSpec
from resources.types import Role

PROMPT = "plan"
_LONGEST_QUERY = 300


class PlannedQuery(BaseModel):
    topic: str
    query: str

    @field_validator("topic", "query")
    @classmethod
    def _on_one_line(cls, text: str) -> str:
        return " ".join(text.split())


class Plan(BaseModel):
    """A planner's reply."""

    queries: list[PlannedQuery]

    @field_validator("queries")
    @classmethod
    def _some(cls, queries: list[PlannedQuery]) -> list[PlannedQuery]:
        if not any(query.query for query in queries):
            raise ValueError("there is no query")
        return queries


@dataclass(frozen=True)
class Query:
    """One thing to search for, and the topic that it is for."""

    topic: str
    text: str


@dataclass(frozen=True)
class Queries:
    """What a plan comes to: each query once, and how many are not asked."""

    asked: tuple[Query, ...]
    of_no_topic: int
    too_many: int


def missing_items(bank: Bank, domain: Domain) -> dict[str, int]:
    """How many active items each topic lacks, by the items file as it stands."""
    items = read_items(bank, domain).frame.filter(status="active")
    active: Mapping[str, int] = dict(items.group_by("topic").len().iter_rows())
    return {topic: max(wanted - active.get(topic, 0), 0) for topic, wanted in domain.spec.targets.items()}


def plan_ask(bank: Bank, domain: Domain, planner: ModelSpec, queries: int) -> Ask:
    """What the planner is asked. The same domain file and items make the same words, which are bought once.

    Raises:
        PromptError: when the prompt cannot be used.
    """
    prompt = bank.prompt(PROMPT)
    spec = domain.spec
    missing = missing_items(bank, domain)
    text = prompt.renderer().render(
        domain=spec.title,
        topics=[{"name": topic, "wanted": wanted, "missing": missing[topic]} for topic, wanted in spec.targets.items()],
        hosts=[{"name": name, "tier": rule.tier} for name, rule in spec.hosts.items()],
        sources=[source.name for source in spec.sources],
        queries=queries,
    )
    return Ask(planner, Role.PLAN, text, str(prompt.settings.get("retry") or DEFAULT_RETRY))


def read_plan(said: Said[Plan], domain: Domain, most: int) -> Queries:
    """The queries of a plan, `most` of them at most; those that name no topic of the domain are left out."""
    topics = {topic.casefold(): topic for topic in domain.spec.targets}
    wanted: dict[str, Query] = {}
    strays = 0
    for planned in said.value.queries if said.value else ():
        text = planned.query[:_LONGEST_QUERY].strip()
        topic = topics.get(planned.topic.casefold())
        if topic is None:
            strays += 1
        elif text:
            wanted.setdefault(text.casefold(), Query(topic, text))
    queries = tuple(wanted.values())
    return Queries(queries[:most], strays, len(queries[most:]))
