"""What `factsweep compare-nights` prints: two published sweeps side by side, and the list of them."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import click
from rich.table import Table
from rich.text import Text

from assets.metrics.leaderboard import covered, dollars, signed
from assets.summaries.comparing import (
    METRICS,
    RULE,
    BoardChange,
    ModelChange,
    Standing,
    compare,
    read_night,
    recorded_between,
)
from assets.summaries.nights import Night, published_nights, two_nights
from assets.summaries.wording import NAMES, interval, rank_text
from orchestration.tables import add_name_column, table_terminal
from resources.installation import Installation
from resources.types import ConfigurationError

_MOVED = {True: "moved", False: "", None: "cannot be told"}


def list_nights(installation: Installation, *, as_json: bool) -> None:
    """Prints every published sweep, the oldest first."""
    nights = published_nights(installation.lake)
    if as_json:
        click.echo(json.dumps([_night(night) for night in nights], indent=2))
    elif not nights:
        click.echo("No sweep has published scores yet; run `factsweep sweep`.")
    else:
        for night in nights:
            click.echo(f"{night.sweep_id}  {night.name.partition(' (')[0]}")


def compare_two(
    installation: Installation, first: str | None, second: str | None, bank: str | None, *, as_json: bool
) -> None:
    """Prints how the second night differs from the first.

    Raises:
        ConfigurationError: when these are not two nights, or neither has the bank.
    """
    lake = installation.lake
    before, after = two_nights(published_nights(lake), first, second)
    boards = compare(
        read_night(lake, before),
        read_night(lake, after),
        recorded_between(lake, before, after),
        installation.models.may_hold,
    )
    known = list(dict.fromkeys(board.bank for board in boards))
    if bank is not None and bank not in known:
        raise ConfigurationError(f"neither night has scores of bank {bank!r}; they have {', '.join(known) or 'none'}")
    boards = [board for board in boards if bank in (None, board.bank)]
    if as_json:
        click.echo(json.dumps(_comparison(before, after, boards), indent=2, ensure_ascii=False))
    else:
        _print(before, after, boards)


def _print(before: Night, after: Night, boards: list[BoardChange]) -> None:
    terminal = table_terminal()
    terminal.print(Text(f"before: {before.name}\nafter:  {after.name}"))
    for board in boards:
        table = Table(title=f"{board.bank}, graded by {board.grader}", title_justify="left")
        add_name_column(table, "model", [model.model for model in board.models])
        for name in ("rank", "metric"):
            table.add_column(name, justify="right" if name == "rank" else "left", no_wrap=name == "metric")
        for name in ("before (95 % interval)", "after (95 % interval)", "difference"):
            table.add_column(name, justify="right", no_wrap=True)
        for name in ("moved", "coverage", "items", "cost"):
            table.add_column(name)
        for model in board.models:
            for cells in _rows(model):
                table.add_row(*map(Text, cells))
        terminal.print(table)
        for note in _notes(board):
            terminal.print(Text(note))
    terminal.print(Text(RULE))


def _rows(model: ModelChange) -> Iterator[tuple[str, ...]]:
    """A line for each metric; what is the model's own stands in the first one."""
    name = f"{model.model}, retired" if model.retired else model.model
    own = (_both(model, _covered), _both(model, _items), _both(model, _cost))
    for metric in METRICS:
        values = [interval(metric, night.estimate(metric)) if night else "–" for night in (model.before, model.after)]
        difference = _difference(metric, model.difference(metric))
        shown = _MOVED[model.has_moved(metric)] if model.before and model.after else ""
        yield name, rank_text(model) if name else "", NAMES[metric], *values, difference, shown, *own
        name, own = "", ("", "", "")


def _notes(board: BoardChange) -> Iterator[str]:
    for model in board.models:
        if model.unlike:
            yield f"{model.model}: not like with like: {'; '.join(model.unlike)}"
        elif model.before is None:
            yield f"{model.model} came"
        elif model.after is None:
            yield f"{model.model} went"


def _both(model: ModelChange, told) -> str:
    """What is told of the model on both nights, once where it is the same."""
    values = ["–" if night is None else told(night) for night in (model.before, model.after)]
    return values[0] if values[0] == values[1] else " → ".join(values)


def _covered(night: Standing) -> str:
    return covered(night.coverage)


def _items(night: Standing) -> str:
    return f"{night.items:,}"


def _cost(night: Standing) -> str:
    return dollars(night.cost_usd)


def _difference(metric: str, value: float | None) -> str:
    """With its sign; shares in percentage points."""
    if value is None:
        return "–"
    told = signed(value) if metric == "index" else f"{signed(100 * value)} points"
    return told if told.startswith(("−", "0.0")) else f"+{told}"


def _comparison(before: Night, after: Night, boards: list[BoardChange]) -> dict[str, object]:
    return {
        "before": _night(before),
        "after": _night(after),
        "rule": RULE,
        "boards": [
            {
                "bank": board.bank,
                "method": board.method,
                "judge": board.judge,
                "models": [_model(model) for model in board.models],
            }
            for board in boards
        ],
    }


def _model(model: ModelChange) -> dict[str, object]:
    return {
        "model": model.model,
        "retired": model.retired,
        "before": asdict(model.before) if model.before else None,
        "after": asdict(model.after) if model.after else None,
        "difference": {metric: model.difference(metric) for metric in METRICS},
        "moved": {metric: model.has_moved(metric) for metric in METRICS},
        "not_like_with_like": list(model.unlike),
    }


def _night(night: Night) -> dict[str, str]:
    return {"sweep_id": night.sweep_id, "published_at": night.published_at.isoformat()}
