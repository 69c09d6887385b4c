"""Nights: the sweeps whose scores were published, as `score_history` has them."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl

from resources.types import ConfigurationError
from resources.warehouse import Lake

_SHORT = 8  # characters of a sweep's id that people read


@dataclass(frozen=True)
class Night:
    """One published sweep."""

    sweep_id: str
    published_at: datetime

    @property
    def short_id(self) -> str:
        return self.sweep_id[:_SHORT]

    @property
    def name(self) -> str:
        """Such as `2026-11-30 02:14 UTC (1a2b3c4d)`."""
        return f"{moment(self.published_at)} ({self.short_id})"


def moment(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def published_nights(lake: Lake) -> list[Night]:
    """All of them, the oldest first."""
    nights = [night for file in lake.files("score_history") if (night := _night(file))]
    return sorted(nights, key=lambda night: (night.published_at, night.sweep_id))


def night_of(lake: Lake, sweep_id: str) -> Night | None:
    """What this sweep published, where it did."""
    rows = lake.read("score_history", ["sweep_id", "published_at"], sweep=sweep_id).rows()
    return Night(*rows[0]) if rows else None


def last_night(lake: Lake, before: datetime | None = None) -> Night | None:
    """The one that was published last, or last before a time."""
    last: Night | None = None
    modified = [(datetime.fromtimestamp(file.stat().st_mtime, UTC), file) for file in lake.files("score_history")]
    for written, file in sorted(modified, reverse=True):
        # No file is older than what it holds, so that the last night is among the newest few of a year.
        if last is not None and written < last.published_at:
            break
        night = _night(file)
        if night is None or (before is not None and night.published_at >= before):
            continue
        if last is None or night.published_at > last.published_at:
            last = night
    return last


def _night(file: Path) -> Night | None:
    """A file holds one night, so its first row is enough; it is empty where nothing was scored."""
    rows = pl.read_parquet(file, columns=["sweep_id", "published_at"], n_rows=1).rows()
    return Night(*rows[0]) if rows else None


def find_night(nights: list[Night], name: str) -> Night:
    """The night of this id, of a unique beginning of it, or the last one of a UTC date such as 2026-11-30.

    Raises:
        ConfigurationError: when there is none, or more than one.
    """
    if (day := _date(name)) is not None:
        found = [night for night in nights if night.published_at.astimezone(UTC).date() == day][-1:]
    else:
        found = [night for night in nights if night.sweep_id == name]
        found = found or [night for night in nights if night.sweep_id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigurationError(f"{name!r} begins {len(found)} sweeps' ids; give more of it: {_listed(found)}")
    raise ConfigurationError(
        f"no published sweep is called {name!r}; give an id, its beginning or a date: `factsweep compare-nights --list`"
    )


def two_nights(nights: list[Night], first: str | None, second: str | None) -> tuple[Night, Night]:
    """The two to compare: those that are named, with the last one in place of the second, or the last two.

    Raises:
        ConfigurationError: when these are not two nights.
    """
    if len(nights) < 2:
        raise ConfigurationError(
            f"two published sweeps are compared, and there are {len(nights)}; run `factsweep sweep` first"
        )
    if first is None:
        return nights[-2], nights[-1]
    before = find_night(nights, first)
    after = find_night(nights, second) if second is not None else nights[-1]
    if before == after:
        raise ConfigurationError(f"both are the sweep of {before.name}; name another one, `--list` shows them")
    return before, after


def _date(name: str) -> date | None:
    try:
        return date.fromisoformat(name) if len(name) == len("2026-11-30") else None
    except ValueError:
        return None


def _listed(nights: list[Night]) -> str:
    return ", ".join(night.sweep_id for night in nights)
