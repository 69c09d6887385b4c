"""Small lakes for tests of the checks: a sound one, and rows to break it with."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import duckdb
import polars as pl

from checks.contracts import CONTRACTS

Row = dict[str, object]

ASKED: Row = {"bank": "omniscience", "domain": "omniscience.law", "model": "small", "sample": 0, "epoch": 0}


def item(item_id: str = "q1", **changes: object) -> Row:
    """An active short-answer item."""
    row: Row = {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "topic": "Contract law",
        "item_id": item_id,
        "question_version": "asked-1",
        "answer_version": "gold-1",
        "format": "short_answer",
        "question": f"What does section {item_id} name?",
        "answer": "Consideration",
        "language": "en",
        "split": "public",
        "status": "active",
    }
    return row | changes


def choice(**changes: object) -> Row:
    """An active multiple-choice item whose answer is its second option."""
    return item("c1", format="multiple_choice", options=["Ohm", "Volt", "Watt"], answer="B") | changes


def response(item_id: str = "q1", **changes: object) -> Row:
    row = ASKED | {"item_id": item_id, "question_version": "asked-1", "outcome": "answered", "text": "Consideration"}
    return row | changes


def grade(item_id: str = "q1", **changes: object) -> Row:
    row = ASKED | {
        "item_id": item_id,
        "answer_version": "gold-1",
        "grade": "correct",
        "reason": "the gold stands in the answer",
        "method": "match",
    }
    return row | changes


def partition(**changes: object) -> Row:
    """The record of two items answered and graded."""
    row: Row = {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "model": "small",
        "fingerprint": "f1",
        "method": "match",
        "epoch": 0,
        "samples": 1,
        "items": 2,
        "asked": 2,
        "answered": 2,
        "truncated": 0,
        "filtered": 0,
        "failed": 0,
        "graded": 2,
        "unreadable": 0,
        "retryable": 0,
        "coverage": 1.0,
        "sweep_id": "s1",
        "recorded_at": datetime(2025, 1, 1, tzinfo=UTC),
    }
    return row | changes


def score(level: str, key: str, **changes: object) -> Row:
    """One item correct, one incorrect: index 0, accuracy one half, every miss a hallucination."""
    row: Row = {
        "bank": "omniscience",
        "level": level,
        "key": key,
        "model": "small",
        "method": "match",
        "items": 2,
        "coverage": 1.0,
        "correct": 1,
        "partial": 0,
        "incorrect": 1,
        "not_attempted": 0,
        "index": 0.0,
        "accuracy": 0.5,
        "hallucination_rate": 1.0,
        "attempt_rate": 1.0,
        "penalty": 1.0,
        "clusters": 2,
        "truncated": 0,
        "filtered": 0,
        "failed": 0,
        "ungraded": 0,
        "unreadable": 0,
        "incomplete": False,
    }
    return row | changes


def _sound_scores() -> list[Row]:
    return [
        score("all", "omniscience"),
        score("domain", "omniscience.law"),
        score("topic", "omniscience.law/Contract law"),
    ]


@dataclass(frozen=True)
class FakeLake:
    """Tables in memory behind the lake's interface; without arguments they are sound."""

    items: list[Row] = field(default_factory=lambda: [item("q1"), item("q2")])
    responses: list[Row] = field(default_factory=lambda: [response("q1"), response("q2")])
    grades: list[Row] = field(default_factory=lambda: [grade("q1"), grade("q2", grade="incorrect")])
    partitions: list[Row] = field(default_factory=lambda: [partition()])
    scores: list[Row] = field(default_factory=_sound_scores)

    def read(self, table: str) -> pl.DataFrame:
        return CONTRACTS[table].frame(getattr(self, table, []))

    def connect(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        for table in CONTRACTS:
            connection.register(table, self.read(table))
        return connection


EMPTY = FakeLake([], [], [], [], [])
