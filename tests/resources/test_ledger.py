"""The ledger: a call is bought once, a budget is never passed, a dead owner's calls come back."""

import pytest

from resources.ledger import NIGHTS, Claim, Ledger, Orphaned, Owner, Purse, Released, Unsent
from resources.types import CallState
from tests.support.ledgers import SWEEP, answer, claims, purse, refusal, wish


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


def test_a_process_that_took_over_a_pid_is_not_the_owner(owner: Owner) -> None:
    predecessor = Owner(owner.host, owner.boot, 1, owner.started - 500.0, "token")

    assert not predecessor.lives(silent_s=None)


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


def test_a_new_call_that_is_not_sent_after_all_leaves_no_trace(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish(hold=0.005)])
    ledger.transact(purse(owner), [Unsent("c1", 0.01, release_usd=0.005)], [])

    assert ledger.find(["c1"]) == {}
    assert ledger.spent(SWEEP) == 0


def test_a_failed_call_that_is_not_sent_again_stays_as_it_was(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [refusal()], [])
    before = ledger.frame()

    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [Unsent("c1", 0.01)], [])

    assert ledger.frame().equals(before)
    assert ledger.spent(SWEEP) == 0


def test_an_orphan_that_is_not_sent_again_stays_an_orphan(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [Orphaned("c1", 0.01)], [wish()])
    ledger.transact(purse(owner), [Unsent("c1", 0.01)], [])

    assert ledger.find(["c1"])["c1"].state is CallState.ORPHANED
    assert ledger.frame()["attempts"].to_list() == [1]


def test_an_answer_of_unknown_cost_counts_in_full_towards_the_budget(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer(cost=None)], [])

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


def test_an_unsent_calls_row_goes_and_its_reservation_is_given_back(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [Unsent("c1", 0.01)], [])

    assert ledger.find(["c1"]) == {}
    assert ledger.spent(SWEEP) == pytest.approx(0.0)


def test_an_unsent_retry_leaves_the_call_as_it_was(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [refusal()], [wish()])
    ledger.transact(purse(owner), [Unsent("c1", 0.01)], [])

    assert ledger.find(["c1"])["c1"].state is CallState.FAILED
    assert ledger.frame()["attempts"].to_list() == [1]


def test_a_sweeps_requests_are_counted_with_those_that_failed(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish("a"), wish("b")])
    ledger.transact(purse(owner), [refusal("a", final=False), answer("a"), answer("b", cost=None)], [])

    assert ledger.frame()["attempts"].sum() == 3


def test_more_calls_than_one_statement_takes_are_found(ledger: Ledger, owner: Owner) -> None:
    names = [f"c{number}" for number in range(1200)]
    ledger.transact(purse(owner), [], [wish(name) for name in names])

    assert ledger.find(names).keys() == set(names)


def test_calls_are_read_in_parts_and_all_of_them(ledger: Ledger, owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        ledger.transact(purse(owner), [], [wish(f"call-{number}")])
    monkeypatch.setattr("resources.ledger.ledger._READ_ROWS", 2)

    assert [part.height for part in ledger.frames()] == [2, 2, 1]
    assert ledger.frame()["call_id"].to_list() == [f"call-{number}" for number in range(5)]
