"""The scripted provider answers, breaks and bills as its script says; every other test's figures rest on it."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import psutil
import pytest

from tests.support import replies
from tests.support.books import LOGGED_REQUESTS, Price
from tests.support.replies import Delivery, Reply, Request, Rule, Usage, rules
from tests.support.scripted_server import ScriptedServer, ServerProcess


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(prices={"m": Price(input=1.0, output=10.0, cached_input=0.1)}) as running:
        yield running


def ask(server: ScriptedServer | ServerProcess, message: str = "Why?", *, model: str = "m", timeout: float = 5) -> dict:
    """The decoded reply to one OpenAI chat completion."""
    return _post(server, message, model, timeout).json()


def _post(server: ScriptedServer | ServerProcess, message: str, model: str = "m", timeout: float = 5) -> httpx.Response:
    body = {
        "model": model,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": message}],
    }
    return httpx.post(
        f"{server.url}/chat/completions", json=body, timeout=timeout, headers={"Authorization": "Bearer k"}
    )


def test_openai_answer(server: ScriptedServer) -> None:
    server.script = lambda request: Reply("Canberra", usage=Usage(100, 50, 30, 20), served_model="m-2025-08-07")

    answer = ask(server)

    assert answer["model"] == "m-2025-08-07"
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "Canberra", "refusal": None}
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["usage"] == {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 20},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }


def test_anthropic_answer(server: ScriptedServer) -> None:
    server.script = lambda request: Reply("Canberra", finish_reason="length", usage=Usage(100, 50, 0, 20))
    body = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Why?"}]}],
    }

    answer = httpx.post(f"{server.url}/messages", json=body).json()

    assert answer["content"] == [{"type": "text", "text": "Canberra"}]
    assert answer["stop_reason"] == "max_tokens"
    assert (answer["usage"]["input_tokens"], answer["usage"]["cache_read_input_tokens"]) == (80, 20)
    assert server.asked == {("m", "Why?"): 1}


def test_gemini_answer(server: ScriptedServer) -> None:
    server.script = lambda request: Reply("Canberra", usage=Usage(100, 50, 30, 20))
    body = {"contents": [{"role": "user", "parts": [{"text": "Why?"}]}]}

    answer = httpx.post(f"{server.origin}/v1beta/models/m:generateContent?key=k", json=body).json()

    assert answer["candidates"][0]["content"]["parts"] == [{"text": "Canberra"}]
    assert (answer["usageMetadata"]["candidatesTokenCount"], answer["usageMetadata"]["thoughtsTokenCount"]) == (20, 30)
    assert server.asked == {("m", "Why?"): 1}


@pytest.mark.parametrize(
    ("reply", "content", "reason"),
    [
        (Reply(text=None), None, "stop"),
        (Reply(text=""), "", "stop"),
        (Reply(text=None, finish_reason="length", usage=Usage(9, 64, 64)), None, "length"),
        (Reply(text=None, finish_reason="content_filter"), None, "content_filter"),
        (Reply(text="x" * 1_000_000), "x" * 1_000_000, "stop"),
    ],
)
def test_strange_contents(server: ScriptedServer, reply: Reply, content: str | None, reason: str) -> None:
    server.script = lambda request: reply

    choice = ask(server)["choices"][0]

    assert (choice["message"]["content"], choice["finish_reason"]) == (content, reason)


def test_refusal(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(text=None, refusal="I can't say.")

    assert ask(server)["choices"][0]["message"]["refusal"] == "I can't say."


def test_an_answer_without_usage(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(usage=None)

    assert "usage" not in ask(server)


def test_an_error_carries_status_headers_and_body(server: ScriptedServer) -> None:
    server.script = lambda request: replies.rate_limited("2")

    reply = _post(server, "Why?")

    assert (reply.status_code, reply.headers["Retry-After"]) == (429, "2")
    assert reply.json()["error"]["code"] == "rate_limit_exceeded"


def test_a_wrong_key_is_echoed(server: ScriptedServer) -> None:
    server.script = replies.wrong_key

    reply = _post(server, "Why?")

    assert "Bearer k" in reply.json()["error"]["message"]
    assert "Bearer k" in reply.headers["X-Sent"]


def test_malformed_json(server: ScriptedServer) -> None:
    server.script = lambda request: replies.malformed()

    with pytest.raises(json.JSONDecodeError):
        ask(server)


@pytest.mark.parametrize("delivery", [Delivery.HALF_BODY, Delivery.HALF_CHUNKED, Delivery.CLOSED])
def test_a_broken_delivery_is_billed_but_not_completed(server: ScriptedServer, delivery: Delivery) -> None:
    server.script = lambda request: Reply(delivery=delivery)

    with pytest.raises(httpx.RemoteProtocolError):
        ask(server)

    assert (server.stats.billed, server.stats.completed) == (1, 0)


def test_a_reset_connection(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(delivery=Delivery.RESET)

    with pytest.raises(httpx.ReadError):
        ask(server)


def test_a_dripped_answer_comes_whole_but_slowly(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(delivery=Delivery.DRIPPED, drip_s=0.2)
    start = time.monotonic()

    answer = ask(server, timeout=0.1)

    assert answer["choices"][0]["message"]["content"] == "ok"
    assert time.monotonic() - start >= 0.15


def test_an_answer_after_the_askers_timeout_is_billed_once_and_not_completed(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(latency_s=0.2)

    with pytest.raises(httpx.ReadTimeout):
        ask(server, timeout=0.05)
    assert server.stats.billed == 0
    time.sleep(0.3)

    assert (server.stats.billed, server.stats.completed) == (1, 0)


def test_an_error_is_not_billed(server: ScriptedServer) -> None:
    server.script = lambda request: replies.server_error()

    _post(server, "Why?")

    assert (server.stats.received, server.stats.billed, server.stats.dollars) == (1, 0, 0)


def test_dollars_by_the_given_prices(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(usage=Usage(1000, 500, 300, 200))

    ask(server)

    assert (server.stats.prompt_tokens, server.stats.completion_tokens) == (1000, 500)
    assert server.stats.dollars == pytest.approx((800 * 1.0 + 200 * 0.1 + 500 * 10.0) / 1e6)


def test_rules_choose_by_model_message_and_count(server: ScriptedServer) -> None:
    server.script = rules(
        Rule(replies.rate_limited("0"), contains="hard", times=2),
        Rule(Reply("other"), model="n"),
        otherwise=Reply("plain"),
    )

    hard = [_post(server, "a hard one").status_code for _ in range(3)]

    assert hard == [429, 429, 200]
    assert ask(server, model="n")["choices"][0]["message"]["content"] == "other"
    assert ask(server)["choices"][0]["message"]["content"] == "plain"


def test_a_script_sees_the_request(server: ScriptedServer) -> None:
    seen: list[Request] = []
    server.script = lambda request: seen.append(request) or Reply()

    ask(server, "Twice?")
    ask(server, "Twice?")

    assert [(request.model, request.message, request.count) for request in seen] == [
        ("m", "Twice?", 1),
        ("m", "Twice?", 2),
    ]
    assert seen[0].headers["authorization"] == "Bearer k"
    assert seen[0].body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Twice?"},
    ]


def test_the_log_keeps_the_last_requests_only(server: ScriptedServer) -> None:
    with httpx.Client() as client:
        for number in range(LOGGED_REQUESTS + 5):
            body = {"model": "m", "messages": [{"role": "user", "content": str(number)}]}
            client.post(f"{server.url}/chat/completions", json=body)

    assert len(server.log) == LOGGED_REQUESTS
    assert server.log[-1].message == str(LOGGED_REQUESTS + 4)


def test_peak_concurrency(server: ScriptedServer) -> None:
    server.script = lambda request: Reply(latency_s=0.3)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda number: ask(server, str(number)), range(5)))

    assert (server.stats.peak_concurrency, server.stats.completed) == (5, 5)


def test_a_hanging_request_does_not_keep_the_server_alive() -> None:
    with ScriptedServer(lambda request: Reply(latency_s=600)) as server:
        start = time.monotonic()
        with contextlib.suppress(httpx.ReadTimeout):
            ask(server, timeout=0.05)

    assert time.monotonic() - start < 5
    assert not [thread for thread in threading.enumerate() if thread.name == "scripted-server"]
    with pytest.raises(httpx.ConnectError):
        ask(server)


def test_a_request_in_pieces_is_one_request(server: ScriptedServer) -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "é" * 1000}]}).encode()
    raw = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    host, port = server.origin.removeprefix("http://").split(":")

    with socket.create_connection((host, int(port))) as connection:
        for start in range(0, len(raw), 700):
            connection.sendall(raw[start : start + 700])
            time.sleep(0.01)
        reply = connection.recv(65536)

    assert reply.startswith(b"HTTP/1.1 200 OK\r\n")
    assert server.asked == {("m", "é" * 1000): 1}


def shouting(request: Request) -> Reply:
    """The script that the process of the next test loads by its name."""
    return Reply(request.message.upper())


def test_a_process_of_its_own_serves_a_named_script_and_tells_its_totals() -> None:
    with ServerProcess(script=f"{__name__}:shouting") as server:
        answer = ask(server, "loud")

        assert answer["choices"][0]["message"]["content"] == "LOUD"
        assert (server.stats.received, server.stats.completed) == (1, 1)
    assert not psutil.pid_exists(server.pid)


def test_a_process_answers_after_its_latency() -> None:
    with ServerProcess(latency_s=0.2, text="B") as server:
        start = time.monotonic()

        assert ask(server)["choices"][0]["message"]["content"] == "B"
        assert time.monotonic() - start >= 0.2


def test_the_process_ends_with_its_parent() -> None:
    parent = (
        "from tests.support.scripted_server import ServerProcess; import os\n"
        "server = ServerProcess().__enter__(); print(server.pid, flush=True); os._exit(9)"
    )
    ran = subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, timeout=30)

    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(int(ran.stdout)).wait(10)
    assert not psutil.pid_exists(int(ran.stdout))


def test_headers_of_a_reply_can_be_replaced(server: ScriptedServer) -> None:
    page = Reply(body=b"<html>", headers={"Content-Type": "text/html"})
    server.script = lambda request: replace(page, status=502)

    reply = _post(server, "Why?")

    assert (reply.status_code, reply.headers["Content-Type"], reply.text) == (502, "text/html", "<html>")
