"""Opening the ledger's database, SQLite or PostgreSQL, and telling a person what to do when it refuses.

Writers take turns: whoever begins a write transaction has seen all that others wrote. Tables are in `schema.py`.
"""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from resources.ledger.schema import METADATA
from resources.types import ConfigurationError, FactsweepError

_FORMS = "sqlite:////absolute/path/ledger.sqlite or postgresql+psycopg://user:password@host:port/database"

_BUSY_S = 60

# A server that cannot be reached is told within seconds, one that vanishes within a minute: the defaults
# of libpq and the kernel are minutes and hours. Other encodings than UTF-8 cannot hold every answer.
_POSTGRESQL_SETTINGS = {
    "client_encoding": "utf8",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}
# The first part frees the others when this host vanishes within a transaction.
_TAKE_TURNS = "select set_config('idle_in_transaction_session_timeout', '60s', true), pg_advisory_xact_lock(4157301)"


class LedgerError(FactsweepError):
    """The ledger could not be read or written; nothing more is bought."""


class LedgerNotOpened(LedgerError, ConfigurationError):
    """What FACTSWEEP_LEDGER names, or the default's folder, cannot be a ledger as it stands."""


def connect(url: str) -> tuple[Engine, Engine]:
    """(engine for reading, engine for writing), with the tables made; a write transaction excludes all others.

    Raises:
        LedgerNotOpened: when there is no such database; the text holds nothing of the URL's password.
    """
    address = _parse(url)
    if address.get_backend_name() == "sqlite":
        remedy = "it must be in a folder that can be written; FACTSWEEP_HOME or FACTSWEEP_LEDGER names it"
        opened = _sqlite
    else:
        remedy = "check that the server runs and what FACTSWEEP_LEDGER names: host, port, database, user, password"
        opened = _postgresql
    try:
        reader, writer = opened(address)
        METADATA.create_all(writer)
    except (SQLAlchemyError, OSError) as error:
        raise LedgerNotOpened(f"the ledger cannot be opened: {_brief(error)}; {remedy}") from None
    return reader, writer


@contextmanager
def guarded(begin: Callable[[], AbstractContextManager[sa.Connection]]) -> Iterator[sa.Connection]:
    """A connection whose database errors are told with a remedy.

    Raises:
        LedgerError: instead of what SQLAlchemy raises, from the beginning to the commit.
    """
    try:
        with begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise LedgerError(_remedy(error)) from None


def _parse(url: str) -> sa.URL:
    # Neither SQLAlchemy's errors nor a host with an @ may be shown: they can hold a part of the password.
    try:
        address = sa.make_url(url)
    except (ArgumentError, ValueError):
        raise LedgerNotOpened(f"FACTSWEEP_LEDGER is not the URL of a database; write {_FORMS}") from None
    if "@" in (address.host or ""):
        raise LedgerNotOpened("FACTSWEEP_LEDGER has two @; write the one in the user name or the password as %40")
    backend = address.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return address.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise LedgerNotOpened(
            f"FACTSWEEP_LEDGER begins with {address.drivername}:, which cannot hold a ledger; write {_FORMS}"
        )
    return address


def _sqlite(url: sa.URL) -> tuple[Engine, Engine]:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)

    def engine() -> Engine:
        made = sa.create_engine(url, connect_args={"timeout": _BUSY_S, "check_same_thread": False})

        @event.listens_for(made, "connect")
        def _configure(connection, _record) -> None:
            connection.isolation_level = None  # transactions begin where the listener below says so
            cursor = connection.cursor()
            _begin_wal(cursor)
            cursor.execute("pragma synchronous = full")
            cursor.close()

        return made

    reader, writer = engine(), engine()

    @event.listens_for(writer, "begin")
    def _exclude(connection: sa.Connection) -> None:
        # A deferred transaction that turns into a write fails at once when another wrote meanwhile.
        connection.exec_driver_sql("begin immediate")

    return reader, writer


def _begin_wal(cursor: sqlite3.Cursor) -> None:
    """Switches the journal; for that SQLite waits for no other connection, and two processes may both be first."""
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            cursor.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _postgresql(url: sa.URL) -> tuple[Engine, Engine]:
    address = url.set(query=_POSTGRESQL_SETTINGS | dict(url.query))

    def engine() -> Engine:
        # Under a stricter isolation a writer would see the database as it was before its turn came.
        return sa.create_engine(address, pool_pre_ping=True, isolation_level="READ COMMITTED")

    try:
        reader, writer = engine(), engine()
    except ImportError:
        raise LedgerNotOpened(
            "FACTSWEEP_LEDGER names a PostgreSQL database, and the package psycopg is not installed; "
            f"run `pip install 'psycopg[binary]'` in {sys.prefix}, "
            f"or `uv pip install --python {sys.prefix} 'psycopg[binary]'`"
        ) from None

    @event.listens_for(writer, "begin")
    def _exclude(connection: sa.Connection) -> None:
        connection.exec_driver_sql(_TAKE_TURNS)

    with reader.connect() as connection:
        encoding = connection.exec_driver_sql("show server_encoding").scalar_one()
    if encoding not in ("UTF8", "SQL_ASCII"):
        raise LedgerNotOpened(
            f"the ledger's database has the encoding {encoding}, which cannot hold every answer; "
            "make it anew with `create database … encoding 'UTF8' template template0`"
        )
    return reader, writer


def _brief(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _remedy(error: SQLAlchemyError) -> str:
    text = _brief(error)
    if "disk is full" in text or "No space left on device" in text:
        return (
            "the disk that holds the ledger is full, so answers cannot be recorded and buying has stopped; "
            "free some space and sweep again: what is recorded is not bought twice"
        )
    return (
        f"the ledger cannot be used: {text}; "
        "see `factsweep doctor`, then sweep again: what is recorded is not bought twice"
    )
