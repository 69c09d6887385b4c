"""Bank folders: bank.yaml, domains/*.yaml, prompts/*.md. Items are read by `assets/items`."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from resources.home import PROJECT
from resources.keys import key_problem
from resources.registries.problems import Problem, RegistryFault, read_yaml, validate
from resources.registries.prompts import Prompt
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


class Grader(_Strict):
    """`judge` where a judge is configured, else the fallback; multiple choice is graded by the letter."""

    method: Literal["judge", "match"] = "judge"
    fallback: Literal["match"] | None = "match"


class BankSpec(_Strict):
    title: str
    format: Format
    samples: PositiveInt = 1
    roles: Roles = Roles()
    private: bool = False
    providers: tuple[str, ...] = ()
    grader: Grader = Grader()
    penalty: float = Field(default=1.0, ge=0)
    note: str | None = None


class Topic(_Strict):
    name: str
    items: PositiveInt | None = None


class DomainSpec(_Strict):
    title: str
    topics: tuple[Topic, ...] = ()
    sources: tuple[dict[str, Any], ...] = ()
    retired: bool = False


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
    """All banks that are valid, and what is not."""

    banks: dict[str, Bank] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def domains(self) -> dict[str, tuple[Bank, Domain]]:
        """Every domain by its partition key."""
        return {key: (bank, domain) for bank in self.banks.values() for key, domain in bank.domains.items()}


def load_banks(roots: list[Path]) -> Banks:
    """The banks in `roots`: every folder in them that holds a bank.yaml."""
    banks: dict[str, Bank] = {}
    problems: list[Problem] = []
    for root in roots:
        if not root.is_dir():
            problems.append(Problem(root, "", "no such folder; mend FACTSWEEP_BANKS or create it"))
            continue
        for file in sorted(root.glob("*/bank.yaml")):
            try:
                bank, faults = _load_bank(file)
            except RegistryFault as fault:
                problems += fault.problems
                continue
            problems += faults
            if bank.name in banks:
                other = banks[bank.name].folder
                problems.append(Problem(file, "", f"bank {bank.name} stands in {other} too; rename one folder"))
                continue
            banks[bank.name] = bank
    return Banks(banks, tuple(problems))


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
