"""A ledger that cannot be written: who asked is told, nothing more is bought, and nobody hangs."""

import asyncio
import threading

import pytest

from resources.ledger import Ledger, LedgerError
from resources.llm import Asked, Gateway, Status
from tests.resources.purchases import Shop, call, calls
from tests.support.replies import Reply

OK = Reply(text="Paris")


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
