"""A fortnight without a person: what each night buys, who is told what, how everything stands, and the money."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from dagster import DagsterInstance, SensorResult, build_sensor_context

from assets.drift.watching import watch
from assets.sweeps.plan import make_plan
from assets.sweeps.request import Request as Wish
from orchestration.definitions import build_definitions
from orchestration.model_sensor import new_models_sensor
from orchestration.resources import InstallationResource
from resources import installation as clock
from resources.listings import Listed
from tests.support.books import Price
from tests.support.receiver import Receiver
from tests.support.replies import Reply, Request, server_error
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, World

START = datetime(2026, 3, 1, 2, tzinfo=UTC)
ITEMS = 12
WATCHED = 6
PRICES = {"input": 1.0, "output": 2.0}


@dataclass
class Night:
    """What one night came to.

    Attributes:
        bought: requests by model.
        told: first lines of what the webhook got.
        states: by model, how its partition stands afterwards.
        alarms: models that the drift watch raises the alarm for.
    """

    bought: Counter[str]
    told: list[str]
    states: dict[str, str]
    alarms: list[str]


@dataclass
class Operation:
    """An installation that runs by itself, on a clock of its own."""

    world: World
    server: ScriptedServer
    receiver: Receiver
    instance: DagsterInstance
    listed: list[str] = field(default_factory=list)
    answer: str = "42"
    out: bool = False
    latency_s: float = 0.0
    day: int = 0

    @property
    def now(self) -> datetime:
        return START + timedelta(days=self.day)

    def reply(self, request: Request) -> Reply:
        if self.out:
            return server_error()
        return Reply(text=self.answer if request.model == "m" else "42", latency_s=self.latency_s)

    def night(self) -> Night:
        """The sensor's tick, the sweeps that it requests, the nightly sweep and the drift watch."""
        self.day += 1
        asked, told = Counter(self.server.asked), len(self.receiver.posts)
        context = build_sensor_context(instance=self.instance)
        found = new_models_sensor(context, installation=InstallationResource())
        for request in (found.run_requests or []) if isinstance(found, SensorResult) else []:
            self.sweep(request.run_config, dict(request.tags) | {"dagster/run_key": str(request.run_key)})
        self.sweep({}, {})
        drifted = watch(self.world.open(), f"{self.now:%Y-%m-%d}", self.now, f"drift-{self.day}")
        bought: Counter[str] = Counter()
        for (model, _), count in (Counter(self.server.asked) - asked).items():
            bought[model] += count
        opened = self.world.open()
        return Night(
            bought,
            [post["text"].splitlines()[0] for post in self.receiver.posts[told:]],
            {planned.target.model: planned.state.value for planned in make_plan(opened, Wish()).partitions},
            drifted.rows.filter(pl.col("alarm"))["model"].to_list(),
        )

    def sweep(self, config: Mapping[str, Any], tags: Mapping[str, str]) -> None:
        job = build_definitions().resolve_job_def("sweep")
        job.execute_in_process(run_config=dict(config), instance=self.instance, tags=dict(tags), raise_on_error=False)

    def killed_sweep(self, after: int) -> None:
        """A sweep in a process of its own, killed after so many answers."""
        before = self.server.stats.completed
        self.latency_s = 0.2
        command = [sys.executable, "-c", "from orchestration.cli import main; main()", "sweep", "--bank", BANK]
        process = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
        )
        deadline = time.monotonic() + 120
        while self.server.stats.completed < before + after and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(0.5)  # what was in flight is answered, and nobody hears it
        self.latency_s = 0.0


@pytest.fixture
def operation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Operation]:
    """One model over twelve items with one answer, a budget, a drift watch, a rule for new models, a webhook."""
    price = Price(PRICES["input"], PRICES["output"], PRICES["input"])
    with (
        ScriptedServer(prices={name: price for name in ("m", "gpt-a", "gpt-b")}) as server,
        Receiver() as receiver,
        DagsterInstance.ephemeral() as instance,
    ):
        world = World.make(tmp_path, monkeypatch, server.url)
        made = Operation(world, server, receiver, instance)
        server.script = made.reply
        monkeypatch.setenv("FACTSWEEP_WEBHOOK", receiver.url)
        monkeypatch.setattr("resources.listings.list_models", lambda rules: [Listed(name) for name in made.listed])
        _set_clock(monkeypatch, made)
        world.discovery = [{"provider": "hosted_vllm", "api_base": server.url, "include": ["gpt-*"]}]
        world.drift = {"items": WATCHED, "baseline_nights": 3}
        world.ask_sums(ITEMS)
        yield made


