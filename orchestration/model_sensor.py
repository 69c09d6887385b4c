"""The sensor `new_models`: what providers list against what is known, and a sweep for each model that is new.

It requests runs and registers no partition: the registry sensor and the sweep itself do that.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from dagster import (
    DagsterInstance,
    DefaultSensorStatus,
    RunRequest,
    RunsFilter,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)
from dagster._core.storage.tags import RUN_KEY_TAG

from orchestration.environment import whole_number
from orchestration.jobs import SWEEP
from orchestration.modes import in_production
from orchestration.resources import InstallationResource
from resources.installation import Installation, utc_now
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import changing_discovered, read_discovered, write_discovered
from resources.registries.discovery_rules import by_source
from resources.registries.problems import told
from resources.types import ConfigurationError

if TYPE_CHECKING:
    from assets.models.discovering import Stock
    from resources.listings import Listed

_USUAL_S = 900


def listing_interval() -> tuple[int, str | None]:
    """Seconds between two ticks, and what is wrong with the variable that says so.

    An error here, where definitions are loaded, would take all the others down with this one.
    """
    try:
        return whole_number("FACTSWEEP_LISTING_SECONDS", _USUAL_S), None
    except ConfigurationError as error:
        return _USUAL_S, f"{error}; until it is mended providers are asked every {_USUAL_S} s."


_EVERY_S, _FAULT = listing_interval()


@sensor(
    job=SWEEP,
    name="new_models",
    minimum_interval_seconds=_EVERY_S,
    default_status=DefaultSensorStatus.RUNNING if in_production() else DefaultSensorStatus.STOPPED,
    description=(
        "Asks providers what models they list, as `discovery:` in models.yaml says, and requests a sweep for each that "
        "is new and matches. What vanished is retired. A provider that fails changes nothing."
    ),
)
def new_models_sensor(
    context: SensorEvaluationContext, installation: InstallationResource
) -> SensorResult | SkipReason:
    opened = installation.get()
    if opened.models.problems:
        faults = told(opened.models.problems)
        return SkipReason(f"Nothing is discovered until models.yaml is mended, since it may name what is new: {faults}")
    if not opened.models.discovery:
        return SkipReason("models.yaml names no `discovery:` rules.")
    if _FAULT:
        context.log.warning(_FAULT)
    listings = fetch_listings(opened.models.discovery)
    stock = discover(opened, listings)
    opened = installation.get()
    introduced = [introduction(opened.models.specs[id]) for id in stock.registered if id in opened.models.specs]
    for note in stock.notes + introduced:
        context.log.info(note)
    requests = [
        RunRequest(run_key=run_key(model), run_config=_config(opened, model))
        for model in unswept(opened, context.instance)
    ]
    if requests:
        return SensorResult(run_requests=requests)
    news = " ".join(stock.notes) or f"Nothing is new among {sum(map(_size, listings.values()))} listed models."
    return SkipReason(news[:2_000])


def fetch_listings(rules: Sequence[DiscoveryRule]) -> dict[str, "Sequence[Listed] | str"]:
    """What each source lists, or why there is no list; all at once, since a tick has a minute."""
    from resources.listings import NotListed, list_models

    def listed(of_source: Sequence[DiscoveryRule]) -> "Sequence[Listed] | str":
        try:
            return list_models(of_source)
        except NotListed as error:
            return str(error)

    sources = by_source(rules)
    with ThreadPoolExecutor(max_workers=8) as threads:
        return dict(zip(sources, threads.map(listed, sources.values()), strict=True))


def discover(installation: Installation, listings: Mapping[str, "Sequence[Listed] | str"]) -> "Stock":
    """Takes stock of the listings and writes down what is known now; one tick at a time."""
    from assets.models.discovering import take_stock

    now, models = utc_now(), installation.models
    with changing_discovered(installation.home.discovered) as file:
        before = read_discovered(file)
        stock = take_stock(before, models.discovery, listings, models.named, now, installation.budget_day(now), file)
        if stock.discovered != before:
            write_discovered(file, stock.discovered)
    return stock


def introduction(spec: ModelSpec) -> str:
    """A sentence about a model that is new: what is known of its release, its price and its length of prompt."""
    from resources.llm import PriceTable

    price = PriceTable().of(spec)
    known = [
        f"released {spec.released}" if spec.released else "release date unknown",
        f"${price.input:g} in and ${price.output:g} out per million tokens" if price else "price unknown",
        f"context of {spec.context:,} tokens" if spec.context else "context unknown",
    ]
    return f"{spec.id} is new: {', '.join(known)}."


def unswept(installation: Installation, instance: DagsterInstance) -> list[str]:
    """Discovered models that no run was requested for and that no sweep has recorded.

    A tick that died after writing them down left them so, and the next one requests them. One without a price waits for
    it where there is a cap, which its sweep would be refused for.
    """
    from resources.llm import PriceTable

    models, prices = installation.models, PriceTable()
    recorded = set(installation.lake.read("partitions", ["model"])["model"])
    wanted = [
        model
        for model in models.discovered
        if model not in recorded and not (models.night_is_capped and prices.of(models.specs[model]) is None)
    ]
    if not wanted:
        return []
    keys = [run_key(model) for model in wanted]
    runs = instance.get_runs(RunsFilter(tags={RUN_KEY_TAG: keys}))
    requested = {run.tags.get(RUN_KEY_TAG) for run in runs}
    return [model for model in wanted if run_key(model) not in requested]


def run_key(model: str) -> str:
    """One run for a new model, ever."""
    return f"new model {model}"


def _config(installation: Installation, model: str) -> dict[str, object]:
    config: dict[str, object] = {"models": [model]}
    if (budget := installation.models.nightly.budget_usd) is not None:
        config["budget_usd"] = budget
    return {"ops": {"sweeps": {"config": config}}}


def _size(listing: "Sequence[Listed] | str") -> int:
    return 0 if isinstance(listing, str) else len(listing)
