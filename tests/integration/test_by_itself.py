"""A provider publishes a model, and without a human act it stands in the leaderboard: the real daemon, start to end."""

from pathlib import Path

import duckdb
import pytest

from tests.support.catalog import Catalog
from tests.support.production import Production, until
from tests.support.world import World, capital_in

OLD, NEW = "hosted_vllm/gpt-old", "hosted_vllm/gpt-new"


def leaderboard(home: Path) -> list[str]:
    """The models that are published."""
    file = home / "benchmark.duckdb"
    if not file.exists():
        return []
    with duckdb.connect(str(file), read_only=True) as connection:
        return [model for (model,) in connection.execute("select model from leaderboard order by rank").fetchall()]


def test_a_model_that_a_provider_gains_is_swept_and_published_by_the_running_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Catalog(["gpt-old", "tts-1"], reply=capital_in) as provider:
        world = World.make(tmp_path, monkeypatch, provider.origin)
        world.models = []
        world.discovery = [{"provider": "hosted_vllm", "api_base": f"{provider.origin}/openai", "include": ["gpt-*"]}]
        world.write()
        environment = {
            "FACTSWEEP_BANKS": str(tmp_path / "banks"),
            "FACTSWEEP_MODELS": str(tmp_path / "models.yaml"),
            "FACTSWEEP_LISTING_SECONDS": "5",
        }
        with Production(tmp_path, environment) as running:
            until(lambda: OLD in leaderboard(running.home), 240, running.explain)
            asked = provider.answered["gpt-old"]
            provider.names = ["gpt-old", "gpt-new", "tts-1"]

            until(lambda: NEW in leaderboard(running.home), 240, running.explain)

            assert provider.answered["gpt-new"] == asked, "each of its items is asked once"
            assert provider.answered["gpt-old"] == asked, "and nothing else is"
            assert "tts-1" not in provider.answered
