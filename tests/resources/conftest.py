"""Fixtures of this room: ledgers on each database, a PostgreSQL server, a shop that buys from a scripted server."""

from tests.resources.purchases import shop, unaudited
from tests.support.ledgers import ledger, ledger_url, owner
from tests.support.postgres import postgres

__all__ = ["ledger", "ledger_url", "owner", "postgres", "shop", "unaudited"]
