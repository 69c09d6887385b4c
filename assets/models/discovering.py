"""What a listing changes: new models become evaluated, a few a day; what vanished is retired; the rest is noted once.

A provider that fails changes nothing, nor does a list that is not believed. One is believed that holds at least half of
the names of the last one that was. A server with five models or fewer may well replace them all, so there any list is
believed that is at least half as long as the last one; an empty one is not. A fixed list is a person's word.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from resources.keys import key_problem
from resources.listings import Listed
from resources.llm import context_of
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered, DiscoveredModel, DiscoveredState
from resources.registries.discovery_rules import by_source, rule_in_force, rule_that_matches

_NAMED = 20  # models that a note lists
_SHARE_LEFT = 0.5
_FEW = 5


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
    kept_in: Path,
) -> Stock:
    """What is known once these listings have come.

    Args:
        listings: by a rule's `source`: what it lists, or why there is no list.
        named: models that models.yaml names itself; they are no discoveries, and their ids are taken.
        day: the budget's day, which `at_most_per_day` counts.
        kept_in: the file of what is known, for a person who has to mend it.
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
        last = {name for name, model in known.items() if _listed_last(model)}
        if together[0].models is None and not _believed(listed.keys(), last):
            stock.notes.append(
                f"{source} lists {len(last & listed.keys())} of the {len(last)} models that it listed before; nothing "
                f"is changed. Should that be so for good, delete its models from {kept_in}."
            )
            continue
        _note_listed(together, listed, known, models, named, now, stock)
        _note_missing(listed, known, models, now, stock)
        _register(together, models, day, stock)
    stock.discovered = Discovered(models=models)
    return stock


def _listed_last(model: DiscoveredModel) -> bool:
    """Whether the last list that was believed holds it."""
    return model.state is not DiscoveredState.RETIRED and model.missing_since is None


def _believed(listed: Set[str], last: Set[str]) -> bool:
    """Whether a list is evidence of what is served, seen from the last one that was believed."""
    evidence = listed if len(last) <= _FEW else listed & last
    return len(evidence) >= _SHARE_LEFT * len(last)


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
            id = f"{model} ({source})" if model in models or model in taken else model
            state = DiscoveredState.WAITING if wanted and key_problem(id) is None else DiscoveredState.SEEN
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
            if (
                found.state is DiscoveredState.SEEN and wanted and key_problem(found.id) is None
            ):  # models.yaml has changed
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
