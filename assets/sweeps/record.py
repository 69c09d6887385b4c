"""Recording: a partition's `responses` and `grades` built from the ledger, validated and put in place.

Buys nothing, and gives the same tables whenever it is run on the same ledger.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import polars as pl

from assets.grades.graded import UNREADABLE, Graded
from assets.grades.judging import Judge
from assets.items.item import Item
from assets.responses.baselines import ABSTENTION, baseline_answer
from assets.sweeps.costs import Costs
from assets.sweeps.targets import Target
from assets.sweeps.work import Unit, Workbook, is_answer
from checks.contracts import GRADES, PARTITIONS, RESPONSES
from resources.installation import Installation
from resources.ledger import NIGHTS, StoredCall
from resources.types import CallState, Grade, Method, Outcome

_RECORDED_STATES = (CallState.COMPLETED, CallState.FAILED)


@dataclass(frozen=True)
class Recorded:
    """One partition's tables and its row in `partitions`."""

    responses: pl.DataFrame
    grades: pl.DataFrame
    partition: pl.DataFrame

    @property
    def summary(self) -> dict:
        return self.partition.row(0, named=True)


@dataclass(frozen=True)
class _Row:
    """One response with its grade, before it becomes two table rows."""

    response: dict[str, object]
    graded: Graded | None = None
    judge_call: StoredCall | None = None
    retryable: bool = False


def record(installation: Installation, target: Target, sweep_id: str, now: datetime, stopped: str | None) -> Recorded:
    """Writes the partition's files, the row that vouches for them last.

    Args:
        stopped: why the sweep stopped asking, where it did; becomes part of the note.

    Raises:
        ContractViolation: when a table is not what it should be; the partition's row stays as it was.
        DiskFull: some of the files may be new; the next sweep writes them again.
    """
    rows = _baseline_rows(target, now) if target.spec is None else _rows(installation, target, now)
    recorded = _tables(target, rows, sweep_id, now, stopped)
    domain, model = target.key
    lake = installation.lake
    lake.write("responses", recorded.responses, domain=domain, model=model)
    lake.write("grades", recorded.grades, domain=domain, model=model)
    lake.write("partitions", recorded.partition, domain=domain, model=model)
    return recorded


def _rows(installation: Installation, target: Target, now: datetime) -> list[_Row]:
    book = Workbook(installation, target)
    units = [unit for unit in book.units(target.content.items) if unit.stored and unit.stored.state in _RECORDED_STATES]
    if book.judge is None:
        costs = Costs(installation.ledger)
        return [_row(target, unit, costs) for unit in units]
    return _judged_rows(installation, book, book.judge, units)


def _row(target: Target, unit: Unit, costs: Costs) -> _Row:
    assert unit.stored is not None
    response = _response(target, unit, costs)
    if unit.stored.state is CallState.FAILED:
        return _Row(response, retryable=unit.stored.failed_nights < NIGHTS)
    if not is_answer(unit.stored):
        return _Row(response)
    return _Row(response, graded_by_rule(target.method, unit.item, unit.text))


def _judged_rows(installation: Installation, book: Workbook, judge: Judge, units: list[Unit]) -> list[_Row]:
    """Rows with the verdict of the first judge call, or of the stricter one where the first was no label."""
    costs = Costs(installation.ledger)
    first, second = (
        {
            unit.call.call_id: book.verdict_call(judge, unit.item, unit.text, stricter=stricter).call_id
            for unit in units
            if is_answer(unit.stored)
        }
        for stricter in (False, True)
    )
    found = installation.ledger.find([*first.values(), *second.values()])
    rows = []
    for unit in units:
        plain = _row(book.target, unit, costs)
        if not is_answer(unit.stored):
            rows.append(plain)
            continue
        graded, call = Graded(None, "not judged yet"), None
        retryable = True
        for stricter, call_ids in ((False, first), (True, second)):
            stored = found.get(call_ids[unit.call.call_id])
            if stored is None or stored.state not in _RECORDED_STATES:
                break
            verdict = judge.read(stored, stricter=stricter)
            graded, call = verdict.graded, replace(stored, cost_usd=costs.of(judge.spec, stored))
            retryable = stored.state is CallState.FAILED and stored.failed_nights < NIGHTS
            if not verdict.retry:
                break
            retryable = True  # the stricter call is still to be asked
        rows.append(_Row(plain.response, graded, call, retryable and graded.grade is None))
    return rows


def graded_by_rule(method: Method, item: Item, answer: str) -> Graded:
    """The grade that the matcher or the option letter gives; none where a judge is to grade."""
    if method is Method.CHOICE:
        from assets.grades.choice import grade_choice

        return grade_choice(answer=answer, gold=item.answer, options=item.options)
    if method is Method.MATCH:
        from assets.grades.match import grade_match

        return grade_match(
            question=item.question, gold=item.answer, aliases=item.aliases, answer=answer, language=item.language
        )
    return Graded(None, "not judged yet")


