"""Calls that fail: what is tried again, what it is charged, and what stops a model."""

import asyncio
import socket
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from resources.llm import Gateway, Status
from resources.llm.stops import RUN_OF_FAILURES
from resources.types import CallState, FactsweepError
from tests.resources.purchases import Shop, call, calls
from tests.support import replies
from tests.support.replies import Delivery, Reply, Rule, Script
from tests.support.scripted_server import ScriptedServer

OK = Reply(text="Paris")


# name: (first reply, kind of failure, what it may have cost)
RETRIED = {
    "429": (replies.rate_limited(), "rate_limited", 0.0),
    "500": (replies.server_error(), "server_error", 0.0),
    "504": (replies.server_error(504), "server_error", 0.01),
    "malformed body": (replies.malformed(), "malformed", 0.01),
    "no choices": (Reply(body=b'{"id": "1", "object": "chat.completion", "choices": []}'), "malformed", 0.01),
    "half body": (Reply(delivery=Delivery.HALF_BODY), "connection", 0.01),
    "half of a chunked body": (Reply(delivery=Delivery.HALF_CHUNKED), "connection", 0.01),
    "closed after the work": (Reply(delivery=Delivery.CLOSED), "connection", 0.01),
    "reset after the work": (Reply(delivery=Delivery.RESET), "connection", 0.01),
    "an answer after the timeout": (Reply(text="late", latency_s=1.5), "timeout", 0.01),
    "a body that drips": (Reply(text="x" * 500, delivery=Delivery.DRIPPED, drip_s=3), "timeout", 0.01),
}


@pytest.mark.parametrize("case", RETRIED)
def test_what_may_succeed_soon_is_tried_again(shop: Shop, case: str) -> None:
    failing, kind, charged = RETRIED[case]
    shop.answers(failing, OK)

    asked = shop.ask(shop.spec(timeout=0.8))

    assert asked.stored is not None
    assert (asked.status, asked.stored.text, asked.requests) == (Status.COMPLETED, "Paris", 2)
    assert shop.failures() == [(kind, charged)]
    assert asked.spent_usd == pytest.approx(0.01 + charged)


@pytest.mark.parametrize("route", ["openai", "anthropic", "gemini"])
@pytest.mark.parametrize("case", ["429", "500", "closed after the work", "half body", "an answer after the timeout"])
def test_every_route_sends_what_the_ledger_counts(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, route: str, case: str
) -> None:
    monkeypatch.setenv("ROUTE_KEY", "sk-verysecretkey0123456789")
    failing, kind, charged = RETRIED[case]
    shop.answers(failing, OK)

    asked = shop.ask(shop.spec(route=route, api_key_env="ROUTE_KEY", timeout=0.8))

    assert (asked.status, asked.requests) == (Status.COMPLETED, 2)
    assert shop.failures() == [(kind, charged)]


def test_a_429_waits_as_long_as_the_provider_asks(shop: Shop) -> None:
    shop.answers(replies.rate_limited("1"), OK)

    began = time.monotonic()
    asked = shop.ask(shop.spec())

    assert asked.status is Status.COMPLETED
    assert 1.0 <= time.monotonic() - began < 2.5


def test_a_wait_longer_than_the_retries_allow_is_not_begun(shop: Shop) -> None:
    shop.answers(replies.rate_limited("60"))

    began = time.monotonic()
    asked = shop.ask(shop.spec(retries={"attempts": 6, "seconds": 30}))

    assert (asked.status, asked.requests) == (Status.FAILED, 1)
    assert time.monotonic() - began < 5


def test_attempts_are_limited(shop: Shop) -> None:
    shop.answers(replies.server_error())

    asked = shop.ask(shop.spec(retries={"attempts": 3, "seconds": 30}))

    assert (asked.status, asked.requests, asked.spent_usd) == (Status.FAILED, 3, 0.0)
    stored = shop.stored(call(shop.spec()))
    assert (stored.state, stored.failed_nights) == (CallState.FAILED, 1)
    assert stored.error is not None and "HTTP 500" in stored.error


