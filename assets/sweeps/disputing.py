"""Disputing grades: the next sweep asks the judge anew, and asks no model again."""

from dataclasses import dataclass

import polars as pl

from assets.sweeps.plan import make_plan
from assets.sweeps.request import Request
from assets.sweeps.targets import DISPUTED
from resources.installation import Installation, utc_now
from resources.types import ConfigurationError


@dataclass(frozen=True)
class Disputed:
    """What a dispute is about: the item's domain, and the models whose grades are asked for anew."""

    domain: str
    models: tuple[str, ...]


def dispute_grades(installation: Installation, item_id: str, models: tuple[str, ...], note: str) -> Disputed:
    """Has the verdicts on `item_id` asked for anew, of these models or of all that a judge has graded.

    Args:
        note: why; kept beside the dispute in the ledger.

    Raises:
        ConfigurationError: when there is no such item, or no judge has graded it.
    """
    items = installation.lake.read("items", ["domain", "item_id"])
    domains = items.filter(pl.col("item_id") == item_id)["domain"].unique().to_list()
    if not domains:
        raise ConfigurationError(f"no item is called {item_id!r}; `factsweep export items` lists them")
    if len(domains) > 1:
        raise ConfigurationError(
            f"item {item_id!r} stands in {', '.join(sorted(domains))}; give one of them another id"
        )
    request = Request(domains=(domains[0],), models=models).resolved(installation.banks, installation.models)
    judged = tuple(
        planned.target.model
        for planned in make_plan(installation, request).partitions
        if planned.target.judge is not None and planned.target.spec is not None and planned.coverage is not None
    )
    if not judged:
        raise ConfigurationError(
            f"no judge has graded item {item_id!r}; where `match` grades, mend its gold or add an alias in the bank's "
            "items file instead"
        )
    asked_by = f"dispute {utc_now():%Y-%m-%dT%H:%M:%S.%fZ}: {note}"
    installation.ledger.start_epoch([(domains[0], model, f"{DISPUTED}{item_id}") for model in judged], asked_by)
    return Disputed(domains[0], judged)
