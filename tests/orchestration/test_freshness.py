"""A night in which nothing changed keeps the leaderboard fresh, with all that its last materialization shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster import AssetKey, AssetMaterialization, DagsterInstance

from orchestration.definitions import build_definitions
from orchestration.freshness import UNCHANGED
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World, capital_in


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with ScriptedServer(lambda request: Reply(text=capital_in(request.message))) as server:
        yield World.make(tmp_path, monkeypatch, server.url)


def sweep(instance: DagsterInstance) -> str:
    result = build_definitions().resolve_job_def("sweep").execute_in_process(instance=instance)
    assert result.success
    return result.run_id


def materializations(instance: DagsterInstance) -> list[AssetMaterialization]:
    """Of the leaderboard, newest first."""
    records = instance.fetch_materializations(AssetKey("leaderboard"), limit=9).records
    return [record.asset_materialization for record in records if record.asset_materialization]


def test_a_sweep_with_nothing_to_do_confirms_the_leaderboard(world: World) -> None:
    with DagsterInstance.ephemeral() as instance:
        first = sweep(instance)
        sweep(instance)
        sweep(instance)

        third, second, published = materializations(instance)

    assert dict(second.metadata) == dict(third.metadata)
    assert {name: value for name, value in third.metadata.items() if name != UNCHANGED} == dict(published.metadata)
    assert third.metadata[UNCHANGED].value == first
    assert third.tags == published.tags
