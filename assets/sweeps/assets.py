"""The asset `sweeps`, which records the partitions of `responses` and `grades`; and those two, one by hand."""

from collections.abc import Iterator

from dagster import (
    AssetExecutionContext,
    AssetMaterialization,
    AssetSpec,
    BackfillPolicy,
    Config,
    DataVersion,
    Failure,
    MaterializeResult,
    MetadataValue,
    ResourceParam,
    asset,
    multi_asset,
)
from dagster._core.definitions.data_version import DATA_VERSION_TAG
from pydantic import Field

from assets.items.assets import items_metadata
from assets.reports.publishing import is_published
from assets.sweeps.logging import ProgressLog, plan_lines
from assets.sweeps.plan import make_plan
from assets.sweeps.record import Recorded
from assets.sweeps.request import Request
from assets.sweeps.sweep import Listener, SweepResult, run_sweep, start_epochs
from checks.contracts import GRADES, RESPONSES, SWEEPS
from orchestration.console import Console
from orchestration.endings import ending_well, refuse_hidden, root_run
from orchestration.freshness import confirm
from orchestration.metadata import dollars, partition_metadata, schema_metadata, table_markdown
from orchestration.notices import tell_budget_stop
from orchestration.partitions import DOMAINS_BY_MODELS, joint_key, register_keys, split_key
from orchestration.pools import PROVIDERS
from orchestration.resources import InstallationResource
from orchestration.runs import bury_dead_runs
from resources.installation import Installation

RESPONSES_SHOWN = ("item_id", "outcome", "text", "output_tokens", "cost_usd")
GRADES_SHOWN = ("item_id", "grade", "reason", "method")
SWEEPS_SHOWN = ("domain", "model", "status", "reason", "bought_calls", "bought_usd", "coverage", "result", "error")


class SweepConfig(Config):
    """What to sweep; empty lists mean all."""

    banks: list[str] = Field(default=[], description="Names of banks.")
    domains: list[str] = Field(default=[], description="Partition keys, such as omniscience.law.")
    models: list[str] = Field(default=[], description="Ids of models or baselines.")
    items: list[str] = Field(default=[], description="Ids of items.")
    limit: int | None = Field(default=None, description="At most so many items of a bank, stratified by topic.")
    samples: int | None = Field(default=None, description="Samples an item, in place of the bank's.")
    budget_usd: float | None = Field(default=None, description="Hard cap in dollars.")
    again: bool = Field(default=False, description="Start a new epoch: ask anew what is named.")

    def request(self) -> Request:
        return Request(
            banks=tuple(self.banks),
            domains=tuple(self.domains),
            models=tuple(self.models),
            items=tuple(self.items),
            limit=self.limit,
            samples=self.samples,
            again=self.again,
            budget_usd=self.budget_usd,
        )


@asset(
    deps=["items"],
    group_name="g2_sweep",
    kinds={"litellm", "parquet"},
    owners=["team:factsweep"],
    pool=PROVIDERS,
    output_required=False,
    metadata=schema_metadata(SWEEPS),
    description=(
        "The log of all sweeps. Materializing it plans what is missing, failed or stale, buys it, and records each "
        "partition of `responses` and `grades`. With nothing to do it skips what follows."
    ),
)
def sweeps(
    context: AssetExecutionContext,
    config: SweepConfig,
    installation: InstallationResource,
    console: ResourceParam[Console],
) -> Iterator[MaterializeResult]:
    opened = installation.for_run()
    for problem in opened.problems:
        context.log.warning("%s", problem)
    for run_id in bury_dead_runs(context.instance):
        context.log.warning("Run %s was still marked as running, but its process is gone; it is now failed.", run_id)
    register_keys(context.instance, opened.banks, opened.models)
    with ending_well(context, console):
        request = config.request().resolved(opened.banks, opened.models)
        if request.again:
            start_epochs(opened, request, asked_by=root_run(context))
    result = _sweep(context, opened, request, console)
    console.finished(result)
    if result.bought.over_budget:
        tell_budget_stop(context, "sweep", _spent(result))
    if result.rows.is_empty() and is_published(opened):
        context.log.info("Nothing to do: every partition is fresh and the metrics are published.")
        confirm(context, "leaderboard")
        return
    yield MaterializeResult(metadata=_sweep_metadata(result))


