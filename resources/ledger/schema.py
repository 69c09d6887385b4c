"""The ledger's tables (SQLAlchemy Core) and its connection; SQLite in WAL mode, or PostgreSQL by URL.

Times are seconds since 1970 UTC, money is US dollars.
"""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Engine

METADATA = sa.MetaData()

CALLS = sa.Table(
    "calls",
    METADATA,
    sa.Column("call_id", sa.String(64), primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("sweep_id", sa.Text, nullable=False),
    sa.Column("reserved_usd", sa.Float),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("reply", sa.Text),
    sa.Column("outcome", sa.String(12)),
    sa.Column("text", sa.Text),
    sa.Column("finish_reason", sa.Text),
    sa.Column("served_model", sa.Text),
    sa.Column("input_tokens", sa.Integer),
    sa.Column("output_tokens", sa.Integer),
    sa.Column("reasoning_tokens", sa.Integer),
    sa.Column("cost_usd", sa.Float),
    sa.Column("latency_s", sa.Float),
    sa.Column("error", sa.Text),
    sa.Column("failed_nights", sa.Integer, nullable=False),
    sa.Column("failed_day", sa.String(10)),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("completed_at", sa.Float),
)

# Requests that brought no answer. `charged_usd` is what they may have cost: nothing for a refusal,
# the reserved amount where the provider may have done the work.
FAILED_ATTEMPTS = sa.Table(
    "failed_attempts",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("call_id", sa.String(64), nullable=False, index=True),
    sa.Column("sweep_id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("charged_usd", sa.Float),
    sa.Column("ended_at", sa.Float, nullable=False),
)

# What is spent or reserved, by scope: "day:2026-11-30", "sweep:<id>". Kept in the transaction that
# spends, so that a cap is one comparison however many calls there are.
SPENDING = sa.Table(
    "spending",
    METADATA,
    sa.Column("scope", sa.String(100), primary_key=True),
    sa.Column("usd", sa.Float, nullable=False),
)

# Epochs are asked for by a person; one row a (domain, model) that was asked anew.
EPOCHS = sa.Table(
    "epochs",
    METADATA,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("item_id", sa.Text, primary_key=True),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("asked_by", sa.Text, nullable=False),
)

# Owners on other hosts can only be seen by their heartbeat.
OWNERS = sa.Table(
    "owners",
    METADATA,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("seen_at", sa.Float, nullable=False),
)


def connect(url: str) -> tuple[Engine, Engine]:
    """(engine for reading, engine for writing); a write transaction excludes all others."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _connect_sqlite(parsed)
    engine = sa.create_engine(parsed, pool_pre_ping=True)

    writer = engine.execution_options()

    @event.listens_for(writer, "begin")
    def _exclude(connection: sa.Connection) -> None:
        connection.exec_driver_sql("select pg_advisory_xact_lock(4157301)")

    METADATA.create_all(engine)
    return sa.create_engine(parsed, pool_pre_ping=True), writer


def _connect_sqlite(url: sa.URL) -> tuple[Engine, Engine]:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)

    def engine() -> Engine:
        made = sa.create_engine(url, connect_args={"timeout": 60, "check_same_thread": False})

        @event.listens_for(made, "connect")
        def _configure(connection, _record) -> None:
            connection.isolation_level = None  # transactions begin where the listener below says so
            cursor = connection.cursor()
            cursor.execute("pragma journal_mode = wal")
            cursor.execute("pragma synchronous = full")
            cursor.close()

        return made

    reader, writer = engine(), engine()

    @event.listens_for(writer, "begin")
    def _exclude(connection: sa.Connection) -> None:
        # A deferred transaction that turns into a write fails at once when another wrote meanwhile.
        connection.exec_driver_sql("begin immediate")

    METADATA.create_all(writer)
    return reader, writer
