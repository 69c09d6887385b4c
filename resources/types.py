"""The words that every room shares: outcomes, grades, roles and the states of a call.

Only enumerations and errors belong here; a table's columns are in `checks/contracts.py`.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """What a model gave for one item and sample."""

    ANSWERED = "answered"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    FAILED = "failed"


class Grade(StrEnum):
    """The four grades of AA-Omniscience (arXiv 2511.13029). No grade is a null, never a fifth value."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    NOT_ATTEMPTED = "not_attempted"


class Method(StrEnum):
    """Who graded: a judge model, the deterministic matcher, or the option letter."""

    JUDGE = "judge"
    MATCH = "match"
    CHOICE = "choice"


class Format(StrEnum):
    SHORT_ANSWER = "short_answer"
    MULTIPLE_CHOICE = "multiple_choice"


class Role(StrEnum):
    """What a paid call was for."""

    ANSWER = "answer"
    JUDGE = "judge"
    PLAN = "plan"
    CARD = "card"
    DRAFT = "draft"
    VERIFY = "verify"
    EMBED = "embed"
    SEARCH = "search"
    PING = "ping"
    DRIFT = "drift"


class CallState(StrEnum):
    """Only completed calls are answers; an orphan's owner died while the call was in flight."""

    RESERVED = "reserved"
    COMPLETED = "completed"
    FAILED = "failed"
    ORPHANED = "orphaned"


class FactsweepError(Exception):
    """A fault that a person can act on; its text says what was done, what was expected, what to do next."""


class ConfigurationError(FactsweepError):
    """Wrong use or configuration: the command line ends with status 2."""
