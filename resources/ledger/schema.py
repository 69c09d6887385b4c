"""The ledger's tables (SQLAlchemy Core).

Times are seconds since 1970 UTC, money is US dollars.
"""

import sqlalchemy as sa

METADATA = sa.MetaData()


class AnyText(sa.TypeDecorator[str]):
    """Text from outside. What no database takes is written as its JSON escape, so that JSON text keeps its meaning.

    PostgreSQL stores no NUL, and half of a surrogate pair has no UTF-8.
    """

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return value and value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\u0000")


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
    sa.Column("request", AnyText, nullable=False),
    sa.Column("reply", AnyText),
    sa.Column("outcome", sa.String(12)),
    sa.Column("text", AnyText),
    sa.Column("finish_reason", AnyText),
    sa.Column("served_model", AnyText),
    sa.Column("input_tokens", sa.Integer),
    sa.Column("output_tokens", sa.Integer),
    sa.Column("reasoning_tokens", sa.Integer),
    sa.Column("cost_usd", sa.Float),
    sa.Column("latency_s", sa.Float),
    sa.Column("error", AnyText),
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
    sa.Column("error", AnyText, nullable=False),
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
