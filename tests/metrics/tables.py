"""Small tables of graded answers for the tests of the metrics."""

from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from assets.metrics.ranks import rank_table
from assets.metrics.scores import score_table
from checks.contract import Contract
from checks.contracts import GRADES, ITEMS, PARTITIONS, RESPONSES
from resources.types import Method, Outcome

NOW = datetime(2026, 6, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """One response with its grade, in bank `omniscience`; the defaults are a free, correct, matched answer."""

    item: str
    grade: str | None = "correct"
    model: str = "m"
    domain: str = "omniscience.law"
    topic: str = "Tort"
    source: str | None = None
    sample: int = 0
    outcome: Outcome = Outcome.ANSWERED
    cost: float | None = 0.0
    reason: str = "contains the gold"
    method: Method = Method.MATCH
    judge: str | None = None

    @property
    def bank(self) -> str:
        return self.domain.split(".")[0]


@dataclass(frozen=True)
class Tables:
    """The four tables that scores are computed from."""

    items: pl.DataFrame
    responses: pl.DataFrame
    grades: pl.DataFrame
    partitions: pl.DataFrame

    def scores(self, penalty: dict[str, float] | None = None, notes: dict[str, str] | None = None) -> pl.DataFrame:
        return score_table(
            self.items, self.responses, self.grades, self.partitions, penalty=penalty or {}, notes=notes or {}
        )

    def ranks(self, penalty: dict[str, float] | None = None) -> pl.DataFrame:
        return rank_table(self.items, self.responses, self.grades, self.partitions, penalty=penalty or {})

    def row(self, level: str = "all", key: str = "omniscience", **filters: str) -> dict[str, object]:
        """The one row of the scores with this level, key and, where named, model, method or judge."""
        return self.scores().row(
            by_predicate=(pl.col("level") == level)
            & (pl.col("key") == key)
            & pl.all_horizontal(pl.lit(True), *(pl.col(name) == value for name, value in filters.items())),
            named=True,
        )


def tables(answers: list[Answer]) -> Tables:
    """The tables of these answers: every item asked is active, every partition recorded, every version current."""
    return tables_of(
        pl.DataFrame([{"bank": answer.bank, **vars(answer)} for answer in answers], infer_schema_length=None)
    )


def tables_of(answers: pl.DataFrame) -> Tables:
    """As `tables`, from a frame with a column for each field of `Answer` and `bank`."""
    rows = answers.rename({"item": "item_id"})
    items = rows.unique(["domain", "item_id"], maintain_order=True).select(
        "bank",
        "domain",
        "topic",
        "item_id",
        question_version=pl.lit("q1"),
        answer_version=pl.lit("a1"),
        format=pl.lit("short_answer"),
        question=pl.lit("?"),
        answer=pl.lit("!"),
        language=pl.lit("en"),
        source_url=pl.col("source"),
        split=pl.lit("public"),
        status=pl.lit("active"),
    )
    common = ("bank", "domain", "model", "item_id", "sample")
    responses = rows.select(
        *common,
        question_version=pl.lit("q1"),
        epoch=pl.lit(0),
        outcome=pl.col("outcome"),
        cost_usd=pl.col("cost"),
    )
    grades = rows.select(
        *common,
        "grade",
        "reason",
        "method",
        "judge",
        answer_version=pl.lit("a1"),
        epoch=pl.lit(0),
        graded_at=pl.lit(NOW),
    )
    partitions = rows.unique(["domain", "model"], maintain_order=True).select(
        "bank",
        "domain",
        "model",
        "method",
        "judge",
        fingerprint=pl.lit("f"),
        epoch=pl.lit(0),
        samples=pl.lit(rows["sample"].max()) + 1,
        coverage=pl.lit(1.0),
        judge_cost_usd=pl.lit(0.0),
        sweep_id=pl.lit("s"),
        recorded_at=pl.lit(NOW),
        **{
            name: pl.lit(0)
            for name in (
                "items", "asked", "answered", "truncated", "filtered", "failed", "graded", "unreadable", "retryable",
            )
        },
    )  # fmt: skip
    return Tables(_as(ITEMS, items), _as(RESPONSES, responses), _as(GRADES, grades), _as(PARTITIONS, partitions))


def _as(contract: Contract, frame: pl.DataFrame) -> pl.DataFrame:
    columns = [
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in contract.schema.items()
    ]
    return contract.validate(frame.select(columns))