def _set_clock(monkeypatch: pytest.MonkeyPatch, operation: Operation) -> None:
    """Every module's `utc_now` tells the operation's time."""
    real = clock.utc_now
    for module in list(sys.modules.values()):
        if getattr(module, "utc_now", None) is real:
            monkeypatch.setattr(module, "utc_now", lambda: operation.now)


def test_a_fortnight(operation: Operation) -> None:
    world = operation.world

    first = operation.night()
    assert first.bought == {"m": ITEMS + WATCHED}
    assert first.states == {"m": "fresh"}
    assert len(first.told) == 1

    quiet = operation.night()
    assert quiet.bought == {"m": WATCHED}, "nothing is to do but the drift watch"
    assert quiet.told == []

    operation.listed = ["gpt-a", "tts-1"]
    new = operation.night()
    assert new.bought == {"m": WATCHED, "gpt-a": ITEMS + WATCHED}
    assert new.states == {"m": "fresh", "hosted_vllm/gpt-a": "fresh"}
    assert len(new.told) == 1 and "new" in new.told[0]

    prompts = world.root / "banks" / BANK / "prompts"
    prompts.mkdir()
    (prompts / "answer.md").write_text("{{ domain }}, {{ topic }}: {{ question }} {{ options | length }}\n")
    edited = operation.night()
    assert edited.bought == {"m": ITEMS + WATCHED, "gpt-a": ITEMS + WATCHED}

    for item in world.items[:10]:
        item["question"] += " Digits only."
    world.write()
    changed = operation.night()
    assert changed.bought["m"] - WATCHED == 10 and changed.bought["gpt-a"] - WATCHED == 10, "the ten edited items only"

    paid = world.open().ledger.frame()["cost_usd"].sum()
    costs = world.table("partitions").filter(pl.col("model") == "m")["cost_usd"].item()
    world.models[0]["price"] = {"input": 2.0, "output": 4.0}
    world.write()
    repriced = operation.night()
    assert repriced.bought == {"m": WATCHED, "gpt-a": WATCHED}, "a price buys nothing"
    assert world.table("partitions").filter(pl.col("model") == "m")["cost_usd"].item() == pytest.approx(2 * costs)
    world.models[0]["price"] = dict(PRICES)
    world.write()
    operation.night()
    assert world.open().ledger.frame()["cost_usd"].sum() > paid

    for item in world.items:
        item["question"] += " Thank you."
    world.write()
    before = completed_calls(world)
    operation.killed_sweep(after=ITEMS + 6)
    kept = completed_calls(world) - before
    assert 0 < kept < 2 * ITEMS
    whole = operation.night()
    assert set(whole.states.values()) == {"fresh"}
    assert sum(whole.bought.values()) - 2 * WATCHED == 2 * ITEMS - kept, "exactly what was not yet bought"

    world.items[0]["question"] += " Please."
    world.write()
    operation.out = True
    outage = operation.night()
    assert set(outage.states.values()) == {"incomplete"}
    assert outage.alarms == [], "an outage is no drift"
    assert any("fail" in line for line in outage.told)
    operation.out = False
    healed = operation.night()
    assert {model: count - WATCHED for model, count in healed.bought.items()} == {"m": 1, "gpt-a": 1}
    assert set(healed.states.values()) == {"fresh"}
    assert operation.night().alarms == []

    operation.answer = "41"
    swapped = operation.night()
    assert swapped.alarms == ["m"], "a model that answers otherwise is told, and no other"

    operation.listed = ["tts-1"]
    assert operation.night().states.keys() == {"m", "hosted_vllm/gpt-a"}, "one listing may be a hiccup"
    assert operation.night().states.keys() == {"m"}, "what vanished is not asked any more"
    assert world.table("leaderboard").filter(pl.col("retired"))["model"].to_list() == ["hosted_vllm/gpt-a"]
    assert operation.day == 14

    _money_adds_up(operation)


def completed_calls(world: World) -> int:
    return world.open().ledger.frame().filter(pl.col("state") == "completed").height


def _money_adds_up(operation: Operation) -> None:
    """The ledger's dollars are the server's own, but for the night at twice the price and what a kill left unheard."""
    frame = operation.world.open().ledger.frame()
    completed = frame.filter(pl.col("state") == "completed")
    tokens = completed.select(
        (pl.col("input_tokens") * PRICES["input"] + pl.col("output_tokens") * PRICES["output"]) / 1e6
    ).to_series()
    unheard = operation.server.stats.billed - completed.height
    assert 0 <= unheard <= 4 + ITEMS, "only what was in flight when the process was killed"
    assert 0.85 * operation.server.stats.dollars < tokens.sum() < operation.server.stats.dollars * (1 + 1e-9)
