"""The desk: asks many models many things at once on one account, and hands each reply back as what was asked for.

Every call goes through the gateway, so that what was bought before is found and what is bought is on record.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic

from assets.authoring.replies import Shape, UnreadableReply, parse_reply
from assets.sweeps.interrupts import NotedInterrupts
from resources.installation import Installation
from resources.ledger import Purse
from resources.llm import Asked, Call, Gateway, Status, Tally, build_call, build_search
from resources.registries import ModelSpec
from resources.types import Outcome, Role

GRACE_S = 4.0  # how long calls in flight are waited for when a build is stopped
_REPORT_S = 0.5
WAITS = {
    Status.FAILED: "its call failed",
    Status.OVER_BUDGET: "the budget is reached",
    Status.STOPPED: "its model was stopped",
}
DEFAULT_RETRY = "Your last reply could not be read. Reply with the JSON object alone."


@dataclass(frozen=True)
class Ask:
    """One thing to ask of one model; `stricter` is what is added when its reply cannot be read."""

    spec: ModelSpec
    role: Role
    text: str
    stricter: str = DEFAULT_RETRY


@dataclass(frozen=True)
class Said(Generic[Shape]):
    """What came of asking.

    Attributes:
        value: the reply; None when there is none that can be read.
        unreadable: why it cannot be read, asked twice; that is final.
        waits: why there is no reply yet; a later build asks again.
        call_id: of the last call.
        cost_usd: of all its calls; None when a price is unknown.
    """

    spec: ModelSpec
    value: Shape | None
    unreadable: str | None = None
    waits: str | None = None
    call_id: str | None = None
    cost_usd: float | None = 0.0
    answered_at: float | None = None


class Desk:
    """Use it as a context manager; calls are in flight only inside it.

    Args:
        purse: on whose account.
        specs: every model that may be asked.
        on_progress: called about twice a second while replies are waited for.
    """

    def __init__(
        self,
        installation: Installation,
        purse: Purse,
        specs: Sequence[ModelSpec],
        on_progress: Callable[[Tally], None] = lambda tally: None,
    ) -> None:
        self._installation = installation
        self._gateway = Gateway(installation.ledger, purse, specs, installation.home.local_models)
        self._on_progress = on_progress
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="desk", daemon=True)
        self._endpoints = {spec.id: installation.endpoint(spec) for spec in specs}

    def __enter__(self) -> "Desk":
        self._thread.start()
        self._in_loop(self._gateway.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._in_loop(self._gateway.__aexit__(None, None, None))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(GRACE_S)
            if not self._thread.is_alive():
                self._loop.close()

    @property
    def tally(self) -> Tally:
        return self._gateway.tally

    @property
    def over_budget(self) -> bool:
        return self._gateway.over_budget

    @property
    def stopped(self) -> dict[str, str]:
        """By model, why nothing more is sent to it."""
        return self._gateway.stopped

    def ask(self, asks: Sequence[Ask], shape: type[Shape]) -> list[Said[Shape]]:
        """The reply to each of `asks`; one that cannot be read is asked for once more, in stricter words.

        Raises:
            LedgerError: when replies cannot be recorded.
            BaseException: an interrupt, once what is in flight has come to rest.
        """
        first = self.buy([self._call(ask, ask.text) for ask in asks])
        said = [_said(ask, asked, shape) for ask, asked in zip(asks, first, strict=True)]
        again = [place for place, one in enumerate(said) if one.unreadable is not None and one.call_id]
        second = self.buy([self._call(asks[place], f"{asks[place].text}\n\n{asks[place].stricter}") for place in again])
        for place, asked in zip(again, second, strict=True):
            said[place] = _said(asks[place], asked, shape, before=said[place])
        return said

    def call(self, spec: ModelSpec, role: Role, text: str) -> Call:
        """The call that asks `spec` this once and for all."""
        return build_call(role, spec, self._endpoints[spec.id], text, sample=0, epoch=0)

    def search(self, spec: ModelSpec, query: str, hosts: Sequence[str]) -> Call:
        """The call that asks a search provider this once and for all."""
        return build_search(spec, self._endpoints[spec.id], query, hosts)

    def buy(self, calls: Sequence[Call]) -> list[Asked]:
        """What came of each call; those with one identity are one call."""
        if not calls:
            return []
        buying = asyncio.run_coroutine_threadsafe(self._buy(calls), self._loop)
        stopping = threading.Event()
        with NotedInterrupts(lambda: self._stop(stopping), lambda: _cancel(buying)) as interrupts:
            self._wait(buying, stopping)
        if interrupt := interrupts.raised():
            raise interrupt
        return buying.result()

    def _call(self, ask: Ask, text: str) -> Call:
        return self.call(ask.spec, ask.role, text)

    def _stop(self, stopping: threading.Event) -> None:
        stopping.set()
        self._loop.call_soon_threadsafe(self._gateway.halt)

    def _wait(self, buying: "Future[list[Asked]]", stopping: threading.Event) -> None:
        asked_to_stop_at: float | None = None
        ended = threading.Event()
        buying.add_done_callback(lambda _: ended.set())
        while not ended.wait(_REPORT_S):
            try:
                self._on_progress(self.tally)
            except BaseException:  # what Dagster raises on Terminate is no Exception
                self._stop(stopping)
                buying.cancel()
                raise
            if stopping.is_set():
                asked_to_stop_at = asked_to_stop_at or time.monotonic()
                if time.monotonic() - asked_to_stop_at > GRACE_S:
                    buying.cancel()

    async def _buy(self, calls: Sequence[Call]) -> list[Asked]:
        return list(await asyncio.gather(*(self._gateway.ask(call) for call in calls)))

    def _in_loop(self, coroutine: object) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()  # type: ignore[arg-type]


def _said(ask: Ask, asked: Asked, shape: type[Shape], before: Said[Shape] | None = None) -> Said[Shape]:
    stored = asked.stored
    if asked.status is Status.GIVEN_UP:
        return Said(ask.spec, None, unreadable="never came: its call failed on too many days and is not sent again")
    if asked.status is not Status.COMPLETED or stored is None:
        return Said(ask.spec, None, waits=WAITS[asked.status])
    cost = _sum(before.cost_usd if before else 0.0, stored.cost_usd)
    about = (stored.call_id, cost, stored.completed_at)
    if stored.outcome is not Outcome.ANSWERED:
        return Said(ask.spec, None, f"is {stored.outcome}", None, *about)
    try:
        return Said(ask.spec, parse_reply(stored.text or "", shape), None, None, *about)
    except UnreadableReply as error:
        return Said(ask.spec, None, str(error), None, *about)


def _cancel(buying: "Future[list[Asked]]") -> None:
    buying.cancel()


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