def test_the_time_for_retries_is_limited(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resources.llm.errand.FIRST_BACKOFF_S", 0.1)
    shop.answers(replies.server_error())

    began = time.monotonic()
    asked = shop.ask(shop.spec(retries={"attempts": 1000, "seconds": 0.5}))

    assert asked.status is Status.FAILED
    assert time.monotonic() - began < 2
    assert 2 <= asked.requests < 20


def test_waiting_for_a_lane_takes_no_time_from_the_retries(shop: Shop) -> None:
    spec = shop.spec(concurrency=1, retries={"attempts": 2, "seconds": 0.5})
    shop.rules(Rule(Reply(latency_s=0.3), contains="Question"), Rule(replies.server_error(), times=1), otherwise=OK)

    _, asked = shop.buy(*calls(spec, 3), call(spec))

    assert [each.status for each in asked] == [Status.COMPLETED] * 4


def test_a_request_that_cannot_succeed_is_sent_once(shop: Shop) -> None:
    shop.answers(replies.context_window())

    asked = shop.ask(shop.spec())

    assert (asked.status, asked.requests) == (Status.FAILED, 1)
    assert shop.failures() == [("context_window", 0.0)]


def test_a_hanging_connection_ends_at_the_timeout(shop: Shop) -> None:
    shop.answers(Reply(latency_s=30))

    began = time.monotonic()
    asked = shop.ask(shop.spec(timeout=0.5, retries={"attempts": 1}))

    assert asked.status is Status.FAILED
    assert time.monotonic() - began < 4
    assert shop.failures() == [("timeout", 0.01)]


def test_an_answer_after_the_timeout_is_recorded_once_and_charged_as_both(shop: Shop) -> None:
    shop.answers(Reply(text="late", latency_s=1.5), Reply(text="prompt"))

    async def act(gateway: Gateway) -> None:
        await gateway.ask(call(spec))
        await asyncio.sleep(0.8)

    spec = shop.spec(timeout=0.8)
    shop.run([spec], act)

    assert shop.server.stats.billed == 2
    assert shop.rows("select text from calls") == [("prompt",)]
    assert shop.ledger.spent("sweep:s1") == pytest.approx(0.02)


def test_nobody_listening_costs_nothing(unaudited: Shop) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]

    asked = unaudited.ask(unaudited.spec(api_base=f"http://127.0.0.1:{port}/v1", retries={"attempts": 1}))

    assert asked.status is Status.FAILED
    assert unaudited.failures() == [("connection", 0.0)]


def test_a_connection_that_is_never_made_costs_nothing(unaudited: Shop) -> None:
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for waiting in (first, second):
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        base = f"http://127.0.0.1:{full.getsockname()[1]}/v1"

        asked = unaudited.ask(unaudited.spec(api_base=base, timeout=0.5, retries={"attempts": 1}))

    assert asked.status is Status.FAILED
    assert unaudited.failures() == [("timeout", 0.0)]


# name: (reply, what the message says)
STOPPING: dict[str, tuple[Reply | Script, str]] = {
    "wrong key": (replies.wrong_key, "M_KEY"),
    "unknown model": (replies.unknown_model(), "api_base"),
    "quota": (replies.quota_exhausted(), "current quota"),
    "per day": (replies.daily_limit(), "requests per day"),
}


