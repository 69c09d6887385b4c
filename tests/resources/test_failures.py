"""Each way in which a provider fails, through real litellm against a scripted server, and what is made of it."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from resources.failures import LONGEST_MESSAGE, Failure, FailureKind, Redactor, classify
from tests.support import replies
from tests.support.replies import Delivery, Reply, Script
from tests.support.scripted_server import ScriptedServer

KEY = "sk-verysecretkey0123456789"
ROUTES = ("hosted_vllm", "openai", "anthropic", "gemini")


class Provider:
    """A scripted server, asked through litellm over one route; all calls share one event loop."""

    def __init__(self, server: ScriptedServer, runner: asyncio.Runner) -> None:
        self.server = server
        self._runner = runner

    def fail(
        self, reply: Reply | Script, route: str = "hosted_vllm", *, key: str | None = KEY, wall_s: float = 5, **more
    ) -> Failure:
        """The failure of one call that `reply` answers; at most `wall_s` seconds."""
        self.server.script = reply if callable(reply) else lambda request: reply
        error = self._runner.run(self._error(route, key, wall_s, more))
        assert error is not None, "the call did not fail"
        return classify(error)

    async def _error(self, route: str, key: str | None, wall_s: float, more: dict) -> BaseException | None:
        import litellm

        bases = {"anthropic": self.server.origin, "gemini": f"{self.server.origin}/v1beta"}
        request = {"api_base": bases.get(route, self.server.url), "api_key": key, "timeout": 0.5, **more}
        messages = [{"role": "user", "content": "What is the capital of Australia?"}]
        try:
            async with asyncio.timeout(wall_s):
                await litellm.acompletion(model=f"{route}/m", messages=messages, max_retries=0, **request)
        except BaseException as error:
            return error


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True", LITELLM_OFFLINE_MODE="true")
    import litellm

    litellm.suppress_debug_info = True
    with ScriptedServer() as server, asyncio.Runner() as runner:
        yield Provider(server, runner)


ANSWERED = [
    ("rate limit", replies.rate_limited("2"), FailureKind.RATE_LIMITED),
    ("daily limit", replies.daily_limit(), FailureKind.QUOTA_EXHAUSTED),
    ("quota", replies.quota_exhausted(), FailureKind.QUOTA_EXHAUSTED),
    ("wrong key", replies.wrong_key, FailureKind.BAD_KEY),
    ("forbidden", replies.failing(403, "Account suspended.", "invalid_request_error"), FailureKind.BAD_KEY),
    ("unknown model", replies.unknown_model(), FailureKind.UNKNOWN_MODEL),
    ("context window", replies.context_window(), FailureKind.CONTEXT_WINDOW),
    ("content filter", replies.content_filter_error(), FailureKind.CONTENT_FILTER),
    ("bad request", replies.failing(400, "Unsupported value: 'temperature'", "bad"), FailureKind.BAD_REQUEST),
    ("500", replies.server_error(500), FailureKind.SERVER_ERROR),
    ("529", replies.server_error(529), FailureKind.SERVER_ERROR),
    (
        "html 502",
        Reply(status=502, body=b"<h1>Bad Gateway</h1>", headers={"Content-Type": "text/html"}),
        FailureKind.SERVER_ERROR,
    ),
    ("a 400 that speaks of rate limits", replies.failing(400, "rate limit of 429?", "bad"), FailureKind.BAD_REQUEST),
    ("a 500 that speaks of rate limits", replies.failing(500, "rate limit", "api_error"), FailureKind.SERVER_ERROR),
]

UNANSWERED = [
    ("malformed", replies.malformed(), FailureKind.MALFORMED),
    ("empty body", Reply(body=b""), FailureKind.MALFORMED),
    ("html page", Reply(body=b"<html>Please log in</html>"), FailureKind.MALFORMED),
    ("not an object", Reply(body=b'"hello"'), FailureKind.MALFORMED),
    ("no choices", Reply(body=b"{}"), FailureKind.MALFORMED),
    ("half a body", Reply(text="long " * 99, delivery=Delivery.HALF_BODY), FailureKind.CONNECTION),
    ("half a chunked body", Reply(text="long " * 99, delivery=Delivery.HALF_CHUNKED), FailureKind.CONNECTION),
    ("closed", Reply(delivery=Delivery.CLOSED), FailureKind.CONNECTION),
    ("reset", Reply(delivery=Delivery.RESET), FailureKind.CONNECTION),
    ("late", Reply(latency_s=3), FailureKind.TIMEOUT),
]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("name", "reply", "kind"), ANSWERED, ids=[name for name, _, _ in ANSWERED])
def test_an_error_status_is_known_by_what_the_provider_said(
    provider: Provider, route: str, name: str, reply: Reply | Script, kind: FailureKind
) -> None:
    failure = provider.fail(reply, route)

    assert (failure.kind, failure.possibly_charged) == (kind, False), failure.message


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("name", "reply", "kind"), UNANSWERED, ids=[name for name, _, _ in UNANSWERED])
def test_a_missing_or_broken_answer_may_have_been_charged(
    provider: Provider, route: str, name: str, reply: Reply, kind: FailureKind
) -> None:
    failure = provider.fail(reply, route)

    assert (failure.kind, failure.retryable, failure.possibly_charged) == (kind, True, True), failure.message


@pytest.mark.parametrize("route", ROUTES)
def test_one_request_is_sent_whatever_happens(provider: Provider, route: str) -> None:
    before = provider.server.stats.received

    for reply in (replies.rate_limited(), replies.server_error(503), Reply(delivery=Delivery.CLOSED)):
        provider.fail(reply, route)

    assert provider.server.stats.received - before == 3


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_found(provider: Provider, route: str, status: int) -> None:
    reply = replace(replies.server_error(status), headers={"Retry-After": "7"})

    assert provider.fail(reply, route).retry_after_s == 7


@pytest.mark.parametrize("route", ROUTES)
def test_an_echoed_key_is_not_in_the_message(provider: Provider, route: str) -> None:
    failure = provider.fail(replies.wrong_key, route)

    assert "Incorrect API key provided" in failure.message
    assert KEY not in failure.message


@pytest.mark.parametrize("route", ROUTES)
def test_a_dripping_answer_ends_at_the_wall_clock(provider: Provider, route: str) -> None:
    failure = provider.fail(Reply(delivery=Delivery.DRIPPED, drip_s=4), route, wall_s=0.3)

    assert (failure.kind, failure.possibly_charged) == (FailureKind.TIMEOUT, True)


@pytest.mark.parametrize("route", ROUTES)
def test_nothing_listens(provider: Provider, route: str) -> None:
    failure = provider.fail(Reply(), route, api_base="http://127.0.0.1:9/v1")

    assert (failure.kind, failure.retryable, failure.possibly_charged) == (FailureKind.CONNECTION, True, False)
    assert failure.message.startswith("no connection: Cannot connect to host 127.0.0.1:9 ")


@pytest.mark.parametrize("route", ["openai", "anthropic", "gemini"])
def test_a_missing_key_is_found_before_sending(provider: Provider, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    failure = provider.fail(Reply(), route, key=None)

    assert (failure.kind, failure.stops_model, failure.possibly_charged) == (FailureKind.BAD_KEY, True, False)


def test_a_parameter_that_litellm_refuses_was_not_sent(provider: Provider) -> None:
    failure = provider.fail(Reply(), "openai", thinking={"type": "enabled"})

    assert (failure.kind, failure.retryable, failure.possibly_charged) == (FailureKind.BAD_REQUEST, False, False)
    assert failure.message == "not sent: openai does not support parameters: ['thinking'], for model=m."


def test_a_model_string_without_provider_was_not_sent(provider: Provider) -> None:
    assert provider.fail(Reply(), "nosuchprovider").kind is FailureKind.BAD_REQUEST


@pytest.mark.parametrize(
    ("code", "kind"),
    [(502, FailureKind.SERVER_ERROR), (429, FailureKind.RATE_LIMITED), (402, FailureKind.QUOTA_EXHAUSTED)],
)
@pytest.mark.parametrize("route", ["hosted_vllm", "openai"])
def test_an_error_inside_a_200(provider: Provider, route: str, code: int, kind: FailureKind) -> None:
    failure = provider.fail(Reply(body=b'{"error": {"message": "Upstream said no", "code": %d}}' % code), route)

    assert (failure.kind, failure.message) == (kind, f"error {code}: Upstream said no")


def test_a_gateway_timeout_may_have_been_charged(provider: Provider) -> None:
    failure = provider.fail(replies.server_error(504))

    assert (failure.kind, failure.possibly_charged) == (FailureKind.SERVER_ERROR, True)


@pytest.mark.parametrize(
    ("reply", "retryable", "stops_model"),
    [
        (replies.rate_limited(), True, False),
        (replies.server_error(), True, False),
        (replies.daily_limit(), False, True),
        (replies.quota_exhausted(), False, True),
        (replies.wrong_key, False, True),
        (replies.unknown_model(), False, True),
        (replies.context_window(), False, False),
        (replies.content_filter_error(), False, False),
    ],
)
def test_what_is_worth_repeating_and_what_needs_a_person(
    provider: Provider, reply: Reply | Script, retryable: bool, stops_model: bool
) -> None:
    failure = provider.fail(reply)

    assert (failure.retryable, failure.stops_model) == (retryable, stops_model)


def test_message_is_the_providers_sentence(provider: Provider) -> None:
    assert provider.fail(replies.failing(400, "Too\nmany\tstops.", "bad")).message == "HTTP 400: Too many stops."


def test_message_of_a_long_error_is_short_and_one_line(provider: Provider) -> None:
    message = provider.fail(replies.failing(400, "line\r\n\x1b[31m\u202e" * 500, "bad")).message

    assert len(message) <= LONGEST_MESSAGE
    assert message.isprintable()


def test_a_secret_at_the_cut_is_not_left_in_half() -> None:
    request = httpx.Request("POST", "http://127.0.0.1")
    body = "x" * (LONGEST_MESSAGE - 20) + KEY
    error = httpx.HTTPStatusError("", request=request, response=httpx.Response(400, text=body, request=request))

    assert KEY[:8] not in classify(error, Redactor([KEY])).message


def test_a_cancelled_call_is_neither_repeated_nor_free() -> None:
    failure = classify(asyncio.CancelledError())

    assert (failure.kind, failure.retryable, failure.possibly_charged) == (FailureKind.CANCELLED, False, True)


def test_a_fault_of_our_own_is_not_blamed_on_the_provider() -> None:
    failure = classify(KeyError("messages"))

    assert (failure.kind, failure.message) == (FailureKind.UNEXPECTED, "KeyError: 'messages'")
