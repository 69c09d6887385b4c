"""What a report is made of: one bank's tables, its registry entries, the night; and how its numbers are written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import polars as pl

from assets.metrics.leaderboard import percent, signed
from assets.metrics.tallies import item_tallies
from assets.reports.evidence import Evidence, evidence_of
from resources.installation import Installation
from resources.registries import Bank, ModelSpec
from resources.registries.model_specs import BASELINES

_TABLES = ("scores", "public_scores", "items", "responses", "grades", "partitions")

Row = Mapping[str, Any]


class Rendering(StrEnum):
    """For the team, or for others: then no private item, gold or answer is in the file."""

    INTERNAL = "internal"
    SHAREABLE = "shareable"


@dataclass(frozen=True)
class Estimate:
    """A number as text, with its interval or why there is none."""

    value: str
    interval: str = ""


@dataclass(frozen=True)
class Facts:
    """One bank as it stands.

    Attributes:
        leaderboard, scores, public_scores: its rows of these tables.
        items, responses, grades, partitions: its rows; items are active ones.
        specs: the models of models.yaml.
        made_at: when the report is made.
        swept_at: when its last partition was recorded.
        retired: rows of the leaderboard whose models are no longer registered; the other tables are without them.
        evidence: by domain and item id, where a built item's answer is stated.
    """

    name: str
    bank: Bank | None
    leaderboard: pl.DataFrame
    scores: pl.DataFrame
    public_scores: pl.DataFrame
    items: pl.DataFrame
    responses: pl.DataFrame
    grades: pl.DataFrame
    partitions: pl.DataFrame
    specs: Mapping[str, ModelSpec]
    made_at: datetime
    retired: pl.DataFrame = field(default_factory=pl.DataFrame)
    evidence: Mapping[tuple[str, str], Evidence] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.bank.spec.title if self.bank else self.name

    @property
    def swept_at(self) -> datetime | None:
        last = self.partitions["recorded_at"].max()
        return last if isinstance(last, datetime) else None

    def domain_title(self, key: str) -> str:
        domain = self.bank.domains.get(key) if self.bank else None
        return domain.spec.title if domain else key.split(".", 1)[-1]

    def shown_items(self, rendering: Rendering) -> pl.DataFrame:
        """The items whose text may stand in this rendering."""
        if rendering is Rendering.INTERNAL:
            return self.items
        if self.bank is None or self.bank.spec.private:
            return self.items.clear()
        return self.items.filter(pl.col("split") == "public")

    @cached_property
    def tallies(self) -> pl.DataFrame:
        """Every item's graded samples, model by model."""
        return item_tallies(self.items, self.responses, self.grades, self.partitions)


def read_facts(installation: Installation, made_at: datetime) -> Iterator[Facts]:
    """Each bank that has a leaderboard, in the order of their names."""
    lake = installation.lake
    leaderboard = lake.read("leaderboard")
    tables = {name: lake.read(name) for name in _TABLES}
    for name in sorted(leaderboard["bank"].unique()):
        board = leaderboard.filter(pl.col("bank") == name)
        retired = board.filter(pl.col("retired"))
        if retired.height < board.height:  # a bank that nobody answers any more is shown as it was
            board = board.filter(~pl.col("retired").fill_null(False))
        else:
            retired = retired.clear()
        gone = pl.col("model").is_in(retired["model"].to_list())
        own = {
            table: frame.filter(
                (pl.col("bank") == name) & ~gone if "model" in frame.columns else pl.col("bank") == name
            )
            for table, frame in tables.items()
        }
        items = own["items"].filter(pl.col("status") == "active")
        yield Facts(
            name=name,
            bank=installation.banks.banks.get(name),
            leaderboard=board,
            scores=own["scores"],
            public_scores=own["public_scores"],
            items=items,
            responses=own["responses"],
            grades=own["grades"],
            partitions=own["partitions"],
            specs=installation.models.specs,
            made_at=made_at,
            retired=retired,
            evidence=evidence_of(lake, items),
        )


def index_of(row: Row) -> Estimate:
    """The index with its interval."""
    if row["index"] is None:
        return Estimate("none")
    if row["index_low"] is None or row["index_high"] is None:
        return Estimate(signed(row["index"]), "too few sources")
    return Estimate(signed(row["index"]), f"{signed(row['index_low'])} to {signed(row['index_high'])}")


def share_of(row: Row, name: str) -> Estimate:
    """A rate in per cent with its interval."""
    value, low, high = (row[column] for column in (name, f"{name}_low", f"{name}_high"))
    if value is None and row["accuracy"] == 1:
        return Estimate("none", "all correct")
    if value is None or low is None or high is None:
        return Estimate(percent(value))
    return Estimate(percent(value), f"{100 * low:.1f} to {100 * high:.1f}")


def to_items(**wanted: str | None) -> str:
    """The link down to the items of a domain, topic, model or grade, or to one item."""
    return "#items?" + urlencode({name: value for name, value in wanted.items() if value})


class Links:
    """Links down to the items that a page holds; "" where it holds none.

    Args:
        data: the page's items, as `questions.items_data` makes them.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        domains = [key for key, _ in data["domains"]]
        self._there = {
            (domains[item["d"]], *wanted)
            for item in data["items"]
            for wanted in (
                (item["i"],),
                *((of, data["models"][answer[0]]) for answer in item["a"] for of in (None, item["t"])),
            )
        }

    def of_item(self, domain: str, item: str) -> str:
        return to_items(domain=domain, item=item) if (domain, item) in self._there else ""

    def of_model(self, model: str, domain: str, topic: str | None = None) -> str:
        """To a model's answers in a domain, or in one topic of it."""
        return to_items(domain=domain, topic=topic, model=model) if (domain, topic, model) in self._there else ""


def moment(at: datetime | None) -> str:
    return "at an unknown time" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def models_of(rows: Sequence[Row]) -> list[Row]:
    """The rows without the baselines."""
    return [row for row in rows if row["model"] not in BASELINES]


def named(models: Sequence[str]) -> str:
    return ", ".join(models[:3]) + (f" and {len(models) - 3} more" if len(models) > 3 else "")
