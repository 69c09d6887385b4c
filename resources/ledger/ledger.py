"""Reserving, settling and finding calls; budgets are kept in the same transactions.

Knows nothing of litellm, banks or grades: a call is an identity, a request and what came of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import polars as pl
import sqlalchemy as sa

from checks.contracts import CALLS as CALLS_CONTRACT
from resources.ledger.connections import connect, guarded
from resources.ledger.owner import Owner
from resources.ledger.records import (
    Claim,
    Claimed,
    Completed,
    Failed,
    Orphaned,
    Purse,
    Released,
    Reservation,
    Settlement,
    StoredCall,
    Unsent,
)
from resources.ledger.schema import CALLS, EPOCHS, OWNERS, SPENDING
from resources.ledger.statements import (
    COMPLETE,
    FIND,
    FIND_BY_ID,
    FORGET,
    GIVE_BACK,
    HELD,
    INSERT_CALL,
    INSERT_FAILURE,
    INSERT_HEARTBEAT,
    INSERT_SPENDING,
    ORPHAN,
    READ_SILENCE,
    READ_SPENDING,
    TAKE,
    TAKEN_VALUES,
    UPDATE_SPENDING,
    calls_frame,
    completed_row,
    failure_row,
    orphan_row,
    reserved_row,
    stored,
)
from resources.types import CallState

NIGHTS = 7  # a call that failed on so many days is not tried again
_READ_ROWS = 2_000
_CHUNK = 500  # SQLite takes a limited number of variables in one statement


class Ledger:
    """The durable record of calls at a database URL.

    Args:
        url: SQLAlchemy URL, `sqlite:///path` or `postgresql+psycopg://…`.

    Raises:
        LedgerError: when the database cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self._reader, self._writer = connect(url)
        self._announced: set[Owner] = set()

    def close(self) -> None:
        self._reader.dispose()
        self._writer.dispose()

    def transact(self, purse: Purse, settlements: Sequence[Settlement], wishes: Sequence[Reservation]) -> list[Claimed]:
        """Commits what came of reserved calls, then reserves others, in one transaction.

        Args:
            purse: on whose account.
            settlements: what came of calls that the owner had reserved.
            wishes: calls the owner wants to send, no two with one identity.

        Returns:
            A claim for each wish, in their order.
        """
        now = _now()
        with self._write() as connection:
            if purse.owner not in self._announced:
                # Another host that finds its calls must find that it lives.
                _beat(connection, purse.owner)
            spending = _Spending(connection, purse)
            self._settle(connection, purse, spending, settlements, now)
            claims = self._reserve(connection, purse, spending, wishes, now)
            spending.save()
        self._announced.add(purse.owner)
        return claims

    def bury_dead(self) -> int:
        """Marks reserved calls of dead owners as orphaned; returns how many."""
        now = _now()
        with self._write() as connection:
            reserved = connection.execute(FIND.where(CALLS.c.state == CallState.RESERVED)).all()
            living = self._living(connection, reserved)
            dead = [row for row in reserved if row.owner not in living]
            for row in dead:
                self._bury(connection, row, now)
        return len(dead)

    def find(self, call_ids: Iterable[str]) -> dict[str, StoredCall]:
        """The calls among `call_ids` that the ledger knows, whatever their state."""
        with self._read() as connection:
            return {row.call_id: stored(row) for row in self._rows(connection, list(call_ids))}

    def exchange(self, call_id: str) -> tuple[str, str | None] | None:
        """(request, reply) of a call as JSON text, for a person to read."""
        with self._read() as connection:
            query = sa.select(CALLS.c.request, CALLS.c.reply).where(CALLS.c.call_id == call_id)
            row = connection.execute(query).first()
        return None if row is None else (row.request, row.reply)

    def spent(self, scope: str) -> float:
        """Dollars spent or reserved in a scope."""
        with self._read() as connection:
            return connection.execute(sa.select(SPENDING.c.usd).where(SPENDING.c.scope == scope)).scalar() or 0.0

    def heartbeat(self, owner: Owner) -> None:
        """Says that `owner` lives, for ledgers that several hosts share."""
        with self._write() as connection:
            _beat(connection, owner)

    def epochs(self) -> dict[tuple[str, str, str], int]:
        """Current epoch by (domain, model, item); absent means 0."""
        with self._read() as connection:
            rows = connection.execute(sa.select(EPOCHS)).all()
        return {(row.domain, row.model, row.item_id): row.epoch for row in rows}

    def start_epoch(self, keys: Iterable[tuple[str, str, str]], asked_by: str) -> None:
        """Raises the epoch of each (domain, model, item): their next sweep asks anew.

        Args:
            asked_by: who asks; the same one raises an epoch once, so that a sweep that is taken up
                after a crash does not buy a second time.
        """
        with self._write() as connection:
            for domain, model, item_id in keys:
                row = {"domain": domain, "model": model, "item_id": item_id, "epoch": 1, "asked_by": asked_by}
                where = (EPOCHS.c.domain == domain) & (EPOCHS.c.model == model) & (EPOCHS.c.item_id == item_id)
                known = connection.execute(sa.select(EPOCHS.c.asked_by).where(where)).scalar()
                if known is None:
                    connection.execute(sa.insert(EPOCHS), row)
                elif known != asked_by:
                    statement = sa.update(EPOCHS).where(where)
                    connection.execute(statement.values(epoch=EPOCHS.c.epoch + 1, asked_by=asked_by))

    def frame(self) -> pl.DataFrame:
        """All calls in the contract's columns, oldest first."""
        return pl.concat([CALLS_CONTRACT.empty(), *self.frames()])

    def frames(self) -> Iterator[pl.DataFrame]:
        """The same, a part at a time: every request and reply at once may be more than memory has room for."""
        columns = [CALLS.c[column.name] for column in CALLS_CONTRACT.columns]
        oldest_first = sa.select(*columns).order_by(CALLS.c.created_at, CALLS.c.call_id)
        with self._read() as connection:
            result = connection.execution_options(yield_per=_READ_ROWS).execute(oldest_first)
            yield from map(calls_frame, result.partitions())

    # -- inside a transaction ---------------------------------------------------------------------

    def _settle(
        self,
        connection: sa.Connection,
        purse: Purse,
        spending: "_Spending",
        settlements: Sequence[Settlement],
        now: float,
    ) -> None:
        completed, failures = [], []
        for event in settlements:
            spending.add(-event.release_usd)
            match event:
                case Completed():
                    completed.append(completed_row(event, now))
                    # An answer without usage has no known cost, and may have cost all that was reserved.
                    if event.cost_usd is not None:
                        spending.add(event.cost_usd - (event.reserved_usd or 0.0))
                case Failed():
                    failures.append(failure_row(event, purse.sweep_id, now))
                    self._settle_failure(connection, event, purse)
                    # What may have been charged turns the reservation into spending; a retry of a refusal keeps it.
                    if event.final and not event.charged:
                        spending.add(-(event.reserved_usd or 0.0))
                case Orphaned():
                    failures.append(orphan_row(event.call_id, event.reserved_usd, purse.sweep_id, now))
                    connection.execute(ORPHAN, {"id": event.call_id, "holder": str(purse.owner)})
                case Unsent():
                    spending.add(-(event.reserved_usd or 0.0))
                    connection.execute(FORGET, {"id": event.call_id, "holder": str(purse.owner)})
                    connection.execute(GIVE_BACK, {"id": event.call_id, "holder": str(purse.owner)})
                case Released():
                    pass
        if completed:
            connection.execute(COMPLETE, completed)
        if failures:
            connection.execute(INSERT_FAILURE, failures)

    def _reserve(
        self,
        connection: sa.Connection,
        purse: Purse,
        spending: "_Spending",
        wishes: Sequence[Reservation],
        now: float,
    ) -> list[Claimed]:
        known = {row.call_id: row for row in self._rows(connection, [wish.call_id for wish in wishes])}
        living = self._living(connection, known.values())
        claims: list[Claimed] = []
        fresh, taken = [], []
        for wish in wishes:
            row = known.get(wish.call_id)
            if row is not None and (claim := self._standing(row, living)):
                claims.append(claim)
                continue
            if row is not None and row.state == CallState.RESERVED:
                self._bury(connection, row, now)
            if not spending.take((wish.reserved_usd or 0.0) + wish.hold_usd - wish.covered_usd):
                claims.append(Claimed(Claim.OVER_BUDGET))
                continue
            (fresh if row is None else taken).append(reserved_row(wish, purse, now))
            claims.append(Claimed(Claim.MINE))
        if fresh:
            connection.execute(INSERT_CALL, fresh)
        if taken:
            rows = [{"id": row["call_id"]} | {name: row[name] for name in TAKEN_VALUES} for row in taken]
            connection.execute(TAKE, rows)
        return claims

    def _standing(self, row: sa.Row, living: set[str]) -> Claimed | None:
        """The claim that an earlier row settles; None when the call may be reserved."""
        if row.state == CallState.COMPLETED:
            return Claimed(Claim.DONE, stored(row))
        if row.state == CallState.RESERVED and row.owner in living:
            return Claimed(Claim.BUSY)
        if row.state == CallState.FAILED and row.failed_nights >= NIGHTS:
            return Claimed(Claim.GIVEN_UP, stored(row))
        return None

    def _living(self, connection: sa.Connection, rows: Iterable[sa.Row]) -> set[str]:
        """The owners that still run, of those that hold a reserved row."""
        owners = {row.owner for row in rows if row.state == CallState.RESERVED}
        if not owners:
            return set()
        silent_s = {row.owner: row.silent_s for row in connection.execute(READ_SILENCE, {"owners": list(owners)})}
        return {owner for owner in owners if Owner.parse(owner).lives(silent_s.get(owner))}

    def _bury(self, connection: sa.Connection, row: sa.Row, now: float) -> None:
        """A dead owner's call; its reserved cost stays in the budgets as spent."""
        connection.execute(ORPHAN, {"id": row.call_id, "holder": row.owner})
        connection.execute(INSERT_FAILURE, orphan_row(row.call_id, row.reserved_usd, row.sweep_id, now))

    def _settle_failure(self, connection: sa.Connection, event: Failed, purse: Purse) -> None:
        statement = sa.update(CALLS).where(HELD)
        if not event.final:
            kept = {"state": CallState.FAILED} if event.charged else {"attempts": CALLS.c.attempts + 1}
            statement = statement.values(error=event.error, **kept)
        else:
            statement = statement.values(state=CallState.FAILED, error=event.error)
            if event.counts_a_night:
                another = sa.case((CALLS.c.failed_day == purse.day, 0), else_=1)
                statement = statement.values(failed_nights=CALLS.c.failed_nights + another, failed_day=purse.day)
        connection.execute(statement, {"id": event.call_id, "holder": str(purse.owner)})

    def _rows(self, connection: sa.Connection, call_ids: list[str]) -> list[sa.Row]:
        rows: list[sa.Row] = []
        for start in range(0, len(call_ids), _CHUNK):
            rows += connection.execute(FIND_BY_ID, {"ids": call_ids[start : start + _CHUNK]}).all()
        return rows

    def _write(self) -> AbstractContextManager[sa.Connection]:
        return guarded(self._writer.begin)

    def _read(self) -> AbstractContextManager[sa.Connection]:
        return guarded(self._reader.connect)


