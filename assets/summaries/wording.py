"""How a summary and a comparison put numbers and changes into words, as text without markup."""

from collections.abc import Sequence

from assets.metrics.leaderboard import covered, dollars, percent, signed
from assets.reports.facts import counted, named
from assets.summaries.comparing import BoardChange, Estimate, ModelChange
from assets.summaries.summary import Cost, FailedCheck, Incomplete, Summary

NAMES = {"index": "index", "accuracy": "accuracy", "hallucination_rate": "hallucination rate"}
_BOARDS = 2  # that the first line names


def headline(summary: Summary) -> str:
    """One line that says it all: who leads, what is new, what is wrong, what it cost."""
    boards = [board for board in summary.boards if board.bank in summary.swept_banks] or list(summary.boards)
    leads = [f"{board.bank}: {leader_text(board)}" for board in boards[:_BOARDS]]
    if len(boards) > _BOARDS:
        leads.append(counted(len(boards) - _BOARDS, "more leaderboard"))
    moved, checks = len({model.model for _, model in summary.moved}), len(summary.checks)
    events = [
        f"{counted(len(summary.new_models), 'model')} {_be(summary.new_models)} new" if summary.new_models else "",
        f"{counted(moved, 'model')} moved" if moved else "",
        f"{counted(len(summary.troubles), 'partition')} incomplete" if summary.troubles else "",
        f"{counted(len(summary.faults), 'fault')} in files" if summary.faults else "",
        f"{counted(checks, 'check')} {'fails' if checks == 1 else 'fail'}" if checks else "",
        "the budget stopped it" if summary.over_budget else "",
    ]
    told = ", ".join(event for event in events if event) or (
        "nothing else changed" if summary.ran else "no partition was due, the scores are published anew"
    )
    return "; ".join([*leads, told, cost_text(summary.cost)])


def leader_text(board: BoardChange) -> str:
    leader = board.leader
    if leader is None or leader.after is None:
        return "no model has a graded answer"
    incomplete = "" if leader.after.coverage == 1 else f", {covered(leader.after.coverage)} graded"
    peers = [each for each in board.models if each.after and each.after.rank == leader.after.rank and not each.baseline]
    who = f"{leader.model} leads" if len(peers) == 1 else f"{leader.model} and {len(peers) - 1} more lead"
    return f"{who} (index {number('index', leader.after.index.value)}{incomplete})"


def cost_text(cost: Cost) -> str:
    """Such as `$1.92 of $2.10 forecast`; of a run that took up another, that it is not all."""
    spent, forecast = (
        f"at least {dollars(usd)}" if unknown else dollars(usd)
        for usd, unknown in ((cost.usd, cost.price_unknown), (cost.forecast_usd, cost.forecast_unknown))
    )
    rest = " for the rest of an earlier run, whose own calls are not counted" if cost.of_rest else ""
    return f"{spent} of {forecast} forecast{rest}"


def number(metric: str, value: float | None) -> str:
    """The metric in its unit; an unknown one is a word."""
    if metric == "index":
        return "none" if value is None else signed(value).removesuffix(".0")
    return percent(value)


def interval(metric: str, estimate: Estimate) -> str:
    """Such as `31 (24.1 to 37.9)`; without the brackets where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return number(metric, estimate.value)
    return f"{number(metric, estimate.value)} ({number(metric, estimate.low)} to {number(metric, estimate.high)})"


def moved_text(model: ModelChange, metric: str) -> str:
    """Such as `index 31 (24.1 to 37.9) → 45`."""
    assert model.before is not None and model.after is not None
    before, after = model.before.estimate(metric), model.after.estimate(metric)
    return f"{NAMES[metric]} {interval(metric, before)} → {number(metric, after.value)}"


def moves(model: ModelChange) -> str:
    """All that moved of a model, and why it may be no movement of the model."""
    told = ", ".join(moved_text(model, metric) for metric in model.moved)
    return f"{told}; not like with like: {'; '.join(model.unlike)}" if model.unlike else told


def rank_text(model: ModelChange) -> str:
    """Such as `3 → 1`."""
    ranks = ["–" if night is None or night.rank is None else str(night.rank) for night in (model.before, model.after)]
    return ranks[1] if ranks[0] == ranks[1] else " → ".join(ranks)


def incomplete_text(partition: Incomplete) -> str:
    """Such as `80.0 % graded: 1 failed (HTTP 429 × 1)`."""
    parts = [part for part in (partition.missing, partition.stopped) if part]
    return f"{covered(partition.coverage)} graded: {'; '.join(parts)}"


def check_text(check: FailedCheck) -> str:
    kind = "warning" if check.warning else "blocking" if check.blocking else "error"
    rows = "could not be evaluated" if check.failing is None else counted(check.failing, "failing row")
    return f"{check.name} ({kind}): {rows}"


def ran_text(summary: Summary) -> str:
    """Such as `6 partitions new, 3 stale: prompt changed`."""
    told = ", ".join(f"{each.partitions:,} {each.reason}" for each in summary.ran)
    return f"{counted(sum(each.partitions for each in summary.ran), 'partition')} swept: {told}"


def drift_text(summary: Summary) -> str:
    """The models that `drifting` names; what a person does about them stands with the command."""
    return f"Answering otherwise than in their baseline: {names(summary.drifting)} (factsweep drift says how)"


def names(values: Sequence[str]) -> str:
    return named(list(values))


def _be(values: Sequence[str]) -> str:
    return "is" if len(values) == 1 else "are"
