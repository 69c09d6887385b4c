"""The command line watching a run in its own process: a progress bar, and what it needs for the exit status."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.console import Console as Terminal
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from assets.sweeps import buy
from assets.sweeps.logging import usd
from assets.sweeps.plan import Plan, Planned
from assets.sweeps.record import Recorded
from assets.sweeps.sweep import SweepResult
from assets.sweeps.work import Forecast
from orchestration.console import Console
from resources.types import FactsweepError


@dataclass(frozen=True)
class Seen:
    """What the command line needs of a run that is over."""

    over_budget: bool
    stop_reasons: tuple[str, ...]
    error: FactsweepError | None
    interrupted: bool


class TerminalConsole(Console):
    """Draws on standard error; standard output is for results."""

    def __init__(self) -> None:
        self._terminal = Terminal(stderr=True)
        self._bar: Progress | None = None
        self._result: SweepResult | None = None
        self._error: FactsweepError | None = None
        self._interrupted = False

    def planned(self, plan: Plan, forecasts: Mapping[tuple[str, str], Forecast]) -> None:
        calls = sum(forecast.calls for forecast in forecasts.values())
        self._terminal.print(
            f"{len(plan.due)} of {len(plan.partitions)} partitions are due: about {calls} calls, {usd(forecasts)}"
        )
        for planned in plan.blocked:
            self._terminal.print(f"{' | '.join(planned.key)}: {planned.reason}", markup=False)
        if calls:
            self._bar = Progress(
                TextColumn("asking"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("calls  ${task.fields[usd]:.4f}  {task.fields[failed]} failed "),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=self._terminal,
            )
            self._bar.add_task("asking", total=calls, usd=0.0, failed=0)
            self._bar.start()

    def progress(self, progress: buy.Progress) -> None:
        if self._bar is not None:
            task = self._bar.task_ids[0]
            self._bar.update(task, completed=progress.completed, usd=progress.cost_usd, failed=progress.failed)

    def recorded(self, planned: Planned, recorded: Recorded) -> None:
        self._stop_bar()

    def finished(self, result: SweepResult) -> None:
        self._result = result

    def interrupted(self) -> None:
        self._interrupted = True

    def failed(self, error: FactsweepError) -> None:
        self._error = error

    def close(self) -> Seen:
        """Ends the drawing and tells what was seen."""
        self._stop_bar()
        if self._result is None:
            return Seen(False, (), self._error, self._interrupted)
        bought = self._result.bought
        reasons = tuple(f"{model} was stopped: {reason}" for model, reason in bought.stopped.items())
        if bought.over_budget:
            reasons += ("the budget is reached; what was bought is graded and kept, sweep again to go on",)
        return Seen(bought.over_budget, reasons, self._error, self._interrupted)

    def _stop_bar(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
