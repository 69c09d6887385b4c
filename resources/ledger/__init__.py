"""The ledger: the durable record of every paid call. Committed before anyone uses an answer."""

from resources.ledger.ledger import NIGHTS, Ledger, LedgerError
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
]
