"""Fixtures of this room: ledgers on each database, and a PostgreSQL server."""

from tests.support.ledgers import ledger, ledger_url, owner
from tests.support.postgres import postgres

__all__ = ["ledger", "ledger_url", "owner", "postgres"]
