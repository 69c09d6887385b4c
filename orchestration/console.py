"""Who watches a run from outside: nobody, or the command line that started it in its own process."""

from collections.abc import Mapping

from assets.sweeps.buy import Progress
from assets.sweeps.plan import Plan, Planned
from assets.sweeps.record import Recorded
from assets.sweeps.sweep import SweepResult
from assets.sweeps.work import Forecast
from resources.llm import Tally
from resources.types import FactsweepError


class Console:
    """Watches and says nothing; the command line passes its own."""

    def planned(self, plan: Plan, forecasts: Mapping[tuple[str, str], Forecast]) -> None:
        pass

    def progress(self, progress: Progress) -> None:
        pass

    def recorded(self, planned: Planned, recorded: Recorded) -> None:
        pass

    def finished(self, result: SweepResult) -> None:
        pass

    def built(self, stage: str, line: str) -> None:
        """One thing that a build did, told in a line."""

    def asking(self, stage: str, tally: Tally) -> None:
        """How far the calls of a build are."""

    def left_over(self, stage: str, waiting: int, *, over_budget: bool) -> None:
        """What a build could not do yet."""

    def interrupted(self) -> None:
        pass

    def failed(self, error: FactsweepError) -> None:
        pass
