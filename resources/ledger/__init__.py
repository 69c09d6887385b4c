"""The ledger: the durable record of every paid call. Committed before anyone uses an answer."""

from resources.ledger.connections import LedgerError
from resources.ledger.ledger import NIGHTS, Ledger
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

__all__ = [
    "NIGHTS",
    "Claim",
    "Claimed",
    "Completed",
    "Failed",
    "Ledger",
    "LedgerError",
    "Orphaned",
    "Owner",
    "Purse",
    "Released",
    "Reservation",
    "Settlement",
    "StoredCall",
    "Unsent",
]
