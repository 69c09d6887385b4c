"""Running drafts through the passes: one pass at a time over all that wait for it, a rewritten draft from the start.

A rewrite is checked as a new draft is, or a question mended for one pass could break what another had found right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from assets.items.passes.draft import Draft, Pass, Ruling, Verdict


@dataclass
class Ran:
    """Where the drafts ended.

    Attributes:
        kept: passed everything.
        dropped: with the name of the pass.
        waiting: could not be decided yet, with the name of the pass and the reason.
        rows: of the table `verdicts`, without bank and domain.
    """

    kept: list[Draft] = field(default_factory=list)
    dropped: list[tuple[Draft, str]] = field(default_factory=list)
    waiting: list[tuple[Draft, str, str]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)


_FIRST_STEP = 1  # 0 is the draft itself


@dataclass(frozen=True)
class _Traveller:
    draft: Draft
    step: int  # place of its next row
    at: int = 0  # index of the pass that it waits for
    revisions: int = 0


def run_passes(drafts: Sequence[Draft], passes: Sequence[Pass], revisions: int) -> Ran:
    """Sends `drafts` through `passes`, in their order.

    Args:
        revisions: how often one draft may be rewritten by one build; a pass that asks for more drops it.
    """
    ran = Ran()
    if not passes:
        ran.kept = list(drafts)
        return ran
    travellers = [_Traveller(draft, _FIRST_STEP) for draft in drafts]
    while travellers:
        place = min(traveller.at for traveller in travellers)
        here = [traveller for traveller in travellers if traveller.at == place]
        travellers = [traveller for traveller in travellers if traveller.at != place]
        check = passes[place]
        for traveller, ruling in zip(here, check.rule([each.draft for each in here]), strict=True):
            if ruling.verdict is None:
                ran.waiting.append((traveller.draft, check.name, ruling.reason))
                continue
            if ruling.verdict is Verdict.REWRITTEN and traveller.revisions >= revisions:
                reason = f"would have to be rewritten more than {revisions} times: {ruling.reason}"
                ruling = replace(ruling, verdict=Verdict.FAIL, draft=traveller.draft, reason=reason)
            ran.rows.append(verdict_row(traveller.draft, ruling, check.name, traveller.step))
            if ruling.verdict is Verdict.FAIL:
                ran.dropped.append((ruling.draft, check.name))
                continue
            rewritten = ruling.verdict is Verdict.REWRITTEN
            onward = replace(
                traveller,
                draft=ruling.draft,
                step=traveller.step + 1,
                at=0 if rewritten else place + 1,
                revisions=traveller.revisions + rewritten,
            )
            if onward.at == len(passes):
                ran.kept.append(onward.draft)
            else:
                travellers.append(onward)
        order = {draft.item_id: number for number, draft in enumerate(drafts)}
        travellers.sort(key=lambda traveller: order[traveller.draft.item_id])
    return ran


def verdict_row(before: Draft | None, ruling: Ruling, name: str, step: int) -> dict[str, Any]:
    """A ruling as a row of `verdicts`, without bank and domain."""
    assert ruling.verdict is not None
    after = ruling.draft
    return {
        "item_id": after.item_id,
        "step": step,
        "pass": name,
        "verdict": str(ruling.verdict),
        "reason": ruling.reason,
        "question_before": before.question if before else None,
        "answer_before": before.answer if before else None,
        "question_after": after.question or None,
        "answer_after": after.answer or None,
        "model": ruling.model,
        "lab": ruling.lab,
        "call_id": ruling.call_id,
        "cost_usd": ruling.cost_usd,
        "decided_at": ruling.decided_at or datetime.now(UTC),
    }
