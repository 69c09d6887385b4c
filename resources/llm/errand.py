"""A call on its way: what is reserved for it and for its verdicts right now, and the records that settle it.

Sends nothing and writes nothing; `gateway.py` does.
"""

import random
import time
from dataclasses import dataclass

from resources.failures import Failure, FailureKind, Redactor
from resources.ledger import Completed, Failed, Orphaned, Reservation, StoredCall, Unsent
from resources.llm.asked import Asked, Status
from resources.llm.calls import Call
from resources.llm.replies import Reply
from resources.types import CallState, Outcome

FIRST_BACKOFF_S = 1.0
LONGEST_BACKOFF_S = 30.0


@dataclass(slots=True)
class Errand:
    """One call being bought.

    Attributes:
        largest_usd: the most that one request can cost; None when the price is unknown.
        wanted_usd: to be held for its verdicts once it is reserved.
        covered_usd: what an earlier hold covers of it, until it is reserved.
        held_usd: held for its verdicts now.
        reserved: a reservation stands in the ledger.
        under_way: it has been reserved, now or before.
        takes_cover: it is not reserved yet, so that another asker's hold may cover it.
        requests: requests sent.
        spent_usd: what they cost or may have cost; None when a price is unknown.
        number: among the calls of its model, in the order of their first requests.
        began: monotonic time of the first request.
    """

    call: Call
    largest_usd: float | None
    wanted_usd: float
    covered_usd: float
    held_usd: float = 0.0
    reserved: bool = False
    under_way: bool = False
    takes_cover: bool = True
    requests: int = 0
    spent_usd: float | None = 0.0
    number: int = 0
    began: float = 0.0

    def wish(self) -> Reservation:
        call = self.call
        return Reservation(
            call.call_id, call.role, call.spec.id, call.request, self.largest_usd, self.wanted_usd, self.covered_usd
        )

    def granted(self, wish: Reservation) -> float:
        """Is reserved from now on; one that is reserved again has its hold, and its cover is used up.

        Returns:
            By how many dollars all holds together grow.
        """
        self.reserved, self.under_way, self.takes_cover = True, True, False
        self.held_usd += wish.hold_usd
        self.wanted_usd = 0.0
        self.covered_usd -= wish.covered_usd
        return wish.hold_usd - wish.covered_usd

    def begins(self, number: int) -> None:
        """Its first request is sent."""
        self.number = number
        self.began = time.monotonic()

    def spend(self, usd: float | None) -> None:
        self.spent_usd = None if usd is None or self.spent_usd is None else self.spent_usd + usd

    def wait_s(self, failure: Failure) -> float | None:
        """Seconds until the next try; None when the model's retries allow none.

        Exponential with full jitter, and never sooner than the provider asks.
        """
        retries = self.call.spec.retries
        backoff = random.uniform(0.1, 1.0) * min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2 ** (self.requests - 1))
        wait = max(backoff, failure.retry_after_s or 0.0)
        in_time = time.monotonic() - self.began + wait <= retries.seconds
        return wait if failure.retryable and self.requests < retries.attempts and in_time else None

    def asked(self, status: Status, stored: StoredCall | None = None, held_usd: float = 0.0) -> Asked:
        return Asked(status, stored, held_usd, self.requests, self.spent_usd)

    # -- what settles it; each ends the reservation or says that it stays ---------------------------

    def answered(
        self, reply: Reply, raw_reply: str, cost_usd: float | None, latency_s: float, redactor: Redactor
    ) -> Completed:
        """A reply; what is not an answer needs no verdict, so its hold is given back."""
        keeps_hold = reply.outcome is Outcome.ANSWERED
        return Completed(
            call_id=self.call.call_id,
            reserved_usd=self.largest_usd,
            outcome=reply.outcome,
            text=redactor.text(reply.text),
            finish_reason=reply.finish_reason and redactor.text(reply.finish_reason),
            served_model=reply.served_model and redactor.text(reply.served_model),
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            reasoning_tokens=reply.reasoning_tokens,
            cost_usd=cost_usd,
            latency_s=latency_s,
            reply=redactor.text(raw_reply),
            release_usd=0.0 if keeps_hold else self.held_usd,
        )

    def filtered(self, failure: Failure, latency_s: float) -> Completed:
        """A prompt that the provider's filter refused with an error: final, and nothing was generated."""
        return Completed(
            call_id=self.call.call_id,
            reserved_usd=self.largest_usd,
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
            release_usd=self.held_usd,
        )

    def failed(self, failure: Failure) -> Failed:
        """For good: the hold is given back."""
        self.reserved = False
        return Failed(
            call_id=self.call.call_id,
            reserved_usd=self.largest_usd,
            kind=failure.kind,
            error=failure.message,
            charged=failure.possibly_charged,
            final=True,
            release_usd=self._take_hold(),
            counts_a_night=not failure.stops_model and failure.kind is not FailureKind.CONNECTION,
        )

    def put_off(self, failure: Failure) -> Failed:
        """Until the next try: the hold stays, and the reservation unless it may have been charged."""
        self.reserved = not failure.possibly_charged
        return Failed(
            call_id=self.call.call_id,
            reserved_usd=self.largest_usd,
            kind=failure.kind,
            error=failure.message,
            charged=failure.possibly_charged,
            final=False,
        )

    def orphaned(self) -> Orphaned:
        self.reserved = False
        return Orphaned(self.call.call_id, self.largest_usd, self._take_hold())

    def unsent(self) -> Unsent:
        self.reserved = False
        return Unsent(self.call.call_id, self.largest_usd, self._take_hold())

    def hand_over(self, completed: Completed) -> float:
        """What `completed` leaves held, which is the caller's from now on."""
        self.reserved = False
        return self._take_hold() - completed.release_usd

    def take_unused(self) -> float:
        """All that is held for it and that nothing uses, since it is not reserved."""
        return self.take_cover() + self._take_hold()

    def take_cover(self) -> float:
        """What covers it and is not used; no more is taken."""
        self.takes_cover = False
        covered, self.covered_usd = self.covered_usd, 0.0
        return covered

    def _take_hold(self) -> float:
        held, self.held_usd = self.held_usd, 0.0
        return held


def as_stored(completed: Completed) -> StoredCall:
    """The call as the ledger has it once `completed` is on disk."""
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
