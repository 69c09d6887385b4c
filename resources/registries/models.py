"""models.yaml: the evaluated models, the baselines and the discovery rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from resources.registries.discovery_rules import DiscoveryRule, discord
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

    def with_discovered(self, found: Iterable[ModelSpec]) -> "Models":
        """With models that were discovered; what the file names itself is the file's."""
        served = {spec.served for spec in self.specs.values()}
        more = {spec.id: spec for spec in found if spec.id not in self.specs and spec.served not in served}
        return replace(self, specs=self.specs | more, discovered=tuple(more))

    @property
    def named(self) -> list[ModelSpec]:
        """The models that the file names itself."""
        return [spec for id, spec in self.specs.items() if id not in self.discovered]

    @property
    def ids(self) -> list[str]:
        """Every id that is a partition: baselines first, then the models in file order."""
        return [*self.baselines, *self.specs]

    def may_hold(self, id: str) -> bool:
        """Whether a recorded model is registered, or could be: a part of the file that has a fault may be its own."""
        return bool(self.problems) or id in self.ids

    def resolve(self, name: str) -> ModelSpec:
        """A role's model: an id of this file, or a litellm model string taken as it is.

        Raises:
            ValueError: when it is neither.
        """
        if name in self.specs:
            return self.specs[name]
        return ModelSpec(id=name, model=name, api_key_env=usual_key_variable(name))


def load_models(file: Path) -> Models:
    """What `file` registers; an unreadable file gives no models and its problems."""
    try:
        outer = validate(_File, read_yaml(file), file)
    except RegistryFault as fault:
        return Models(problems=tuple(fault.problems), readable=False)
    specs: dict[str, ModelSpec] = {}
    discovery: list[DiscoveryRule] = []
    firsts: dict[str, tuple[str, DiscoveryRule]] = {}
    problems: list[Problem] = []
    for number, entry in enumerate(outer.models):
        try:
            spec = validate(ModelSpec, entry, file, f"models.{entry.get('id', number)}")
        except RegistryFault as fault:
            problems += fault.problems
            continue
        if spec.id in specs:
            problems.append(Problem(file, f"models.{spec.id}", "stands twice; give one of them another id"))
            continue
        specs[spec.id] = spec
    for number, entry in enumerate(outer.discovery):
        key = f"discovery.{number}"
        try:
            rule = validate(DiscoveryRule, entry, file, key)
        except RegistryFault as fault:
            problems += fault.problems
            continue
        first_key, first = firsts.setdefault(rule.source, (key, rule))
        if why := discord(first, rule):
            problems.append(Problem(file, key, f"lists {rule.source} as {first_key} does, but {why}"))
            continue
        discovery.append(rule)
    return Models(
        specs,
        tuple(outer.baselines),
        tuple(discovery),
        outer.budget,
        tuple(problems),
        outer.nightly,
        outer.drift,
    )
