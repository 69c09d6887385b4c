"""Several processes and hosts on one ledger: each call is bought once, and a host that vanished harms nobody."""

import multiprocessing
import socket
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest
import sqlalchemy as sa

from resources.ledger import Claim, Ledger, Orphaned, Owner, Settlement, Unsent
from resources.types import CallState
from tests.support.ledgers import SWEEP, answer, buy_one_by_one, claims, purse, refusal, start_together, wish

FAR = Owner("another-host", "boot", 1, 1.0, "token")


@pytest.fixture
def second(ledger_url: str) -> Iterator[Ledger]:
    """The same ledger as another host has it."""
    opened = Ledger(ledger_url)
    yield opened
    opened.close()


def let_lease_pass(url: str) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("update owners set seen_at = seen_at - 1000")


def test_two_processes_at_once_buy_each_call_once(ledger_url: str) -> None:
    names = [f"c{number}" for number in range(60)]
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["resources.ledger", "pytest"])
    with ProcessPoolExecutor(2, processes, initializer=start_together, initargs=(processes.Barrier(2),)) as pool:
        one, other = pool.map(buy_one_by_one, [ledger_url] * 2, [names] * 2)

    ledger = Ledger(ledger_url)
    assert sorted(one + other) == sorted(names)
    assert ledger.frame()["attempts"].sum() == 60
    assert ledger.spent(SWEEP) == pytest.approx(60 * 0.004)
    ledger.close()


def test_another_ledger_sees_what_is_committed(ledger: Ledger, second: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer()], [])

    assert second.find(["c1"])["c1"].state is CallState.COMPLETED


def test_a_cap_holds_over_two_ledgers(ledger: Ledger, second: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner, cap=0.015), [], [wish("a")])

    assert claims(second, purse(FAR, cap=0.015), wish("b")) == [Claim.OVER_BUDGET]


def test_another_hosts_call_is_waited_for_from_the_moment_it_is_reserved(
    ledger: Ledger, second: Ledger, owner: Owner
) -> None:
    second.transact(purse(FAR), [], [wish()])

    assert claims(ledger, purse(owner), wish()) == [Claim.BUSY]
    assert ledger.bury_dead() == 0


def test_a_host_without_a_heartbeat_loses_its_calls(
    ledger: Ledger, second: Ledger, owner: Owner, ledger_url: str
) -> None:
    second.transact(purse(FAR), [], [wish("taken"), wish("buried")])
    let_lease_pass(ledger_url)

    assert claims(ledger, purse(owner), wish("taken")) == [Claim.MINE]
    assert ledger.bury_dead() == 1
    assert ledger.spent(SWEEP) == pytest.approx(0.03)


def test_a_heartbeat_keeps_a_hosts_calls(ledger: Ledger, second: Ledger, owner: Owner, ledger_url: str) -> None:
    second.transact(purse(FAR), [], [wish()])
    let_lease_pass(ledger_url)
    second.heartbeat(FAR)

    assert claims(ledger, purse(owner), wish()) == [Claim.BUSY]


def test_two_machines_of_one_name_are_two_hosts(ledger: Ledger, second: Ledger, owner: Owner) -> None:
    namesake = Owner(socket.gethostname(), "its own boot", 1, 1.0, "token")
    second.transact(purse(namesake), [], [wish()])

    assert claims(ledger, purse(owner), wish()) == [Claim.BUSY]


@pytest.fixture
def taken_over(ledger: Ledger, second: Ledger, owner: Owner, ledger_url: str) -> Ledger:
    """The ledger when a call of the other host, whose lease has passed, is in flight for `owner`."""
    second.transact(purse(FAR), [], [wish()])
    let_lease_pass(ledger_url)
    ledger.transact(purse(owner), [], [wish()])
    return ledger


NOT_ANSWERS = {
    "refusal": refusal(),
    "retry": refusal(final=False),
    "charged": refusal(charged=True),
    "orphan": Orphaned("c1", 0.01),
    "unsent": Unsent("c1", 0.01),
}


@pytest.mark.parametrize("late", NOT_ANSWERS.values(), ids=NOT_ANSWERS)
def test_a_host_taken_for_dead_cannot_end_what_another_has_in_flight(
    taken_over: Ledger, owner: Owner, late: Settlement
) -> None:
    taken_over.transact(purse(FAR), [late], [])

    stored = taken_over.find(["c1"])["c1"]
    assert (stored.state, stored.error) == (CallState.RESERVED, None)


@pytest.mark.parametrize("late", [*NOT_ANSWERS.values(), answer(text="Lyon")], ids=[*NOT_ANSWERS, "answer"])
def test_a_host_taken_for_dead_does_not_change_an_answer(taken_over: Ledger, owner: Owner, late: Settlement) -> None:
    taken_over.transact(purse(owner), [answer(text="Paris")], [])
    taken_over.transact(purse(FAR), [late], [])

    stored = taken_over.find(["c1"])["c1"]
    assert (stored.state, stored.text) == (CallState.COMPLETED, "Paris")


def test_an_answer_of_a_host_taken_for_dead_is_an_answer(taken_over: Ledger, owner: Owner) -> None:
    taken_over.transact(purse(FAR), [answer(text="Paris")], [])

    assert claims(taken_over, purse(owner), wish()) == [Claim.DONE]
