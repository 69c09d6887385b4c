"""One call is one request, whoever asks for it: twice at once, two gateways, two processes."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from resources.ledger import Claim, Reservation, Unsent
from resources.llm import Asked, Gateway, Status
from resources.types import Role
from tests.resources.purchases import Shop, call, calls, received
from tests.support.replies import Reply

OK = Reply(text="Paris")


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
        asyncio.run(received(shop, 1, within_s=60))

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
