"""Fixtures of this room: a world whose nights a test counts, and a provider whose model may change behind its name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from assets.drift.watching import DriftResult, watch
from tests.support.capitals import instance
from tests.support.receiver import receiver
from tests.support.replies import Reply, Request
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World

__all__ = ["instance", "receiver"]

ITEMS = 24
FIRST = date(2020, 3, 1)


@dataclass
class Provider:
    """Answers every sum rightly, and nothing else unless a test says so.

    Attributes:
        answer: what is said to a message; None answers rightly.
        served_model: the name that replies carry.
        fault: sent instead of answers, where it is one.
    """

    answer: Callable[[str], str | None] = lambda message: None
    served_model: str | None = "m-2020-01"
    fault: Reply | None = None
    verdict: Reply = field(default_factory=lambda: Reply(text="A"))

    def __call__(self, request: Request) -> Reply:
        if request.model == "judge":
            return self.verdict
        if self.fault is not None:
            return self.fault
        return Reply(text=self.answer(request.message) or "42", served_model=self.served_model)


@dataclass
class Watch:
    """Runs the watch night after night over a world's files as they stand."""

    world: World
    night: int = -1

    def run(self, nights: int = 1) -> DriftResult:
        """So many further nights; the result of the last."""
        for _ in range(nights - 1):
            self.night += 1
            self.again()
        self.night += 1
        return self.again()

    def again(self, on_progress: Callable[[object], None] = lambda tally: None) -> DriftResult:
        """The same night once more."""
        installation = self.world.open()
        try:
            return watch(installation, self.date, self.now, f"drift-{self.date}", on_progress)
        finally:
            installation.ledger.close()

    @property
    def date(self) -> str:
        return (FIRST + timedelta(self.night)).isoformat()

    @property
    def now(self) -> datetime:
        return datetime.combine(FIRST + timedelta(self.night), datetime.min.time(), UTC) + timedelta(hours=6)

    @property
    def sample(self) -> list[int]:
        """The sums that were asked last."""
        answers = self.world.table("drift_answers")
        last = answers.filter(pl.col("night") == pl.col("night").max())
        return [int(name.removeprefix("i")) for name in last["item_id"]]

    def row(self, model: str = "m") -> dict:
        """The model's last row of `drift`."""
        return self.rows(model)[-1]

    def rows(self, model: str = "m") -> list[dict]:
        return self.world.table("drift").filter(pl.col("model") == model).sort("night").to_dicts()


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def server(provider: Provider) -> Iterator[ScriptedServer]:
    with ScriptedServer(provider) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    """Swept: 30 sums, of which 24 are watched."""
    world = World.make(tmp_path, monkeypatch, server.url, concurrency=8)
    world.drift = {"items": ITEMS}
    world.ask_sums(30)
    world.sweep()
    return world


@pytest.fixture
def nights(world: World) -> Watch:
    return Watch(world)
