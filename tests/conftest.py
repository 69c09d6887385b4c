"""Fixtures that every room uses: an installation of its own in a temporary folder."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from resources.installation import Installation

MakeHome = Callable[..., Installation]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A FACTSWEEP_HOME of its own, so that no test sees a developer's state or keys."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("FACTSWEEP_HOME", str(folder))
    for name in (
        "FACTSWEEP_BANKS",
        "FACTSWEEP_MODELS",
        "FACTSWEEP_LEDGER",
        "FACTSWEEP_WEBHOOK",
        "FACTSWEEP_URL",
        "DAGSTER_HOME",
        "OPENAI_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    return folder


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for processes of their own."""
    return (os.cpu_count() or 1) + 1


# Rooms whose files take longest: whoever works beside others begins with them, or one worker is busy at the end.
_LONG = ("integration", "faults", "browser", "orchestration", "benchmarks")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first."""
    items.sort(key=lambda item: _LONG.index(item.path.parent.name) if item.path.parent.name in _LONG else len(_LONG))
