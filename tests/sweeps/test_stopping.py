"""Signals that reach a sweep while it buys: the grace, the hurry, and an engine that hangs."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assets.sweeps import buy as buying
from resources.types import CallState
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World

LONG_S = 40.0


@pytest.fixture
def hanging(world: World, server: ScriptedServer) -> World:
    """A world whose model does not answer in time."""
    server.script = lambda request: Reply(text="late", latency_s=LONG_S)
    world.models[0]["timeout"] = LONG_S
    world.write()
    return world


@contextmanager
def interrupted(server: ScriptedServer, times: int) -> Iterator[None]:
    """Sends this process so many Ctrl-C once a request is in flight."""

    def send() -> None:
        while not server.stats.received:
            time.sleep(0.02)
        for _ in range(times):
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        sender.join()


def test_a_second_ctrl_c_does_without_the_grace(
    hanging: World, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buying, "GRACE_S", LONG_S)
    monkeypatch.setattr(buying, "_PATIENCE_S", LONG_S)
    began = time.monotonic()

    with interrupted(server, times=2), pytest.raises(KeyboardInterrupt):
        hanging.sweep()

    assert time.monotonic() - began < LONG_S / 2
    states = hanging.open().ledger.frame()["state"]
    assert set(states) == {CallState.ORPHANED}


def test_an_engine_that_hangs_is_not_waited_for(
    hanging: World, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buying, "GRACE_S", LONG_S)
    monkeypatch.setattr(buying, "_PATIENCE_S", 0.5)
    began = time.monotonic()

    with interrupted(server, times=1), pytest.raises(KeyboardInterrupt):
        hanging.sweep()

    assert time.monotonic() - began < LONG_S / 2
