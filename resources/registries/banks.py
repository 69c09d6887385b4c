"""Bank folders: bank.yaml, domains/*.yaml, prompts/*.md. Items are read by `assets/items`."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, field_validator, model_validator

from resources.home import PROJECT
from resources.keys import key_problem
from resources.registries.hosts import Hosts, PrivateHosts
from resources.registries.problems import Problem, RegistryFault, read_yaml, validate
from resources.registries.prompts import Prompt
from resources.registries.source_specs import SourceSpec
from resources.types import Format

BANK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
FORMATS = PROJECT / "banks" / "formats"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Roles(_Strict):
    """Ids of models.yaml or litellm model strings."""

    planner: str | None = None
    generator: tuple[str, ...] = ()
    verifier: str | None = None
    panel: tuple[str, ...] = ()
    judge: str | None = None
    embedder: str | None = None
    search: str | None = None


class Grader(_Strict):
    """`judge` where a judge is configured, else the fallback; multiple choice is graded by the letter."""

    method: Literal["judge", "match"] = "judge"
    fallback: Literal["match"] | None = "match"


PassName = Literal["form", "entailment", "ambiguity", "reliance", "temporal", "similarity", "difficulty"]


class BuildSpec(_Strict):
    """How items are made of sources.

    Attributes:
        cards_per_item: cards that are collected for each item that a topic wants, since most drafts are dropped.
        revisions: how often the passes may rewrite one draft.
        budget_usd: hard cap of each build of one domain.
        refresh_days: sources older than this are fetched again by the schedule; never where it is left out.
        public_share: share of the items that is public, stratified by domain and topic.
    """

    cards_per_item: PositiveFloat = 3.0
    revisions: int = Field(default=2, ge=0)
    budget_usd: PositiveFloat | None = None
    refresh_days: PositiveInt | None = None
    public_share: float = Field(default=0.1, ge=0, le=1)


class BankSpec(_Strict):
    title: str
    format: Format
    samples: PositiveInt = 1
    roles: Roles = Roles()
    passes: tuple[PassName, ...] = get_args(PassName)
    build: BuildSpec = BuildSpec()
    private: bool = False
    providers: tuple[str, ...] = ()
    grader: Grader = Grader()
    penalty: float = Field(default=1.0, ge=0)
    note: str | None = None

    @field_validator("passes")
    @classmethod
    def _each_once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{twice[0]} stands twice; a rewritten item goes through all passes again by itself")
        return names


class Topic(_Strict):
    name: str
    items: PositiveInt | None = None


class DomainSpec(_Strict):
    """A domain file.

    Attributes:
        items: wanted in each topic that does not say how many it wants.
        hosts: those that documents may come from, with their authority.
        private_hosts: hosts of one's own network among them.
        provisions: sections of law or standards are the subject here: items may ask for them by number.
    """

    title: str
    topics: tuple[Topic, ...] = ()
    items: PositiveInt = 20
    sources: tuple[SourceSpec, ...] = ()
    hosts: Hosts = {}
    private_hosts: PrivateHosts = ()
    provisions: bool = False
    retired: bool = False

    @field_validator("topics")
    @classmethod
    def _distinct(cls, topics: tuple[Topic, ...]) -> tuple[Topic, ...]:
        names = [topic.name.casefold() for topic in topics]
        if twice := [topic.name for topic in topics if names.count(topic.name.casefold()) > 1]:
            raise ValueError(f"{twice[0]} stands twice; keep one of them")
        return topics

    @model_validator(mode="after")
    def _sources_of_topics(self) -> "DomainSpec":
        known = {topic.name for topic in self.topics}
        for source in self.sources:
            if source.topic is not None and source.topic not in known:
                raise ValueError(f"source {source.name}: topic {source.topic!r} is not among the topics; add it there")
        return self

    @property
    def targets(self) -> dict[str, int]:
        """Items wanted by topic; a domain that names no topics is one topic, called like it."""
        return {topic.name: topic.items or self.items for topic in self.topics} or {self.title: self.items}


@dataclass(frozen=True)
class Domain:
    """One domain file; `key` is its partition key, such as `omniscience.law`."""

    key: str
    file: Path
    spec: DomainSpec


@dataclass(frozen=True)
class Bank:
    """One bank folder with the domains that are valid."""

    name: str
    folder: Path
    spec: BankSpec
    domains: dict[str, Domain] = field(default_factory=dict)

    def items_file(self, domain: Domain) -> Path:
        return self.folder / "items" / f"{domain.file.stem}.jsonl"

    def prompt(self, name: str) -> Prompt:
        """The bank's own `prompts/<name>.md`, or its format's shipped one.

        Raises:
            PromptError: when the file is unusable.
        """
        own = self.folder / "prompts" / f"{name}.md"
        return Prompt.load(own if own.exists() else FORMATS / self.spec.format / f"{name}.md")

    def admits(self, provider: str) -> bool:
        """Whether items of this bank may be sent to `provider`; the embedded server is always at home."""
        return not self.spec.private or provider == "local" or provider in self.spec.providers


@dataclass(frozen=True)
class Banks:
    """All banks that are valid, and what is not.

    Attributes:
        faulty: names of banks with a file that cannot be used.
        complete: whether every folder of banks is there and holds one.
    """

    banks: dict[str, Bank] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    faulty: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def domains(self) -> dict[str, tuple[Bank, Domain]]:
        """Every domain by its partition key."""
        return {key: (bank, domain) for bank in self.banks.values() for key, domain in bank.domains.items()}

    def unsure_of(self, bank: str) -> bool:
        """Whether something of a bank cannot be read, so that what is not seen of it may still be there."""
        return bank in self.faulty or not self.complete

    def may_hold(self, domain: str) -> bool:
        """Whether a recorded domain is registered, or could be among what cannot be read."""
        return domain in self.domains or self.unsure_of(domain.split(".", 1)[0])


def load_banks(roots: list[Path]) -> Banks:
    """The banks in `roots`: every folder in them that holds a bank.yaml."""
    banks: dict[str, Bank] = {}
    problems: list[Problem] = []
    faulty: set[str] = set()
    folders: dict[str, Path] = {}
    complete = True
    for root in roots:
        if not root.is_dir():
            problems.append(Problem(root, "", "no such folder; mend FACTSWEEP_BANKS or create it"))
            complete = False
            continue
        files = sorted(root.glob("*/bank.yaml"))
        if not files:  # also a mount point without its disk
            problems.append(Problem(root, "", "holds no bank; mount it, or take it out of FACTSWEEP_BANKS"))
            complete = False
        for file in files:
            name = file.parent.name
            if (other := folders.setdefault(name, file.parent)) != file.parent:
                problems.append(Problem(file, "", f"bank {name} stands in {other} too; rename one folder"))
                faulty.add(name)
                continue
            try:
                bank, faults = _load_bank(file)
            except RegistryFault as fault:
                problems += fault.problems
                faulty.add(name)
                continue
            problems += faults
            if faults:
                faulty.add(name)
            banks[name] = bank
    return Banks(banks, tuple(problems), frozenset(faulty), complete)


def _load_bank(file: Path) -> tuple[Bank, list[Problem]]:
    name = file.parent.name
    if not BANK_NAME.fullmatch(name):
        raise RegistryFault([Problem(file.parent, "", "a bank's folder is named in letters, digits, - and _ only")])
    spec = validate(BankSpec, read_yaml(file), file)
    domains: dict[str, Domain] = {}
    problems: list[Problem] = []
    for domain_file in sorted((file.parent / "domains").glob("*.yaml")):
        key = f"{name}.{domain_file.stem}"
        if reason := key_problem(key):
            problems.append(Problem(domain_file, "", f"its name {reason}; rename the file"))
            continue
        try:
            domains[key] = Domain(key, domain_file, validate(DomainSpec, read_yaml(domain_file), domain_file))
        except RegistryFault as fault:
            problems += fault.problems
    return Bank(name, file.parent, spec, domains), problems
