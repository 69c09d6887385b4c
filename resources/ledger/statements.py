"""The ledger's statements and the rows they take."""

import sqlalchemy as sa

from resources.ledger.records import Completed, Failed, Purse, Reservation, StoredCall
from resources.ledger.schema import CALLS, FAILED_ATTEMPTS, SPENDING
from resources.types import CallState, Outcome

# Statements are built once: SQLAlchemy takes longer to build one than SQLite to run it.
STORED = [CALLS.c[name] for name in StoredCall.__dataclass_fields__]
_AS_STORED = [name for name in StoredCall.__dataclass_fields__ if name not in ("state", "outcome")]
FIND = sa.select(*STORED, CALLS.c.owner, CALLS.c.reserved_usd, CALLS.c.sweep_id)
FIND_BY_ID = FIND.where(CALLS.c.call_id.in_(sa.bindparam("ids", expanding=True)))
THIS = CALLS.c.call_id == sa.bindparam("id")
_ANSWER = tuple(
    name for name in Completed.__dataclass_fields__ if name not in ("call_id", "reserved_usd", "release_usd")
)
COMPLETED_VALUES = (*_ANSWER, "state", "error", "completed_at")
COMPLETE = sa.update(CALLS).where(THIS).values({name: sa.bindparam(name) for name in COMPLETED_VALUES})
TAKEN_VALUES = ("state", "owner", "sweep_id", "reserved_usd", "request")
TAKE = (
    sa.update(CALLS)
    .where(THIS)
    .values({name: sa.bindparam(name) for name in TAKEN_VALUES} | {"attempts": CALLS.c.attempts + 1})
)
INSERT_CALL = sa.insert(CALLS)
INSERT_FAILURE = sa.insert(FAILED_ATTEMPTS)
ORPHAN = sa.update(CALLS).where(THIS).values(state=CallState.ORPHANED)
READ_SPENDING = sa.select(SPENDING.c.scope, SPENDING.c.usd).where(
    SPENDING.c.scope.in_(sa.bindparam("scopes", expanding=True))
)
UPDATE_SPENDING = sa.update(SPENDING).where(SPENDING.c.scope == sa.bindparam("of")).values(usd=sa.bindparam("now"))
INSERT_SPENDING = sa.insert(SPENDING)


def stored(row: sa.Row) -> StoredCall:
    outcome = None if row.outcome is None else Outcome(row.outcome)
    as_stored = {name: getattr(row, name) for name in _AS_STORED}
    return StoredCall(state=CallState(row.state), outcome=outcome, **as_stored)


def reserved_row(wish: Reservation, purse: Purse, now: float) -> dict[str, object]:
    return {
        "call_id": wish.call_id,
        "role": wish.role,
        "model": wish.model,
        "state": CallState.RESERVED,
        "attempts": 1,
        "owner": str(purse.owner),
        "sweep_id": purse.sweep_id,
        "reserved_usd": wish.reserved_usd,
        "request": wish.request,
        "failed_nights": 0,
        "created_at": now,
    }


def completed_row(event: Completed, now: float) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(event, name) for name in _ANSWER}
    return row | {"id": event.call_id, "state": CallState.COMPLETED, "error": None, "completed_at": now}


def failure_row(event: Failed, sweep_id: str, now: float) -> dict[str, object]:
    return {
        "call_id": event.call_id,
        "sweep_id": sweep_id,
        "kind": event.kind,
        "error": event.error,
        "charged_usd": event.reserved_usd if event.charged else 0.0,
        "ended_at": now,
    }


def orphan_row(call_id: str, reserved_usd: float | None, sweep_id: str, now: float) -> dict[str, object]:
    error = "its process ended while the call was in flight"
    return {
        "call_id": call_id,
        "sweep_id": sweep_id,
        "kind": "orphaned",
        "error": error,
        "charged_usd": reserved_usd,
        "ended_at": now,
    }
