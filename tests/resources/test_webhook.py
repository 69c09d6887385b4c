"""The webhook: what a receiver gets, and that no receiver can raise, hang or leak its address."""

import json
import logging
import time

import pytest

from resources import webhook
from resources.webhook import Notice, escaped, payload, send
from tests.support.receiver import SECRET, Answer, Receiver

NOTICE = Notice("summary", "*omniscience: m leads (index 31)*\nThe rest", {"run_id": "r1", "bank": "omniscience"})
CLOSED_PORT = f"http://127.0.0.1:9/services/{SECRET}"


def sent(monkeypatch: pytest.MonkeyPatch, *urls: str, notice: Notice = NOTICE) -> list[str]:
    """What was logged of sending to these receivers."""
    monkeypatch.setenv("FACTSWEEP_WEBHOOK", " ".join(urls))
    warnings: list[str] = []
    send(notice, warnings.append)
    return warnings


def test_a_receiver_gets_slacks_text_and_blocks_and_plain_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver() as receiver:
        assert sent(monkeypatch, receiver.url) == []

    assert receiver.posts == [
        {
            "text": NOTICE.text,
            "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": NOTICE.text}}],
            "factsweep": {"kind": "summary", "run_id": "r1", "bank": "omniscience"},
        }
    ]


def test_without_the_variable_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sent(monkeypatch) == []


def test_a_500_is_tried_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver(Answer(500), Answer()) as receiver:
        assert sent(monkeypatch, receiver.url) == []

    assert len(receiver.posts) == 2


def test_a_receiver_that_always_fails_is_one_line_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver(Answer(503, b"come back later")) as receiver:
        warnings = sent(monkeypatch, receiver.url)

    assert warnings == [
        "FACTSWEEP_WEBHOOK, address 1: HTTP 503: come back later; the notice of kind summary was not delivered"
    ]
    assert len(receiver.posts) == 2


def test_a_refusal_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver(Answer(404, b"no_service")) as receiver:
        [warning] = sent(monkeypatch, receiver.url)

    assert "HTTP 404: no_service" in warning
    assert len(receiver.posts) == 1


@pytest.mark.parametrize("answer", [Answer(hangs=True), Answer(500, drips=True)], ids=["hangs", "drips"])
def test_a_receiver_that_never_ends_is_left_at_the_deadline(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    monkeypatch.setattr(webhook, "DEADLINE_S", 0.6)
    with Receiver(answer) as receiver:
        began = time.monotonic()
        [warning] = sent(monkeypatch, receiver.url)
        took = time.monotonic() - began

    assert took < 2
    assert "address 1" in warning
    assert len(receiver.posts) == 1, "what may have been taken is not sent twice"


def test_a_closed_port_is_a_line_in_the_log_and_the_other_receiver_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver() as receiver:
        [warning] = sent(monkeypatch, CLOSED_PORT, receiver.url)

    assert warning.startswith("FACTSWEEP_WEBHOOK, address 1: ConnectError")
    assert len(receiver.posts) == 1


def test_a_redirect_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver() as other, Receiver(Answer(307, headers={"Location": other.url})) as receiver:
        [warning] = sent(monkeypatch, receiver.url)

    assert "HTTP 307: it redirects, which is not followed" in warning
    assert other.posts == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "hooks.slack.com/services/T0", "http://[::broken"])
def test_what_is_no_http_address_is_a_line_in_the_log(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    [warning] = sent(monkeypatch, url)

    assert "was not delivered" in warning
    assert url not in warning


@pytest.mark.parametrize(
    "answer",
    [
        Answer(),
        Answer(500, f"POST /services/{SECRET} failed".encode()),
        Answer(302, headers={"Location": f"https://127.0.0.1/services/{SECRET}"}),
        Answer(hangs=True),
    ],
    ids=["ok", "echo", "redirect", "hangs"],
)
def test_the_address_is_in_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: Answer
) -> None:
    monkeypatch.setattr(webhook, "DEADLINE_S", 1.0)
    for name in ("httpx", "httpcore", "httpcore.http11", "httpcore.connection"):  # others in this process quieten them
        monkeypatch.setattr(logging.getLogger(name), "level", logging.DEBUG)
    with Receiver(answer) as receiver, caplog.at_level(logging.DEBUG):
        warnings = sent(monkeypatch, receiver.url, CLOSED_PORT)

    for part in SECRET.split("/"):
        assert part not in caplog.text
        assert part not in " ".join(warnings)


def test_what_others_log_meanwhile_stays(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    with Receiver() as receiver, caplog.at_level(logging.INFO, logger="httpx"):
        sent(monkeypatch, receiver.url)
        logging.getLogger("httpx").info("another request")

    assert "another request" in caplog.text


def test_a_huge_notice_is_cut_to_what_slack_takes() -> None:
    text = "\n".join(["first line", *("é<&" * 500 for _ in range(1000))])
    fields = {"models": [f"model-{number}" * 100 for number in range(10_000)], "run_id": "r1"}

    body = payload(Notice("summary", text, fields))

    content = json.loads(body)
    assert len(body) < 100_000
    assert content["text"].startswith("first line")
    assert all(0 < len(block["text"]["text"]) <= 3_000 for block in content["blocks"])
    assert content["factsweep"] == {"kind": "summary", "run_id": "r1", "cut": True}


def test_long_lists_are_cut() -> None:
    content = json.loads(payload(Notice("summary", "text", {"models": ["m"] * 1000})))

    assert content["factsweep"]["models"] == ["m"] * 50


def test_what_is_quoted_calls_nobody() -> None:
    assert escaped("<!channel> a & b") == "&lt;!channel&gt; a &amp; b"
