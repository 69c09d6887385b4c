"""A gateway that buys from a scripted server into a ledger of its own, and an audit of what it did."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from resources.ledger import Ledger, Owner, Purse, StoredCall
from resources.llm import Asked, Call, Gateway, build_call
from resources.llm.route import configured_litellm
from resources.registries import ModelSpec
from resources.types import CallState, Role
from tests.support.replies import Reply, Rule, Script, rules
from tests.support.scripted_server import ScriptedServer

SWEEP = "sweep:s1"
# One cent a token of output and nothing for input, so that a call costs its max_tokens in cents at most.
CENT_A_TOKEN = {"input": 0.0, "output": 10_000.0}


BASES: dict[str, Callable[[ScriptedServer], str]] = {
    "hosted_vllm": lambda server: server.url,
    "openai": lambda server: server.url,
    "anthropic": lambda server: server.origin,
    "gemini": lambda server: f"{server.origin}/v1beta",
}


class Shop:
    """One scripted server and one ledger; each `buy` opens a gateway and asks all its calls at once."""

    def __init__(self, server: ScriptedServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.file = folder / "ledger.sqlite"
        self.ledger = Ledger(f"sqlite:///{self.file}")

    def spec(self, id: str = "m", route: str = "hosted_vllm", **more: Any) -> ModelSpec:
        """A model behind the server, whose calls cost at most one cent each."""
        fields = {
            "id": id,
            "model": f"{route}/{id}",
            "api_base": BASES[route](self.server),
            "params": {"max_tokens": 1},
            "price": CENT_A_TOKEN,
            "retries": {"attempts": 3, "seconds": 30},
            "timeout": 5,
            "concurrency": 64,
        }
        return ModelSpec.model_validate(fields | more)

    def answers(self, *replies: Reply | Script, otherwise: Reply | None = None) -> None:
        """The server's replies to each prompt, in their order; the last one, or `otherwise`, again and again."""

        def script(request) -> Reply:
            place = min(request.count, len(replies)) - 1
            chosen = replies[place] if request.count <= len(replies) else otherwise or replies[-1]
            return chosen(request) if callable(chosen) else chosen

        self.server.script = script

    def rules(self, *listed: Rule, otherwise: Reply | None = None) -> None:
        self.server.script = rules(*listed, otherwise=otherwise)

    @contextmanager
    def purse(self, cap: float | None = None) -> Iterator[Purse]:
        """An account of a new owner, with a cap on the sweep."""
        owner = Owner.register()
        try:
            yield Purse(owner, "s1", "2026-11-30", {} if cap is None else {SWEEP: cap})
        finally:
            owner.retire()

    def run(
        self, specs: Sequence[ModelSpec], act: Callable[[Gateway], Coroutine[Any, Any, Any]], cap: float | None = None
    ) -> Gateway:
        """Opens a gateway, lets `act` use it and closes it; gives it back for its `stopped` and the like."""

        async def opened(purse: Purse) -> Gateway:
            async with Gateway(self.ledger, purse, specs, self.folder) as gateway:
                await act(gateway)
            return gateway

        with self.purse(cap) as purse:
            return asyncio.run(opened(purse))

    def buy(self, *calls: Call, cap: float | None = None) -> tuple[Gateway, list[Asked]]:
        """What came of asking `calls`, all at once."""
        asked: list[Asked] = []

        async def act(gateway: Gateway) -> None:
            asked.extend(await asyncio.gather(*(gateway.ask(call) for call in calls)))

        specs = {call.spec.id: call.spec for call in calls}
        return self.run(list(specs.values()), act, cap), asked

    def ask(self, spec: ModelSpec, prompt: str = "Capital of France?") -> Asked:
        _, [asked] = self.buy(call(spec, prompt))
        return asked

    # -- what is on record ------------------------------------------------------------------------

    def stored(self, wanted: Call) -> StoredCall:
        return self.ledger.find([wanted.call_id])[wanted.call_id]

    def rows(self, query: str) -> list[tuple]:
        with sqlite3.connect(self.file) as connection:
            return connection.execute(query).fetchall()

    def failures(self) -> list[tuple[str, float | None]]:
        """(kind, what it may have cost) of each failed attempt, in their order."""
        return self.rows("select kind, charged_usd from failed_attempts order by id")

    def settled_usd(self) -> float:
        """What all calls cost or may have cost; an answer of unknown cost may have cost all that was reserved."""
        [(completed,)] = self.rows(
            "select coalesce(sum(coalesce(cost_usd, reserved_usd)), 0) from calls where state = 'completed'"
        )
        [(failed,)] = self.rows("select coalesce(sum(charged_usd), 0) from failed_attempts")
        return completed + failed

    def audit(self) -> None:
        """Nothing is left reserved or held, and the ledger counts the requests that the server received."""
        assert self.rows(f"select call_id from calls where state = '{CallState.RESERVED}'") == []
        assert self.ledger.spent(SWEEP) == pytest.approx(self.settled_usd(), abs=1e-9)
        [(requests,)] = self.rows("select coalesce(sum(attempts), 0) from calls")
        [(answers,)] = self.rows("select count(*) from calls where state = 'completed'")
        assert requests == answers + len(self.failures())
        # One that was cancelled on its way may not have arrived.
        cancelled = [kind for kind, _ in self.failures()].count("orphaned")
        assert requests - cancelled <= self.server.stats.received <= requests


def call(spec: ModelSpec, prompt: str = "Capital of France?", *, sample: int = 0, epoch: int = 0) -> Call:
    return build_call(Role.ANSWER, spec, spec.api_base, prompt, sample=sample, epoch=epoch)


def calls(spec: ModelSpec, count: int) -> list[Call]:
    return [call(spec, f"Question {number}?") for number in range(count)]


@cache
def _warm_up() -> None:
    """litellm loads much at each route's first call, which would count towards a short timeout."""
    litellm = configured_litellm()

    async def once(server: ScriptedServer) -> None:
        for route, base in BASES.items():
            arguments = {"api_base": base(server), "api_key": "none", "max_tokens": 1, "seed": 0}
            messages = [{"role": "user", "content": "warm up"}]
            await litellm.acompletion(
                model=f"{route}/m", messages=messages, allowed_openai_params=["seed"], **arguments
            )

    with ScriptedServer() as server:
        asyncio.run(once(server))


@contextmanager
def open_shop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """A shop whose gateways wait briefly where they would wait for seconds."""
    monkeypatch.setattr("resources.llm.errand.FIRST_BACKOFF_S", 0.02)
    monkeypatch.setattr("resources.llm.gateway.POLL_S", 0.02)
    _warm_up()
    with ScriptedServer() as server:
        shop = Shop(server, folder)
        yield shop
        shop.ledger.close()


async def received(shop: Shop, count: int, within_s: float = 10) -> None:
    """Until so many requests have reached the server."""
    async with asyncio.timeout(within_s):
        while shop.server.stats.received < count:
            await asyncio.sleep(0.01)


async def failed(shop: Shop, count: int) -> None:
    """Until so many attempts have failed."""
    async with asyncio.timeout(10):
        while len(shop.failures()) < count:
            await asyncio.sleep(0.01)


@pytest.fixture
def unaudited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    with open_shop(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture
def shop(unaudited: Shop) -> Iterator[Shop]:
    """A shop that is audited when the test is over."""
    yield unaudited
    unaudited.audit()
