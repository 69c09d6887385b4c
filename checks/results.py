"""What a check found: pass or fail, how many rows, some of them, and the query that shows them all.

Plain data for the adapter, the rules and the Dagster wiring; what could not be evaluated is a failure.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

import polars as pl

_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f]+")
_LONGEST_CELL = 160


class Severity(StrEnum):
    """An error stops what stands downstream where its check blocks; a warning is only shown."""

    ERROR = "error"
    WARN = "warn"


@dataclass(frozen=True)
class Finding:
    """The outcome of one rule.

    `failing` counts the rows that break it and `sample` holds the first of them as text; `query` shows them all in
    benchmark.duckdb or over the lake's views. `error` says why the rule could not be evaluated.
    """

    rule: str
    severity: Severity
    passed: bool
    query: str
    failing: int = 0
    sample: pl.DataFrame = field(default_factory=pl.DataFrame)
    error: str | None = None

    @classmethod
    def not_evaluated(cls, rule: str, query: str, error: str) -> "Finding":
        """A failed error whatever the rule's severity; of `error` the first paragraph is kept, the fault itself."""
        fault = error.strip().partition("\n\n")[0]
        return cls(rule, Severity.ERROR, passed=False, query=query, error=f"could not be evaluated: {fault}")


@dataclass(frozen=True)
class Findings:
    """The outcome of one check: its rules over a table of `rows` rows."""

    table: str
    rows: int
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.passed)

    @property
    def passed(self) -> bool:
        return not self.failed

    @property
    def severity(self) -> Severity:
        """The worst among the rules that failed."""
        return Severity.ERROR if any(f.severity is Severity.ERROR for f in self.failed) else Severity.WARN


def markdown(sample: pl.DataFrame) -> str:
    """`sample` as a Markdown table of `cell`s; nothing where it has no columns."""
    if not sample.width:
        return ""
    head, *rows = ([cell(value) for value in line] for line in (sample.columns, *sample.rows()))
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * sample.width, *rows))


def cell(value: object) -> str:
    """`value` in a Markdown table: text from models stays text, whatever it holds, and long text is cut."""
    text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
    text = _UNSAFE.sub(" ", text)
    if len(text) > _LONGEST_CELL:
        text = text[: _LONGEST_CELL - 1] + "…"
    return re.sub(r"([\\`*_<>\[\]|~])", r"\\\1", text)
