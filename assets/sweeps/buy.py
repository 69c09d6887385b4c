"""Buying: all missing answers of all due partitions, and each one's verdict as it arrives, in one async engine.

Knows no tables: what is bought stands in the ledger, and `record.py` reads it from there.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from assets.sweeps.interrupts import NotedInterrupts
from assets.sweeps.plan import Planned
from assets.sweeps.work import Unit, Workbook, is_answer
from resources.installation import Installation
from resources.ledger import LedgerError, Purse
from resources.llm import Asked, Gateway, PriceTable, Status
from resources.llm.gateway import Tally
from resources.llm.lanes import ahead
from resources.registries import ModelSpec

GRACE_S = 4.0  # how long calls in flight are waited for when a sweep is stopped
_PATIENCE_S = 3 * GRACE_S  # how long the engine itself may take to stop
_REPORT_S = 0.5
OVER_BUDGET = "the budget is reached"


@dataclass(frozen=True)
class Progress:
    """How far buying is."""

    requests: int
    completed: int
    failed: int
    cost_usd: float
    seconds: float


@dataclass
class Share:
    """What one partition bought; dollars are None when a price is unknown."""

    requests: int = 0
    usd: float | None = 0.0

    def add(self, asked: Asked) -> None:
        self.requests += asked.requests
        self.usd = None if self.usd is None or asked.spent_usd is None else self.usd + asked.spent_usd


@dataclass(frozen=True)
class Bought:
    """What came of buying.

    Attributes:
        shares: by partition.
        stopped: by model, why it was stopped.
        over_budget: a cap ended the sweep.
        interrupt: Ctrl-C or Terminate, to be raised again once what was bought is recorded.
    """

    shares: dict[tuple[str, str], Share] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    over_budget: bool = False
    interrupt: BaseException | None = None

    def share(self, key: tuple[str, str]) -> Share:
        return self.shares.get(key, Share())

    def stop_reason(self, model: str, judge: str | None) -> str | None:
        """Why a model's partitions may not be complete; None when nothing stopped them."""
        if reason := self.stopped.get(model):
            return f"stopped: {reason}"
        if judge and (reason := self.stopped.get(judge)):
            return f"the judge stopped: {reason}"
        if self.interrupt is not None:
            return "cancelled"
        return OVER_BUDGET if self.over_budget else None


def buy(
    installation: Installation,
    due: list[Planned],
    purse: Purse,
    on_progress: Callable[[Progress], None],
) -> Bought:
    """Buys what the due partitions miss; on an interrupt what is in flight is waited for briefly.

    Args:
        due: planned partitions; those of baselines are skipped.
        purse: on whose account.
        on_progress: called about twice a second from this thread.

    A second interrupt does without the wait.

    Raises:
        LedgerError: when answers cannot be recorded; buying has stopped.
    """
    engine = _Engine(installation, [planned for planned in due if planned.target.spec is not None], purse)
    if not engine.partitions:
        return Bought()
    # A thread of its own, since an interrupt is raised in the main thread wherever it stands, and
    # inside an event loop it would tear calls that are being settled. It keeps no process from ending.
    thread = threading.Thread(target=engine.run, name="sweep-engine", daemon=True)
    began = time.monotonic()
    error: BaseException | None = None
    with NotedInterrupts(engine.stop, engine.stop_at_once) as interrupts:
        thread.start()
        # Not thread.join(): Python 3.11 takes a thread for ended when an interrupt hits a join of it.
        while not engine.ended.is_set() and not engine.overdue:
            try:
                engine.ended.wait(_REPORT_S)
                on_progress(engine.progress(time.monotonic() - began))
            except BaseException as raised:  # also what Dagster raises on Terminate, which is no Exception
                error = error or raised
                engine.stop()
    if engine.error is not None:
        raise engine.error
    return engine.bought(error or interrupts.raised())


async def _finished(workers: list[asyncio.Task[None]]) -> None:
    """Returns when all workers are done, or one has failed."""
    await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)


