"""What went wrong with a call to a model, in one vocabulary. No call is made or retried here.

litellm's own classes and status codes are not believed: it calls a 400 that mentions "rate limit" a 429, and a
dropped connection a 500. The exceptions behind them tell the truth.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from resources.complaints import Complaint, FailureKind, kind_of, read_complaint, retry_after_s
from resources.redaction import Redactor

if TYPE_CHECKING:
    import httpx

__all__ = ["Failure", "FailureKind", "Redactor", "classify"]

LONGEST_MESSAGE = 300

_RETRYABLE = frozenset(
    {
        FailureKind.RATE_LIMITED,
        FailureKind.SERVER_ERROR,
        FailureKind.TIMEOUT,
        FailureKind.CONNECTION,
        FailureKind.MALFORMED,
    }
)
_STOPPING = frozenset({FailureKind.QUOTA_EXHAUSTED, FailureKind.BAD_KEY, FailureKind.UNKNOWN_MODEL})


@dataclass(frozen=True)
class Failure:
    """One failed call.

    Attributes:
        kind: what went wrong.
        message: one line for a person.
        retry_after_s: seconds that the provider asks to wait.
        possibly_charged: the work may have been done and billed though no answer came.
    """

    kind: FailureKind
    message: str
    retry_after_s: float | None = None
    possibly_charged: bool = False

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed within minutes."""
        return self.kind in _RETRYABLE

    @property
    def stops_model(self) -> bool:
        """Whether every request to this model will fail until a person acts."""
        return self.kind in _STOPPING


def classify(error: BaseException, redactor: Redactor | None = None) -> Failure:
    """What `error`, raised by a litellm call or by a timeout around one, means.

    Make the call outside of any `except` block: Python would chain the earlier error to this one.

    Args:
        error: what was raised.
        redactor: takes secrets out of the message before it is cut to length; the key that the failed request
            carried is taken out in any case.
    """
    import httpx

    redactor = redactor or Redactor(())
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return Failure(FailureKind.CANCELLED, "cancelled while in flight", possibly_charged=True)
    chain = list(_chain(error))
    for each in chain:
        if isinstance(each, httpx.HTTPStatusError):
            return _answered(each.response, each.request, redactor)
        if isinstance(each, httpx.TimeoutException | TimeoutError):
            return _timed_out(each)
        if isinstance(each, httpx.TransportError):
            return _disconnected(each, chain, redactor)
        if isinstance(each, json.JSONDecodeError):
            return _malformed(f"not JSON after {each.pos} characters")
    return _without_evidence(chain, redactor)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _answered(response: "httpx.Response", request: "httpx.Request", redactor: Redactor) -> Failure:
    carriers = ("authorization", "api-key", "x-api-key", "x-goog-api-key")
    keys = [request.headers.get(name, "").removeprefix("Bearer ") for name in carriers]
    complaint = read_complaint(response.status_code, _body(response))
    return Failure(
        kind_of(complaint),
        _line(f"HTTP {complaint.status}: {Redactor(keys).text(complaint.message)}", redactor),
        retry_after_s(response.headers, complaint),
        # A gateway that gives up waiting leaves the model behind it working.
        possibly_charged=complaint.status in (504, 524),
    )


def _body(response: "httpx.Response") -> str:
    import httpx

    try:
        return response.text
    except httpx.ResponseNotRead:
        return ""


def _timed_out(error: BaseException) -> Failure:
    import httpx

    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return Failure(FailureKind.TIMEOUT, "no connection within the timeout")
    return Failure(FailureKind.TIMEOUT, "no answer within the timeout", possibly_charged=True)


def _disconnected(error: BaseException, chain: list[BaseException], redactor: Redactor) -> Failure:
    import ssl

    import httpx

    unsent = (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, ssl.SSLError)
    reason = re.sub(r" ssl:(?:<[^>]*>|\w+)", "", str(error)) or type(error).__name__
    if any(isinstance(each, unsent) for each in chain):
        return Failure(FailureKind.CONNECTION, _line(f"no connection: {reason}", redactor))
    lost = _line(f"connection lost before the whole answer came: {reason}", redactor)
    return Failure(FailureKind.CONNECTION, lost, possibly_charged=True)


def _malformed(what: str) -> Failure:
    return Failure(FailureKind.MALFORMED, f"the reply is not an answer: {what}", possibly_charged=True)


def _without_evidence(chain: list[BaseException], redactor: Redactor) -> Failure:
    """No HTTP error, no broken connection: litellm could not read the reply, or never sent the request."""
    error, origin = chain[0], chain[-1]
    text = str(error)
    if not any(_module(each) in ("litellm", "openai") for each in chain):
        return Failure(
            FailureKind.UNEXPECTED, _line(f"{type(error).__name__}: {text}", redactor), possibly_charged=True
        )
    if error is origin and type(error).__name__ in ("BadRequestError", "UnsupportedParamsError"):
        return Failure(FailureKind.BAD_REQUEST, _line(f"not sent: {_sentence(text)}", redactor))
    if re.search(r"missing (?:credentials|\w+ api key)", text, re.IGNORECASE):  # each route's SDK raises another class
        return Failure(FailureKind.BAD_KEY, _line(f"not sent: {_sentence(text)}", redactor))
    # Some gateways answer 200 with an error in the body and its status as a code; 422 and 500 are litellm's own words.
    status = getattr(origin, "status_code", None)
    if isinstance(status, int) and status >= 400 and status not in (422, 500):
        complaint = Complaint(status, _sentence(text))
        return Failure(kind_of(complaint), _line(f"error {status}: {complaint.message}", redactor))
    return _malformed("what an answer must have is missing")


def _module(error: BaseException) -> str:
    return type(error).__module__.partition(".")[0]


def _sentence(text: str) -> str:
    """The first line of a litellm message without the class names that it stacks in front and its own advice."""
    first = text.partition("\n")[0].partition(" To drop these,")[0]
    return re.sub(r"^(?:(?:litellm\.)?\w+(?:Error|Exception)\b(?: \w+Error)?(?:: | - ))+", "", first)


def _line(text: str, redactor: Redactor) -> str:
    start = redactor.text(text)[: 4 * LONGEST_MESSAGE]
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in start).split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"
