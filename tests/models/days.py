"""Listings of one source, day after day."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from assets.models.discovering import Stock, take_stock
from resources.listings import Listed
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered, DiscoveredState

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
FILE = Path("/home/of/discovered.json")
RULE = DiscoveryRule(provider="acme", include=("gpt-*",), exclude=("*-audio",), at_most_per_day=2)


class Days:
    """Listings of one source, one after the other, a day apart unless said otherwise."""

    def __init__(self, *rules: DiscoveryRule) -> None:
        self.rules = rules or (RULE,)
        self.known = Discovered()
        self.now = START

    def lists(self, *names: str, hours: int = 24, why: str | None = None, named: Sequence[ModelSpec] = ()) -> Stock:
        listing = why if why is not None else [Listed(name) for name in names]
        stock = take_stock(
            self.known, self.rules, {self.rules[0].source: listing}, named, self.now, f"{self.now:%Y-%m-%d}", FILE
        )
        self.known = stock.discovered
        self.now += timedelta(hours=hours)
        return stock

    def state(self, name: str) -> DiscoveredState:
        return next(model.state for model in self.known.models.values() if model.name == name)

    @property
    def evaluated(self) -> list[str]:
        return sorted(spec.id for spec in self.known.specs(self.rules))
