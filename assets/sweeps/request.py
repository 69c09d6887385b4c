"""What a person asks of a sweep."""

from dataclasses import dataclass, replace
from math import isfinite

from resources.registries import Banks, Models
from resources.types import ConfigurationError


@dataclass(frozen=True)
class Request:
    """Empty tuples mean all.

    Attributes:
        banks: names of banks.
        domains: partition keys, such as `omniscience.law`.
        models: ids of models or baselines.
        items: ids of items.
        limit: at most so many items of a bank, a seeded sample stratified by topic.
        samples: samples an item, in place of the bank's.
        again: start a new epoch for what is named.
        budget_usd: hard cap for this sweep.
    """

    banks: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    limit: int | None = None
    samples: int | None = None
    again: bool = False
    budget_usd: float | None = None

    @property
    def named(self) -> bool:
        """Whether it names what it is about: what is named and cannot be asked is an error, else it is left out."""
        return bool(self.banks or self.domains or self.models or self.items)

    def resolved(self, banks: Banks, models: Models) -> "Request":
        """The request with full domain keys.

        Raises:
            ConfigurationError: when it names what is not registered, or a number that cannot be.
        """
        for number, name in ((self.limit, "--limit"), (self.samples, "--samples"), (self.budget_usd, "--budget")):
            if number is not None and not (isfinite(number) and number > 0):
                raise ConfigurationError(f"{name} is {number}; it must be over 0")
        _known("bank", self.banks, list(banks.banks))
        _known("model", self.models, models.ids)
        return replace(self, domains=tuple(domain_key(name, self.banks, banks) for name in self.domains))


def domain_key(name: str, named_banks: tuple[str, ...], banks: Banks) -> str:
    """The partition key of a domain given as `omniscience.law`, or as `law` beside its bank.

    Raises:
        ConfigurationError: when no domain, or more than one, has that name.
    """
    known = banks.domains
    if name in known:
        return name
    among = named_banks or tuple(banks.banks)
    found = [f"{bank}.{name}" for bank in among if f"{bank}.{name}" in known]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigurationError(f"domain {name!r} is ambiguous: {', '.join(found)}; give the full key")
    _known("domain", (name,), list(known))
    raise AssertionError("unreachable: _known raises")


def _known(kind: str, names: tuple[str, ...], known: list[str]) -> None:
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise ConfigurationError(f"{kind} {name!r} is not registered; known: {listed}. See `factsweep doctor`")
