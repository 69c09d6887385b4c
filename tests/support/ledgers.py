"""Ledgers on each database that factsweep runs on, and what tests put into them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier

import pytest

from resources.ledger import Claim, Completed, Failed, Ledger, Owner, Purse, Reservation
from resources.types import Outcome, Role

SWEEP = "sweep:s1"


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a ledger that is not made yet, on each database in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.sqlite'}"
    return request.getfixturevalue("postgres").new_schema()


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    opened = Ledger(ledger_url)
    yield opened
    opened.close()


@pytest.fixture
def owner() -> Iterator[Owner]:
    owner = Owner.register()
    yield owner
    owner.retire()


def purse(owner: Owner, cap: float | None = None, day: str = "2026-11-30") -> Purse:
    return Purse(owner, "s1", day, {} if cap is None else {SWEEP: cap})


def wish(call_id: str = "c1", usd: float | None = 0.01, hold: float = 0.0, covered: float = 0.0) -> Reservation:
    return Reservation(call_id, Role.ANSWER, "m", '{"messages": []}', usd, hold, covered)


def answer(
    call_id: str = "c1",
    cost: float | None = 0.004,
    release: float = 0.0,
    text: str = "Paris",
    reply: str = '{"id": "r"}',
) -> Completed:
    return Completed(call_id, 0.01, Outcome.ANSWERED, text, "stop", "m-1", 12, 3, 0, cost, 0.5, reply, release)


def refusal(call_id: str = "c1", *, charged: bool = False, final: bool = True, error: str = "HTTP 500") -> Failed:
    return Failed(call_id, 0.01, "server_error", error, charged=charged, final=final)


def claims(ledger: Ledger, account: Purse, *wishes: Reservation) -> list[Claim]:
    return [claimed.claim for claimed in ledger.transact(account, [], wishes)]


def start_together(barrier: Barrier) -> None:
    """Begins a process of a test: returns when the others have begun, too."""
    barrier.wait(60)


def buy_one_by_one(url: str, call_ids: Sequence[str]) -> list[str]:
    """Reserves and completes each call as one process of several does; returns those that were this one's."""
    ledger, owner = Ledger(url), Owner.register()
    mine = []
    for call_id in call_ids:
        if claims(ledger, purse(owner), wish(call_id)) == [Claim.MINE]:
            mine.append(call_id)
            ledger.transact(purse(owner), [answer(call_id)], [])
    ledger.close()
    return mine
