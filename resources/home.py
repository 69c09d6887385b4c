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
    def benchmark(self) -> Path:
        return self.root / "benchmark.duckdb"

    @property
    def report(self) -> Path:
        return self.root / "report"

    @property
    def discovered(self) -> Path:
        return self.root / "discovered.json"

    @property
    def scored(self) -> Path:
        return self.root / "scored"

    @property
    def published(self) -> Path:
        return self.root / "published"

    @property
    def ledger_url(self) -> str:
        """FACTSWEEP_LEDGER, or the SQLite file of this home."""
        return os.environ.get("FACTSWEEP_LEDGER") or f"sqlite:///{self.root / 'ledger.sqlite'}"


def current_home() -> Home:
    """The home that FACTSWEEP_HOME names; `.factsweep` in the project when it is not set."""
    return Home(_path(os.environ.get("FACTSWEEP_HOME") or ".factsweep"))


def models_file() -> Path:
    return _path(os.environ.get("FACTSWEEP_MODELS") or "models.yaml")


def bank_roots() -> list[Path]:
    """Folders that hold bank folders: the shipped one, then those of FACTSWEEP_BANKS."""
    named = [part for part in os.environ.get("FACTSWEEP_BANKS", "").split(os.pathsep) if part.strip()]
    return [PROJECT / "banks", *map(_path, named)]


def load_environment() -> None:
    """The project's .env, which never overrides what is set; commands and `make dev` read it alike."""
    if (PROJECT / ".env").exists():
        from dotenv import load_dotenv

        load_dotenv(PROJECT / ".env")


def _path(text: str) -> Path:
    """A relative path counts from the project, so that a command means the same state wherever it is called."""
    return (PROJECT / Path(text).expanduser()).resolve()
