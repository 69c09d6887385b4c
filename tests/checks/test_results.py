"""Findings as plain data and as Markdown."""

import polars as pl
import pytest

from checks.results import Finding, Findings, Severity, cell, markdown


def _finding(severity: Severity, *, passed: bool) -> Finding:
    return Finding("rule", severity, passed, "select 1")


def test_what_could_not_be_evaluated_is_a_failed_error() -> None:
    finding = Finding.not_evaluated("rule", "select 1", "no such table\n\nLINE 1: select")
    assert (finding.passed, finding.severity) == (False, Severity.ERROR)
    assert finding.error == "could not be evaluated: no such table"


def test_severity_is_the_worst_of_those_that_failed() -> None:
    error, warning = _finding(Severity.ERROR, passed=False), _finding(Severity.WARN, passed=False)
    passed_error = _finding(Severity.ERROR, passed=True)
    assert Findings("items", 1, (warning, error)).severity is Severity.ERROR
    assert Findings("items", 1, (warning, passed_error)).severity is Severity.WARN


def test_findings_pass_when_each_does() -> None:
    good, bad = _finding(Severity.WARN, passed=True), _finding(Severity.WARN, passed=False)
    assert Findings("items", 1, (good, good)).passed
    assert Findings("items", 1, (good, bad)).failed == (bad,)


def test_markdown_table() -> None:
    assert (
        markdown(pl.DataFrame({"item": ["a", None], "n": [1, 2]})) == "| item | n |\n| --- | --- |\n| a | 1 |\n|  | 2 |"
    )


def test_markdown_of_hostile_text_stays_one_cell() -> None:
    shown = markdown(pl.DataFrame({"text": ["a|b\n| c <script>`x`\u0000"]}))
    assert shown.splitlines()[2] == "| a\\|b \\| c \\<script\\>\\`x\\`  |"


def test_an_image_in_an_answer_stays_text() -> None:
    assert cell("![x](https://evil.example/p.png)") == "!\\[x\\](https://evil.example/p.png)"


def test_a_long_cell_is_cut_at_160_characters() -> None:
    assert cell("x" * 160) == "x" * 160
    assert cell("x" * 161) == "x" * 159 + "…"


def test_a_cut_never_falls_within_an_escape() -> None:
    assert cell("|" * 161) == "\\|" * 159 + "…"


@pytest.mark.parametrize(
    ("number", "shown"), [(1 / 3, "0.3333"), (1.0, "1"), (float("nan"), "nan"), (12, "12"), (None, "")]
)
def test_numbers_are_short(number: float | None, shown: str) -> None:
    assert cell(number) == shown


def test_markdown_of_no_rows_is_empty() -> None:
    assert markdown(pl.DataFrame()) == ""
