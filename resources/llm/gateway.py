"""Asking models: reservation, sending, retries, stopping a model that cannot answer, settlement.

Every attempt is in the ledger. The retry loop is ours: litellm's would buy without a record.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from resources.failures import Failure, FailureKind, Redactor, classify
from resources.ledger import (
    Claim,
    Claimed,
    Completed,
    Failed,
    Ledger,
    Orphaned,
    Purse,
    Released,
    Reservation,
    StoredCall,
)
from resources.llm.calls import Call
from resources.llm.prices import PriceTable, cost_of
from resources.llm.replies import MalformedReply, read_reply
from resources.llm.route import Route
from resources.llm.writer import LedgerWriter
from resources.registries import ModelSpec
from resources.types import CallState, Outcome

RUN_OF_FAILURES = 10  # so many calls of a model failing one after the other stop it
_BUSY_POLL_S = 0.25
_LONGEST_BACKOFF_S = 30.0
_WALL_CLOCK_GRACE_S = 5.0
_HEARTBEAT_S = 30.0


class Status(StrEnum):
    """How a call stands after asking."""

    COMPLETED = "completed"
    FAILED = "failed"
    GIVEN_UP = "given_up"  # failed on too many nights; not sent
    OVER_BUDGET = "over_budget"  # not sent
    STOPPED = "stopped"  # not sent: the model or the sweep was stopped


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking.

    Attributes:
        held_usd: the part of the hold that is still reserved for verdicts.
        requests: requests sent for it.
        spent_usd: what they cost or may have cost; None when a price is unknown.
    """

    status: Status
    stored: StoredCall | None = None
    held_usd: float = 0.0
    requests: int = 0
    spent_usd: float | None = 0.0


@dataclass
class Tally:
    """What the gateway has done so far, for progress."""

    requests: int = 0
    completed: int = 0
    failed: int = 0
    cost_usd: float = 0.0


