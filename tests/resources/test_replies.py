"""Reading replies: text, outcome and tokens, whatever a server leaves out or counts twice."""

from types import SimpleNamespace
from typing import Any

import pytest

from resources.llm.replies import MalformedReply, read_reply
from resources.types import Outcome


def response(content: Any = "Paris", finish: str | None = "stop", usage: Any = None, **message: Any) -> SimpleNamespace:
    message = {"content": content} | message
    return SimpleNamespace(
        choices=[SimpleNamespace(message=SimpleNamespace(**message), finish_reason=finish)], usage=usage, model="m-1"
    )


def usage(prompt: int, completion: int, total: int | None = None, reasoning: Any = None, cached: Any = None) -> Any:
    return SimpleNamespace(
        prompt_tokens=prompt,
        completion_tokens=completion,
        total_tokens=prompt + completion if total is None else total,
        completion_tokens_details=SimpleNamespace(reasoning_tokens=reasoning),
        prompt_tokens_details=SimpleNamespace(cached_tokens=cached),
    )


def test_tokens_are_read_as_they_are_counted() -> None:
    reply = read_reply(response(usage=usage(100, 30, reasoning=20, cached=40)))

    assert (reply.input_tokens, reply.output_tokens, reply.reasoning_tokens, reply.cached_tokens) == (100, 30, 20, 40)


def test_thinking_that_is_counted_beside_the_completion_is_added_to_it() -> None:
    reply = read_reply(response(usage=usage(100, 10, total=130, reasoning=20)))

    assert reply.output_tokens == 30


def test_thinking_within_the_completion_is_not_counted_twice() -> None:
    reply = read_reply(response(usage=usage(100, 30, total=130, reasoning=20)))

    assert reply.output_tokens == 30


def test_zeros_in_place_of_a_usage_are_unknown_tokens() -> None:
    reply = read_reply(response(usage=usage(0, 0)))

    assert (reply.input_tokens, reply.output_tokens) == (None, None)


@pytest.mark.parametrize("tokens", [-1, 10**30, "many", None])
def test_a_count_that_is_none_is_unknown(tokens: Any) -> None:
    assert read_reply(response(usage=usage(100, tokens, total=0))).output_tokens is None


@pytest.mark.parametrize("choices", [None, [], [SimpleNamespace(message=None, finish_reason="stop")]])
def test_a_reply_without_a_message_is_malformed(choices: Any) -> None:
    with pytest.raises(MalformedReply, match="no choice"):
        read_reply(SimpleNamespace(choices=choices, usage=None, model="m"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>Rome? No.</think>Paris", "Paris"),
        ("\n<think>\nRome?\nNo.\n</think>Paris", "Paris"),
        ("<think>a</think>Paris </think> x", "Paris </think> x"),
        ("A <think> tag is no thinking: Paris", "A <think> tag is no thinking: Paris"),
        ("<think>never ended", ""),
    ],
)
def test_thinking_is_no_part_of_the_answer(content: str, text: str) -> None:
    assert read_reply(response(content)).text == text


@pytest.mark.parametrize(
    ("content", "finish", "outcome"),
    [
        ("Paris", "stop", Outcome.ANSWERED),
        ("", "stop", Outcome.ANSWERED),
        (None, "stop", Outcome.ANSWERED),
        (None, "tool_calls", Outcome.ANSWERED),
        (None, None, Outcome.ANSWERED),
        ("Paris is the", "length", Outcome.ANSWERED),
        ("", "length", Outcome.TRUNCATED),
        ("<think>hm", "length", Outcome.TRUNCATED),
        ("<think>hm</think>  ", "length", Outcome.TRUNCATED),
        ("Pa", "content_filter", Outcome.FILTERED),
    ],
)
def test_how_a_reply_ended_decides_its_outcome(content: str | None, finish: str | None, outcome: Outcome) -> None:
    assert read_reply(response(content, finish)).outcome is outcome


def test_a_refusal_is_the_answer_where_there_is_no_other() -> None:
    assert read_reply(response(None, refusal="I can't help.")).text == "I can't help."
    assert read_reply(response("Paris", refusal="I can't help.")).text == "Paris"


def test_what_no_database_stores_is_replaced() -> None:
    assert read_reply(response("a\ud800b\x00c")).text == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
