"""The ledger: a call is bought once, a budget is never passed, a dead owner's calls come back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from resources.ledger import (
    NIGHTS,
    Claim,
    Completed,
    Failed,
    Ledger,
    LedgerError,
    Orphaned,
    Owner,
    Purse,
    Released,
    Reservation,
)
from resources.types import CallState, Outcome, Role

SWEEP = "sweep:s1"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}")
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


def answer(call_id: str = "c1", cost: float | None = 0.004, release: float = 0.0) -> Completed:
    return Completed(
        call_id, 0.01, Outcome.ANSWERED, "Paris", "stop", "m-1", 12, 3, 0, cost, 0.5, '{"id": "r"}', release
    )


def refusal(call_id: str = "c1", *, charged: bool = False, final: bool = True) -> Failed:
    return Failed(call_id, 0.01, "server_error", "HTTP 500", charged=charged, final=final)


def claims(ledger: Ledger, account: Purse, *wishes: Reservation) -> list[Claim]:
    return [claimed.claim for claimed in ledger.transact(account, [], wishes)]


def test_an_unknown_call_is_the_callers(ledger: Ledger, owner: Owner) -> None:
    assert claims(ledger, purse(owner), wish()) == [Claim.MINE]


def test_a_completed_call_is_never_bought_again(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer()], [])

    [claimed] = ledger.transact(purse(owner), [], [wish()])

    assert claimed.claim is Claim.DONE
    assert claimed.stored is not None and claimed.stored.text == "Paris"


def test_a_call_of_a_living_owner_is_waited_for(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    other = Owner.register()

    assert claims(ledger, purse(other), wish()) == [Claim.BUSY]
    other.retire()


def test_a_dead_owners_call_is_bought_again_and_its_reservation_stays_spent(ledger: Ledger, owner: Owner) -> None:
    dead = Owner.register()
    ledger.transact(purse(dead), [], [wish(usd=0.01)])
    dead.retire()

    assert claims(ledger, purse(owner), wish(usd=0.01)) == [Claim.MINE]
    assert ledger.spent(SWEEP) == pytest.approx(0.02)


def test_an_owner_on_another_host_lives_by_its_heartbeat() -> None:
    far = Owner("another-host", "boot", 1, 1.0, "token")

    assert far.lives(seen_at=1000.0, now=1060.0)
    assert not far.lives(seen_at=1000.0, now=2000.0)
    assert not far.lives(seen_at=None, now=1000.0)


def test_a_process_that_took_over_a_pid_is_not_the_owner(owner: Owner) -> None:
    predecessor = Owner(owner.host, owner.boot, 1, owner.started - 500.0, "token")

    assert not predecessor.lives(None, now=0.0)


def test_burying_marks_only_dead_owners_calls(ledger: Ledger, owner: Owner) -> None:
    dead = Owner.register()
    ledger.transact(purse(dead), [], [wish("theirs")])
    ledger.transact(purse(owner), [], [wish("mine")])
    dead.retire()

    assert ledger.bury_dead() == 1

    states = {call_id: call.state for call_id, call in ledger.find(["theirs", "mine"]).items()}
    assert states == {"theirs": CallState.ORPHANED, "mine": CallState.RESERVED}


def test_a_cap_refuses_what_would_pass_it(ledger: Ledger, owner: Owner) -> None:
    account = purse(owner, cap=0.025)

    assert claims(ledger, account, wish("a"), wish("b"), wish("c")) == [Claim.MINE, Claim.MINE, Claim.OVER_BUDGET]


def test_an_answer_that_cost_less_makes_room(ledger: Ledger, owner: Owner) -> None:
    account = purse(owner, cap=0.015)
    ledger.transact(account, [], [wish("a")])

    [claimed] = ledger.transact(account, [answer("a", cost=0.004)], [wish("b")])

    assert claimed.claim is Claim.MINE
    assert ledger.spent(SWEEP) == pytest.approx(0.014)


def test_a_hold_for_verdicts_counts_until_it_is_released(ledger: Ledger, owner: Owner) -> None:
    account = purse(owner, cap=0.02)
    ledger.transact(account, [], [wish("a", usd=0.01, hold=0.01)])
    ledger.transact(account, [answer("a", cost=0.004)], [])

    assert ledger.spent(SWEEP) == pytest.approx(0.014)
    assert claims(ledger, account, wish("other", usd=0.01)) == [Claim.OVER_BUDGET]

    ledger.transact(account, [Released(0.01)], [])
    assert claims(ledger, account, wish("other", usd=0.01)) == [Claim.MINE]


def test_a_verdict_that_a_hold_covers_fits_a_full_budget(ledger: Ledger, owner: Owner) -> None:
    account = purse(owner, cap=0.02)
    ledger.transact(account, [], [wish("a", usd=0.01, hold=0.01)])

    assert claims(ledger, account, wish("verdict", usd=0.01, covered=0.01)) == [Claim.MINE]
    assert ledger.spent(SWEEP) == pytest.approx(0.02)


def test_a_refused_attempt_keeps_its_reservation_for_the_retry(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [refusal(final=False)], [])

    assert ledger.spent(SWEEP) == pytest.approx(0.01)
    assert ledger.frame()["attempts"].to_list() == [2]


def test_a_refusal_for_good_costs_nothing(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [refusal()], [])

    assert ledger.spent(SWEEP) == pytest.approx(0.0)


def test_an_attempt_that_may_have_been_billed_is_spent_and_reserved_anew(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    [claimed] = ledger.transact(purse(owner), [refusal(charged=True, final=False)], [wish()])

    assert claimed.claim is Claim.MINE
    assert ledger.spent(SWEEP) == pytest.approx(0.02)


def test_an_orphan_counts_as_spent(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish(hold=0.005)])
    ledger.transact(purse(owner), [Orphaned("c1", 0.01, release_usd=0.005)], [])

    assert ledger.spent(SWEEP) == pytest.approx(0.01)


def test_an_unknown_cost_is_null_and_never_zero(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish(usd=None)])
    ledger.transact(purse(owner), [answer(cost=None)], [])

    assert ledger.frame()["cost_usd"].to_list() == [None]


def test_a_failed_call_is_tried_again_for_seven_nights_and_no_longer(ledger: Ledger, owner: Owner) -> None:
    for night in range(1, NIGHTS + 1):
        account = purse(owner, day=f"2026-11-{night:02}")
        assert claims(ledger, account, wish()) == [Claim.MINE]
        ledger.transact(account, [refusal()], [])

    assert claims(ledger, purse(owner, day="2026-11-08"), wish()) == [Claim.GIVEN_UP]


def test_failing_twice_on_one_day_is_one_night(ledger: Ledger, owner: Owner) -> None:
    for _ in range(2):
        ledger.transact(purse(owner), [], [wish()])
        ledger.transact(purse(owner), [refusal()], [])

    assert ledger.find(["c1"])["c1"].failed_nights == 1


def test_a_day_has_its_own_cap(ledger: Ledger, owner: Owner) -> None:
    account = Purse(owner, "s1", "2026-11-30", {"day:2026-11-30": 0.01})

    assert claims(ledger, account, wish("a"), wish("b")) == [Claim.MINE, Claim.OVER_BUDGET]


def test_request_and_reply_are_kept(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer()], [])

    assert ledger.exchange("c1") == ('{"messages": []}', '{"id": "r"}')


def test_an_epoch_is_raised_once_for_who_asks(ledger: Ledger) -> None:
    key = ("omniscience.law", "m", "")
    ledger.start_epoch([key], asked_by="run-1")
    ledger.start_epoch([key], asked_by="run-1")
    assert ledger.epochs() == {key: 1}

    ledger.start_epoch([key], asked_by="run-2")
    assert ledger.epochs() == {key: 2}


def test_a_second_process_sees_what_is_committed(ledger: Ledger, owner: Owner, tmp_path: Path) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer()], [])

    other = Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}")

    assert other.find(["c1"])["c1"].state is CallState.COMPLETED
    other.close()


def test_a_folder_that_cannot_be_written_is_told_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(LedgerError, match="FACTSWEEP_LEDGER"):
        Ledger(f"sqlite:///{tmp_path / 'file' / 'ledger.sqlite'}")