class Gateway:
    """Buys calls for one sweep; use it as an async context manager.

    Args:
        ledger: the record of all calls.
        purse: owner, sweep, day and caps.
        specs: every model that may be asked, judges too.
        local_state: folder of the embedded server's state.
    """

    def __init__(self, ledger: Ledger, purse: Purse, specs: Iterable[ModelSpec], local_state: Path) -> None:
        specs = list(specs)
        self._writer = LedgerWriter(ledger, purse)
        self._ledger = ledger
        self._owner = purse.owner
        self._redactor = Redactor(Route.secrets(specs))
        self._prices = PriceTable()
        self._route = Route(specs, self._prices, local_state)
        self._limits = _limits(specs)
        self._running: dict[str, asyncio.Task[Asked]] = {}
        self._row: Counter[str] = Counter()
        self._sending = 0
        self._heart: asyncio.Task[None] | None = None
        self.stopped: dict[str, str] = {}
        self.halted = False
        self.over_budget = False
        self.tally = Tally()

    async def __aenter__(self) -> "Gateway":
        await self._route.open()
        self._heart = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._heart is not None:
            self._heart.cancel()
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        await self._writer.close()
        self._route.close()

    def halt(self) -> None:
        """Sends nothing more; calls in flight go on until they end or the gateway is closed."""
        self.halted = True

    @property
    def in_flight(self) -> int:
        return self._sending

    async def ask(self, call: Call, *, hold_usd: float = 0.0, covered_usd: float = 0.0) -> Asked:
        """The answer to `call`, bought unless the ledger has it.

        Args:
            hold_usd: reserved beside the call for its verdicts, when it has to be bought.
            covered_usd: what an earlier hold covers of this call.

        Raises:
            LedgerError: when the ledger cannot be written; nothing more may be bought then.
        """
        if (other := self._running.get(call.call_id)) is not None:
            # Two items with one prompt are one call; the hold belongs to the first of them.
            first = await asyncio.shield(other)
            await self.release(covered_usd)
            return Asked(first.status, first.stored)
        task = asyncio.create_task(self._ask(call, hold_usd, covered_usd))
        self._running[call.call_id] = task
        try:
            return await asyncio.shield(task)
        finally:
            if task.done():
                del self._running[call.call_id]
            else:
                task.add_done_callback(lambda _: self._running.pop(call.call_id, None))

    async def release(self, held_usd: float) -> None:
        """Gives back a hold that no verdict needs."""
        if held_usd:
            await self._writer.settle(Released(held_usd))

    async def _ask(self, call: Call, hold_usd: float, covered_usd: float) -> Asked:
        spec = call.spec
        if self._stops(spec):
            await self.release(covered_usd)
            return Asked(Status.STOPPED)
        reserved = self._prices.largest(call)
        wish = Reservation(call.call_id, call.role, spec.id, call.request, reserved, hold_usd, covered_usd)
        sending = _Sending(call, reserved, covered_usd)
        try:
            return await self._until_answered(sending, wish)
        except asyncio.CancelledError:
            if sending.reserved:  # waiting to try again: nothing is in flight
                await self._fail(sending, Failure(FailureKind.CANCELLED, "stopped before a retry"), True)
            raise

    async def _until_answered(self, sending: "_Sending", wish: Reservation) -> Asked:
        spec = sending.call.spec
        started = time.monotonic()
        attempt = 0
        while True:
            async with self._limits[_lane(spec)]:
                if not sending.reserved:
                    claimed = await self._claim(wish)
                    if claimed.claim is not Claim.MINE:
                        return await self._not_mine(claimed, sending)
                    sending.reserved = True
                    sending.hold_left, sending.covered_usd = sending.hold_left or wish.hold_usd, 0.0
                    # A retry that reserves anew has its hold, and its cover is used up.
                    wish = replace(wish, hold_usd=0.0, covered_usd=0.0)
                attempt += 1
                result = await self._attempt(sending)
            if isinstance(result, Asked):
                return result
            wait = _backoff_s(attempt, result)
            last = attempt >= spec.retries.attempts or time.monotonic() - started + wait > spec.retries.seconds
            if not result.retryable or last or result.stops_model or self._stops(spec):
                return await self._fail(sending, result, True)
            await self._fail(sending, result, False)
            await asyncio.sleep(wait)
            if self._stops(spec):
                if not sending.reserved:
                    await self.release(sending.hold_left)
                    return Asked(Status.FAILED, None, 0.0, sending.requests, sending.spent_usd)
                return await self._fail(sending, result, True)

    def _stops(self, spec: ModelSpec) -> bool:
        return self.halted or spec.id in self.stopped

    async def _claim(self, wish: Reservation) -> Claimed:
        """The claim, once no other living owner has the call in flight."""
        while True:
            claimed = await self._writer.reserve(wish)
            if claimed.claim is not Claim.BUSY or self.halted:
                return claimed
            await asyncio.sleep(_BUSY_POLL_S)

    async def _not_mine(self, claimed: Claimed, sending: "_Sending") -> Asked:
        # What an earlier hold covers of an unsent call, or what a charged attempt still holds for its verdicts.
        await self.release(sending.covered_usd + sending.hold_left)
        match claimed.claim:
            case Claim.DONE:
                return Asked(Status.COMPLETED, claimed.stored)
            case Claim.GIVEN_UP:
                return Asked(Status.GIVEN_UP, claimed.stored)
            case Claim.OVER_BUDGET:
                self.over_budget = True
                return Asked(Status.OVER_BUDGET, None, 0.0, sending.requests, sending.spent_usd)
            case _:
                return Asked(Status.STOPPED)

    async def _attempt(self, sending: "_Sending") -> "Asked | Failure":
        """One request: an answer that is on disk, or what went wrong."""
        call, spec = sending.call, sending.call.spec
        self.tally.requests += 1
        sending.requests += 1
        self._sending += 1
        began = time.monotonic()
        try:
            response = await asyncio.wait_for(self._route.send(call), spec.timeout + _WALL_CLOCK_GRACE_S)
            reply = read_reply(response)
        except asyncio.CancelledError:
            sending.reserved = False
            await self._writer.settle(Orphaned(call.call_id, sending.reserved_usd, sending.hold_left))
            raise
        except MalformedReply as error:
            return Failure(FailureKind.MALFORMED, str(error), possibly_charged=True)
        except Exception as error:  # litellm's exceptions share no base class
            failure = classify(error, self._redactor)
            if failure.kind is FailureKind.CONTENT_FILTER:
                return await self._complete(sending, _filtered(call, sending, failure, time.monotonic() - began))
            if failure.kind is FailureKind.CONNECTION:
                await self._route.reconnect(spec)
            return failure
        finally:
            self._sending -= 1
        price = self._prices.of(spec)
        cost = None
        if price is not None and reply.input_tokens is not None and reply.output_tokens is not None:
            cost = cost_of(price, reply.input_tokens, reply.cached_tokens, reply.output_tokens)
        completed = Completed(
            call_id=call.call_id,
            reserved_usd=sending.reserved_usd,
            outcome=reply.outcome,
            text=self._redactor.text(reply.text),
            finish_reason=reply.finish_reason,
            served_model=reply.served_model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            reasoning_tokens=reply.reasoning_tokens,
            cost_usd=cost,
            latency_s=time.monotonic() - began,
            reply=self._redactor.text(response.model_dump_json()),
            release_usd=0.0 if reply.outcome is Outcome.ANSWERED else sending.hold_left,
        )
        return await self._complete(sending, completed)

    async def _complete(self, sending: "_Sending", completed: Completed) -> Asked:
        await self._writer.settle(completed)
        spec = sending.call.spec
        self._row[spec.id] = 0
        self.tally.completed += 1
        self.tally.cost_usd += completed.cost_usd or 0.0
        sending.spend(completed.cost_usd)
        held = sending.hold_left - completed.release_usd
        return Asked(Status.COMPLETED, _as_stored(completed), held, sending.requests, sending.spent_usd)

    async def _fail(self, sending: "_Sending", failure: Failure, final: bool) -> Asked:
        """Records a failed attempt; the last one releases the hold and may stop the model."""
        call, spec = sending.call, sending.call.spec
        message = self._redactor.text(failure.message)
        if failure.possibly_charged:
            self.tally.cost_usd += sending.reserved_usd or 0.0
            sending.spend(sending.reserved_usd)
        event = Failed(
            call.call_id,
            sending.reserved_usd,
            failure.kind,
            message,
            charged=failure.possibly_charged,
            final=final,
            release_usd=sending.hold_left if final else 0.0,
        )
        await self._writer.settle(event)
        if failure.possibly_charged:
            sending.reserved = False
        asked = Asked(Status.FAILED, None, 0.0, sending.requests, sending.spent_usd)
        if not final:
            return asked
        self.tally.failed += 1
        self._row[spec.id] += 1
        if failure.stops_model:
            self.stopped.setdefault(spec.id, message)
        elif self._row[spec.id] >= RUN_OF_FAILURES:
            reason = f"{RUN_OF_FAILURES} calls failed one after the other, the last with: {message}"
            self.stopped.setdefault(spec.id, reason)
        return asked

    async def _beat(self) -> None:
        while True:
            await asyncio.to_thread(self._ledger.heartbeat, self._owner)
            await asyncio.sleep(_HEARTBEAT_S)


