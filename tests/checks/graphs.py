"""A graph in the shape of the project's over a lake in memory: `build` makes the items of one domain, `sweeps` records
responses and grades, whose assets are not in its job."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import duckdb
import polars as pl
from dagster import (
    AssetCheckEvaluation,
    AssetCheckKey,
    AssetKey,
    AssetSelection,
    AssetSpec,
    DagsterInstance,
    Definitions,
    DynamicPartitionsDefinition,
    ExecuteInProcessResult,
    MaterializeResult,
    MultiPartitionKey,
    MultiPartitionsDefinition,
    asset,
    define_asset_job,
    in_process_executor,
    multi_asset,
)

from checks.asset_checks import build_asset_checks
from tests.checks.lakes import FakeLake

DOMAINS = DynamicPartitionsDefinition(name="domains")
BOTH = MultiPartitionsDefinition({"domain": DOMAINS, "model": DynamicPartitionsDefinition(name="models")})


class Lake(Protocol):
    def read(self, table: str, **keys: str) -> pl.DataFrame: ...

    def connect(self, domain: str | None = None) -> duckdb.DuckDBPyConnection: ...


@dataclass(frozen=True)
class LakeResource:
    """The resource `lake` over a lake in memory."""

    lake: Lake

    def get(self) -> Lake:
        return self.lake

    @contextmanager
    def tables(self, domain: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        with self.lake.connect(domain) as connection:
            yield connection


class DamagedLake:
    """A lake whose files cannot be read."""

    def read(self, table: str, **keys: str) -> pl.DataFrame:
        raise pl.exceptions.ComputeError("parquet: file out of specification")

    def connect(self, domain: str | None = None) -> duckdb.DuckDBPyConnection:
        raise duckdb.IOException("no magic bytes found at end of file")


@dataclass(frozen=True)
class SweptLake:
    """A lake that holds something else once `sweeps` has run."""

    ran: list[str]
    before: FakeLake
    after: FakeLake

    def read(self, table: str, **keys: str) -> pl.DataFrame:
        return self._now.read(table, **keys)

    def connect(self, domain: str | None = None) -> duckdb.DuckDBPyConnection:
        return self._now.connect(domain)

    @property
    def _now(self) -> FakeLake:
        return self.after if "sweeps" in self.ran else self.before


@dataclass
class Graph:
    """Definitions over one lake; `ran` lists the assets that were computed."""

    lake: Lake
    ran: list[str] = field(default_factory=list)
    resource: type[LakeResource] = LakeResource

    def definitions(self) -> Definitions:
        @asset(partitions_def=DOMAINS)
        def sources() -> None:
            self.ran.append("sources")

        @asset(deps=["sources"], partitions_def=DOMAINS)
        def evidence_cards() -> None:
            self.ran.append("evidence_cards")

        @asset(deps=["evidence_cards"], partitions_def=DOMAINS)
        def items() -> None:
            self.ran.append("items")

        @multi_asset(
            specs=[AssetSpec("responses", deps=["items"]), AssetSpec("grades", deps=["responses"])], partitions_def=BOTH
        )
        def answer_and_grade() -> Iterator[MaterializeResult]:
            self.ran.append("answer_and_grade")
            yield MaterializeResult(asset_key="responses")
            yield MaterializeResult(asset_key="grades")

        @asset(deps=["items"])
        def sweeps() -> None:
            self.ran.append("sweeps")

        @asset(deps=["items", "responses", "grades", "sweeps"])
        def scores() -> None:
            self.ran.append("scores")

        @asset(deps=["scores"])
        def leaderboard() -> None:
            self.ran.append("leaderboard")

        sweep = define_asset_job(
            "sweep",
            AssetSelection.assets("sweeps", "scores", "leaderboard")
            | AssetSelection.checks_for_assets("items", "responses", "grades"),
        )
        build = define_asset_job("build", AssetSelection.assets("sources", "evidence_cards", "items"))
        return Definitions(
            assets=[sources, evidence_cards, items, answer_and_grade, sweeps, scores, leaderboard],
            asset_checks=build_asset_checks(),
            jobs=[build, sweep, define_asset_job("by_hand", AssetSelection.assets("responses", "grades"))],
            resources={"lake": self.resource(self.lake)},
            executor=in_process_executor,
        )

    def sweep(self) -> ExecuteInProcessResult:
        return _run(self.definitions(), "sweep")

    def build(self) -> ExecuteInProcessResult:
        """Builds omniscience.law."""
        return _run(self.definitions(), "build", "omniscience.law")

    def answer_one_partition(self) -> ExecuteInProcessResult:
        return _run(self.definitions(), "by_hand", MultiPartitionKey({"domain": "omniscience.law", "model": "small"}))

    def check(self, table: str, name: str) -> AssetCheckEvaluation:
        """One check alone."""
        job = define_asset_job("check", AssetSelection.checks(AssetCheckKey(AssetKey(table), name)))
        result = _run(Definitions.merge(self.definitions(), Definitions(jobs=[job])), "check")
        return next(iter(result.get_asset_check_evaluations()))


def _run(definitions: Definitions, job: str, partition_key: str | None = None) -> ExecuteInProcessResult:
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("domains", ["omniscience.law"])
        instance.add_dynamic_partitions("models", ["small"])
        return definitions.resolve_job_def(job).execute_in_process(
            instance=instance, raise_on_error=False, partition_key=partition_key
        )
