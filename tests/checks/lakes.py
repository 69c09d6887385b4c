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


def ranked(**changes: object) -> Row:
    """The model's row of the leaderboard."""
    row = score("all", "omniscience", rank=1, retired=False) | changes
    return {name: value for name, value in row.items() if name not in ("level", "key")}


def source(source_id: str = "s1", **changes: object) -> Row:
    """A web page that was read."""
    row: Row = {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "source_id": source_id,
        "name": f"https://law.example.org/{source_id}",
        "url": f"https://law.example.org/{source_id}",
        "host": "law.example.org",
        "rule": "law.example.org",
        "tier": 1,
        "status": "read",
        "published_basis": "unknown",
        "characters": 60,
        "sections": [
            {"path": ["Part 1"], "text": "This Act may be cited as the Barter Act."},
            {"path": ["Part 1", "Fees"], "text": "A notice is given in writing.\nIt takes\neffect after 30 days."},
        ],
        "fetched_at": datetime(2025, 1, 1, tzinfo=UTC),
    }
    return row | changes


def file_source(source_id: str, **changes: object) -> Row:
    """A file of the bank's folder that was read."""
    name = f"documents/{source_id}.md"
    return source(source_id, name=name, url=None, host=None, rule=None) | changes


def card(card_id: str = "k1", **changes: object) -> Row:
    """A kept card whose excerpt runs over two line breaks of the sound source."""
    row: Row = {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "card_id": card_id,
        "source_id": "s1",
        "source_name": "https://law.example.org/s1",
        "topic": "Contract law",
        "excerpt": "A notice is given in writing.\nIt takes\neffect after 30 days.",
        "fact": "Notices take effect after 30 days.",
        "about": "notices",
        "quality": 4,
        "chunk": "c1",
        "generator": "writer",
        "status": "kept",
    }
    return row | changes


def built(item_id: str = "k1", **changes: object) -> Row:
    """An active item drafted from a card; its id is the card's."""
    question = f"After how many days does notice {item_id} take effect?"
    return item(item_id, card_id=item_id, question=question, answer="30 days", answer_type="number") | changes


def verdict(item_id: str, step: int, name: str, lab: str | None, **changes: object) -> Row:
    """A pass by a model of `lab`."""
    row: Row = {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "item_id": item_id,
        "step": step,
        "pass": name,
        "verdict": "pass",
        "reason": "as it should be",
        "model": f"{lab}-model",
        "lab": lab,
        "decided_at": datetime(2025, 1, 1, tzinfo=UTC),
    }
    return row | changes


def balance(**changes: object) -> Row:
    """A topic that has the one item it asks for."""
    counts = dict.fromkeys(("unread", "dropped", "waiting", "short"), 0) | dict.fromkeys(
        ("active", "cards", "drafts"), 1
    )
    return {
        "bank": "omniscience",
        "domain": "omniscience.law",
        "topic": "Contract law",
        "target": 1,
        **counts,
    } | changes


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
    leaderboard: list[Row] = field(default_factory=list)
    sources: list[Row] = field(default_factory=list)
    evidence_cards: list[Row] = field(default_factory=list)
    verdicts: list[Row] = field(default_factory=list)
    topic_balance: list[Row] = field(default_factory=list)

    def read(self, table: str, **keys: str) -> pl.DataFrame:
        return CONTRACTS[table].frame(getattr(self, table, [])).filter(**keys)

    def connect(self, domain: str | None = None) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect()
        for table, contract in CONTRACTS.items():
            keys = {"domain": domain} if domain is not None and "domain" in contract.schema else {}
            connection.register(table, self.read(table, **keys))
        return connection


def built_lake(**changes: list[Row]) -> FakeLake:
    """A sound domain built from one web page: its card and its item, drafted in one lab and verified in another."""
    tables: dict[str, list[Row]] = {
        "items": [built()],
        "responses": [response("k1")],
        "grades": [grade("k1")],
        "partitions": [],
        "scores": [],
        "sources": [source()],
        "evidence_cards": [card()],
        "verdicts": [verdict("k1", 0, "draft", "acme"), verdict("k1", 1, "entailment", "globex")],
        "topic_balance": [balance()],
    }
    return FakeLake(**(tables | changes))


EMPTY = FakeLake([], [], [], [], [])
