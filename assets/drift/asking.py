"""Asking the samples of one night: the rows of `drift_answers`."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from assets.authoring.desk import WAITS, Desk
from assets.drift.grading import Answer, Judged, grade_answers
from assets.drift.sampling import Watched
from assets.grades.graded import Graded
from assets.sweeps.work import is_answer
from resources.installation import Installation
from resources.ledger import StoredCall
from resources.llm import Asked, Status
from resources.types import Outcome


def ask_and_grade(
    installation: Installation, desk: Desk, night: str, watched: Sequence[Watched]
) -> list[dict[str, object]]:
    """A row for each of `watched`; what was bought earlier this night is found in the ledger.

    Raises:
        LedgerError: when answers cannot be recorded.
        BaseException: an interrupt, once what is in flight has come to rest; the next run of the night goes on.
    """
    asked = desk.buy([each.call for each in watched])
    answered = {
        each.call.call_id: Answer(each, came.stored.text or "")
        for each, came in zip(watched, asked, strict=True)
        if came.status is Status.COMPLETED and came.stored is not None and is_answer(came.stored)
    }
    judged = dict(zip(answered, grade_answers(installation, desk, list(answered.values())), strict=True))
    failed = [each.call.call_id for each, came in zip(watched, asked, strict=True) if came.status is Status.FAILED]
    errors = {call_id: stored.error for call_id, stored in installation.ledger.find(failed).items()}
    rows = []
    for each, came in zip(watched, asked, strict=True):
        if came.status is Status.COMPLETED and came.stored is not None:
            given = judged.get(each.call.call_id) or Judged(Graded(None, f"the answer is {came.stored.outcome}"))
            rows.append(_identity(night, each) | _given(installation, came.stored, given))
        else:
            reason = errors.get(each.call.call_id) or _why(desk, each, came)
            rows.append(_identity(night, each) | {"outcome": Outcome.FAILED, "reason": reason, "cost_usd": 0.0})
    return rows


def _identity(night: str, each: Watched) -> dict[str, object]:
    return {
        "night": night,
        "model": each.target.model,
        "bank": each.target.bank.name,
        "domain": each.target.key[0],
        "item_id": each.item.item_id,
        "asking": each.asking,
        "call_id": each.call.call_id,
    }


def _given(installation: Installation, stored: StoredCall, judged: Judged) -> dict[str, object]:
    # A verdict that is older than the answer was bought for the same words on another night.
    bought = [verdict for verdict in judged.verdicts if (verdict.completed_at or 0) >= (stored.completed_at or 0)]
    costs = [call.cost_usd for call in (stored, *bought)]
    known = [cost for cost in costs if cost is not None]
    return {
        "outcome": stored.outcome,
        "text": stored.text,
        "grade": judged.graded.grade,
        "reason": judged.graded.reason,
        "served_model": stored.served_model,
        "system_fingerprint": _system_fingerprint(installation, stored.call_id),
        "cost_usd": sum(known) if len(known) == len(costs) else None,
        "answered_at": datetime.fromtimestamp(stored.completed_at, UTC) if stored.completed_at else None,
    }


def _system_fingerprint(installation: Installation, call_id: str) -> str | None:
    exchange = installation.ledger.exchange(call_id)
    try:
        reply = json.loads((exchange and exchange[1]) or "{}")
    except ValueError:  # a prompt that was refused has the refusal's words instead
        return None
    found = reply.get("system_fingerprint") if isinstance(reply, dict) else None
    return found if isinstance(found, str) else None


def _why(desk: Desk, each: Watched, came: Asked) -> str:
    if came.status is Status.STOPPED and (reason := desk.stopped.get(each.target.model)):
        return f"{WAITS[came.status]}: {reason}"
    return WAITS.get(came.status, str(came.status))
