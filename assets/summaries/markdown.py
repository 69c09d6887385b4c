"""A summary as Markdown: complete, a section for each thing that there is to say."""

import re
from collections.abc import Iterator, Sequence

from assets.metrics.leaderboard import covered
from assets.summaries.comparing import RULE, BoardChange, ModelChange
from assets.summaries.nights import moment
from assets.summaries.summary import Incomplete, Summary
from assets.summaries.wording import (
    check_text,
    cost_text,
    drift_text,
    headline,
    incomplete_text,
    interval,
    leader_text,
    moves,
    number,
    rank_text,
)

_MARKS = re.compile(r"([\\`*_<>\[\]|~#])")


def summary_markdown(summary: Summary, link: str | None) -> str:
    """The whole summary.

    Args:
        link: of the run in the UI, where its address is known.
    """
    return "\n".join(_lines(summary, link)) + "\n"


def _lines(summary: Summary, link: str | None) -> Iterator[str]:
    yield f"# Sweep of {moment(summary.started_at)}"
    yield from ("", f"**{_text(headline(summary))}**", "")
    run = f"[Run {summary.night.sweep_id}]({link})" if link else f"Run {summary.night.sweep_id}"
    against = f"compared with the sweep of {summary.previous.name}" if summary.previous else "the first one published"
    yield f"{run}, published {moment(summary.night.published_at)}; {against}."
    if summary.drifting:
        yield from ("", f"{_text(drift_text(summary))}.")
    if summary.over_budget:
        yield from ("", "The budget stopped it: what was bought is graded and kept, the next sweep goes on.")
    yield from _section("Faults in files", [_text(fault) for fault in summary.faults])
    yield from _section("Checks that fail", [_text(check_text(check)) for check in summary.checks])
    yield from _moved(summary)
    for board in summary.boards:
        yield from ("", f"## {_text(board.bank)}, graded by {_text(board.grader)}", "")
        yield f"{_text(leader_text(board))}."
        yield from ("", *_board_table(board))
    yield from _ran(summary)
    yield from _section("Incomplete after this sweep", [_partition(each) for each in summary.troubles])
    yield from _section("Still incomplete from before", [_partition(each) for each in summary.left])
    yield from _section("Not asked", [f"{_text(model)}: {_text(reason)}" for model, reason in summary.not_asked])
    cost = summary.cost
    yield from _section("Cost", [f"{cost_text(cost)}; {cost.calls:,} calls of {cost.forecast_calls:,} forecast"])


def _moved(summary: Summary) -> Iterator[str]:
    if summary.first:
        return
    moved = [f"{_text(model.model)} on {_text(board.bank)}: {_text(moves(model))}" for board, model in summary.moved]
    ranks = [f"{_text(model.model)} on {_text(board.bank)}: {rank_text(model)}" for board, model in summary.reranked]
    yield from _section("Moved beyond the interval", moved or ["nothing"])
    yield from ("", f"_{RULE}_")
    yield from _section("Rank changes", ranks)


def _board_table(board: BoardChange) -> Iterator[str]:
    yield "| rank | model | index before | index (95 % interval) | accuracy | hallucination rate | coverage |"
    yield "| --: | --- | --: | --: | --: | --: | --: |"
    for model in board.models:
        yield f"| {' | '.join(_board_cells(model))} |"


def _board_cells(model: ModelChange) -> Iterator[str]:
    yield rank_text(model)
    yield _text(f"{model.model}, retired" if model.retired else model.model)
    yield number("index", model.before.index.value) if model.before else "–"
    if model.after is None:
        yield from ("gone", "–", "–", "–")
        return
    for metric in ("index", "accuracy", "hallucination_rate"):
        yield interval(metric, model.after.estimate(metric))
    yield covered(model.after.coverage)


def _ran(summary: Summary) -> Iterator[str]:
    yield from ("", "## What ran", "")
    if not summary.ran:
        yield "No partition was due; the scores are published anew."
        return
    yield "| why | partitions | domains | models |"
    yield "| --- | --: | --- | --- |"
    for each in summary.ran:
        yield f"| {_text(each.reason)} | {each.partitions:,} | {_names(each.domains)} | {_names(each.models)} |"
    for kind, new in (("models", summary.new_models), ("domains", summary.new_domains)):
        if new:
            yield from ("", f"New {kind}: {_names(new)}")


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"## {title}", "", *(f"- {line}" for line in lines))


def _partition(partition: Incomplete) -> str:
    return f"{_text(partition.domain)}, {_text(partition.model)}: {_text(incomplete_text(partition))}"


def _names(values: Sequence[str]) -> str:
    return ", ".join(map(_text, values))


def _text(text: str) -> str:
    """Names and reasons as they are, whatever marks they hold."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
