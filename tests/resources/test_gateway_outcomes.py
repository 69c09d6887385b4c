"""What a reply is: an answer, truncated or filtered; through real litellm against a scripted server."""

import pytest

from resources.llm import Status
from resources.types import CallState, Outcome
from tests.resources.purchases import Shop, call
from tests.support import replies
from tests.support.replies import Reply, Usage
from tests.support.wire_formats import encode, parse

ROUTES = ("hosted_vllm", "openai", "anthropic", "gemini")


THOUGHT_ONLY = Reply(text=None, finish_reason="length", usage=Usage(5, 1, reasoning_tokens=1))
FINAL = {
    "an answer": (Reply(text="Paris"), Outcome.ANSWERED, "Paris"),
    "null content": (Reply(text=None), Outcome.ANSWERED, ""),
    "empty content": (Reply(text=""), Outcome.ANSWERED, ""),
    "a refusal": (Reply(text=None, refusal="I can't help."), Outcome.ANSWERED, "I can't help."),
    "all tokens spent on thinking": (THOUGHT_ONLY, Outcome.TRUNCATED, ""),
    "white space cut off": (Reply(text=" \n", finish_reason="length"), Outcome.TRUNCATED, " \n"),
    "an answer cut off": (Reply(text="Paris is", finish_reason="length"), Outcome.ANSWERED, "Paris is"),
    "a filtered answer": (Reply(text=None, finish_reason="content_filter"), Outcome.FILTERED, ""),
    "a filtered prompt": (replies.content_filter_error(), Outcome.FILTERED, ""),
    "thinking in the text": (Reply(text="<think>Rome? No.</think>Paris"), Outcome.ANSWERED, "Paris"),
    "thinking cut off": (Reply(text="<think>Rome? No", finish_reason="length"), Outcome.TRUNCATED, ""),
}


@pytest.mark.parametrize("case", FINAL)
def test_a_reply_has_one_outcome_and_is_final(shop: Shop, case: str) -> None:
    reply, outcome, text = FINAL[case]
    shop.answers(reply)
    spec = shop.spec()

    first, second = shop.ask(spec), shop.ask(spec)

    assert first.status is second.status is Status.COMPLETED
    assert first.stored is not None
    assert (first.stored.outcome, first.stored.text) == (outcome, text)
    assert shop.server.stats.received == 1
    kept = shop.stored(call(spec))
    assert (kept.state, kept.outcome, kept.text) == (CallState.COMPLETED, outcome, text)


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_answers(shop: Shop, monkeypatch: pytest.MonkeyPatch, route: str) -> None:
    monkeypatch.setenv("ROUTE_KEY", "sk-verysecretkey0123456789")
    shop.answers(Reply(text="Paris", usage=Usage(7, 1), served_model="m-2026-01-01"))

    asked = shop.ask(shop.spec(route=route, api_key_env="ROUTE_KEY"))

    stored = asked.stored
    assert stored is not None
    assert (stored.outcome, stored.text, stored.finish_reason) == (Outcome.ANSWERED, "Paris", "stop")
    assert (stored.input_tokens, stored.output_tokens, stored.cost_usd) == (7, 1, pytest.approx(0.01))
    assert stored.served_model == "m-2026-01-01"


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_tells_truncated_and_filtered_apart(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    monkeypatch.setenv("ROUTE_KEY", "sk-verysecretkey0123456789")
    spec = shop.spec(route=route, api_key_env="ROUTE_KEY")

    outcomes = []
    for reason in ("length", "content_filter"):
        shop.answers(Reply(text=None, finish_reason=reason, usage=Usage(7, 1)))
        asked = shop.ask(spec, f"To be ended by {reason}.")
        outcomes.append(asked.stored and asked.stored.outcome)

    assert outcomes == [Outcome.TRUNCATED, Outcome.FILTERED]


def test_a_filtered_prompt_costs_nothing(shop: Shop) -> None:
    shop.answers(replies.content_filter_error())

    asked = shop.ask(shop.spec())

    assert asked.spent_usd == 0


def test_a_truncated_reply_is_paid(shop: Shop) -> None:
    shop.answers(THOUGHT_ONLY)

    asked = shop.ask(shop.spec())

    assert asked.stored is not None
    assert (asked.stored.cost_usd, asked.stored.reasoning_tokens) == (pytest.approx(0.01), 1)


def test_a_reply_without_usage_has_an_unknown_cost_that_the_budget_counts_in_full(shop: Shop) -> None:
    shop.answers(Reply(text="Paris", usage=None))

    asked = shop.ask(shop.spec())

    assert asked.stored is not None
    assert (asked.stored.cost_usd, asked.stored.input_tokens, asked.spent_usd) == (None, None, None)
    assert shop.ledger.spent("sweep:s1") == pytest.approx(0.01)


def test_an_unknown_price_is_an_unknown_cost(shop: Shop) -> None:
    shop.answers(Reply(text="Paris", usage=Usage(7, 1)))

    asked = shop.ask(shop.spec(price=None))

    assert asked.stored is not None
    assert (asked.stored.cost_usd, asked.stored.output_tokens) == (None, 1)


_BODY = {"model": "m", "messages": [{"role": "user", "content": "Capital of France?"}]}


def test_half_of_a_surrogate_pair_stops_nothing(shop: Shop) -> None:
    body = encode(parse("/chat/completions", {}, _BODY), Reply(text="Par|is"))
    shop.answers(Reply(body=body.replace(b"|", b"\\ud800")))

    asked = shop.ask(shop.spec())

    assert asked.stored is not None
    assert asked.stored.text == "Par\N{REPLACEMENT CHARACTER}is"
    assert shop.stored(call(shop.spec())).text == asked.stored.text


def test_long_text_and_control_characters_are_kept(shop: Shop) -> None:
    text = "\u202eParis\x07" + "x" * 1_000_000
    shop.answers(Reply(text=text))

    asked = shop.ask(shop.spec())

    assert asked.stored is not None
    assert asked.stored.text == text
    assert shop.stored(call(shop.spec())).text == text
