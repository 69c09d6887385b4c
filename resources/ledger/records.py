"""What goes into the ledger and comes out of it: wishes, claims, settlements, stored calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from resources.ledger.owner import Owner
from resources.types import CallState, Outcome, Role


@dataclass(frozen=True, slots=True)
class Purse:
    """On whose account calls are bought.

    `caps` are hard caps in dollars by scope (`day:<day>`, `sweep:<id>`); `day` is today's date in
    the budget's time zone.
    """

    owner: Owner
    sweep_id: str
    day: str
    caps: Mapping[str, float]


class Claim(StrEnum):
    MINE = "mine"  # reserved for the caller: send it
    DONE = "done"  # completed before: use the stored answer
    BUSY = "busy"  # a living owner has it in flight: wait
    GIVEN_UP = "given_up"  # failed on too many nights
    OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call as the ledger has it."""

    call_id: str
    state: CallState
    outcome: Outcome | None
    text: str | None
    finish_reason: str | None
    served_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    latency_s: float | None
    error: str | None
    failed_nights: int
    completed_at: float | None


@dataclass(frozen=True, slots=True)
class Reservation:
    """A wish to send a call.

    `reserved_usd` is its largest possible cost (None when the price is unknown), `hold_usd` is held
    beside it for its verdicts, `covered_usd` is what an earlier hold already covers.
    """

    call_id: str
    role: Role
    model: str
    request: str
    reserved_usd: float | None
    hold_usd: float = 0.0
    covered_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Claimed:
    claim: Claim
    stored: StoredCall | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """An answer that came; `release_usd` gives back a hold that no verdict needs."""

    call_id: str
    reserved_usd: float | None
    outcome: Outcome
    text: str
    finish_reason: str | None
    served_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    latency_s: float
    reply: str
    release_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that brought no answer.

    Not `final`: the caller tries again. It keeps its reservation, unless the attempt may have been
    `charged`: then the reservation is spent, and the caller reserves anew. A failure of the account
    or the line, not of this call, `counts_a_night` not towards giving it up.
    """

    call_id: str
    reserved_usd: float | None
    kind: str
    error: str
    charged: bool
    final: bool
    release_usd: float = 0.0
    counts_a_night: bool = True


@dataclass(frozen=True, slots=True)
class Orphaned:
    """A call that its owner left in flight; it counts as spent at its reserved cost."""

    call_id: str
    reserved_usd: float | None
    release_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Unsent:
    """A reserved call that is not sent after all; its reservation is given back and its row is as before."""

    call_id: str
    reserved_usd: float | None
    release_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Released:
    """A hold that is not needed any more."""

    release_usd: float


Settlement = Completed | Failed | Orphaned | Unsent | Released
