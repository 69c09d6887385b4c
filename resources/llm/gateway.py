"""Asking models: reservation, sending, retries, stopping a model that cannot answer, settlement.

Every attempt is in the ledger. The retry loop is ours: litellm's would buy without a record.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from resources.failures import Failure, FailureKind, Redactor, classify
from resources.ledger import Claim, Claimed, Completed, Ledger, LedgerError, Purse, Released, Reservation, Settlement
from resources.llm.asked import Asked, Status, Tally
from resources.llm.calls import Call
from resources.llm.errand import Errand, as_stored
from resources.llm.lanes import Lanes
from resources.llm.other_replies import read_response
from resources.llm.prices import PriceTable, cost_of
from resources.llm.replies import MalformedReply, Reply
from resources.llm.route import Route, keys, secrets
from resources.llm.stops import Stops
from resources.llm.writer import LedgerWriter
from resources.registries import ModelSpec
from resources.types import FactsweepError

POLL_S = 0.25
HEARTBEAT_S = 30.0
# litellm's own timeout, which starts again with every chunk, tells no connection (free) from no answer: it goes first.
_GRACE_S = 0.1


class Gateway:
    """Buys calls for one sweep; use it as an async context manager.

    Args:
        ledger: the record of all calls.
        purse: owner, sweep, day and caps.
        specs: every model that may be asked, judges too.
        local_state: folder of the embedded server's state.

    Attributes:
        over_budget: a cap left no room for some call.
        tally: what was done so far.
    """

    def __init__(self, ledger: Ledger, purse: Purse, specs: Iterable[ModelSpec], local_state: Path) -> None:
        self._specs = list(specs)
        self._ledger = ledger
        self._owner = purse.owner
        self._writer = LedgerWriter(ledger, purse)
        self._redactor = Redactor(secrets(self._specs))
        self._reply_redactor = Redactor(keys(self._specs))
        self._prices = PriceTable()
        self._route = Route(local_state)
        self._lanes = Lanes(self._specs)
        self._stops = Stops(self._specs)
        self._running: dict[str, tuple[Errand, asyncio.Task[Asked]]] = {}
        self._under_way = 0  # calls that have been reserved and are not settled for good
        self._held_usd = 0.0  # reserved for verdicts, beside the calls themselves
        self._heart: asyncio.Task[None] | None = None
        self.over_budget = False
        self.tally = Tally()

    async def __aenter__(self) -> "Gateway":
        self._route.open()
        for spec in self._specs:
            await self._connect(spec)
        self._heart = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.halt()
        tasks: list[asyncio.Task[Any]] = [task for _, task in self._running.values()]
        if self._heart is not None:
            tasks.append(self._heart)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(LedgerError):  # whoever was waiting for an answer has it already
            await self._give_back(self._held_usd)
        await self._writer.close()
        self._route.close()

    @property
    def stopped(self) -> dict[str, str]:
        """By model, why nothing more is sent to it."""
        return self._stops.reasons

    def halt(self) -> None:
        """Sends nothing more; calls in flight go on until they end or the gateway is closed."""
        self._stops.stop_all()

    async def ask(self, call: Call, *, hold_usd: float = 0.0, covered_usd: float = 0.0) -> Asked:
        """The answer to `call`, bought unless the ledger has it.

        Args:
            hold_usd: reserved beside the call for its verdicts, when it has to be bought.
            covered_usd: what an earlier hold covers of this call; it is used up or given back.

        Raises:
            LedgerError: when the ledger cannot be written; nothing more is bought then.
        """
        running = self._running.get(call.call_id)
        if running is not None:
            return await self._join(*running, covered_usd)
        errand = Errand(call, self._prices.largest(call), hold_usd, covered_usd)
        task = asyncio.create_task(self._ask(errand))
        self._running[call.call_id] = errand, task
        task.add_done_callback(lambda _: self._running.pop(call.call_id, None))
        return await asyncio.shield(task)

    async def release(self, held_usd: float) -> None:
        """Gives back a hold that no verdict needs."""
        await self._give_back(held_usd)

    async def _join(self, errand: Errand, task: "asyncio.Task[Asked]", covered_usd: float) -> Asked:
        """Two items with one prompt are one call; its requests and its hold belong to the first of them."""
        if errand.takes_cover:
            errand.covered_usd += covered_usd
        else:
            await self._give_back(covered_usd)
        first = await asyncio.shield(task)
        return Asked(first.status, first.stored)

    async def _ask(self, errand: Errand) -> Asked:
        try:
            return await self._until_settled(errand)
        except asyncio.CancelledError:
            await self._leave(errand)
            raise
        except LedgerError:
            self.halt()
            raise
        finally:
            if errand.under_way:
                self._under_way -= 1

    async def _until_settled(self, errand: Errand) -> Asked:
        spec = errand.call.spec
        lane = self._lanes.of(spec)
        while True:
            # A call that waits for anything but its answer leaves the lane to others. It keeps the road until its
            # answer is on disk, so that a kill costs no more answers than may be in flight.
            async with lane.entrance:
                if self._stops.stopped(spec):
                    return await self._leave(errand)
                came = None if errand.reserved else await self._claim(errand)
                if came is None:
                    async with lane.road:
                        if self._stops.stopped(spec):
                            return await self._leave(errand)
                        came = await self._attempt(errand)
                        if isinstance(came, Completed):
                            return await self._complete(errand, came)
            if isinstance(came, Claimed):
                if not self._waits(errand, came.claim):
                    return await self._not_mine(errand, came)
                await self._stops.pause(spec, POLL_S)
                continue
            wait_s = errand.wait_s(came)
            if wait_s is None or self._stops.stopped(spec):
                return await self._fail(errand, came)
            await self._put_off(errand, came)
            if came.kind is FailureKind.CONNECTION:
                await self._connect(spec)
            await self._stops.pause(spec, wait_s)

    async def _claim(self, errand: Errand) -> Claimed | None:
        """None when the call is reserved now, else what stands in the way."""
        while True:
            wish = errand.wish()
            committed = self._writer.reserve(wish)
            try:
                claimed = await asyncio.shield(committed)
            except asyncio.CancelledError:
                # It may be reserved all the same, and must be given back then.
                if (await committed).claim is Claim.MINE:
                    self._granted(errand, wish)
                raise
            if claimed.claim is Claim.MINE:
                self._granted(errand, wish)
                await self._give_back(errand.take_cover())
                return None
            if claimed.claim is not Claim.OVER_BUDGET or errand.covered_usd <= wish.covered_usd:
                return claimed

    def _granted(self, errand: Errand, wish: Reservation) -> None:
        if not errand.under_way:
            self._under_way += 1
        self._held_usd += errand.granted(wish)

    def _waits(self, errand: Errand, claim: Claim) -> bool:
        """Whether a call that cannot be reserved may be in a moment.

        A cap counts reservations, which are far dearer than most answers: what is under way makes
        room when it is settled. Only a call that nothing is held for waits, so none waits for itself.
        """
        if claim is Claim.OVER_BUDGET:
            alone = not errand.requests and not errand.covered_usd
            return alone and (self._under_way > 0 or self._held_usd > 1e-9)
        return claim is Claim.BUSY

    async def _not_mine(self, errand: Errand, claimed: Claimed) -> Asked:
        await self._give_back(errand.take_unused())
        if claimed.claim is Claim.OVER_BUDGET:
            self.over_budget = True
        return errand.asked(_STATUS[claimed.claim], claimed.stored)

    async def _leave(self, errand: Errand) -> Asked:
        """Ends a call that waits: nothing of it is in flight, and what is reserved for it is given back."""
        if errand.reserved:
            await self._settle(errand.unsent())
        await self._give_back(errand.take_unused())
        return errand.asked(Status.STOPPED)

    async def _attempt(self, errand: Errand) -> Completed | Failure:
        """One request: what it brought, not yet on disk."""
        spec = errand.call.spec
        self.tally.requests += 1
        if not errand.requests:
            errand.begins(self._stops.begin(spec))
        errand.requests += 1
        began = time.monotonic()
        try:
            async with asyncio.timeout(spec.timeout + _GRACE_S):
                response = await self._route.send(errand.call)
            reply, record = read_response(errand.call.kind, response)
            cost_usd = self._cost(spec, reply)
            return errand.answered(reply, record, cost_usd, time.monotonic() - began, self._reply_redactor)
        except asyncio.CancelledError:
            await self._settle(errand.orphaned())
            raise
        except MalformedReply as error:
            return Failure(FailureKind.MALFORMED, str(error), possibly_charged=True)
        except Exception as error:  # litellm's exceptions share no base class
            failure = classify(error, self._redactor)
        if failure.kind is FailureKind.CONTENT_FILTER:
            return errand.filtered(failure, time.monotonic() - began)
        return failure

    def _cost(self, spec: ModelSpec, reply: Reply) -> float | None:
        if reply.input_tokens is None or reply.output_tokens is None:
            return None
        price = self._prices.of(spec, reply.input_tokens)
        return None if price is None else cost_of(price, reply.input_tokens, reply.cached_tokens, reply.output_tokens)

    async def _complete(self, errand: Errand, completed: Completed) -> Asked:
        self.tally.completed += 1
        self.tally.cost_usd += completed.cost_usd or 0.0
        errand.spend(completed.cost_usd)
        held_usd = errand.hand_over(completed)
        await self._settle(completed)
        return errand.asked(Status.COMPLETED, as_stored(completed), held_usd)

    async def _put_off(self, errand: Errand, failure: Failure) -> None:
        """Records a failed attempt that is followed by another."""
        self._count_charge(errand, failure)
        await self._settle(errand.put_off(failure))

    async def _fail(self, errand: Errand, failure: Failure) -> Asked:
        """Records the last attempt; it may stop the model."""
        self.tally.failed += 1
        self._stops.failed(errand.call.spec, errand.number, failure)
        self._count_charge(errand, failure)
        await self._settle(errand.failed(failure))
        return errand.asked(Status.FAILED)

    def _count_charge(self, errand: Errand, failure: Failure) -> None:
        if failure.possibly_charged:
            self.tally.cost_usd += errand.largest_usd or 0.0
            errand.spend(errand.largest_usd)

    async def _connect(self, spec: ModelSpec) -> None:
        try:
            await self._route.connect(spec)
        except FactsweepError as error:
            self._stops.stop(spec, str(error))

    async def _give_back(self, usd: float) -> None:
        if usd > 0:
            await self._settle(Released(usd))

    async def _settle(self, event: Settlement) -> None:
        """On disk when it returns; a caller that is cancelled meanwhile does not keep it from being written."""
        try:
            await self._writer.settle(event)
        finally:
            self._held_usd -= event.release_usd

    async def _beat(self) -> None:
        while True:
            with suppress(LedgerError):  # who buys sees it too; a missed beat only matters to other hosts
                await asyncio.to_thread(self._ledger.heartbeat, self._owner)
            await asyncio.sleep(HEARTBEAT_S)


_STATUS = {
    Claim.DONE: Status.COMPLETED,
    Claim.GIVEN_UP: Status.GIVEN_UP,
    Claim.OVER_BUDGET: Status.OVER_BUDGET,
}
