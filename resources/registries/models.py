"""models.yaml: the evaluated models, the baselines and the discovery rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from resources.registries.discovery_rules import DiscoveryRule, discord, stated_source
from resources.registries.model_specs import BASELINES, ModelSpec, usual_key_variable
from resources.registries.operation import DailyBudget, Drift, Nightly
from resources.registries.problems import Problem, RegistryFault, read_yaml, validate


class _File(BaseModel):
    """The outer shape; entries are validated one by one so that a bad one leaves the others in use."""

    model_config = ConfigDict(extra="forbid")
    models: list[dict[str, Any]] = []
    baselines: list[Literal["abstain", "guess"]] = list(BASELINES)
    discovery: list[dict[str, Any]] = []
    budget: DailyBudget | None = None
    nightly: Nightly = Nightly()
    drift: Drift | None = None


@dataclass(frozen=True)
class Models:
    """All that models.yaml holds which is valid, and what is not.

    Attributes:
        readable: whether the file's outer shape is; if it is not, nothing in it is in force, no cap either.
        discovered: ids among `specs` that the file does not name itself.
        rejected: ids and model strings of entries with a fault, "" for one that states none; nothing else may stand
            in for these.
    """

    specs: dict[str, ModelSpec] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()
    discovery: tuple[DiscoveryRule, ...] = ()
    budget: DailyBudget | None = None
    problems: tuple[Problem, ...] = ()
    nightly: Nightly = field(default_factory=Nightly)
    drift: Drift | None = None
    readable: bool = True
    discovered: tuple[str, ...] = ()
    rejected: frozenset[str] = frozenset()

    def with_discovered(self, found: Iterable[ModelSpec]) -> "Models":
        """With models that were discovered; what the file names itself is the file's."""
        served = {spec.served for spec in self.specs.values()}
        more = {
            spec.id: spec
            for spec in found
            if spec.id not in self.specs and spec.served not in served and not {spec.id, spec.model} & self.rejected
        }
        return replace(self, specs=self.specs | more, discovered=tuple(more))

    @property
    def named(self) -> list[ModelSpec]:
        """The models that the file names itself."""
        return [spec for id, spec in self.specs.items() if id not in self.discovered]

    @property
    def ids(self) -> list[str]:
        """Every id that is a partition: baselines first, then the models in file order."""
        return [*self.baselines, *self.specs]

    @property
    def night_is_capped(self) -> bool:
        """Whether a night's sweep has a budget, which needs every price."""
        return self.budget is not None or self.nightly.budget_usd is not None

    def may_hold(self, id: str) -> bool:
        """Whether a recorded model is registered, or could be: a part of the file that has a fault may be its own."""
        return bool(self.problems) or id in self.ids

    def resolve(self, name: str) -> ModelSpec:
        """A role's model: an id of this file, or a litellm model string taken as it is.

        Raises:
            ValueError: when it is neither, or names an entry with a fault: who is asked, and where, stands there.
        """
        if name in self.specs:
            return self.specs[name]
        if name in self.rejected or "" in self.rejected:
            raise ValueError(f"{name!r} has a fault in models.yaml; mend it there")
        try:
            return ModelSpec(id=name, model=name, api_key_env=usual_key_variable(name))
        except ValueError:
            raise ValueError(f"{name!r} is no id of models.yaml and no litellm model string; mend it") from None


def load_models(file: Path) -> Models:
    """What `file` registers; an unreadable file gives no models and its problems."""
    try:
        outer = validate(_File, read_yaml(file), file)
    except RegistryFault as fault:
        return Models(problems=tuple(fault.problems), readable=False)
    specs: dict[str, ModelSpec] = {}
    problems: list[Problem] = []
    rejected: set[str] = set()
    for number, entry in enumerate(outer.models):
        try:
            spec = validate(ModelSpec, entry, file, f"models.{entry.get('id', number)}")
        except RegistryFault as fault:
            problems += fault.problems
            rejected |= {str(entry.get(key) or "") for key in ("id", "model")}
            continue
        if spec.id in specs:
            problems.append(Problem(file, f"models.{spec.id}", "stands twice; give one of them another id"))
            continue
        specs[spec.id] = spec
    rules, faults = _rules(outer.discovery, file)
    return Models(
        specs,
        tuple(outer.baselines),
        tuple(rules),
        outer.budget,
        (*problems, *faults),
        outer.nightly,
        outer.drift,
        rejected=frozenset(rejected),
    )


def _rules(entries: list[dict[str, Any]], file: Path) -> tuple[list[DiscoveryRule], list[Problem]]:
    """The rules in force, and what is wrong with the others.

    A rule with a fault takes those of its source with it, or its models would be asked as another one says.
    """
    rules: list[DiscoveryRule] = []
    problems: list[Problem] = []
    faulty: set[str] = set()
    firsts: dict[str, tuple[str, DiscoveryRule]] = {}
    for number, entry in enumerate(entries):
        key = f"discovery.{number}"
        try:
            rule = validate(DiscoveryRule, entry, file, key)
        except RegistryFault as fault:
            problems += fault.problems
            faulty.add(stated_source(entry))
            continue
        first_key, first = firsts.setdefault(rule.source, (key, rule))
        if why := discord(first, rule):
            problems.append(Problem(file, key, f"lists {rule.source} as {first_key} does, but {why}"))
            faulty.add(rule.source)
        rules.append(rule)
    return [rule for rule in rules if rule.source not in faulty and "" not in faulty], problems
