"""The key reaches the provider and nothing else, also where the provider repeats it."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from resources.llm import Status
from tests.resources.purchases import Shop, call, open_shop
from tests.support import replies
from tests.support.replies import Reply, Request
from tests.support.scripted_server import ScriptedServer

KEY = "sk-Very/Secret+Key=0123456789"
CARRIERS = ("authorization", "x-api-key", "x-goog-api-key")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setenv("ROUTE_KEY", KEY)
    with open_shop(tmp_path, monkeypatch) as opened:
        yield opened


def sent(request: Request) -> str:
    return " ".join(request.headers[name] for name in CARRIERS if name in request.headers)


def error(status: int):
    return lambda request: replies.failing(status, f"You sent {sent(request)}.", "error", x_sent=sent(request))


def reply(request: Request) -> Reply:
    return Reply(text=f"Your header: {sent(request)}", served_model=f"m {sent(request)}")


def filtered(request: Request) -> Reply:
    return replies.failing(400, f"content management policy {sent(request)}", "error", "content_filter")


def malformed(request: Request) -> Reply:
    return Reply(body=json.dumps({"choices": [], "debug": sent(request)}).encode()[:-1])


ECHOES = {
    "401": replies.wrong_key,
    "400": error(400),
    "429": error(429),
    "500": error(500),
    "a reply": reply,
    "a filter": filtered,
    "a malformed reply": malformed,
}


@pytest.mark.parametrize("route", ["hosted_vllm", "openai", "anthropic", "gemini"])
@pytest.mark.parametrize("case", ECHOES)
def test_a_repeated_key_is_nowhere(
    shop: Shop,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    route: str,
    case: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    shop.answers(ECHOES[case])
    spec = shop.spec(route=route, api_key_env="ROUTE_KEY", retries={"attempts": 2, "seconds": 30})

    gateway, asked = shop.buy(call(spec))

    assert KEY in sent(shop.server.log[0])
    said = [capfd.readouterr(), caplog.text, gateway.stopped, asked]
    assert KEY not in str(said)
    assert_not_on_disk(shop, KEY)


def test_a_key_that_litellm_finds_by_itself_is_redacted_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shop.answers(reply)

    asked = shop.ask(shop.spec(route="openai"))

    assert KEY in sent(shop.server.log[0])
    assert asked.status is Status.COMPLETED
    assert KEY not in str(asked)
    assert_not_on_disk(shop, KEY)


def test_a_secret_among_the_further_arguments_is_sent_and_redacted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_ORGANIZATION", "org-verysecret-123")
    shop.server.script = lambda request: Reply(text=f"Org {request.headers.get('openai-organization')}")
    spec = shop.spec(route="openai", api_key_env="ROUTE_KEY", extra={"organization": "env:THE_ORGANIZATION"})

    asked = shop.ask(spec)

    assert shop.server.log[0].headers["openai-organization"] == "org-verysecret-123"
    assert asked.stored is not None and asked.stored.text == "Org [redacted]"
    assert_not_on_disk(shop, "org-verysecret-123")


def test_a_short_key_is_redacted_and_a_short_argument_may_be_an_answers_own_word(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUTE_KEY", "sk-short1")
    monkeypatch.setenv("THE_ORGANIZATION", "Oxford")
    shop.server.script = lambda request: Reply(text=f"Oxford, said {sent(request)}")

    asked = shop.ask(shop.spec(api_key_env="ROUTE_KEY", extra={"organization": "env:THE_ORGANIZATION"}))

    assert asked.stored is not None and asked.stored.text == "Oxford, said [redacted]"
    assert_not_on_disk(shop, "sk-short1")


def test_a_missing_key_stops_the_model_and_names_its_variable(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUTE_KEY")
    with ScriptedServer(replies.wrong_key) as elsewhere:
        spec = shop.spec(route="openai", api_base=elsewhere.url, api_key_env="ROUTE_KEY")

        gateway, [asked] = shop.buy(call(spec))

    assert asked.status is Status.FAILED
    assert "ROUTE_KEY" in gateway.stopped["m"]


def assert_not_on_disk(shop: Shop, secret: str) -> None:
    for file in shop.folder.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file
            assert json.dumps(secret)[1:-1].encode() not in file.read_bytes(), file
