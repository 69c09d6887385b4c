"""A small installation for tests: a bank in files, models behind a scripted server, sweeps without Dagster."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from assets.sweeps.request import Request
from assets.sweeps.sweep import SweepResult, run_sweep, start_epochs
from resources.installation import Installation

BANK = "capitals"
DOMAIN = "capitals.europe"
COUNTRIES = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Austria": "Vienna", "Poland": "Warsaw"}


class Quiet:
    """Listens and says nothing, but remembers warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def planned(self, plan, forecasts) -> None: ...

    def progress(self, progress) -> None: ...

    def items_recorded(self, content) -> None: ...

    def recorded(self, planned, recorded) -> None: ...

    def warned(self, message: str) -> None:
        self.warnings.append(message)


@dataclass
class World:
    """The files of one installation; `sweep` runs over them as they stand."""

    root: Path
    models: list[dict[str, Any]] = field(default_factory=list)
    bank: dict[str, Any] = field(default_factory=lambda: {"title": "Capitals", "format": "short_answer"})
    items: list[dict[str, Any]] = field(default_factory=list)
    baselines: Sequence[str] = ()
    discovery: list[dict[str, Any]] = field(default_factory=list)
    nightly: dict[str, Any] = field(default_factory=dict)
    drift: dict[str, Any] | None = None
    sweeps: int = 0

    @classmethod
    def make(cls, root: Path, monkeypatch: pytest.MonkeyPatch, api_base: str, **model: Any) -> "World":
        """One bank of five items and one model `m` behind `api_base`."""
        world = cls(root)
        world.items = [
            {
                "id": country.lower(),
                "topic": "Capitals",
                "question": f"Which city is the capital of {country}? Give its English name.",
                "answer": capital,
                "answer_type": "place",
                "source_url": f"https://example.org/{country}",
                "split": "public",
            }
            for country, capital in COUNTRIES.items()
        ]
        world.models = [world.model("m", api_base, **model)]
        monkeypatch.setenv("FACTSWEEP_BANKS", str(root / "banks"))
        monkeypatch.setenv("FACTSWEEP_MODELS", str(root / "models.yaml"))
        monkeypatch.setattr("resources.home.bank_roots", lambda: [root / "banks"])
        monkeypatch.setattr("resources.installation.bank_roots", lambda: [root / "banks"])
        world.write()
        return world

    def ask_sums(self, count: int) -> None:
        """So many items in place of the five, all with the answer 42."""
        self.items = [
            {
                "id": f"i{number}",
                "topic": "Sums",
                "question": f"What is {number} plus {42 - number}? Give a number.",
                "answer": "42",
                "split": "public",
            }
            for number in range(count)
        ]
        self.write()

    @staticmethod
    def model(id: str, api_base: str, **more: Any) -> dict[str, Any]:
        """A model entry that retries fast and has a price."""
        return {
            "id": id,
            "model": f"hosted_vllm/{id}",
            "api_base": api_base,
            "params": {"max_tokens": 50},
            "price": {"input": 1.0, "output": 2.0},
            "concurrency": 4,
            "retries": {"attempts": 2, "seconds": 5},
            "timeout": 5,
        } | more

    def write(self) -> None:
        """The files as the fields say."""
        folder = self.root / "banks" / BANK
        for name in ("domains", "items"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "bank.yaml").write_text(yaml.safe_dump(self.bank))
        (folder / "domains" / "europe.yaml").write_text(yaml.safe_dump({"title": "Europe"}))
        lines = [json.dumps(item, ensure_ascii=False) for item in self.items]
        (folder / "items" / "europe.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        entry: dict[str, Any] = {"models": self.models, "baselines": list(self.baselines)}
        entry |= {"discovery": self.discovery, "nightly": self.nightly, "drift": self.drift}
        (self.root / "models.yaml").write_text(yaml.safe_dump(entry, allow_unicode=True), encoding="utf-8")

    def open(self) -> Installation:
        return Installation.open()

    def sweep(self, **request: Any) -> SweepResult:
        """One sweep over the files as they stand."""
        self.sweeps += 1
        installation = self.open()
        resolved = Request(**request).resolved(installation.banks, installation.models)
        sweep_id = f"sweep-{self.sweeps}"
        try:
            if resolved.again:
                start_epochs(installation, resolved, asked_by=sweep_id)
            return run_sweep(installation, resolved, sweep_id, Quiet())
        finally:
            installation.ledger.close()

    def table(self, name: str) -> pl.DataFrame:
        return self.open().lake.read(name)

    def grades(self, model: str = "m") -> dict[str, str | None]:
        """Grade by item of one model."""
        frame = self.table("grades").filter(pl.col("model") == model)
        return dict(frame.select("item_id", "grade").iter_rows())

    def coverage(self, model: str = "m") -> float:
        return self.table("partitions").filter(pl.col("model") == model)["coverage"].item()


def capital_in(message: str) -> str:
    """The right answer to a question of the world, for scripts."""
    return next((capital for country, capital in COUNTRIES.items() if country in message), "I don't know.")
