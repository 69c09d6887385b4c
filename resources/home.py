"""Where things are kept: the project's own folders and the state under FACTSWEEP_HOME."""

import os
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Home:
    """The folders of one installation's state."""

    root: Path

    @property
    def dagster(self) -> Path:
        return self.root / "dagster"

    @property
    def lake(self) -> Path:
        return self.root / "lake"

    @property
    def local_models(self) -> Path:
        return self.root / "local"

    @property
    def report(self) -> Path:
        return self.root / "report"

    @property
    def benchmark(self) -> Path:
        return self.root / "benchmark.duckdb"

    @property
    def ledger_url(self) -> str:
        """FACTSWEEP_LEDGER, or the SQLite file of this home."""
        return os.environ.get("FACTSWEEP_LEDGER") or f"sqlite:///{self.root / 'ledger.sqlite'}"


def current_home() -> Home:
    """The home that FACTSWEEP_HOME names; `.factsweep` in the project, wherever the caller stands."""
    return Home(Path(os.environ.get("FACTSWEEP_HOME") or PROJECT / ".factsweep").expanduser().resolve())


def models_file() -> Path:
    return Path(os.environ.get("FACTSWEEP_MODELS") or PROJECT / "models.yaml").expanduser().resolve()


def bank_roots() -> list[Path]:
    """Folders that hold bank folders: the shipped one, then those of FACTSWEEP_BANKS."""
    named = [part for part in os.environ.get("FACTSWEEP_BANKS", "").split(os.pathsep) if part.strip()]
    return [PROJECT / "banks", *(Path(part).expanduser().resolve() for part in named)]
