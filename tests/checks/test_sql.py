"""The SQL pieces agree with Python about space, and compare texts as a reader would."""

import duckdb
import pytest

from checks.sql import folded, is_blank

SPACES = [" ", "\t", "\n", "\x0b", "\x1c", "\x85", "\u00a0", "\u2003", "\u3000"]


def _value(expression: str, text: str) -> object:
    with duckdb.connect() as connection:
        return connection.execute(f"select {expression} from (select ? as x)", [text]).fetchall()[0][0]


@pytest.mark.parametrize("space", ["", *SPACES, "".join(SPACES)], ids=ascii)
def test_space_is_blank(space: str) -> None:
    assert space.strip() == ""
    assert _value(is_blank("x"), space) is True


@pytest.mark.parametrize("text", ["a", " a ", "0", "\u200b", "?"], ids=ascii)
def test_text_is_not_blank(text: str) -> None:
    assert text.strip() != ""
    assert _value(is_blank("x"), text) is False


def test_folding_ignores_case_and_space() -> None:
    assert _value(folded("x"), "\u00a0 The  OHM\n") == "the ohm"
