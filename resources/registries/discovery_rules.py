"""Discovery rules: which of the models that providers list are evaluated, and how these are asked.

Several rules may have one source: a listed model belongs to the first of them that matches its name.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from pydantic import PositiveInt, field_validator

from resources.registries.model_specs import Asking, ModelSpec, usual_key_variable


class DiscoveryRule(Asking):
    """Which of a provider's listed models are evaluated without anyone adding them.

    Attributes:
        models: a fixed list in place of what the provider's models endpoint says.
        include, exclude: shell patterns on the listed name.
        at_most_per_day: models that become partitions on one day; the others wait for the next.
        api_base: whose server it is. Another one is another server and its models are other models, which are bought
            anew; a slash at its end makes no difference.

    All else, such as `params`, `price` and `banks`, is as in a model's entry and holds for each model that it finds.
    """

    provider: str
    models: tuple[str, ...] | None = None
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    at_most_per_day: PositiveInt = 3

    @field_validator("api_base")
    @classmethod
    def _without_slash(cls, api_base: str | None) -> str | None:
        return api_base.rstrip("/") if api_base else None

    @property
    def source(self) -> str:
        """What is listed as one: the provider, and whose server it is."""
        return f"{self.provider} at {self.api_base}" if self.api_base else self.provider

    @property
    def key_variable(self) -> str | None:
        return self.api_key_env or usual_key_variable(f"{self.provider}/")

    def matches(self, name: str) -> bool:
        """Whether a listed model is to be evaluated."""
        if self.models is not None and name not in self.models:  # it is on the list of another rule
            return False
        named = [fnmatchcase(name, pattern) for pattern in self.include]
        return any(named) and not any(fnmatchcase(name, pattern) for pattern in self.exclude)

    def served(self, name: str) -> tuple[str, str | None]:
        """A listed model, as `ModelSpec.served` says it."""
        return f"{self.provider}/{name}", self.api_base

    def spec_of(self, id: str, name: str, released: date | None, context: int | None) -> ModelSpec:
        """The listed model as an entry of models.yaml would name it."""
        stated: dict[str, Any] = {key: getattr(self, key) for key in Asking.model_fields}
        stated["api_key_env"] = self.key_variable
        return ModelSpec(id=id, model=f"{self.provider}/{name}", released=released, context=context, **stated)


def stated_source(entry: Mapping[str, Any]) -> str:
    """The source of a rule that is not valid; "" where that cannot be told."""
    provider, api_base = entry.get("provider"), entry.get("api_base")
    if not isinstance(provider, str) or not isinstance(api_base, str | None):
        return ""
    return DiscoveryRule(provider=provider, api_base=api_base).source


def by_source(rules: Iterable[DiscoveryRule]) -> dict[str, list[DiscoveryRule]]:
    """The rules of each source, in file order."""
    sources: dict[str, list[DiscoveryRule]] = {}
    for rule in rules:
        sources.setdefault(rule.source, []).append(rule)
    return sources


def rule_that_matches(rules: Sequence[DiscoveryRule], name: str) -> DiscoveryRule | None:
    """Of the rules of one source, the one that a listed name belongs to."""
    return next((rule for rule in rules if rule.matches(name)), None)


def rule_in_force(rules: Sequence[DiscoveryRule], name: str) -> DiscoveryRule:
    """The rule that says how a model is asked: once evaluated it goes on when none matches it any more."""
    return rule_that_matches(rules, name) or rules[0]


def discord(first: DiscoveryRule, second: DiscoveryRule) -> str | None:
    """Why two rules of one source cannot share a listing, and what to do; None when they can."""
    if (first.models is None) != (second.models is None):
        return "only one of the two has a fixed list; give `models:` to both or to neither"
    if first.key_variable != second.key_variable:
        return (
            f"it takes the key from {second.key_variable} and the other from {first.key_variable}; "
            "give both the same `api_key_env`"
        )
    return None
