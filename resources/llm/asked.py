"""What comes of asking: the status of a call, and a tally of all of them."""

from dataclasses import dataclass
from enum import StrEnum

from resources.ledger import StoredCall


class Status(StrEnum):
    """How a call stands after asking."""

    COMPLETED = "completed"
    FAILED = "failed"
    GIVEN_UP = "given_up"  # failed on too many nights; not sent
    OVER_BUDGET = "over_budget"  # not sent, or not sent again
    STOPPED = "stopped"  # not sent, or not sent again: the model or the sweep was stopped


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