def _response(target: Target, unit: Unit, costs: Costs) -> dict[str, object]:
    stored = unit.stored
    assert stored is not None
    failed = stored.state is CallState.FAILED
    return _identity(target, unit.item, unit.sample, unit.epoch) | {
        "outcome": Outcome.FAILED if failed else stored.outcome,
        "text": None if failed else stored.text,
        "finish_reason": stored.error if failed else stored.finish_reason,
        "input_tokens": stored.input_tokens,
        "output_tokens": stored.output_tokens,
        "reasoning_tokens": stored.reasoning_tokens,
        "cost_usd": costs.of(unit.call.spec, stored),
        "latency_s": stored.latency_s,
        "served_model": stored.served_model,
        "seed": unit.call.params.get("seed"),
        "temperature": unit.call.params.get("temperature"),
        "call_id": stored.call_id,
        "answered_at": _at(stored.completed_at),
    }


def _baseline_rows(target: Target, now: datetime) -> list[_Row]:
    items = list(target.content.items)
    rows = []
    for item in items:
        for sample in range(target.samples):
            text = baseline_answer(target.model, item, items, sample)
            response = _identity(target, item, sample, target.epoch(item.item_id)) | {
                "outcome": Outcome.ANSWERED,
                "text": text,
                "cost_usd": 0.0,
                "answered_at": now,
            }
            rows.append(_Row(response, _baseline_grade(target, item, text)))
    return rows


def _baseline_grade(target: Target, item: Item, text: str) -> Graded:
    """By construction, in every language and beside every judge: a baseline says a gold or abstains."""
    if target.method is Method.CHOICE:
        return graded_by_rule(target.method, item, text)
    if text == ABSTENTION:
        return Graded(Grade.NOT_ATTEMPTED, "baseline: it abstains")
    right = text.casefold() in {gold.casefold() for gold in (item.answer, *item.aliases)}
    return Graded(Grade.CORRECT if right else Grade.INCORRECT, "baseline: compared with the gold to the letter")


def _identity(target: Target, item: Item, sample: int, epoch: int) -> dict[str, object]:
    return {
        "bank": target.bank.name,
        "domain": target.content.domain.key,
        "model": target.model,
        "item_id": item.item_id,
        "question_version": item.question_version,
        "answer_version": item.answer_version,
        "sample": sample,
        "epoch": epoch,
    }


def _tables(target: Target, rows: list[_Row], sweep_id: str, now: datetime, stopped: str | None) -> Recorded:
    judge = target.judge.id if target.judge else None
    answered = [row for row in rows if row.graded is not None]
    shared = ("bank", "domain", "model", "item_id", "answer_version", "sample", "epoch")
    grades = GRADES.frame(
        {name: row.response[name] for name in shared}
        | {
            "grade": row.graded.grade if row.graded else None,
            "reason": row.graded.reason if row.graded else "",
            "method": target.method,
            "judge": judge,
            "judge_call_id": row.judge_call.call_id if row.judge_call else None,
            "graded_at": _at(row.judge_call.completed_at) if row.judge_call else now,
        }
        for row in answered
    )
    columns = RESPONSES.schema.names()
    responses = RESPONSES.frame({name: row.response.get(name) for name in columns} for row in rows)
    return Recorded(responses, grades, _partition(target, rows, sweep_id, now, stopped))


def _partition(target: Target, rows: list[_Row], sweep_id: str, now: datetime, stopped: str | None) -> pl.DataFrame:
    expected = len(target.content.items) * target.samples
    outcomes = [row.response["outcome"] for row in rows]
    counts = {outcome.value: outcomes.count(outcome) for outcome in Outcome}
    graded = sum(1 for row in rows if row.graded and row.graded.grade is not None)
    domain, model = target.key
    row = counts | {
        "bank": target.bank.name,
        "domain": domain,
        "model": model,
        "fingerprint": target.fingerprint,
        "method": target.method,
        "judge": target.judge.id if target.judge else None,
        "epoch": target.epochs.get("", 0),
        "samples": target.samples,
        "items": len(target.content.items),
        "asked": len(rows),
        "graded": graded,
        "unreadable": sum(1 for row in rows if row.graded and row.graded.reason.startswith(UNREADABLE)),
        "retryable": sum(1 for row in rows if row.retryable),
        "coverage": graded / expected if expected else 1.0,
        "cost_usd": _cost(row.response["cost_usd"] for row in rows if row.response["outcome"] is not Outcome.FAILED),
        "judge_cost_usd": _cost(row.judge_call.cost_usd for row in rows if row.judge_call),
        "note": _note(counts, expected, len(rows), graded, stopped),
        "sweep_id": sweep_id,
        "recorded_at": now,
    }
    return PARTITIONS.frame([row])


def _note(counts: dict[str, int], expected: int, asked: int, graded: int, stopped: str | None) -> str | None:
    """Why coverage is under 100 %, for a person; None when it is not."""
    if graded == expected:
        return None
    parts = [f"{counts[outcome]} {outcome}" for outcome in ("truncated", "filtered", "failed") if counts[outcome]]
    ungraded = counts["answered"] - graded
    if ungraded:
        parts.append(f"{ungraded} ungraded")
    if expected > asked:
        parts.append(f"{expected - asked} of {expected} not asked")
    if stopped and (expected > asked or counts["failed"] or ungraded):
        parts.append(stopped)
    return "; ".join(parts)


def _cost(costs: Iterable[object]) -> float | None:
    """The sum, or None as soon as one is unknown."""
    known = 0.0
    for cost in costs:
        if cost is None:
            return None
        known += float(cost)  # type: ignore[arg-type]
    return known


def _at(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
