"""The runs that several figures share: sweeps and bare litellm in turn against one server, and their minima."""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.bank import BANK, BenchInstallation
from benchmarks.processes import RunFailed, run

LATENCY_S = 0.2
SWEEP = (sys.executable, "-c", "from orchestration.cli import main; main()", "sweep", "--bank", BANK)
_IMPORTS = "import dagster, great_expectations, litellm"


@dataclass(frozen=True)
class Scale:
    """How much is measured.

    Attributes:
        small, large: items of the two sweeps that draw the line.
        huge: items of the sweep that shows growth.
        reported: items of the report.
        rounds: how often all is run.
    """

    small: int
    large: int
    huge: int
    reported: int
    rounds: int


FULL = Scale(small=1_500, large=6_000, huge=24_000, reported=2_000, rounds=3)
QUICK = Scale(small=300, large=900, huge=3_600, reported=210, rounds=1)


@dataclass(frozen=True)
class Swept:
    """What one sweep took; `buying_s` is from its first call's reservation to its last one's completion."""

    cpu_s: float
    peak_bytes: float
    buying_s: float


@dataclass(frozen=True)
class Line:
    """CPU seconds as start-up and a slope over items."""

    start_s: float
    per_item_s: float

    @classmethod
    def through(cls, scale: Scale, small_s: float, large_s: float) -> "Line":
        per_item = (large_s - small_s) / (scale.large - scale.small)
        return cls(small_s - per_item * scale.small, per_item)


@dataclass(frozen=True)
class Minima:
    """The least that each kind of run took over all rounds: whatever else the machine does only adds."""

    sweep: Line
    bare: Line
    imports_s: float
    buying_s: float


class Laboratory:
    """Runs what is measured.

    Args:
        scale: how much of it.
        api_base: of a server that answers `bank.ANSWER` after LATENCY_S.
        root: a folder for the installations; each is removed after its run.
    """

    def __init__(self, scale: Scale, api_base: str, root: Path) -> None:
        self.scale = scale
        self.root = root
        self._api_base = api_base

    @cached_property
    def minima(self) -> Minima:
        """Of all rounds; within one, every kind of run meets the machine in about the same mood.

        Raises:
            RunFailed: when a run fails or leaves items ungraded.
        """
        scale = self.scale
        imports, small, large, bare_small, bare_large = [], [], [], [], []
        for _ in range(scale.rounds):
            imports.append(run([sys.executable, "-c", _IMPORTS]).cpu_s)
            small.append(self.sweep(scale.small))
            bare_small.append(self._bare_cpu(scale.small))
            large.append(self.sweep(scale.large))
            bare_large.append(self._bare_cpu(scale.large))
        return Minima(
            sweep=Line.through(scale, min(run.cpu_s for run in small), min(run.cpu_s for run in large)),
            bare=Line.through(scale, min(bare_small), min(bare_large)),
            imports_s=min(imports),
            buying_s=min(run.buying_s for run in large),
        )

    def sweep(self, items: int) -> Swept:
        """One sweep of a fresh installation through the command line, which buys, grades and records all.

        Raises:
            RunFailed: when it does not.
        """
        with self.installation(items=items) as installation:
            spent = run(SWEEP, installation.environment)
            query = "select count(completed_at), max(completed_at) - min(created_at) from calls"
            with closing(sqlite3.connect(installation.ledger)) as ledger:
                completed, buying_s = ledger.execute(query).fetchone()
            if completed != items:
                raise RunFailed(f"the sweep of {items} items bought {completed} answers:\n{spent.errors[-2000:]}")
            return Swept(spent.cpu_s, spent.peak_bytes, buying_s)

    @contextmanager
    def installation(self, *, items: int, domains: int = 1, models: int = 1) -> Iterator[BenchInstallation]:
        """A fresh installation, for as long as the block lasts."""
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            yield BenchInstallation.write(Path(folder), self._api_base, items=items, domains=domains, models=models)

    def _bare_cpu(self, calls: int) -> float:
        return run([sys.executable, "-m", "benchmarks.bare", self._api_base, str(calls)]).cpu_s