class _Engine:
    def __init__(self, installation: Installation, due: list[Planned], purse: Purse) -> None:
        self.partitions = due
        self.error: BaseException | None = None
        self.ended = threading.Event()
        self._installation = installation
        self._purse = purse
        self._prices = PriceTable()
        self._gateway: Gateway | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._stop_asked_at: float | None = None
        self._hurry: asyncio.Event | None = None
        self._shares: dict[tuple[str, str], Share] = {planned.key: Share() for planned in due}

    def run(self) -> None:
        try:
            asyncio.run(self._run())
        except BaseException as error:  # raised again in the caller's thread
            self.error = error
        finally:
            self.ended.set()

    def stop(self) -> None:
        """Asks the engine, from another thread, to send nothing more and to end within the grace."""
        if self._stop_asked_at is None:
            self._stop_asked_at = time.monotonic()
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._stop.set)

    def stop_at_once(self) -> None:
        """As `stop`, without the grace for calls in flight: they count as spent."""
        if self._loop is not None and self._hurry is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._hurry.set)

    @property
    def overdue(self) -> bool:
        """Whether it was asked to stop long ago and has not ended: something in it hangs."""
        return self._stop_asked_at is not None and time.monotonic() - self._stop_asked_at > _PATIENCE_S

    def progress(self, seconds: float) -> Progress:
        tally = self._gateway.tally if self._gateway else Tally()
        return Progress(tally.requests, tally.completed, tally.failed, tally.cost_usd, seconds)

    def bought(self, interrupt: BaseException | None) -> Bought:
        gateway = self._gateway
        if gateway is None:  # interrupted before the first call
            return Bought(interrupt=interrupt)
        return Bought(self._shares, dict(gateway.stopped), gateway.over_budget, interrupt)

    async def _run(self) -> None:
        self._loop, self._stop, self._hurry = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        if self._stop_asked_at is not None:
            return
        async with Gateway(
            self._installation.ledger, self._purse, self._specs(), self._installation.home.local_models
        ) as gateway:
            self._gateway = gateway
            workers = [
                asyncio.create_task(self._work(units))
                for spec in {planned.target.model: planned.target.spec for planned in self.partitions}.values()
                if spec is not None
                for units in [self._units(spec)]
                for _ in range(spec.parallel + ahead(spec.parallel))
            ]
            stopper = asyncio.create_task(self._stop.wait())
            finished = asyncio.create_task(_finished(workers))
            await asyncio.wait({stopper, finished}, return_when=asyncio.FIRST_COMPLETED)
            if not finished.done():
                gateway.halt()
                hurry = asyncio.create_task(self._hurry.wait())
                in_flight = asyncio.gather(*workers, return_exceptions=True)
                await asyncio.wait({hurry, in_flight}, timeout=GRACE_S, return_when=asyncio.FIRST_COMPLETED)
                hurry.cancel()
            for task in (stopper, finished, *workers):
                task.cancel()
            for came in await asyncio.gather(*workers, return_exceptions=True):
                if isinstance(came, Exception):
                    raise came

    def _specs(self) -> list[ModelSpec]:
        specs = {}
        for planned in self.partitions:
            for spec in (planned.target.spec, planned.target.judge):
                if spec is not None:
                    specs[spec.id] = spec
        return list(specs.values())

    def _units(self, spec: ModelSpec) -> Iterator[tuple[Workbook, Unit]]:
        """The open units of one model over all its partitions, made as workers ask for them."""
        for planned in self.partitions:
            if planned.target.model == spec.id:
                book = Workbook(self._installation, planned.target)
                for unit in book.open_units(planned.items):
                    yield book, unit

    async def _work(self, units: Iterator[tuple[Workbook, Unit]]) -> None:
        """One worker of a model: unit after unit until none is left, or the model or the budget stops it."""
        assert self._gateway is not None
        for book, unit in units:
            try:
                goes_on = await self._answer_and_judge(book, unit)
            except LedgerError:
                self._gateway.halt()
                raise
            if not goes_on:
                return

    async def _answer_and_judge(self, book: Workbook, unit: Unit) -> bool:
        """Whether the worker may go on to the next unit."""
        gateway, judge = self._gateway, book.judge
        assert gateway is not None
        if unit.answered:
            if judge is not None:
                return await self._judge(book, unit, unit.text, 0.0)
            return True
        hold = 0.0
        if judge is not None:
            hold = 2 * (self._prices.largest_of(judge.spec, judge.largest_prompt_bytes(unit.item)) or 0.0)
        asked = await gateway.ask(unit.call, hold_usd=hold)
        self._shares[book.target.key].add(asked)
        if asked.status is Status.COMPLETED and judge is not None and is_answer(asked.stored):
            assert asked.stored is not None
            return await self._judge(book, unit, asked.stored.text or "", asked.held_usd)
        return asked.status not in (Status.STOPPED, Status.OVER_BUDGET)

    async def _judge(self, book: Workbook, unit: Unit, answer: str, held_usd: float) -> bool:
        """One verdict, with one stricter try where the reply is no label."""
        gateway, judge = self._gateway, book.judge
        assert gateway is not None and judge is not None
        for stricter, cover in ((False, held_usd / 2), (True, held_usd / 2)):
            asked = await gateway.ask(book.verdict_call(judge, unit.item, answer, stricter=stricter), covered_usd=cover)
            self._shares[book.target.key].add(asked)
            if asked.status is not Status.COMPLETED or asked.stored is None:
                if not stricter:
                    await gateway.release(held_usd / 2)
                # A judge that cannot answer does not keep the models from answering: a later sweep judges.
                return asked.status is not Status.OVER_BUDGET
            if not judge.read(asked.stored, stricter=stricter).retry:
                if not stricter:
                    await gateway.release(held_usd / 2)
                return True
        return True
