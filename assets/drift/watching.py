"""One night of the drift watch, from the samples to the tables `drift_answers` and `drift`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from assets.authoring.session import desk_for
from assets.drift.asking import ask_and_grade
from assets.drift.sampling import Sample, draw_samples
from assets.drift.standing import newly_alarmed
from assets.drift.telling import tell
from checks.drift_contracts import DRIFT, DRIFT_ANSWERS
from resources.installation import Installation
from resources.llm import Tally
from resources.registries import ModelSpec
from resources.types import ConfigurationError


@dataclass(frozen=True)
class DriftResult:
    """What a night brought.

    Attributes:
        rows: the night's rows of `drift`.
        newly_alarmed: those of models that were not alarmed before, nor by an earlier run of the night.
        requests: sent by this run; a second run of a night sends what is missing.
        stopped: by model, why nothing more was sent to it.
    """

    night: str
    rows: pl.DataFrame
    newly_alarmed: pl.DataFrame
    requests: int
    cost_usd: float
    stopped: dict[str, str]
    over_budget: bool


@dataclass(frozen=True)
class _Company:
    specs: list[ModelSpec]


def watch(
    installation: Installation,
    night: str,
    now: datetime,
    account: str,
    on_progress: Callable[[Tally], None] = lambda tally: None,
) -> DriftResult:
    """Asks each model its sample once this night, however often it is called, and tells whether it drifted.

    Args:
        night: date of the night; part of every call's identity.
        now: stamped on the rows, and whose day pays.
        account: on whose budget; `drift.budget_usd` caps all that it ever buys.

    Raises:
        ConfigurationError: before anything is bought, where models.yaml has no `drift:`.
        LedgerError, DiskFull: what was bought is in the ledger; the next run of the night goes on.
    """
    drift = installation.models.drift
    if drift is None:
        raise ConfigurationError("models.yaml has no `drift:`, so no model is watched; add `drift: {items: 24}` to it")
    lake = installation.lake
    recorded = lake.read("drift_answers").filter(pl.col("night") <= night)
    samples = list(draw_samples(installation, drift, night, recorded))
    company = _Company(_asked(samples))
    with desk_for(installation, company, account, drift.budget_usd, on_progress, now) as desk:
        rows = ask_and_grade(installation, desk, night, [each for sample in samples for each in sample.watched])
    asked = {sample.spec.id for sample in samples if sample.watched}
    others = recorded.filter((pl.col("night") == night) & ~pl.col("model").is_in(asked))
    tonight = pl.concat([others, DRIFT_ANSWERS.frame(rows)])
    if tonight.height:
        lake.write("drift_answers", tonight, night=night)
    answers = pl.concat([recorded.filter(pl.col("night") != night), tonight])
    told = DRIFT.frame(
        tell(drift, sample.spec.id, night, answers.filter(model=sample.spec.id), sample.reason, now)
        for sample in samples
    )
    before = lake.read("drift").filter(pl.col("night") <= night)
    lake.write("drift", told, night=night)
    after = pl.concat([before.filter(pl.col("night") != night), told])
    tally = desk.tally
    return DriftResult(
        night,
        told,
        newly_alarmed(before, after),
        tally.requests,
        tally.cost_usd,
        desk.stopped,
        desk.over_budget,
    )


def _asked(samples: list[Sample]) -> list[ModelSpec]:
    """The models that are asked something, and their judges."""
    specs: dict[str, ModelSpec] = {}
    for sample in samples:
        for each in sample.watched:
            for spec in (each.target.spec, each.target.judge):
                if spec is not None:
                    specs[spec.id] = spec
    return list(specs.values())
