"""Fixtures that every room uses: an installation of its own in a temporary folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from resources.installation import Installation

SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"

MakeHome = Callable[..., Installation]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A FACTSWEEP_HOME of its own, so that no test sees a developer's state or keys."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("FACTSWEEP_HOME", str(folder))
    for name in ("FACTSWEEP_BANKS", "FACTSWEEP_MODELS", "FACTSWEEP_LEDGER", "DAGSTER_HOME", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def shared_data() -> Path:
    """Real data that is test material and no part of the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"needs the real data in {SHARED_DATA}, which is not part of the project")
    return SHARED_DATA
