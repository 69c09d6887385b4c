"""Fixtures of this room: a small world behind a server that knows the right answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
