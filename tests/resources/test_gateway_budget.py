"""A cap is never passed, by answers, verdicts or retries, and what was reserved is given back on every path."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from resources.llm import Asked, Call, Gateway, Status
from resources.registries import ModelSpec
from resources.types import Outcome
from tests.resources.purchases import SWEEP, Shop, call, calls
from tests.support import replies
from tests.support.replies import Delivery, Reply, Request, Rule, Usage

CAP = 0.10


def cheap(shop: Shop, id: str = "m", **more: Any) -> ModelSpec:
    """A model whose calls may cost one cent each, by ten tokens of a tenth of a cent."""
    return shop.spec(id, params={"max_tokens": 10}, price={"input": 0, "output": 1000}, concurrency=200, **more)


def costing(cents: float, *, latency_s: float = 0.0) -> Reply:
    return Reply(usage=Usage(5, round(cents * 10)), latency_s=latency_s)


@asynccontextmanager
async def watched(shop: Shop) -> AsyncIterator[list[float]]:
    """What stands spent or reserved, many times a second."""
    seen = [0.0]

    async def watch() -> None:
        while True:
            seen.append(await asyncio.to_thread(shop.ledger.spent, SWEEP))
            await asyncio.sleep(0.005)

    watcher = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        watcher.cancel()


def buy_watched(shop: Shop, spec: ModelSpec, count: int) -> tuple[Gateway, list[Asked], list[float]]:
    asked: list[Asked] = []
    seen: list[float] = []

    async def act(gateway: Gateway) -> None:
        async with watched(shop) as amounts, asyncio.timeout(60):
            asked.extend(await asyncio.gather(*(gateway.ask(each) for each in calls(spec, count))))
            seen.extend(amounts)

    return shop.run([spec], act, cap=CAP), asked, seen


def test_two_hundred_calls_at_once_never_pass_the_cap(shop: Shop) -> None:
    shop.answers(costing(1.0, latency_s=0.1))

    gateway, asked, seen = buy_watched(shop, cheap(shop), 200)

    assert max(seen) <= CAP + 1e-9
    assert gateway.over_budget
    assert [each.status for each in asked].count(Status.COMPLETED) == 10
    assert [each.status for each in asked].count(Status.OVER_BUDGET) == 190
    assert shop.server.stats.received == 10


def test_a_cap_counts_what_answers_cost_and_not_what_they_might_have_cost(shop: Shop) -> None:
    shop.answers(costing(0.1, latency_s=0.02))

    gateway, asked, seen = buy_watched(shop, cheap(shop), 200)

    # 91 answers of a tenth of a cent leave less than the cent that the next one may cost.
    assert [each.status for each in asked].count(Status.COMPLETED) == 91
    assert gateway.over_budget
    assert max(seen) <= CAP + 1e-9


def test_calls_that_fit_wait_for_room_and_are_all_bought(shop: Shop) -> None:
    shop.answers(costing(0.1, latency_s=0.02))

    gateway, asked, _ = buy_watched(shop, cheap(shop), 60)

    assert [each.status for each in asked] == [Status.COMPLETED] * 60
    assert not gateway.over_budget


def test_attempts_that_may_have_been_charged_count_towards_the_cap(shop: Shop) -> None:
    spec = cheap(shop, retries={"attempts": 5, "seconds": 30})
    shop.answers(Reply(delivery=Delivery.CLOSED))

    gateway, asked, seen = buy_watched(shop, spec, 9)

    assert max(seen) <= CAP + 1e-9
    assert gateway.over_budget
    assert shop.ledger.spent(SWEEP) == pytest.approx(CAP)
    assert shop.server.stats.received == 10
    assert Status.OVER_BUDGET in {each.status for each in asked}


def test_replies_without_usage_count_in_full_towards_the_cap(shop: Shop) -> None:
    shop.answers(Reply(usage=None))

    _, asked, seen = buy_watched(shop, cheap(shop), 50)

    assert max(seen) <= CAP + 1e-9
    assert [each.status for each in asked].count(Status.COMPLETED) == 10


async def answer_and_judge(gateway: Gateway, spec: ModelSpec, judge: ModelSpec, number: int) -> tuple[Asked, ...]:
    """As a sweep does: an answer with a hold for two verdicts, then one verdict, or two."""
    answer = await gateway.ask(call(spec, f"Question {number}?"), hold_usd=0.02)
    if answer.status is not Status.COMPLETED or answer.stored is None or answer.stored.outcome is not Outcome.ANSWERED:
        assert answer.held_usd == 0
        return (answer,)
    half = answer.held_usd / 2
    first = await gateway.ask(call(judge, f"Verdict {number}?"), covered_usd=half)
    if number % 3:
        await gateway.release(half)
        return answer, first
    return answer, first, await gateway.ask(call(judge, f"Stricter verdict {number}?"), covered_usd=half)


def test_every_answer_within_the_cap_gets_its_verdicts(shop: Shop) -> None:
    spec, judge = cheap(shop), cheap(shop, "judge")
    shop.answers(costing(1.0, latency_s=0.02))
    units: list[tuple[Asked, ...]] = []
    seen: list[float] = []

    async def act(gateway: Gateway) -> None:
        async with watched(shop) as amounts, asyncio.timeout(60):
            units.extend(
                await asyncio.gather(*(answer_and_judge(gateway, spec, judge, number) for number in range(50)))
            )
            seen.extend(amounts)

    gateway = shop.run([spec, judge], act, cap=CAP)

    bought = [unit for unit in units if unit[0].status is Status.COMPLETED]
    assert 3 <= len(bought) <= 5
    assert all(each.status is Status.COMPLETED for unit in bought for each in unit)
    assert max(seen) <= CAP + 1e-9
    assert gateway.over_budget


def test_a_verdict_that_waits_for_room_takes_the_cover_of_one_that_joins_it(shop: Shop) -> None:
    """Two models that give one answer share its verdict; the one that was answered long ago holds nothing.

    Were the cover only given back, another call could take the room, and the verdict would wait for
    the other half of a hold whose owner waits for the verdict.
    """
    spec, judge = cheap(shop), cheap(shop, "judge")
    shop.rules(Rule(costing(1.0, latency_s=0.1), model="m"), otherwise=costing(0.1))
    verdict = call(judge, "One verdict?")

    async def later(gateway: Gateway, wanted: Call, after_s: float) -> Asked:
        await asyncio.sleep(after_s)
        return await gateway.ask(wanted)

    async def fresh(gateway: Gateway) -> Asked:
        answer = await gateway.ask(call(spec), hold_usd=0.02)
        joined = await gateway.ask(verdict, covered_usd=answer.held_usd / 2)
        await gateway.release(answer.held_usd / 2)
        return joined

    async def act(gateway: Gateway) -> None:
        others = [later(gateway, each, 0.02 + 0.002 * number) for number, each in enumerate(calls(spec, 20))]
        async with asyncio.timeout(10):
            both = await asyncio.gather(fresh(gateway), later(gateway, verdict, 0.05), *others)
        assert [each.status for each in both[:2]] == [Status.COMPLETED] * 2

    shop.run([spec, judge], act, cap=0.03)


@pytest.mark.parametrize(
    ("reply", "cost"),
    [
        (Reply(text=None, finish_reason="length", usage=Usage(5, 10)), 0.01),
        (Reply(text=None, finish_reason="content_filter", usage=Usage(5, 1)), 0.001),
        (replies.content_filter_error(), 0.0),
        (replies.context_window(), 0.0),
        (Reply(delivery=Delivery.CLOSED), 0.01),
    ],
)
def test_what_is_no_answer_holds_nothing_for_verdicts(shop: Shop, reply: Reply, cost: float) -> None:
    spec = cheap(shop, retries={"attempts": 1})
    shop.answers(reply)

    async def act(gateway: Gateway) -> None:
        asked = await gateway.ask(call(spec), hold_usd=0.02)
        assert asked.held_usd == 0
        assert asked.spent_usd == pytest.approx(cost)
        assert shop.ledger.spent(SWEEP) == pytest.approx(cost)

    shop.run([spec], act)


def test_an_answer_that_is_on_record_holds_nothing_for_verdicts(shop: Shop) -> None:
    spec = cheap(shop)
    shop.answers(costing(0.1))
    shop.ask(spec)

    async def act(gateway: Gateway) -> None:
        asked = await gateway.ask(call(spec), hold_usd=0.02)
        assert (asked.status, asked.held_usd, asked.requests) == (Status.COMPLETED, 0, 0)
        assert shop.ledger.spent(SWEEP) == pytest.approx(0.001)

    shop.run([spec], act)


def test_a_hold_in_a_callers_hands_may_yet_make_room(shop: Shop) -> None:
    spec = cheap(shop)
    shop.answers(costing(0.1))

    async def slow(gateway: Gateway) -> None:
        answer = await gateway.ask(call(spec), hold_usd=0.02)
        await asyncio.sleep(0.3)
        await gateway.release(answer.held_usd)

    async def act(gateway: Gateway) -> None:
        slowly = asyncio.create_task(slow(gateway))
        await asyncio.sleep(0.1)
        assert (await gateway.ask(call(spec, "Capital of Italy?"), hold_usd=0.02)).status is Status.COMPLETED
        await slowly

    shop.run([spec], act, cap=0.04)


def test_a_hold_that_its_caller_never_used_is_given_back_at_the_end(shop: Shop) -> None:
    spec = cheap(shop)
    shop.answers(costing(0.2))

    async def act(gateway: Gateway) -> None:
        asked = await gateway.ask(call(spec), hold_usd=0.02)
        assert asked.held_usd == 0.02
        assert shop.ledger.spent(SWEEP) == pytest.approx(0.022)

    shop.run([spec], act)

    assert shop.ledger.spent(SWEEP) == pytest.approx(0.002)


MIX = [
    *[costing(0.3)] * 4,
    Reply(text=None, finish_reason="length", usage=Usage(5, 10)),
    Reply(text=None, finish_reason="content_filter", usage=Usage(5, 1)),
    Reply(usage=None),
    replies.content_filter_error(),
    replies.rate_limited(),
    replies.rate_limited("60"),
    replies.server_error(),
    replies.context_window(),
    replies.malformed(),
    Reply(delivery=Delivery.CLOSED),
    Reply(delivery=Delivery.HALF_BODY),
    costing(0.3, latency_s=30),
]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_comes_nothing_stays_reserved_and_every_dollar_is_accounted_for(shop: Shop, seed: int) -> None:
    """Random replies, prompts asked twice, verdicts, callers that leave, a cap, and an end in the middle."""
    dice = random.Random(seed)
    luck: dict[tuple[str, str, int], Reply] = {}

    def script(request: Request) -> Reply:
        key = request.model, request.message, request.count
        return luck.setdefault(key, dice.choice(MIX))

    shop.server.script = script
    spec = cheap(shop, timeout=1, retries={"attempts": 3, "seconds": 5})
    judge = cheap(shop, "judge", timeout=1, retries={"attempts": 2, "seconds": 5})
    cap = dice.choice([0.15, 0.6, 10.0])
    seen: list[float] = []

    async def act(gateway: Gateway) -> None:
        async with watched(shop) as amounts:
            units = [asyncio.create_task(answer_and_judge(gateway, spec, judge, dice.randrange(60))) for _ in range(90)]
            await asyncio.sleep(dice.uniform(0.0, 0.3))
            for unit in dice.sample(units, 15):
                unit.cancel()
            if dice.random() < 0.5:
                gateway.halt()
            await asyncio.wait(units, timeout=dice.choice([0.2, 5.0]))
            for unit in units:
                unit.cancel()
            ends = await asyncio.gather(*units, return_exceptions=True)
            assert [each for each in ends if not isinstance(each, tuple | asyncio.CancelledError)] == []
            seen.extend(amounts)

    shop.run([spec, judge], act, cap=cap)

    assert max(seen) <= cap + 1e-9


def test_a_sweep_after_a_sweep_accounts_for_both(shop: Shop) -> None:
    spec = cheap(shop, retries={"attempts": 1})
    shop.answers(Reply(delivery=Delivery.CLOSED), costing(0.5))
    shop.buy(*calls(spec, 5))

    _, asked = shop.buy(*calls(spec, 5))

    assert [each.status for each in asked] == [Status.COMPLETED] * 5
    assert shop.ledger.spent(SWEEP) == pytest.approx(5 * 0.01 + 5 * 0.005)