class _Spending:
    """The running totals of one transaction."""

    def __init__(self, connection: sa.Connection, purse: Purse) -> None:
        self._connection = connection
        self._caps = purse.caps
        scopes = (f"day:{purse.day}", f"sweep:{purse.sweep_id}")
        rows = connection.execute(READ_SPENDING, {"scopes": scopes}).all()
        self._known: dict[str, float] = {row.scope: row.usd for row in rows}
        self._usd = {scope: self._known.get(scope, 0.0) for scope in scopes}

    def take(self, usd: float) -> bool:
        """Adds `usd` to every scope unless that breaks a cap; what an earlier hold covers always fits."""
        if usd > 0 and any(self._usd.get(scope, 0.0) + usd > cap + 1e-9 for scope, cap in self._caps.items()):
            return False
        self.add(usd)
        return True

    def add(self, usd: float) -> None:
        if usd:
            for scope in self._usd:
                self._usd[scope] += usd

    def save(self) -> None:
        # Rounded, or what is spent and given back would leave 1e-18 dollars.
        rounded = {scope: round(usd, 12) + 0.0 for scope, usd in self._usd.items()}
        changed = {scope: usd for scope, usd in rounded.items() if usd != self._known.get(scope)}
        updates = [{"of": scope, "now": usd} for scope, usd in changed.items() if scope in self._known]
        inserts = [{"scope": scope, "usd": usd} for scope, usd in changed.items() if scope not in self._known]
        if updates:
            self._connection.execute(UPDATE_SPENDING, updates)
        if inserts:
            self._connection.execute(INSERT_SPENDING, inserts)


def _beat(connection: sa.Connection, owner: Owner) -> None:
    connection.execute(sa.delete(OWNERS).where(OWNERS.c.owner == str(owner)))
    connection.execute(INSERT_HEARTBEAT, {"owner": str(owner)})


def _now() -> float:
    return datetime.now(UTC).timestamp()
