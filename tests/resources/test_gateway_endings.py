"""A gateway that is halted or closed at any moment: what was bought stands, and nothing is left reserved."""

import asyncio
import threading
import time

import pytest

from resources.ledger import Ledger
from resources.llm import Asked, Gateway, Status
from resources.types import CallState
from tests.resources.purchases import SWEEP, Shop, call, calls, failed, received
from tests.support import replies
from tests.support.replies import Delivery, Reply

OK = Reply(text="Paris")


def test_after_a_halt_nothing_new_is_sent_and_what_is_in_flight_ends(shop: Shop) -> None:
    spec = shop.spec(concurrency=4)
    shop.answers(Reply(text="Paris", latency_s=0.3))
    asked: list[Asked] = []

    async def act(gateway: Gateway) -> None:
        units = [asyncio.create_task(gateway.ask(each)) for each in calls(spec, 20)]
        await received(shop, 4)
        gateway.halt()
        asked.extend(await asyncio.gather(*units))

    shop.run([spec], act)

    assert [each.status for each in asked].count(Status.COMPLETED) == 4
    assert [each.status for each in asked].count(Status.STOPPED) == 16
    assert shop.server.stats.received == 4


def test_a_halt_ends_the_wait_for_a_retry_and_the_call_keeps_its_failure(shop: Shop) -> None:
    spec = shop.spec()
    shop.answers(replies.rate_limited("20"))

    async def act(gateway: Gateway) -> None:
        waiting = asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))
        await failed(shop, 1)
        gateway.halt()
        assert (await waiting).status is Status.STOPPED

    began = time.monotonic()
    shop.run([spec], act)

    assert time.monotonic() - began < 10
    stored = shop.stored(call(spec))
    assert (stored.state, stored.failed_nights) == (CallState.FAILED, 0)
    assert stored.error is not None and "Rate limit" in stored.error
    assert shop.failures() == [("rate_limited", 0.0)]
    assert shop.ledger.spent(SWEEP) == 0


def test_closing_cancels_what_is_in_flight_and_marks_it_orphaned(shop: Shop) -> None:
    spec = shop.spec()
    shop.answers(Reply(latency_s=20))

    async def act(gateway: Gateway) -> None:
        gone = asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))
        await received(shop, 1)
        gone.cancel()

    began = time.monotonic()
    shop.run([spec], act)

    assert time.monotonic() - began < 10
    assert shop.stored(call(spec)).state is CallState.ORPHANED
    assert shop.failures() == [("orphaned", 0.01)]
    assert shop.ledger.spent(SWEEP) == pytest.approx(0.01)


@pytest.mark.parametrize("reply", [replies.rate_limited("20"), Reply(delivery=Delivery.CLOSED)])
def test_closing_between_two_tries_leaves_nothing_reserved(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setattr("resources.llm.errand.FIRST_BACKOFF_S", 20)
    spec = shop.spec()
    shop.answers(reply)

    async def act(gateway: Gateway) -> None:
        asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))  # noqa: RUF006
        await failed(shop, 1)

    shop.run([spec], act)

    assert shop.stored(call(spec)).state is CallState.FAILED
    assert shop.server.stats.received == 1


def test_closing_while_calls_are_being_reserved_leaves_no_trace_of_them(shop: Shop) -> None:
    spec = shop.spec()

    async def act(gateway: Gateway) -> None:
        for each in calls(spec, 20):
            asyncio.create_task(gateway.ask(each, hold_usd=0.02))  # noqa: RUF006
        await asyncio.sleep(0)  # their wishes wait to be committed
        await asyncio.sleep(0)

    shop.run([spec], act)

    assert shop.rows("select * from calls") == []
    assert shop.ledger.spent(SWEEP) == 0
    assert shop.server.stats.received == 0


def test_a_halt_while_a_call_is_being_reserved_keeps_it_from_being_sent(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, writing = Ledger.transact, threading.Event()

    def slowly(self, *arguments):
        writing.set()
        time.sleep(0.2)
        return really(self, *arguments)

    monkeypatch.setattr(Ledger, "transact", slowly)
    spec = shop.spec()

    async def act(gateway: Gateway) -> None:
        asked = asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))
        await asyncio.to_thread(writing.wait, 10)
        gateway.halt()
        assert (await asked).status is Status.STOPPED

    shop.run([spec], act)

    assert shop.server.stats.received == 0
    assert shop.rows("select * from calls") == []


@pytest.mark.parametrize("delay_s", [0.0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08])
def test_closing_at_any_moment_leaves_nothing_reserved(shop: Shop, delay_s: float) -> None:
    spec = shop.spec()
    shop.answers(Reply(text="Paris", latency_s=0.01))

    async def act(gateway: Gateway) -> None:
        for each in calls(spec, 20):
            asyncio.create_task(gateway.ask(each, hold_usd=0.02))  # noqa: RUF006
        await asyncio.sleep(delay_s)

    shop.run([spec], act)

    completed = [call_id for (call_id,) in shop.rows("select call_id from calls where state = 'completed'")]
    shop.buy(*calls(spec, 20))
    assert shop.rows("select count(*) from calls where state = 'completed'") == [(20,)]
    again = shop.rows("select call_id from calls where attempts > 1")
    assert not {call_id for (call_id,) in again} & set(completed)


@pytest.mark.parametrize(
    ("reply", "state", "spent"),
    [
        (OK, CallState.COMPLETED, 0.01),
        (replies.content_filter_error(), CallState.COMPLETED, 0.0),
        (replies.rate_limited("20"), CallState.FAILED, 0.0),
        (replies.context_window(), CallState.FAILED, 0.0),
        (Reply(delivery=Delivery.CLOSED), CallState.FAILED, 0.01),
    ],
)
def test_closing_while_an_end_is_being_written_keeps_that_end(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, reply: Reply, state: CallState, spent: float
) -> None:
    really, writing = Ledger.transact, threading.Event()

    def slowly(self, purse, settlements, wishes):
        if settlements:
            writing.set()
            time.sleep(0.2)
        return really(self, purse, settlements, wishes)

    monkeypatch.setattr(Ledger, "transact", slowly)
    spec = shop.spec()
    shop.answers(reply)

    async def act(gateway: Gateway) -> None:
        asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))  # noqa: RUF006
        await asyncio.to_thread(writing.wait, 10)

    shop.run([spec], act)

    assert shop.stored(call(spec)).state is state
    assert shop.ledger.spent(SWEEP) == pytest.approx(spent)


def test_a_caller_that_is_cancelled_does_not_lose_the_answer(shop: Shop) -> None:
    spec = shop.spec()
    shop.answers(Reply(text="Paris", latency_s=0.2))

    async def act(gateway: Gateway) -> None:
        caller = asyncio.create_task(gateway.ask(call(spec), hold_usd=0.02))
        await received(shop, 1)
        caller.cancel()
        await asyncio.sleep(0.5)

    shop.run([spec], act)

    assert shop.stored(call(spec)).text == "Paris"
    assert shop.ledger.spent(SWEEP) == pytest.approx(0.01)
