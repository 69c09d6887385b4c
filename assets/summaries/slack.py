"""A summary in Slack's mrkdwn: short, the first line says it all; and its plain fields for other receivers."""

from collections.abc import Iterator, Sequence

from assets.reports.facts import counted
from assets.summaries.summary import Summary
from assets.summaries.wording import (
    check_text,
    drift_text,
    headline,
    incomplete_text,
    moves,
    names,
    ran_text,
    rank_text,
)
from resources.webhook import Notice, escaped

_LISTED = 5


def summary_notice(summary: Summary, link: str | None) -> Notice:
    """What the webhook is told of a sweep.

    Args:
        link: of the run in the UI, where its address is known.
    """
    lines = [f"*{escaped(headline(summary))}*", *map(escaped, _lines(summary))]
    if link:
        lines.append(f"<{link}|The run>")
    return Notice("summary", "\n".join(lines), _fields(summary, link))


def _lines(summary: Summary) -> Iterator[str]:
    if summary.ran:
        yield ran_text(summary)
    for kind, new in (("models", summary.new_models), ("domains", summary.new_domains)):
        if new:
            yield f"New {kind}: {names(new)}"
    yield from _some("Moved beyond the interval", [f"{m.model} on {b.bank}: {moves(m)}" for b, m in summary.moved])
    ranks = [f"{model.model} on {board.bank}: {rank_text(model)}" for board, model in summary.reranked]
    yield from _some("Ranks", ranks)
    troubles = [f"{each.domain} | {each.model}: {incomplete_text(each)}" for each in summary.troubles]
    yield from _some("Incomplete", troubles)
    yield from _some("Faults in files", summary.faults)
    yield from _some("Not asked", [f"{model}: {reason}" for model, reason in summary.not_asked])
    yield from _some("Checks that fail", [check_text(check) for check in summary.checks])
    if summary.left:
        yield f"{counted(len(summary.left), 'earlier partition')} still incomplete"
    if summary.drifting:
        yield drift_text(summary)
    if summary.over_budget:
        yield "The budget stopped it: what was bought is graded and kept, the next sweep goes on."


def _some(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{title}:"
        yield from (f"• {line}" for line in lines[:_LISTED])
        if len(lines) > _LISTED:
            yield f"• and {len(lines) - _LISTED} more"


def _fields(summary: Summary, link: str | None) -> dict[str, object]:
    cost = summary.cost
    leaders = [(board, board.leader) for board in summary.boards]
    return {
        "run_id": summary.night.sweep_id,
        "url": link,
        "published_at": summary.night.published_at.isoformat(),
        "banks": list(summary.swept_banks),
        "leaders": [
            {"bank": board.bank, "graded_by": board.grader, "model": leader.model, "index": leader.after.index.value}
            for board, leader in leaders
            if leader and leader.after
        ],
        "partitions": sum(each.partitions for each in summary.ran),
        "new_models": list(summary.new_models),
        "new_domains": list(summary.new_domains),
        "moved": [
            {"bank": board.bank, "model": model.model, "metrics": list(model.moved)} for board, model in summary.moved
        ],
        "incomplete": [f"{each.domain} | {each.model}" for each in summary.troubles],
        "file_faults": list(summary.faults),
        "failed_checks": [check.name for check in summary.checks],
        "over_budget": summary.over_budget,
        "drifting": list(summary.drifting),
        "calls": cost.calls,
        "cost_usd": None if cost.price_unknown else cost.usd,
        "forecast_usd": None if cost.forecast_unknown else cost.forecast_usd,
    }