@pytest.mark.parametrize("case", STOPPING)
def test_a_model_that_cannot_answer_stops_at_once_and_the_others_go_on(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setenv("M_KEY", "sk-verysecretkey0123456789")
    reply, says = STOPPING[case]
    broken, sound = shop.spec("broken", concurrency=2, api_key_env="M_KEY"), shop.spec("sound")
    broken_script = reply if callable(reply) else lambda request: reply
    shop.server.script = lambda request: OK if request.model == "sound" else broken_script(request)

    gateway, asked = shop.buy(*calls(broken, 50), *calls(sound, 20))

    assert list(gateway.stopped) == ["broken"]
    assert says in gateway.stopped["broken"]
    assert "\n" not in gateway.stopped["broken"]
    assert [each.status for each in asked[50:]] == [Status.COMPLETED] * 20
    sent = sum(count for (model, _), count in shop.server.asked.items() if model == "broken")
    assert sent <= 2
    assert {each.status for each in asked[:50]} == {Status.FAILED, Status.STOPPED}


def test_a_run_of_failures_stops_the_model(shop: Shop) -> None:
    spec = shop.spec(concurrency=1, retries={"attempts": 1})
    shop.answers(replies.server_error())

    gateway, asked = shop.buy(*calls(spec, 40))

    assert shop.server.stats.received == RUN_OF_FAILURES
    assert "10 calls failed one after the other" in gateway.stopped["m"]
    assert [each.status for each in asked].count(Status.STOPPED) == 40 - RUN_OF_FAILURES


def test_a_permanent_429_on_one_item_in_twenty_stops_nothing(shop: Shop) -> None:
    """Though the failing calls end last, one after the other, since they are tried again."""
    spec = shop.spec(concurrency=8, retries={"attempts": 2, "seconds": 30})
    shop.server.script = lambda request: replies.rate_limited() if int(request.message[9:-1]) % 20 == 7 else OK

    gateway, asked = shop.buy(*calls(spec, 200))

    assert gateway.stopped == {}
    assert [each.status for each in asked].count(Status.FAILED) == 10
    assert [each.status for each in asked].count(Status.COMPLETED) == 190


def test_prompts_that_are_too_long_stop_nothing(shop: Shop) -> None:
    shop.answers(replies.context_window())

    gateway, asked = shop.buy(*calls(shop.spec(), 20))

    assert gateway.stopped == {}
    assert [each.status for each in asked] == [Status.FAILED] * 20


def test_an_outage_in_the_middle_stops_the_model(shop: Shop) -> None:
    spec = shop.spec(concurrency=8, retries={"attempts": 2, "seconds": 30})
    shop.server.script = lambda request: OK if int(request.message[9:-1]) < 30 else replies.server_error()

    gateway, asked = shop.buy(*calls(spec, 100))

    assert "10 calls failed one after the other" in gateway.stopped["m"]
    assert [each.status for each in asked].count(Status.COMPLETED) == 30
    assert [each.status for each in asked].count(Status.STOPPED) > 40


def test_half_the_calls_fail_then_the_server_heals_and_exactly_the_missing_ones_are_bought(shop: Shop) -> None:
    spec = shop.spec(retries={"attempts": 1})
    shop.server.script = lambda request: replies.rate_limited() if int(request.message[9:-1]) % 2 else OK
    shop.buy(*calls(spec, 20))
    before = shop.server.asked

    shop.answers(OK)
    _, asked = shop.buy(*calls(spec, 20))

    assert [each.status for each in asked] == [Status.COMPLETED] * 20
    asked_again = shop.server.asked - before
    assert sorted(message for _, message in asked_again) == sorted(f"Question {n}?" for n in range(1, 20, 2))


def test_calls_that_wait_for_a_retry_leave_the_lane_to_others(shop: Shop) -> None:
    spec = shop.spec(concurrency=1)
    shop.rules(Rule(replies.rate_limited("1"), contains="France", times=1), otherwise=OK)
    order: list[str] = []

    async def ask(gateway: Gateway, prompt: str) -> None:
        await gateway.ask(call(spec, prompt))
        order.append(prompt)

    async def act(gateway: Gateway) -> None:
        await asyncio.gather(ask(gateway, "Capital of France?"), ask(gateway, "Capital of Italy?"))

    shop.run([spec], act)

    assert order == ["Capital of Italy?", "Capital of France?"]


def test_a_stopped_model_wakes_the_calls_that_wait_for_a_retry(shop: Shop) -> None:
    spec = shop.spec()
    shop.rules(
        Rule(replies.rate_limited("20"), contains="France"),
        otherwise=Reply(status=401, error=replies.ErrorBody("no such key"), latency_s=0.3),
    )

    began = time.monotonic()
    gateway, [waiting, refused] = shop.buy(call(spec), call(spec, "Capital of Italy?"))

    assert (waiting.status, refused.status) == (Status.STOPPED, Status.FAILED)
    assert "no such key" in gateway.stopped["m"]
    assert time.monotonic() - began < 10


@dataclass(frozen=True)
class EmbeddedServer:
    api_base: str


def test_an_embedded_model_that_died_is_started_again(unaudited: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer() as dead:
        bases = [dead.url, unaudited.server.url]
    monkeypatch.setattr("resources.local_model.ensure_server", lambda name, folder: EmbeddedServer(bases.pop(0)))
    monkeypatch.setattr("resources.local_model.release_server", lambda folder: None)
    unaudited.answers(OK)

    asked = unaudited.ask(unaudited.spec("embedded", local="smollm2", api_base=None, price=None))

    assert (asked.status, asked.requests, asked.spent_usd) == (Status.COMPLETED, 2, 0.0)


def test_an_embedded_model_that_cannot_be_started_stops_and_the_others_go_on(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ensure_server(name: str, folder: Path) -> EmbeddedServer:
        raise FactsweepError("the embedded model smollm2 did not start; see its log")

    monkeypatch.setattr("resources.local_model.ensure_server", ensure_server)
    embedded = shop.spec("embedded", local="smollm2", api_base=None, price=None)

    gateway, [missing, sound] = shop.buy(call(embedded), call(shop.spec()))

    assert (missing.status, sound.status) == (Status.STOPPED, Status.COMPLETED)
    assert gateway.stopped == {"embedded": "the embedded model smollm2 did not start; see its log"}
