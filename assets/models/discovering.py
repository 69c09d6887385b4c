"""What a listing changes: new models become evaluated, a few a day; what vanished is retired; the rest is noted once.

A provider that fails, or that lists nothing or hardly anything all of a sudden, changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from resources.keys import key_problem
from resources.listings import Listed
from resources.llm import context_of
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered, DiscoveredModel, DiscoveredState

_NAMED = 20  # models that a note lists
_SHARE_LEFT = 0.5  # of a provider's known models; a list with fewer of them is not believed


@dataclass
class Stock:
    """What is known after a listing, and what it changed.

    Attributes:
        registered: ids that became evaluated now.
        retired: ids that are so from now on.
        notes: a sentence each, for a person.
    """

    discovered: Discovered
    registered: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def take_stock(
    discovered: Discovered,
    rules: Sequence[DiscoveryRule],
    listings: Mapping[str, Sequence[Listed] | str],
    named: Sequence[ModelSpec],
    now: datetime,
    day: str,
) -> Stock:
    """What is known once these listings have come.

    Args:
        listings: by the rule's `source`: what it lists, or why there is no list.
        named: models that models.yaml names itself; they are no discoveries, and their ids are taken.
        day: the budget's day, which `at_most_per_day` counts.
    """
    stock = Stock(discovered)
    models = dict(discovered.models)
    for rule in rules:
        listing = listings.get(rule.source)
        if listing is None:
            continue
        if isinstance(listing, str):
            stock.notes.append(f"{rule.source} {listing}; nothing is changed.")
            continue
        listed = {each.name: each for each in listing}
        known = {model.name: model for model in models.values() if model.source == rule.source}
        here = [name for name, model in known.items() if model.state is not DiscoveredState.RETIRED]
        left = sum(name in listed for name in here)
        if here and left < _SHARE_LEFT * len(here):
            stock.notes.append(
                f"{rule.source} lists {left} of the {len(here)} models that it listed before; nothing is changed. "
                "Should that be so for good, delete its models from the file of discovered models."
            )
            continue
        _note_listed(rule, listed, known, models, named, now, stock)
        _note_missing(listed, known, models, now, stock)
        _register(rule, models, now, day, stock)
    stock.discovered = Discovered(models=models)
    return stock


def _note_listed(
    rule: DiscoveryRule,
    listed: Mapping[str, Listed],
    known: Mapping[str, DiscoveredModel],
    models: dict[str, DiscoveredModel],
    named: Sequence[ModelSpec],
    now: datetime,
    stock: Stock,
) -> None:
    """New names, those that match now, and those that are back."""
    unmatched = []
    served, taken = {spec.served for spec in named}, {spec.id for spec in named}
    for name, entry in listed.items():
        id = f"{rule.provider}/{name}"
        wanted = rule.matches(name) and rule.served(name) not in served and key_problem(id) is None
        found = known.get(name)
        if found is None:
            state = DiscoveredState.WAITING if wanted else DiscoveredState.SEEN
            id = f"{id} ({rule.source})" if id in models or id in taken else id
            models[id] = DiscoveredModel(
                id=id,
                source=rule.source,
                name=name,
                state=state,
                first_seen=now,
                released=entry.created,
                context=entry.context or context_of(f"{rule.provider}/{name}"),
            )
            if not wanted:
                unmatched.append(name)
        elif found.state is DiscoveredState.RETIRED:
            asked_before = found.registered_on is not None  # else the day's number holds for it as for a new one
            state = DiscoveredState.EVALUATED if asked_before else DiscoveredState.WAITING
            back = state if wanted else DiscoveredState.SEEN
            models[found.id] = found.model_copy(update={"state": back, "missing_since": None, "retired_at": None})
            stock.notes.append(f"{found.id} is listed again.")
        else:
            changes: dict[str, object] = {"missing_since": None}
            if found.state is DiscoveredState.SEEN and wanted:  # the patterns have changed
                changes["state"] = DiscoveredState.WAITING
            models[found.id] = found.model_copy(update=changes)
    if unmatched:
        shown = ", ".join(unmatched[:_NAMED]) + (
            f" and {len(unmatched) - _NAMED} more" if len(unmatched) > _NAMED else ""
        )
        stock.notes.append(f"{rule.source}: seen, not evaluated: {shown}.")


def _note_missing(
    listed: Mapping[str, Listed],
    known: Mapping[str, DiscoveredModel],
    models: dict[str, DiscoveredModel],
    now: datetime,
    stock: Stock,
) -> None:
    """What two listings in a row lack is retired: one may be a hiccup of the provider."""
    for name, found in known.items():
        if name in listed or found.state is DiscoveredState.RETIRED:
            continue
        if found.missing_since is None:
            models[found.id] = found.model_copy(update={"missing_since": now})
        elif found.missing_since < now:
            models[found.id] = found.model_copy(update={"state": DiscoveredState.RETIRED, "retired_at": now})
            if found.state is DiscoveredState.EVALUATED:
                stock.retired.append(found.id)
                stock.notes.append(f"{found.id} is no longer listed: it is retired, and its history stays.")


def _register(rule: DiscoveryRule, models: dict[str, DiscoveredModel], now: datetime, day: str, stock: Stock) -> None:
    """As many of those that wait as the day has room for, the first seen first."""
    own = [model for model in models.values() if model.source == rule.source]
    room = rule.at_most_per_day - sum(model.registered_on == day for model in own)
    waiting = sorted(
        (model for model in own if model.state is DiscoveredState.WAITING and model.missing_since is None),
        key=lambda model: (model.first_seen, model.name),
    )
    for model in waiting[: max(room, 0)]:
        models[model.id] = model.model_copy(update={"state": DiscoveredState.EVALUATED, "registered_on": day})
        stock.registered.append(model.id)
    if len(waiting) > max(room, 0):
        stock.notes.append(
            f"{rule.source}: {len(waiting) - max(room, 0)} new models wait for another day "
            f"(at_most_per_day: {rule.at_most_per_day})."
        )
