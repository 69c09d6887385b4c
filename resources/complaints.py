"""Reads the error that a provider answered: its sentence, what kind of failure it is, how long to wait.

Pure functions of status, headers and body. Failures without a reply are `failures.py`'s.
"""

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum

LONGEST_READ = 10_000


class FailureKind(StrEnum):
    """Why a call gave no answer."""

    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    MALFORMED = "malformed"
    QUOTA_EXHAUSTED = "quota_exhausted"
    BAD_KEY = "bad_key"
    UNKNOWN_MODEL = "unknown_model"
    BAD_REQUEST = "bad_request"
    CONTENT_FILTER = "content_filter"
    CONTEXT_WINDOW = "context_window"
    CANCELLED = "cancelled"
    UNEXPECTED = "unexpected"


@dataclass(frozen=True)
class Complaint:
    """A provider's error: its HTTP status, its sentence, and the rest of its error object as text."""

    status: int
    message: str
    details: str = ""

    def says(self, pattern: str) -> bool:
        """Whether `pattern` occurs early in the sentence or the details, in any case."""
        read = f"{self.message[:LONGEST_READ]}\n{self.details[:LONGEST_READ]}"
        return re.search(pattern, read, re.IGNORECASE) is not None


_DAILY = r"per[ _-]?day|\bdaily\b|\b[RT]PD\b|per[ _-]?month|\bmonthly\b"
_UNPAID = (
    r"insufficient[ _](?:quota|balance|credit|fund)|credit balance is too low|(?:out of|no|any|more) credits|"
    r"exceeded your current quota|billing_(?:hard_limit|not_active)|spend(?:ing)? limit"
)
_TOO_LONG = r"context_length_exceeded|exceed_context_size|maximum context length|prompt is too long|context size"
_FILTERED = (
    r"content_(?:filter|policy)|content management policy|content filtering policy|responsibleaipolicy|"
    r"by (?:our|the) safety system|violat\w+ our usage polic|requires moderation|cyber_policy|prohibited_content"
)
_REFUSED_KEY = (
    r"invalid_api_key|API_KEY_INVALID|api[ _-]?key (?:not valid|expired)|incorrect api key|missing credentials"
)
_NO_MODEL = r"model_not_found|not a valid model|unknown model|model \S+ (?:does not exist|not found)"

_TOLD = (
    (_UNPAID, FailureKind.QUOTA_EXHAUSTED),
    (_TOO_LONG, FailureKind.CONTEXT_WINDOW),
    (_FILTERED, FailureKind.CONTENT_FILTER),
    (_REFUSED_KEY, FailureKind.BAD_KEY),
    (_NO_MODEL, FailureKind.UNKNOWN_MODEL),
)


def read_complaint(status: int, body: str) -> Complaint:
    """The complaint in an error body of the OpenAI, Anthropic or Gemini kind, or of none of them."""
    try:
        decoded = json.loads(body)
    except json.JSONDecodeError:
        plain = " ".join(re.sub(r"<[^>]*>", " ", body).split())
        return Complaint(status, plain or "no explanation")
    if isinstance(decoded, list) and decoded:
        decoded = decoded[0]
    error = decoded.get("error", decoded) if isinstance(decoded, dict) else decoded
    if not isinstance(error, dict):
        return Complaint(status, str(error))
    message = str(error.get("message") or error.get("detail") or json.dumps(error))
    return Complaint(status, message, json.dumps({key: value for key, value in error.items() if key != "message"}))


def kind_of(complaint: Complaint) -> FailureKind:
    """What the complaint means for the request and the model.

    The status decides where it can: an error text may repeat the question, and so say anything.
    """
    status = complaint.status
    if status == 429:
        return _kind_of_429(complaint)
    if status >= 500 or status in (408, 409, 425):
        # llama.cpp reports a prompt that is too long as a 500.
        too_long = status == 500 and complaint.says(_TOO_LONG)
        return FailureKind.CONTEXT_WINDOW if too_long else FailureKind.SERVER_ERROR
    by_status = {
        401: FailureKind.BAD_KEY,
        402: FailureKind.QUOTA_EXHAUSTED,
        404: FailureKind.UNKNOWN_MODEL,
        410: FailureKind.UNKNOWN_MODEL,
        432: FailureKind.QUOTA_EXHAUSTED,  # Tavily's words for a plan that is used up,
        433: FailureKind.QUOTA_EXHAUSTED,  # and for a limit of pay as you go
    }
    if status in by_status:
        return by_status[status]
    other = FailureKind.BAD_KEY if status == 403 else FailureKind.BAD_REQUEST
    return next((kind for pattern, kind in _TOLD if complaint.says(pattern)), other)


def _kind_of_429(complaint: Complaint) -> FailureKind:
    if complaint.says(_DAILY):
        return FailureKind.QUOTA_EXHAUSTED
    # Gemini says "exceeded your current quota" of a minute's limit too; only the limit's name tells them apart.
    if complaint.says(_UNPAID) and not complaint.says("PerMinute"):
        return FailureKind.QUOTA_EXHAUSTED
    return FailureKind.RATE_LIMITED


def retry_after_s(headers: Mapping[str, str], complaint: Complaint) -> float | None:
    """Seconds to wait by `retry-after-ms`, `retry-after` (seconds or an HTTP date) or Gemini's `retryDelay`.

    Args:
        headers: the reply's; lower-case names find them.
        complaint: the reply's error.
    """
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if value := headers.get("retry-after"):
        seconds = _number(value)
        return _seconds_until(value) if seconds is None else seconds
    delay = re.search(r'"retryDelay": "([\d.]+)s"', complaint.details)
    return _number(delay.group(1)) if delay else None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _seconds_until(http_date: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(http_date).timestamp() - time.time())
    except ValueError:
        return None
