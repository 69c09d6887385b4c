"""The ledger's statements and the rows they take."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl
import sqlalchemy as sa

from checks.contracts import CALLS as CALLS_CONTRACT
from resources.ledger.records import Completed, Failed, Purse, Reservation, StoredCall
from resources.ledger.schema import CALLS, FAILED_ATTEMPTS, OWNERS, SPENDING
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
# Whoever was taken for dead may come back after another has bought its call: the first answer stays, and only
# the holder of a reservation can end it without one.
HELD = sa.and_(THIS, CALLS.c.state == CallState.RESERVED, CALLS.c.owner == sa.bindparam("holder"))
COMPLETE = (
    sa.update(CALLS)
    .where(THIS, CALLS.c.state != CallState.COMPLETED)
    .values({name: sa.bindparam(name) for name in COMPLETED_VALUES})
)
TAKEN_VALUES = ("state", "owner", "sweep_id", "reserved_usd", "request")
TAKE = (
    sa.update(CALLS)
    .where(THIS)
    .values({name: sa.bindparam(name) for name in TAKEN_VALUES} | {"attempts": CALLS.c.attempts + 1})
)
INSERT_CALL = sa.insert(CALLS)
INSERT_FAILURE = sa.insert(FAILED_ATTEMPTS)
ORPHAN = sa.update(CALLS).where(HELD).values(state=CallState.ORPHANED)
# A row that was made for the unsent request goes; one with a history gets back the state that it had.
FORGET = sa.delete(CALLS).where(HELD, CALLS.c.attempts == 1)
GIVE_BACK = (
    sa.update(CALLS)
    .where(HELD)
    .values(
        attempts=CALLS.c.attempts - 1,
        state=sa.case((CALLS.c.error.is_(None), CallState.ORPHANED), else_=CallState.FAILED),
    )
)
READ_SPENDING = sa.select(SPENDING.c.scope, SPENDING.c.usd).where(
    SPENDING.c.scope.in_(sa.bindparam("scopes", expanding=True))
)
UPDATE_SPENDING = sa.update(SPENDING).where(SPENDING.c.scope == sa.bindparam("of")).values(usd=sa.bindparam("now"))
INSERT_SPENDING = sa.insert(SPENDING)
# By the database's clock: those of two hosts may differ by more than a lease.
_NOW = sa.cast(sa.extract("epoch", sa.func.now()), sa.Float)
INSERT_HEARTBEAT = sa.insert(OWNERS).values(owner=sa.bindparam("owner"), seen_at=_NOW)
READ_SILENCE = sa.select(OWNERS.c.owner, (_NOW - OWNERS.c.seen_at).label("silent_s")).where(
    OWNERS.c.owner.in_(sa.bindparam("owners", expanding=True))
)


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


def calls_frame(rows: Sequence[sa.Row[Any]]) -> pl.DataFrame:
    """Rows with the columns of the contract `calls`, in its order, as a frame."""
    names = CALLS_CONTRACT.schema.names()
    raw = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    for name in ("created_at", "completed_at"):
        raw[name] = [None if at is None else datetime.fromtimestamp(at, UTC) for at in raw[name]]
    return pl.DataFrame(raw, schema=CALLS_CONTRACT.schema)
