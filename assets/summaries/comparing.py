"""How the scores of two nights differ, model by model, and when that is no comparison of like with like.

The history keeps sums and no single answers, so nothing here is paired.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import polars as pl

from assets.metrics.leaderboard import covered, grader_text, rank_by
from assets.summaries.nights import Night
from resources.registries.model_specs import BASELINES
from resources.warehouse import Lake

METRICS = ("index", "accuracy", "hallucination_rate")
RULE = (
    "Moved means: the new value lies outside the earlier 95 % interval. The history keeps no single answers, so the "
    "two are not paired; where items, prompts or grading changed, like is not compared with like, and it is said."
)
_COLUMNS = (
    *("bank", "level", "model", "method", "judge", "items", "coverage", "cost_usd", "penalty"),
    *(f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")),
)
_CHANGED = "changed: "

BoardKey = tuple[str, str, str | None]


@dataclass(frozen=True)
class Estimate:
    """A metric with its 95 % interval; null where nothing is graded, or too little."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Standing:
    """How a model stood on one night; `rank` is null for one that is retired by now."""

    rank: int | None
    index: Estimate
    accuracy: Estimate
    hallucination_rate: Estimate
    items: int
    coverage: float
    cost_usd: float | None
    penalty: float

    def estimate(self, metric: str) -> Estimate:
        return getattr(self, metric)


@dataclass(frozen=True)
class ModelChange:
    """A model on both nights; on one of them it may be missing.

    Attributes:
        changed: what the sweeps in between found changed, such as `items (capitals.europe)`.
        graded_before: by whom, where the model stood on another board of the bank before and not on this one.
    """

    model: str
    retired: bool
    before: Standing | None
    after: Standing | None
    changed: tuple[str, ...] = ()
    graded_before: str | None = None

    @property
    def baseline(self) -> bool:
        return self.model in BASELINES

    @property
    def moved(self) -> tuple[str, ...]:
        """The metrics whose new value lies outside the earlier interval."""
        return tuple(metric for metric in METRICS if self.has_moved(metric))

    def has_moved(self, metric: str) -> bool | None:
        """None where it cannot be told: a night, the value or the earlier interval is missing."""
        if self.before is None or self.after is None:
            return None
        earlier, value = self.before.estimate(metric), self.after.estimate(metric).value
        if value is None or earlier.low is None or earlier.high is None:
            return None
        return not earlier.low <= value <= earlier.high

    def difference(self, metric: str) -> float | None:
        values = [night.estimate(metric).value if night else None for night in (self.before, self.after)]
        return None if values[0] is None or values[1] is None else values[1] - values[0]

    @property
    def unlike(self) -> tuple[str, ...]:
        """Why the two nights are no comparison of like with like, as far as can be seen."""
        if self.graded_before is not None:
            return (f"graded by {self.graded_before} before",)
        if self.before is None or self.after is None:
            return ()
        found = []
        if self.before.items != self.after.items:
            found.append(f"{self.before.items} items before, {self.after.items} after")
        if self.before.coverage != self.after.coverage:
            found.append(f"coverage {covered(self.before.coverage)} before, {covered(self.after.coverage)} after")
        if self.before.penalty != self.after.penalty:
            found.append(f"a wrong answer cost {self.before.penalty:g} before, {self.after.penalty:g} after")
        return (*found, *(f"changed: {change}" for change in self.changed))


@dataclass(frozen=True)
class BoardChange:
    """The models of one bank that one method and judge graded, in the order of their new ranks."""

    bank: str
    method: str
    judge: str | None
    models: tuple[ModelChange, ...]

    @property
    def grader(self) -> str:
        return grader_text(self.method, self.judge)

    @property
    def leader(self) -> ModelChange | None:
        """The first model that is no baseline and has an index now."""
        ranked = (each for each in self.models if each.after and each.after.rank and each.after.index.value is not None)
        return next((each for each in ranked if not each.baseline), None)


def read_night(lake: Lake, night: Night) -> pl.DataFrame:
    """The night's rows of `score_history` that are compared: one a bank, model and grader."""
    frame = lake.read("score_history", list(_COLUMNS), sweep=night.sweep_id)
    return frame.filter(pl.col("level") == "all")


