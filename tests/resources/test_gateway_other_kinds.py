"""Vectors and searches go the way of answers: one identity, bought once, priced, retried, no key on record."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from resources.failures import FailureKind
from resources.llm import Call, Status, build_embedding, build_search, search_fault, vector_of
from resources.llm.route import configured_litellm
from resources.registries import ModelSpec
from resources.types import Role
from tests.resources.purchases import Shop
from tests.support.replies import Page, Reply, failing, rate_limited, server_error

# litellm prints replies of another shape; the route turns that off, and pytest on again.
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")

KEY = "tvly-Very/Secret+Key=0123456789"
PAGES = (Page("https://ecfr.gov/title-26", "Title 26", "Taxes."), Page("https://ecfr.gov/title-27"))
KINDS = ("embedding", "search")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", KEY)
    configured_litellm()


def embedder(shop: Shop, **more: Any) -> ModelSpec:
    """Two dollars a million tokens."""
    fields = {"params": {}, "api_key_env": "OTHER_KEY", "price": {"input": 2.0, "output": 0.0}, "timeout": 30}
    return shop.spec("embedder", route="openai", **(fields | more))


def searcher(shop: Shop, **more: Any) -> ModelSpec:
    """Eight tenths of a cent a query."""
    fields = {
        "model": "search/tavily",
        "api_base": shop.server.origin,
        "params": {},
        "api_key_env": "OTHER_KEY",
        "price": {"input": 0, "output": 0, "request": 0.008},
        "timeout": 30,
    }
    return shop.spec("searcher", **(fields | more))


def asking(kind: str, shop: Shop, text: str = "income tax rates", **more: Any) -> Call:
    if kind == "embedding":
        spec = embedder(shop, **more)
        return build_embedding(spec, spec.api_base, text)
    spec = searcher(shop, **more)
    return build_search(spec, spec.api_base, text, ["ecfr.gov"])


def test_a_vector_comes_as_it_was_sent(shop: Shop) -> None:
    shop.answers(Reply(vector=(0.25, -0.5, 1.0)))

    _, [asked] = shop.buy(asking("embedding", shop))

    assert asked.status is Status.COMPLETED and asked.stored
    assert list(vector_of(asked.stored.text or "")) == [0.25, -0.5, 1.0]
    [request] = shop.server.log
    assert (request.model, request.message) == ("embedder", "income tax rates")


def test_a_vector_costs_its_tokens(shop: Shop) -> None:
    _, [asked] = shop.buy(asking("embedding", shop, "income tax rates"))

    assert asked.stored and asked.stored.cost_usd == pytest.approx(3 * 2.0 / 1e6)


def test_a_search_brings_its_pages_from_the_hosts_that_were_named(shop: Shop) -> None:
    shop.answers(Reply(pages=PAGES))

    _, [asked] = shop.buy(asking("search", shop))

    assert asked.status is Status.COMPLETED and asked.stored
    assert json.loads(asked.stored.text or "") == [
        {"url": "https://ecfr.gov/title-26", "title": "Title 26", "snippet": "Taxes."},
        {"url": "https://ecfr.gov/title-27", "title": "A page", "snippet": "What it says."},
    ]
    [request] = shop.server.log
    assert request.body["include_domains"] == ["ecfr.gov"]
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_a_search_that_finds_nothing_is_an_answer(shop: Shop) -> None:
    shop.answers(Reply(pages=()))

    _, [asked] = shop.buy(asking("search", shop))

    assert asked.stored and asked.stored.text == "[]"


def test_a_search_costs_its_request(shop: Shop) -> None:
    _, [asked] = shop.buy(asking("search", shop))

    assert asked.stored and asked.stored.cost_usd == pytest.approx(0.008)


def test_a_cap_holds_for_searches(shop: Shop) -> None:
    calls = [asking("search", shop, f"query {number}") for number in range(5)]

    gateway, asked = shop.buy(*calls, cap=0.017)

    assert [each.status for each in asked].count(Status.COMPLETED) == 2
    assert gateway.over_budget


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_bought_is_answered_by_the_ledger(shop: Shop, kind: str) -> None:
    shop.answers(Reply(pages=PAGES))
    _, [first] = shop.buy(asking(kind, shop))

    _, [second] = shop.buy(asking(kind, shop))

    assert first.stored and second.stored and second.stored.text == first.stored.text
    assert shop.server.stats.received == 1


def test_what_changes_the_reply_is_another_call(shop: Shop) -> None:
    spec = searcher(shop)
    wider = searcher(shop, params={"max_results": 20})
    calls = [
        asking("embedding", shop),
        asking("embedding", shop, "income tax"),
        asking("embedding", shop, params={"dimensions": 256}),
        build_search(spec, spec.api_base, "income tax rates", ["ecfr.gov"]),
        build_search(spec, spec.api_base, "income tax", ["ecfr.gov"]),
        build_search(spec, spec.api_base, "income tax rates", ["ecfr.gov", "irs.gov"]),
        build_search(spec, spec.api_base, "income tax rates", []),
        build_search(wider, wider.api_base, "income tax rates", ["ecfr.gov"]),
        build_search(spec, "https://elsewhere.example", "income tax rates", ["ecfr.gov"]),
    ]

    assert len({call.call_id for call in calls}) == len(calls)


@pytest.mark.parametrize("kind", KINDS)
def test_a_rotated_key_is_no_other_call(shop: Shop, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    before = asking(kind, shop)
    monkeypatch.setenv("OTHER_KEY", "another")

    assert asking(kind, shop).call_id == before.call_id


@pytest.mark.parametrize("trouble", [rate_limited(retry_after="0"), server_error(503)], ids=["429", "503"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_passes_is_tried_again(shop: Shop, kind: str, trouble: Reply) -> None:
    shop.answers(trouble, Reply(pages=PAGES))

    _, [asked] = shop.buy(asking(kind, shop))

    assert asked.status is Status.COMPLETED
    assert shop.server.stats.received == 2


MALFORMED = {
    "half of a reply": b'{"results": [{"url": "https://ecfr.gov/", ',
    "no JSON": b"<html>Welcome</html>",
    "another shape": b'{"data": [{"embedding": "none"}], "results": 7}',
    "entries of another shape": b'{"data": ["x"], "results": ["x"]}',
    "a list": b"[]",
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_malformed_reply_is_no_answer_and_may_have_been_paid(shop: Shop, kind: str, body: bytes) -> None:
    shop.answers(Reply(body=body))
    call = asking(kind, shop, retries={"attempts": 2, "seconds": 5})

    _, [asked] = shop.buy(call)

    assert asked.status is Status.FAILED
    assert [(name, bool(usd)) for name, usd in shop.failures()] == [(FailureKind.MALFORMED, True)] * 2


@pytest.mark.parametrize(
    "body", [b'{"data": []}', b'{"data": [{"embedding": []}]}', b'{"data": [{"embedding": [1, "x"]}]}']
)
def test_no_vector_is_no_answer(shop: Shop, body: bytes) -> None:
    shop.answers(Reply(body=body))

    _, [asked] = shop.buy(asking("embedding", shop, retries={"attempts": 1, "seconds": 5}))

    assert asked.status is Status.FAILED


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_key_stops_the_model(shop: Shop, kind: str) -> None:
    shop.answers(failing(401, "Unauthorized: missing or invalid API key.", "auth"))

    gateway, [asked] = shop.buy(asking(kind, shop))

    assert asked.status is Status.FAILED
    assert shop.server.stats.received == 1
    [reason] = gateway.stopped.values()
    assert "check OTHER_KEY" in reason


def test_a_plan_that_is_used_up_stops_the_search(shop: Shop) -> None:
    shop.answers(failing(432, "This request exceeds your plan's set usage limit.", "limit"))

    gateway, _ = shop.buy(asking("search", shop))

    [reason] = gateway.stopped.values()
    assert "exceeds your plan's set usage limit" in reason
    assert shop.server.stats.received == 1


def test_a_search_provider_that_litellm_does_not_know_is_named_before_it_is_asked(shop: Shop) -> None:
    fault = search_fault(searcher(shop, model="search/nobody"))

    assert fault and fault.startswith("litellm knows no search provider 'nobody'; take one of agentcore, ")
    assert search_fault(searcher(shop)) is None


def test_a_search_server_without_an_address_is_named_before_it_is_asked(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEARXNG_API_BASE", raising=False)

    fault = search_fault(searcher(shop, model="search/searxng", api_base=None, api_key_env=None))

    assert fault and fault.startswith("SEARXNG_API_BASE is not set")
    assert search_fault(searcher(shop, model="search/searxng", api_base="https://searx.example")) is None


@pytest.mark.parametrize("case", ["a reply", "401", "400", "malformed"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_repeated_key_is_nowhere(shop: Shop, kind: str, case: str) -> None:
    replies = {
        "a reply": Reply(served_model=KEY, pages=(Page(f"https://ecfr.gov/?key={KEY}", KEY, KEY),)),
        "401": failing(401, f"You sent {KEY}", "error", x_sent=KEY),
        "400": failing(400, f"You sent {KEY}", "error", x_sent=KEY),
        "malformed": Reply(body=json.dumps({"data": KEY, "results": KEY}).encode()),
    }
    shop.answers(replies[case])

    gateway, _ = shop.buy(asking(kind, shop, retries={"attempts": 1, "seconds": 5}))

    assert KEY not in "\n".join(dump(shop))
    assert KEY not in str(gateway.stopped)


def dump(shop: Shop) -> Iterator[str]:
    """The ledger as text."""
    with sqlite3.connect(shop.file) as connection:
        yield from connection.iterdump()


def test_roles_are_on_record(shop: Shop) -> None:
    shop.buy(asking("search", shop), asking("embedding", shop))

    assert sorted(shop.rows("select role from calls")) == [(Role.EMBED,), (Role.SEARCH,)]