@multi_asset(
    specs=[
        AssetSpec(
            "responses",
            deps=["items"],
            group_name="g2_sweep",
            kinds={"litellm", "parquet"},
            owners=["team:factsweep"],
            metadata=schema_metadata(RESPONSES),
            description="What each model gave for each item, with outcome, tokens, cost and the call in the ledger.",
        ),
        AssetSpec(
            "grades",
            deps=["responses"],
            group_name="g2_sweep",
            kinds={"polars", "parquet"},
            owners=["team:factsweep"],
            metadata=schema_metadata(GRADES),
            description="The grade of each response: correct, partial, incorrect, not attempted, or none.",
        ),
    ],
    partitions_def=DOMAINS_BY_MODELS,
    pool=PROVIDERS,
    backfill_policy=BackfillPolicy.multi_run(1),  # so that a crash loses one partition
    description="Asks one model the items of one domain and grades its answers; buys only what is missing.",
)
def answer_and_grade(
    context: AssetExecutionContext, installation: InstallationResource, console: ResourceParam[Console]
) -> Iterator[MaterializeResult]:
    opened = installation.for_run()
    domain, model = split_key(context.partition_key)
    refuse_hidden(opened, domain, model)
    request = Request(domains=(domain,), models=(model,))
    planned = None
    if domain in opened.banks.domains and model in opened.models.ids:
        planned = next(iter(make_plan(opened, request).partitions), None)
    if planned is None:
        context.log.warning("%s is retired or not asked of this bank: nothing is bought.", context.partition_key)
        for name in ("responses", "grades"):
            yield MaterializeResult(asset_key=name, metadata={"retired": True})
        return
    if planned.target.blocked:
        raise Failure(f"{model} cannot be asked: {planned.target.blocked}.", allow_retries=False)
    _sweep(context, opened, request, console, log_events=False)
    partition = opened.lake.read("partitions", domain=domain, model=model)
    if partition.is_empty():
        raise Failure(f"{domain} has no active items; add some to its items file.", allow_retries=False)
    recorded = Recorded(
        opened.lake.read("responses", domain=domain, model=model),
        opened.lake.read("grades", domain=domain, model=model),
        partition,
    )
    version = DataVersion(planned.target.fingerprint)
    yield MaterializeResult(asset_key="responses", metadata=_responses_metadata(recorded), data_version=version)
    yield MaterializeResult(asset_key="grades", metadata=_grades_metadata(recorded), data_version=version)


def _sweep(
    context: AssetExecutionContext,
    opened: Installation,
    request: Request,
    console: Console,
    *,
    log_events: bool = True,
) -> SweepResult:
    """Runs the sweep, telling Dagster's log and the console, and entering each partition in its asset's history."""
    listener = _RunListener(context, console, log_events=log_events)
    with ending_well(context, console):
        return run_sweep(opened, request, context.run.run_id, listener, account=root_run(context))


class _RunListener(Listener):
    """What the sweep says, as log lines and as entries in the partitions' histories."""

    def __init__(self, context: AssetExecutionContext, console: Console, *, log_events: bool) -> None:
        self._context = context
        self._console = console
        self._log_events = log_events
        self._progress: ProgressLog | None = None

    def planned(self, plan, forecasts) -> None:
        for line in plan_lines(plan, forecasts):
            self._context.log.info(line)
        self._progress = ProgressLog(self._context.log, sum(forecast.calls for forecast in forecasts.values()))
        self._console.planned(plan, forecasts)

    def progress(self, progress) -> None:
        if self._progress is not None:
            self._progress(progress)
        self._console.progress(progress)

    def items_recorded(self, content) -> None:
        tags = {DATA_VERSION_TAG: content.read.digest}
        self._log_event("items", content.domain.key, items_metadata(content.read), tags)

    def recorded(self, planned, recorded) -> None:
        self._console.recorded(planned, recorded)
        if self._log_events:
            tags = {DATA_VERSION_TAG: planned.target.fingerprint}
            self._log_event("responses", joint_key(*planned.key), _responses_metadata(recorded), tags)
            self._log_event("grades", joint_key(*planned.key), _grades_metadata(recorded), tags)

    def warned(self, message: str) -> None:
        self._context.log.warning(message)

    def _log_event(self, name: str, partition: str, metadata, tags: dict[str, str]) -> None:
        self._context.log_event(AssetMaterialization(asset_key=name, partition=partition, metadata=metadata, tags=tags))


def _responses_metadata(recorded: Recorded) -> dict[str, MetadataValue]:
    return {
        "dagster/row_count": MetadataValue.int(recorded.responses.height),
        **partition_metadata(recorded.summary),
        "examples": table_markdown(recorded.responses, RESPONSES_SHOWN),
    }


def _grades_metadata(recorded: Recorded) -> dict[str, MetadataValue]:
    counts = recorded.grades.group_by("grade").len().sort("grade", nulls_last=True)
    return {
        "dagster/row_count": MetadataValue.int(recorded.grades.height),
        "grade mix": table_markdown(counts, ("grade", "len")),
        **partition_metadata(recorded.summary),
        "examples": table_markdown(recorded.grades, GRADES_SHOWN),
    }


def _spent(result: SweepResult) -> float | None:
    """Dollars of all partitions; None when a price is unknown."""
    known = result.rows["bought_usd"].null_count() == 0
    return float(result.rows["bought_usd"].sum()) if known else None


def _sweep_metadata(result: SweepResult) -> dict[str, MetadataValue]:
    rows = result.rows
    return {
        "dagster/row_count": MetadataValue.int(rows.height),
        "sweep": MetadataValue.text(result.sweep_id),
        "calls bought": MetadataValue.int(int(rows["bought_calls"].sum())),
        "cost": dollars(_spent(result)),
        "incomplete partitions": MetadataValue.int(rows.filter(rows["result"] == "incomplete").height),
        "partitions": table_markdown(rows, SWEEPS_SHOWN, rows=40),
    }
