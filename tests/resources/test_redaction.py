"""No secret survives, however it was escaped or encoded on its way into a text."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from resources.redaction import Redactor

KEY = 'sk-Ab/9+"é=x_-7'


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        f"Bearer {KEY}",
        f"bearer  {KEY}",
        json.dumps(KEY)[1:-1],
        json.dumps(KEY, ensure_ascii=False)[1:-1],
        quote(KEY),
        quote(KEY, safe=""),
        quote(KEY, safe="").lower().replace("ab", "Ab"),
        quote_plus(f"Bearer {KEY}"),
        quote(f"Bearer {KEY}"),
    ],
)
def test_every_written_form_is_replaced(written: str) -> None:
    assert Redactor([KEY]).text(f"before {written} after") == "before [redacted] after"


@pytest.mark.parametrize("before", ["", "u", "us", "user:", "Bearer "])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_key_inside_base64_is_not_recoverable(before: str, encode) -> None:
    encoded = encode(f"{before}{KEY}:rest".encode()).decode()

    left = Redactor([KEY]).text(encoded)

    assert "[redacted]" in left
    assert len(left.replace("[redacted]", "")) <= len(encoded) - len(KEY)


def test_all_occurrences_of_all_secrets_go() -> None:
    assert Redactor(["first-key", "second-key"]).text("first-key second-key first-key") == " ".join(["[redacted]"] * 3)


def test_a_secret_that_contains_another_goes_whole() -> None:
    assert Redactor(["abcdef", "abcdefghij"]).text("abcdefghij") == "[redacted]"


def test_a_secret_under_six_characters_blanks_no_words() -> None:
    assert Redactor(["the", ""]).text("the cat") == "the cat"


def test_six_characters_are_a_secret() -> None:
    assert Redactor(["abcdef"]).text("x abcdef y") == "x [redacted] y"


def test_without_secrets_a_text_stays() -> None:
    assert Redactor([]).text("Bearer of news") == "Bearer of news"
