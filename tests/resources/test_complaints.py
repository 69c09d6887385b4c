"""What the error bodies that providers really send mean."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from resources.complaints import FailureKind, kind_of, read_complaint, retry_after_s


def _gemini_429(quota_id: str) -> str:
    """Gemini's one sentence for all quotas; only the violation's id says which."""
    violation = {"quotaMetric": "generate_content_free_tier_requests", "quotaId": quota_id}
    return json.dumps(
        {
            "error": {
                "code": 429,
                "message": "You exceeded your current quota, please check your plan and billing details.",
                "status": "RESOURCE_EXHAUSTED",
                "details": [
                    {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]},
                    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
                ],
            }
        }
    )


def _openai(message: str, code: str | None = None) -> str:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}})


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, _openai("Rate limit reached on tokens per min (TPM): Limit 30000."), FailureKind.RATE_LIMITED),
        (429, _openai("Rate limit reached on tokens per day (TPD): Limit 100000."), FailureKind.QUOTA_EXHAUSTED),
        (429, _openai("Too many tokens per month."), FailureKind.QUOTA_EXHAUSTED),
        (429, _openai("You exceeded your current quota.", "insufficient_quota"), FailureKind.QUOTA_EXHAUSTED),
        (429, _gemini_429("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), FailureKind.RATE_LIMITED),
        (429, _gemini_429("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), FailureKind.QUOTA_EXHAUSTED),
        (429, "<html><h1>Too many requests</h1></html>", FailureKind.RATE_LIMITED),
        (402, _openai("Insufficient Balance"), FailureKind.QUOTA_EXHAUSTED),
        (403, _openai("Your team has run out of credits."), FailureKind.QUOTA_EXHAUSTED),
        (400, _openai("Your credit balance is too low to access the API."), FailureKind.QUOTA_EXHAUSTED),
        (401, _openai("Incorrect API key provided"), FailureKind.BAD_KEY),
        (403, _openai("Country not supported"), FailureKind.BAD_KEY),
        (400, _openai("API key not valid. Please pass a valid API key."), FailureKind.BAD_KEY),
        (403, _openai("Project has no access to the model", "model_not_found"), FailureKind.UNKNOWN_MODEL),
        (404, _openai("no such route"), FailureKind.UNKNOWN_MODEL),
        (400, _openai("gpt-99 is not a valid model ID"), FailureKind.UNKNOWN_MODEL),
        (400, _openai("prompt is too long: 210000 tokens > 200000 maximum"), FailureKind.CONTEXT_WINDOW),
        (500, _openai("the request exceeds the available context size"), FailureKind.CONTEXT_WINDOW),
        (400, _openai("Output blocked by content filtering policy"), FailureKind.CONTENT_FILTER),
        (400, _openai("Rejected.", "content_policy_violation"), FailureKind.CONTENT_FILTER),
        (403, _openai("The model requires moderation and your input was flagged"), FailureKind.CONTENT_FILTER),
        (400, _openai("Unsupported parameter: 'temperature'"), FailureKind.BAD_REQUEST),
        (422, json.dumps({"detail": [{"msg": "field required"}]}), FailureKind.BAD_REQUEST),
        (400, _openai("invalid token in 'What is the rate limit per day?'"), FailureKind.BAD_REQUEST),
        (500, _openai("upstream: rate limit, insufficient_quota"), FailureKind.SERVER_ERROR),
        (529, json.dumps({"type": "error", "error": {"type": "overloaded_error"}}), FailureKind.SERVER_ERROR),
        (503, "", FailureKind.SERVER_ERROR),
        (409, _openai("conflict"), FailureKind.SERVER_ERROR),
    ],
)
def test_kind(status: int, body: str, kind: FailureKind) -> None:
    assert kind_of(read_complaint(status, body)) is kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (_openai("Too fast."), "Too fast."),
        (json.dumps([{"error": {"message": "in a list", "code": 400}}]), "in a list"),
        (json.dumps({"error": "only a text"}), "only a text"),
        (json.dumps({"message": "no error object"}), "no error object"),
        (json.dumps("bare"), "bare"),
        ("<html><title>502</title><h1>Bad\nGateway</h1></html>", "502 Bad Gateway"),
        ("", "no explanation"),
    ],
)
def test_sentence_for_a_person(body: str, message: str) -> None:
    assert read_complaint(502, body).message == message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after_header(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, read_complaint(429, "")) == seconds


def test_retry_after_as_a_date_counts_from_now() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)

    assert retry_after_s({"retry-after": date}, read_complaint(429, "")) == pytest.approx(89.5, abs=2)


def test_gemini_says_in_the_body_how_long_to_wait() -> None:
    assert retry_after_s({}, read_complaint(429, _gemini_429("GenerateRequestsPerMinute"))) == 34.5
