"""One call is one request, whoever asks; a sweep that ends leaves nothing reserved; a full disk hangs nobody."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from resources.ledger import Claim, Ledger, LedgerError, Reservation, Unsent
from resources.llm import Asked, Gateway, Status
from resources.types import CallState, Role
from tests.resources.purchases import SWEEP, Shop, call, calls, open_shop
from tests.support import replies
from tests.support.replies import Delivery, Reply

OK = Reply(text="Paris")


@pytest.fixture
def unaudited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    with open_shop(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture
def shop(unaudited: Shop) -> Iterator[Shop]:
    yield unaudited
    unaudited.audit()


def test_the_same_call_asked_twice_at_once_is_one_request(shop: Shop) -> None:
    shop.answers(Reply(text="Paris", latency_s=0.1))
    twice = call(shop.spec())

    _, [first, second] = shop.buy(twice, twice)

    assert shop.server.stats.received == 1
    assert (first.requests, second.requests) == (1, 0)
    assert (first.spent_usd, second.spent_usd) == (pytest.approx(0.01), 0)
    assert first.stored is not None and second.stored is not None
    assert first.stored.text == second.stored.text == "Paris"


def test_two_gateways_over_the_same_calls_buy_each_once(shop: Shop) -> None:
    spec = shop.spec(concurrency=8)
    shop.server.script = lambda request: Reply(text=request.message[9:-1], latency_s=0.05)
    answers: list[list[Asked]] = []

    def sweep() -> None:
        answers.append(shop.buy(*calls(spec, 40))[1])

    threads = [threading.Thread(target=sweep) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert shop.server.stats.received == 40
    for asked in answers:
        assert [each.stored and each.stored.text for each in asked] == [str(number) for number in range(40)]
    assert sum(each.requests for asked in answers for each in asked) == 40


_OTHER_PROCESS = """
import sys
from pathlib import Path
from tests.resources.purchases import Shop, calls

class Elsewhere:
    url = sys.argv[1]

shop = Shop(Elsewhere(), Path(sys.argv[2]))
_, asked = shop.buy(*calls(shop.spec(concurrency=4), 40))
print(sum(each.requests for each in asked), [each.status for each in asked].count("completed"))
"""


def test_two_processes_over_the_same_calls_buy_each_once(shop: Shop) -> None:
    shop.answers(Reply(text="Paris", latency_s=0.2))
    command = [sys.executable, "-c", _OTHER_PROCESS, shop.server.url, str(shop.folder)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        asyncio.run(_received(shop, 1, within_s=60))

        _, here = shop.buy(*calls(shop.spec(concurrency=4), 40))
        there, completed = process.communicate(timeout=60)[0].split()

    assert shop.server.stats.received == 40
    assert sum(each.requests for each in here) + int(there) == 40
    assert 0 < int(there) < 40
    assert [each.status for each in here].count(Status.COMPLETED) == int(completed) == 40


def test_a_call_that_waits_for_another_owner_leaves_the_lane_to_others(shop: Shop) -> None:
    spec = shop.spec(concurrency=1)
    with shop.purse() as other:
        theirs = call(spec)
        wish = Reservation(theirs.call_id, Role.ANSWER, "m", theirs.request, 0.01)
        assert shop.ledger.transact(other, [], [wish])[0].claim is Claim.MINE

        async def act(gateway: Gateway) -> None:
            waiting = asyncio.create_task(gateway.ask(theirs))
            await asyncio.sleep(0.05)
            mine = await gateway.ask(call(spec, "Capital of Italy?"))
            assert mine.status is Status.COMPLETED
            assert not waiting.done()
            gateway.halt()
            assert (await waiting).status is Status.STOPPED

        shop.run([spec], act)
        shop.ledger.transact(other, [Unsent(theirs.call_id, 0.01)], [])


def test_after_a_halt_nothing_new_is_sent_and_what_is_in_flight_ends(shop: Shop) -> None:
    spec = shop.spec(concurrency=4)
    shop.answers(Reply(text="Paris", latency_s=0.3))
    asked: list[Asked] = []

    async def act(gateway: Gateway) -> None:
        units = [asyncio.create_task(gateway.ask(each)) for each in calls(spec, 20)]
        await _received(shop, 4)
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
        await _failed(shop, 1)
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
        await _received(shop, 1)
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
        await _failed(shop, 1)

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
        await _received(shop, 1)
        caller.cancel()
        await asyncio.sleep(0.5)

    shop.run([spec], act)

    assert shop.stored(call(spec)).text == "Paris"
    assert shop.ledger.spent(SWEEP) == pytest.approx(0.01)


FULL = "the disk is full"


def full_disk(monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """Every transaction but the first few fails."""
    really, count = Ledger.transact, [0]

    def transact(self, *arguments):
        count[0] += 1
        if count[0] > after:
            raise LedgerError(FULL)
        return really(self, *arguments)

    monkeypatch.setattr(Ledger, "transact", transact)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_full_disk_reaches_the_caller_and_hangs_nobody(
    unaudited: Shop, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    spec = unaudited.spec(concurrency=4)
    unaudited.answers(Reply(text="Paris", latency_s=0.05))
    full_disk(monkeypatch, after=after)
    came: list[Asked | BaseException] = []

    async def act(gateway: Gateway) -> None:
        async with asyncio.timeout(20):
            units = (gateway.ask(each, hold_usd=0.02) for each in calls(spec, 30))
            came.extend(await asyncio.gather(*units, return_exceptions=True))

    unaudited.run([spec], act)

    assert any(isinstance(each, LedgerError) and str(each) == FULL for each in came)
    assert all(isinstance(each, Asked | LedgerError) for each in came)
    # Those that failed to be recorded were in flight together, one stood reserved behind them; then nothing was sent.
    assert unaudited.server.stats.received <= 9


def test_after_a_ledger_error_nothing_more_is_bought(unaudited: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    really = Ledger.transact

    def fails_to_settle(self, purse, settlements, wishes):
        if settlements:
            raise LedgerError(FULL)
        return really(self, purse, settlements, wishes)

    monkeypatch.setattr(Ledger, "transact", fails_to_settle)
    spec = unaudited.spec()

    async def act(gateway: Gateway) -> None:
        with pytest.raises(LedgerError, match=FULL):
            await gateway.ask(call(spec))
        assert (await gateway.ask(call(spec, "Capital of Italy?"))).status is Status.STOPPED

    unaudited.run([spec], act)

    assert unaudited.server.stats.received == 1


def test_a_missed_heartbeat_stops_neither_buying_nor_the_next_one(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    beats = threading.Semaphore(0)

    def heartbeat(self, owner) -> None:
        beats.release()
        raise LedgerError(FULL)

    monkeypatch.setattr(Ledger, "heartbeat", heartbeat)
    monkeypatch.setattr("resources.llm.gateway.HEARTBEAT_S", 0.01)

    async def act(gateway: Gateway) -> None:
        assert (await gateway.ask(call(shop.spec()))).status is Status.COMPLETED
        for _ in range(3):
            assert await asyncio.to_thread(beats.acquire, timeout=5)

    shop.run([shop.spec()], act)


async def _received(shop: Shop, count: int, within_s: float = 10) -> None:
    async with asyncio.timeout(within_s):
        while shop.server.stats.received < count:
            await asyncio.sleep(0.01)


async def _failed(shop: Shop, count: int) -> None:
    async with asyncio.timeout(10):
        while len(shop.failures()) < count:
            await asyncio.sleep(0.01)
