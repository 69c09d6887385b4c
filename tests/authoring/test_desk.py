"""The desk: each thing asked once, what cannot be read asked again, what is not there waited for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import BaseModel

from assets.authoring.desk import Ask, Said
from assets.authoring.session import desk_for
from resources.types import ConfigurationError, Role
from tests.support.replies import Reply, rate_limited, server_error
from tests.support.workshop import Workshop


class Word(BaseModel):
    word: str


STRICT = "Reply with JSON."
GOOD = Reply(text='{"word": "salt"}')


def said(workshop: Workshop, model: str = "verifier", text: str = "Which word?", **desk: Any) -> Said[Word]:
    """The reply to one question at a desk of its own."""
    with workshop.desk(**desk) as (installation, open_desk):
        ask = Ask(installation.models.specs[model], Role.VERIFY, text, STRICT)
        return open_desk.ask([ask], Word)[0]


def replies(workshop: Workshop, first: Reply, second: Reply | None = None) -> None:
    """`first` to the question itself, `second` to the question in stricter words."""
    workshop.server.script = lambda request: second if second and STRICT in request.message else first


def test_a_reply_comes_with_its_call_its_cost_and_its_time(workshop: Workshop) -> None:
    replies(workshop, GOOD)

    one = said(workshop)

    assert one.value == Word(word="salt")
    assert one.call_id and one.answered_at
    assert one.cost_usd == pytest.approx((2 * 1.0 + 2 * 2.0) / 1e6)  # two words asked and two answered


def test_what_was_bought_is_not_bought_again(workshop: Workshop) -> None:
    replies(workshop, GOOD)
    first = said(workshop)

    second = said(workshop)

    assert (second.value, second.call_id, second.cost_usd) == (first.value, first.call_id, first.cost_usd)
    assert workshop.requests == 1


@pytest.mark.parametrize("route", ["gen-one", "gen-two", "verifier"])
def test_every_route_is_read_alike(workshop: Workshop, route: str) -> None:
    workshop.bank["roles"]["generator"] = ["gen-one", "gen-two"]
    workshop.write()
    replies(workshop, GOOD)

    assert said(workshop, route).value == Word(word="salt")


def test_a_model_id_with_a_slash_is_a_model_like_others(workshop: Workshop) -> None:
    workshop.models.append(workshop.model("lab/reader", "hosted_vllm/lab/reader", workshop.server.url))
    workshop.bank["roles"]["verifier"] = "lab/reader"
    workshop.write()
    replies(workshop, GOOD)

    one = said(workshop, "lab/reader")

    assert (one.spec.id, one.value) == ("lab/reader", Word(word="salt"))


@pytest.mark.parametrize(
    "first",
    [
        Reply(text="I cannot help with that."),
        Reply(text='{"word": '),
        Reply(text='{"word": "sa', finish_reason="length"),
        Reply(text=""),
        Reply(text='{"term": "salt"}'),
    ],
    ids=["refusal", "broken", "half", "empty", "another key"],
)
def test_what_cannot_be_read_is_asked_for_once_more_in_stricter_words(workshop: Workshop, first: Reply) -> None:
    replies(workshop, first, GOOD)

    one = said(workshop)

    assert one.value == Word(word="salt")
    assert [request.message for request in workshop.server.log] == ["Which word?", f"Which word?\n\n{STRICT}"]


def test_both_calls_are_paid_for(workshop: Workshop) -> None:
    replies(workshop, Reply(text="No."), GOOD)

    assert said(workshop).cost_usd == pytest.approx((2 + 5 * 1.0 + (1 + 2) * 2.0) / 1e6)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(text="No."), "is no JSON object: 'No.'"),
        (Reply(text=""), "is empty"),
        (
            Reply(text='{"word": 7', finish_reason="length"),
            "is no valid JSON at character 11 (Expecting ',' delimiter)",
        ),
        (Reply(text="", finish_reason="length"), "is truncated"),
        (Reply(text="", finish_reason="content_filter"), "is filtered"),
    ],
)
def test_what_cannot_be_read_twice_says_why_and_waits_for_nothing(
    workshop: Workshop, reply: Reply, reason: str
) -> None:
    replies(workshop, reply)

    one = said(workshop)

    assert (one.value, one.unreadable, one.waits) == (None, reason, None)
    assert workshop.requests == 2


def test_one_bad_reply_costs_no_other(workshop: Workshop) -> None:
    workshop.server.script = lambda request: Reply(text="No.") if "bad" in request.message else GOOD
    with workshop.desk() as (installation, desk):
        spec = installation.models.specs["verifier"]
        one, other, same = desk.ask([Ask(spec, Role.VERIFY, text) for text in ("bad", "good", "good")], Word)

    assert (one.value, other.value, same.value) == (None, Word(word="salt"), Word(word="salt"))
    assert workshop.requests == 3


def test_a_rate_limit_is_waited_out(workshop: Workshop) -> None:
    workshop.server.script = lambda request: rate_limited() if request.count == 1 else GOOD

    assert said(workshop).value == Word(word="salt")
    assert workshop.requests == 2


def test_a_server_that_only_fails_leaves_the_question_waiting(workshop: Workshop) -> None:
    replies(workshop, server_error())

    one = said(workshop)

    assert (one.value, one.unreadable, one.waits) == (None, None, "its call failed")


def test_what_waited_is_asked_again_at_the_next_desk(workshop: Workshop) -> None:
    replies(workshop, server_error())
    said(workshop)
    replies(workshop, GOOD)

    assert said(workshop).value == Word(word="salt")


def test_over_the_cap_nothing_is_sent_and_what_was_bought_stays(workshop: Workshop) -> None:
    replies(workshop, GOOD)
    bought = said(workshop, text="Which word?")

    with workshop.desk(budget=0.0001) as (installation, desk):
        spec = installation.models.specs["verifier"]
        first, second = desk.ask([Ask(spec, Role.VERIFY, text) for text in ("Which word?", "Another?")], Word)
        assert desk.over_budget

    assert first.value == bought.value
    assert (second.value, second.waits) == (None, "the budget is reached")
    assert workshop.requests == 1


def test_a_cap_needs_every_price(workshop: Workshop) -> None:
    del workshop.models[3]["price"]
    workshop.write()

    with (
        pytest.raises(ConfigurationError, match="a budget needs every price, and nobody states one for panel-a"),
        workshop.desk(budget=1.0),
    ):
        pass
    assert workshop.requests == 0


def test_a_model_that_does_not_exist_is_stopped_and_its_questions_wait(workshop: Workshop) -> None:
    workshop.server.script = lambda request: Reply(status=404, body=b'{"error": {"message": "no such model"}}')
    with workshop.desk() as (installation, desk):
        spec = installation.models.specs["verifier"]
        asked = desk.ask([Ask(spec, Role.VERIFY, f"Word {number}?") for number in range(3)], Word)
        stopped = desk.stopped

    assert [one.value for one in asked] == [None, None, None]
    assert all(one.waits for one in asked)
    assert "verifier" in stopped


class Stop(BaseException):
    """As what Dagster raises on Terminate: no Exception."""


def test_progress_that_raises_ends_the_asking(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assets.authoring.desk._REPORT_S", 0.01)
    workshop.server.script = lambda request: Reply(text='{"word": "late"}', latency_s=0.3)

    with pytest.raises(Stop), _stopping_desk(workshop) as ask:
        ask()


@contextmanager
def _stopping_desk(workshop: Workshop) -> Iterator[Callable[[], object]]:
    installation = workshop.open()

    def stop(tally: object) -> None:
        raise Stop

    with desk_for(installation, workshop.parts(installation)[2], "stopped", None, stop) as desk:
        ask = Ask(installation.models.specs["verifier"], Role.VERIFY, "Which word?")
        yield lambda: desk.ask([ask], Word)
    installation.ledger.close()
