"""Which items a model is asked again: a seeded sample that stays the same from night to night."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

import polars as pl

from assets.items.item import Item
from assets.items.sampling import stratified_sample
from assets.responses.asking import Asker
from assets.sweeps.request import Request
from assets.sweeps.targets import Target, read_domains, targets
from resources.installation import Installation
from resources.llm import Call, build_call
from resources.registries import Drift, ModelSpec
from resources.types import ConfigurationError, Outcome, Role

# One for all models, which are then asked the same items where they can be: a verdict on the same words is bought once.
_SEED = "drift"


@dataclass(frozen=True)
class Watched:
    """One item of a model's sample with tonight's call.

    Attributes:
        asking: hash of all that decides the answer and its grade but the night; nights are compared within it.
    """

    target: Target
    item: Item
    call: Call
    asking: str


@dataclass(frozen=True)
class Sample:
    """What one model is asked tonight, or why it is asked nothing."""

    spec: ModelSpec
    watched: tuple[Watched, ...]
    reason: str | None = None


def draw_samples(installation: Installation, drift: Drift, night: str, recorded: pl.DataFrame) -> Iterator[Sample]:
    """The sample of each model that some bank asks; baselines are not watched.

    Items of the last sample that can still be asked stay in it, so that a bank that grows changes no sample. Under a
    cap what has no known price is asked nothing, since the cap could not hold; the others are watched.

    Args:
        recorded: `drift_answers` up to this night.

    Raises:
        ConfigurationError: when `night` is no date.
    """
    number = _number(night)
    request = Request(budget_usd=drift.budget_usd)
    contents = read_domains(installation, request)
    by_model: dict[str, list[Target]] = {}
    for target in targets(installation, request, contents):
        by_model.setdefault(target.model, []).append(target)
    for spec in installation.models.specs.values():
        own = {target.key[0]: target for target in by_model.get(spec.id, [])}
        if not own:
            continue  # it judges or builds only
        askable = {key: target for key, target in own.items() if target.blocked is None}
        last = recorded.filter(model=spec.id).filter(pl.col("night") == pl.col("night").max())
        chosen = _chosen(installation, drift, askable, last.select("domain", "item_id"))
        watched = tuple(_watched(installation, askable, chosen, number))
        blocked = next((target.blocked for target in own.values() if target.blocked), None)
        none = blocked or "it has answered no active item yet; sweep it first"
        yield Sample(spec, watched, None if watched else none)


def _number(night: str) -> int:
    """The night as a call's epoch: an identity of its own, which no sweep's count of epochs ever reaches."""
    try:
        return int(f"{date.fromisoformat(night):%Y%m%d}")
    except ValueError:
        raise ConfigurationError(f"night {night!r} is no date; write it as 2026-11-30") from None


def _chosen(
    installation: Installation, drift: Drift, askable: dict[str, Target], last: pl.DataFrame
) -> list[tuple[str, str]]:
    """(domain, item) of what is asked: of the last sample what is left, then what a fresh sample would take first."""
    frames = [_answered(installation, target) for target in askable.values()]
    if not frames:
        return []
    answered = pl.concat(frames)
    kept = last.join(answered, on=["domain", "item_id"], how="semi", maintain_order="left").rows()
    fresh = stratified_sample(answered, answered.height, _SEED).select("domain", "item_id").rows()
    return list(dict.fromkeys([*kept, *fresh]))[: drift.items]


def _answered(installation: Installation, target: Target) -> pl.DataFrame:
    """Domain, topic and id of the active items that the model has answered as they stand."""
    domain, model = target.key
    columns = ["item_id", "question_version", "outcome"]
    answers = installation.lake.read("responses", columns, domain=domain, model=model)
    active = target.content.read.frame.filter(status="active").select("domain", "topic", "item_id", "question_version")
    return active.join(answers.filter(outcome=Outcome.ANSWERED), on=["item_id", "question_version"], how="semi").drop(
        "question_version"
    )


def _watched(
    installation: Installation, askable: dict[str, Target], chosen: list[tuple[str, str]], number: int
) -> Iterator[Watched]:
    askers: dict[str, Asker] = {}
    items: dict[str, dict[str, Item]] = {}
    for domain, item_id in chosen:
        target = askable[domain]
        assert target.spec is not None
        endpoint = installation.endpoint(target.spec)
        if domain not in askers:
            title = target.content.domain.spec.title
            askers[domain] = Asker(target.bank.prompt("answer"), title, target.spec, endpoint)
            items[domain] = {item.item_id: item for item in target.content.items}
        item = items[domain][item_id]
        call = build_call(Role.DRIFT, target.spec, endpoint, askers[domain].text(item), sample=0, epoch=number)
        in_sweep = askers[domain].call(item, sample=0, epoch=target.epoch(item_id))
        yield Watched(target, item, call, _asking(target, item, in_sweep))


def _asking(target: Target, item: Item, in_sweep: Call) -> str:
    """Changes when a sweep would ask or grade anew: prompt, parameters, item or judge were edited, or `--again`."""
    judge = next((part for part in target.fingerprint.split(" ") if part.startswith("judge=")), "")
    parts = [in_sweep.call_id, judge, item.answer_version, target.verdict_epoch(item.item_id)]
    return sha256(json.dumps(parts).encode()).hexdigest()[:16]