@dataclass
class _Sending:
    """A call on its way: what is reserved for it, and for its verdicts, right now."""

    call: Call
    reserved_usd: float | None
    covered_usd: float
    reserved: bool = False
    hold_left: float = 0.0
    requests: int = 0
    spent_usd: float | None = 0.0

    def spend(self, usd: float | None) -> None:
        self.spent_usd = None if usd is None or self.spent_usd is None else self.spent_usd + usd


def _lane(spec: ModelSpec) -> tuple[str, str | None, str | None]:
    """Models behind one account share a limit."""
    return spec.provider, spec.api_base, spec.api_key_env


def _limits(specs: Iterable[ModelSpec]) -> dict[tuple[str, str | None, str | None], asyncio.Semaphore]:
    widest: dict[tuple[str, str | None, str | None], int] = {}
    for spec in specs:
        widest[_lane(spec)] = max(widest.get(_lane(spec), 1), spec.parallel)
    return {lane: asyncio.Semaphore(width) for lane, width in widest.items()}


def _backoff_s(attempt: int, failure: Failure) -> float:
    """Exponential with full jitter, and never sooner than the provider asks."""
    jittered = random.uniform(0.1, 1.0) * min(_LONGEST_BACKOFF_S, 0.5 * 2**attempt)
    return max(jittered, failure.retry_after_s or 0.0)


def _filtered(call: Call, sending: _Sending, failure: Failure, latency_s: float) -> Completed:
    """A prompt that the provider's filter refused with an error: final, and nothing was generated."""
    return Completed(
        call_id=call.call_id,
        reserved_usd=sending.reserved_usd,
        outcome=Outcome.FILTERED,
        text="",
        finish_reason="content_filter",
        served_model=None,
        input_tokens=None,
        output_tokens=None,
        reasoning_tokens=None,
        cost_usd=0.0,
        latency_s=latency_s,
        reply=failure.message,
        release_usd=sending.hold_left,
    )


def _as_stored(completed: Completed) -> StoredCall:
    return StoredCall(
        call_id=completed.call_id,
        state=CallState.COMPLETED,
        outcome=completed.outcome,
        text=completed.text,
        finish_reason=completed.finish_reason,
        served_model=completed.served_model,
        input_tokens=completed.input_tokens,
        output_tokens=completed.output_tokens,
        reasoning_tokens=completed.reasoning_tokens,
        cost_usd=completed.cost_usd,
        latency_s=completed.latency_s,
        error=None,
        failed_nights=0,
        completed_at=time.time(),
    )
