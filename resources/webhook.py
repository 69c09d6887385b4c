"""Tells the receivers of FACTSWEEP_WEBHOOK what happened: Slack-compatible JSON, bounded in size and time.

A receiver that fails or hangs is a line in the log, never an error: nothing that is told may stop what it tells of.
What is told is decided in `assets/summaries` and `orchestration/notices.py`.
"""

import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from resources.redaction import Redactor

WEBHOOK = "FACTSWEEP_WEBHOOK"
DEADLINE_S = 5.0  # for all receivers and their second attempts together
_CONNECT_S = 2.0
_PAUSE_S = 0.3
_LONGEST_TEXT = 6_000
_LONGEST_SECTION = 2_900  # Slack refuses a message with a block of more than 3,000 characters
_LONGEST_VALUE = 500
_MOST_VALUES = 50
_LARGEST_FIELDS = 20_000
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy")


@dataclass(frozen=True)
class Notice:
    """What is told.

    Attributes:
        kind: summary, failure, budget, drift or left_behind.
        text: Slack mrkdwn whose first line says it all; what it quotes is `escaped`.
        fields: the same for programs; plain values, and lists or mappings of them.
    """

    kind: str
    text: str
    fields: Mapping[str, object] = field(default_factory=dict)


def receivers() -> list[str]:
    """The URLs; whoever knows one may post to it, so they stand in no log."""
    return os.environ.get(WEBHOOK, "").split()


def escaped(text: str) -> str:
    """`text` as mrkdwn shows it as it is: `<!channel>` would call everyone."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def send(notice: Notice, warn: Callable[[str], None]) -> None:
    """Posts the notice to every receiver and returns within about DEADLINE_S, whatever they do.

    Args:
        warn: is told of each receiver that did not take it, by its place in the variable.
    """
    urls = receivers()
    if not urls:
        return
    deadline = time.monotonic() + DEADLINE_S
    body, outcomes = payload(notice), SimpleQueue[tuple[int, str | None]]()
    for place, url in enumerate(urls, 1):
        # A daemon thread: httpx bounds the wait for each piece of a reply, and a receiver may send piece after piece.
        arguments = (place, url, body, deadline, outcomes)
        threading.Thread(target=_deliver, args=arguments, name=f"webhook-{place}", daemon=True).start()
    waiting = set(range(1, len(urls) + 1))
    while waiting:
        try:
            place, fault = outcomes.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            break
        waiting.discard(place)
        if fault:
            warn(f"{WEBHOOK}, address {place}: {fault}; the notice of kind {notice.kind} was not delivered")
    for place in sorted(waiting):
        warn(f"{WEBHOOK}, address {place}: no answer within {DEADLINE_S:g} s; the notice may not have been delivered")


def payload(notice: Notice) -> bytes:
    """The notice as JSON of at most some 100 kB, with plain fields under `factsweep` for other receivers than Slack."""
    text = _cut(notice.text.strip() or notice.kind, _LONGEST_TEXT)
    fields = {name: _bounded(value) for name, value in notice.fields.items()}
    if len(json.dumps(fields, default=str)) > _LARGEST_FIELDS:
        fields = {name: value for name, value in fields.items() if not isinstance(value, list | dict)} | {"cut": True}
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": part}} for part in _sections(text)]
    content = {"text": text, "blocks": blocks, "factsweep": {"kind": notice.kind, **fields}}
    return json.dumps(content, default=str).encode()


def _deliver(
    place: int, url: str, body: bytes, deadline: float, outcomes: "SimpleQueue[tuple[int, str | None]]"
) -> None:
    try:
        with _unlogged():
            fault, again = _post(url, body, deadline)
            if again and time.monotonic() + _PAUSE_S < deadline:
                time.sleep(_PAUSE_S)
                fault, _ = _post(url, body, deadline)
    except Exception as error:  # whatever it is, it is the receiver's and not the sweep's
        fault = _said(url, error)
    outcomes.put((place, fault))


def _post(url: str, body: bytes, deadline: float) -> tuple[str | None, bool]:
    """What went wrong, and whether it is worth another attempt: not where the first may have been taken."""
    import httpx

    if not url.lower().startswith(("http://", "https://")):
        return "it is no http:// or https:// address", False
    left = max(0.1, deadline - time.monotonic())
    timeout = httpx.Timeout(left, connect=min(_CONNECT_S, left))
    headers = {"Content-Type": "application/json; charset=utf-8"}
    try:
        with httpx.stream("POST", url, content=body, headers=headers, timeout=timeout) as response:
            if response.is_success:
                return None, False
            if response.is_redirect:
                return f"HTTP {response.status_code}: it redirects, which is not followed; give the new address", False
            said = next(response.iter_bytes(200), b"").decode(errors="replace").strip()
            fault = _safe(url, f"HTTP {response.status_code}: {said or response.reason_phrase}")
            return fault, response.status_code == 429 or response.status_code >= 500
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        return _said(url, error), True
    except httpx.HTTPError as error:
        return _said(url, error), False


def _said(url: str, error: Exception) -> str:
    return _safe(url, f"{type(error).__name__}: {error}")


def _safe(url: str, text: str) -> str:
    """One line without the address or any part of it that may be its secret."""
    secrets = [url, *re.split(r"[/?&=#@]+", url)]
    return _cut(" ".join(Redactor(secrets).text(text).split()), 200)


@contextmanager
def _unlogged() -> Iterator[None]:
    """httpx logs the address of each request; nothing of this thread's requests is logged."""
    own = threading.get_ident()

    def of_another_thread(record: logging.LogRecord) -> bool:
        return record.thread != own

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(of_another_thread)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(of_another_thread)


def _bounded(value: object) -> object:
    if isinstance(value, str):
        return _cut(value, _LONGEST_VALUE)
    if isinstance(value, Mapping):
        return {str(name): _bounded(each) for name, each in list(value.items())[:_MOST_VALUES]}
    if isinstance(value, list | tuple):
        return [_bounded(each) for each in value[:_MOST_VALUES]]
    return value


def _sections(text: str) -> Iterator[str]:
    """`text` in parts that Slack takes, broken at ends of lines where there are any."""
    while len(text) > _LONGEST_SECTION:
        end = text.rfind("\n", 1, _LONGEST_SECTION)
        end = end if end > 0 else _LONGEST_SECTION
        yield text[:end]
        text = text[end:].lstrip("\n")
    if text:
        yield text


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