def recorded_between(lake: Lake, one: Night, other: Night) -> pl.DataFrame:
    """The rows of `sweeps` of partitions that were recorded after the earlier night was published, up to the later."""
    first, last = sorted((one.published_at, other.published_at))
    # A sweep's file is written when its partitions are recorded: what is older need not be read.
    newer = [file for file in lake.files("sweeps") if datetime.fromtimestamp(file.stat().st_mtime, UTC) >= first]
    columns = ["bank", "domain", "model", "reason", "finished_at"]
    frames = [pl.read_parquet(file, columns=columns) for file in newer]
    rows = pl.concat(frames) if frames else lake.read("sweeps", columns).clear()
    return rows.filter(pl.col("finished_at").is_between(first, last, closed="right"))


def compare(
    before: pl.DataFrame, after: pl.DataFrame, recorded: pl.DataFrame, registered: Callable[[str], bool]
) -> list[BoardChange]:
    """Every board of either night.

    Args:
        before, after: what `read_night` gives; `before` may be empty.
        recorded: what `recorded_between` gives.
        registered: whether the model or baseline of that id is not retired.
    """
    first, second = _standings(before, registered), _standings(after, registered)
    changes = _changes(recorded)
    boards = []
    for board in sorted(first.keys() | second.keys(), key=lambda key: (key[0], key[1], key[2] or "")):
        earlier, later = first.get(board, {}), second.get(board, {})
        models = [
            ModelChange(
                model,
                not registered(model),
                earlier.get(model),
                later.get(model),
                changes.get((board[0], model), ()),
                None if model in earlier else _graded_before(first, board, model),
            )
            for model in earlier.keys() | later.keys()
        ]
        boards.append(BoardChange(*board, tuple(sorted(models, key=_place))))
    return boards


def _standings(night: pl.DataFrame, registered: Callable[[str], bool]) -> dict[BoardKey, dict[str, Standing]]:
    here = pl.col("model").is_in([model for model in night["model"].unique() if registered(model)])
    ranked = night.filter(here).with_columns(rank=rank_by("index"))
    gone = night.filter(~here).with_columns(rank=pl.lit(None, pl.Int64))
    found: dict[BoardKey, dict[str, Standing]] = {}
    for row in pl.concat([ranked, gone]).iter_rows(named=True):
        found.setdefault((row["bank"], row["method"], row["judge"]), {})[row["model"]] = _standing(row)
    return found


def _standing(row: Mapping[str, Any]) -> Standing:
    estimates = {name: Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in METRICS}
    others = {name: row[name] for name in ("rank", "items", "coverage", "cost_usd", "penalty")}
    return Standing(**estimates, **others)


def _changes(recorded: pl.DataFrame) -> dict[tuple[str, str], tuple[str, ...]]:
    """By bank and model, which parts of its partitions changed and where."""
    where: dict[tuple[str, str], dict[str, set[str]]] = {}
    for bank, domain, model, reason in recorded.select("bank", "domain", "model", "reason").iter_rows():
        for part in changed_parts(reason):
            if part != "epoch":  # the same, asked anew
                where.setdefault((bank, model), {}).setdefault(part, set()).add(domain)
    return {key: tuple(_told(parts)) for key, parts in where.items()}


def changed_parts(reason: str) -> list[str]:
    """What a stale partition's reason says has changed, such as `items` and `prompt`."""
    return reason.removeprefix(_CHANGED).split(", ") if reason.startswith(_CHANGED) else []


def _told(parts: Mapping[str, set[str]]) -> Iterator[str]:
    for part, domains in sorted(parts.items()):
        yield f"{part} ({', '.join(sorted(domains))})"


def _graded_before(standings: Mapping[BoardKey, Mapping[str, Standing]], board: BoardKey, model: str) -> str | None:
    others = (key for key in standings if key[0] == board[0] and key != board and model in standings[key])
    return next((grader_text(key[1], key[2]) for key in others), None)


def _place(change: ModelChange) -> tuple[bool, int, str]:
    """By the new rank; those without a rank last."""
    rank = change.after.rank if change.after else None
    return rank is None, rank or 0, change.model
