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
from resources.registries.discovery_rules import by_source, rule_in_force, rule_that_matches

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
        listings: by a rule's `source`: what it lists, or why there is no list.
        named: models that models.yaml names itself; they are no discoveries, and their ids are taken.
        day: the budget's day, which `at_most_per_day` counts.
    """
    stock = Stock(discovered)
    models = dict(discovered.models)
    for source, together in by_source(rules).items():
        listing = listings.get(source)
        if listing is None:
            continue
        if isinstance(listing, str):
            stock.notes.append(f"{source} {listing}; nothing is changed.")
            continue
        listed = {each.name: each for each in listing}
        known = {model.name: model for model in models.values() if model.source == source}
        here = [name for name, model in known.items() if model.state is not DiscoveredState.RETIRED]
        left = sum(name in listed for name in here)
        if here and left < _SHARE_LEFT * len(here):
            stock.notes.append(
                f"{source} lists {left} of the {len(here)} models that it listed before; nothing is changed. "
                "Should that be so for good, delete its models from the file of discovered models."
            )
            continue
        _note_listed(together, listed, known, models, named, now, stock)
        _note_missing(listed, known, models, now, stock)
        _register(together, models, day, stock)
    stock.discovered = Discovered(models=models)
    return stock


def _note_listed(
    rules: Sequence[DiscoveryRule],
    listed: Mapping[str, Listed],
    known: Mapping[str, DiscoveredModel],
    models: dict[str, DiscoveredModel],
    named: Sequence[ModelSpec],
    now: datetime,
    stock: Stock,
) -> None:
    """New names, those that match now or no longer, and those that are back."""
    unmatched = []
    source = rules[0].source
    served, taken = {spec.served for spec in named}, {spec.id for spec in named}
    for name, entry in listed.items():
        model, api_base = rules[0].served(name)
        matched = rule_that_matches(rules, name) is not None and key_problem(model) is None
        wanted = matched and (model, api_base) not in served
        found = known.get(name)
        if found is None:
            state = DiscoveredState.WAITING if wanted else DiscoveredState.SEEN
            id = f"{model} ({source})" if model in models or model in taken else model
            models[id] = DiscoveredModel(
                id=id,
                source=source,
                name=name,
                state=state,
                first_seen=now,
                released=entry.created,
                context=entry.context or context_of(model),
            )
            if not matched:
                unmatched.append(name)
        elif found.state is DiscoveredState.RETIRED:
            asked_before = found.registered_on is not None  # else the day's number holds for it as for a new one
            state = DiscoveredState.EVALUATED if asked_before else DiscoveredState.WAITING
            back = state if wanted else DiscoveredState.SEEN
            models[found.id] = found.model_copy(update={"state": back, "missing_since": None, "retired_at": None})
            stock.notes.append(f"{found.id} is listed again.")
        else:
            changes: dict[str, object] = {"missing_since": None}
            if found.state is DiscoveredState.SEEN and wanted:  # models.yaml has changed
                changes["state"] = DiscoveredState.WAITING
            elif found.state is DiscoveredState.WAITING and not wanted:
                changes["state"] = DiscoveredState.SEEN
                if not matched:
                    unmatched.append(name)
            models[found.id] = found.model_copy(update=changes)
    if unmatched:
        shown = ", ".join(unmatched[:_NAMED]) + (
            f" and {len(unmatched) - _NAMED} more" if len(unmatched) > _NAMED else ""
        )
        stock.notes.append(f"{source}: seen, not evaluated: {shown}.")


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


def _register(rules: Sequence[DiscoveryRule], models: dict[str, DiscoveredModel], day: str, stock: Stock) -> None:
    """Of those that wait for each rule, as many as the day has room for, the first seen first."""
    for rule in rules:
        own = [
            model
            for model in models.values()
            if model.source == rule.source and rule_in_force(rules, model.name) is rule
        ]
        room = max(rule.at_most_per_day - sum(model.registered_on == day for model in own), 0)
        waiting = sorted(
            (model for model in own if model.state is DiscoveredState.WAITING and model.missing_since is None),
            key=lambda model: (model.first_seen, model.name),
        )
        for model in waiting[:room]:
            models[model.id] = model.model_copy(update={"state": DiscoveredState.EVALUATED, "registered_on": day})
            stock.registered.append(model.id)
        if len(waiting) > room:
            stock.notes.append(
                f"{rule.source}: {len(waiting) - room} new models wait for another day "
                f"(at_most_per_day: {rule.at_most_per_day})."
            )
