"""Fixtures of many rooms: the small world behind a server that knows its capitals, and a Dagster instance for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance

from orchestration.partitions import register_keys
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World, capital_in


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: Reply(text=capital_in(request.message))) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    return World.make(tmp_path, monkeypatch, server.url)


@pytest.fixture
def instance(world: World) -> Iterator[DagsterInstance]:
    """Ephemeral; the world's domains and models are its partitions."""
    with DagsterInstance.ephemeral() as ephemeral:
        opened = world.open()
        register_keys(ephemeral, opened.banks, opened.models)
        yield ephemeral
