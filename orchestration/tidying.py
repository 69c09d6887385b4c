"""Dagster's own history made smaller, and half-written files deleted that killed processes left.

Dagster keeps every run and its event log for ever. Deleting a run also deletes what it recorded in the histories of
assets, by which the UI knows a partition as materialized or failed. So the last materialization of each partition, and
the last attempt at one, stay with their runs however old they are. What models answered is in the ledger and the lake,
which nothing here touches.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from dagster import AssetKey, DagsterEventType, DagsterInstance, EventRecordsFilter, RunsFilter
from dagster._core.storage.dagster_run import FINISHED_STATUSES
from dagster._core.storage.event_log import SqliteEventLogStorage

from resources.warehouse import leftovers

_AT_ONCE = 500  # ids in one query
_BUSY_S = 60


@dataclass(frozen=True)
class Tidied:
    """What was done, or in a dry run would be.

    Attributes:
        deleted: ids of runs, oldest last.
        kept: how many old runs stay, because a partition's last materialization or attempt is theirs.
        freed: bytes on disk; 0 where Dagster's storage is no SQLite.
    """

    deleted: tuple[str, ...]
    kept: int
    freed: int


def tidy(instance: DagsterInstance, before: datetime, *, dry_run: bool = False) -> Tidied:
    """Deletes the runs that ended before a time and that no partition needs, then gives the space back."""
    ended = [run.run_id for run in instance.get_runs(RunsFilter(statuses=FINISHED_STATUSES, updated_before=before))]
    needed = runs_in_use(instance) if ended else set()
    old = tuple(run_id for run_id in ended if run_id not in needed)
    size = _size(instance)
    if not dry_run:
        for run_id in old:
            instance.delete_run(run_id)
            _delete_log_file(instance, run_id)
        for database in _databases(instance):
            _vacuum(database)
    return Tidied(old, len(ended) - len(old), max(0, size - _size(instance)))


def delete_leftovers(folder: Path, now: datetime, *, dry_run: bool = False) -> tuple[int, int]:
    """Deletes what killed processes left half-written over a day ago; how many files and bytes.

    What is younger may still be written.
    """
    found = leftovers(folder, now - timedelta(days=1))
    sizes = [size for file, size in found.items() if dry_run or _deleted(file)]
    return len(sizes), sum(sizes)


def _deleted(file: Path) -> bool:
    with suppress(OSError):  # another user's
        file.unlink()
        return True
    return False


def runs_in_use(instance: DagsterInstance) -> set[str]:
    """Ids of the runs that hold the last materialization of a partition of any asset, or the last attempt at it."""
    return {run_id for key in instance.all_asset_keys() for run_id in _latest_runs(instance, key)}


def _latest_runs(instance: DagsterInstance, key: AssetKey) -> Iterator[str]:
    storage = instance.event_log_storage
    for event in (DagsterEventType.ASSET_MATERIALIZATION, DagsterEventType.ASSET_MATERIALIZATION_PLANNED):
        newest = storage.get_event_records(EventRecordsFilter(event, key), limit=1)  # of an asset without partitions
        yield from (record.run_id for record in newest)
        for chunk in _chunks(list(storage.get_latest_storage_id_by_partition(key, event).values())):
            found = storage.get_event_records(EventRecordsFilter(event, key, storage_ids=chunk))
            yield from (record.run_id for record in found)


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def _delete_log_file(instance: DagsterInstance, run_id: str) -> None:
    """In SQLite a run's log is a file of its own; deleting the run empties it and leaves it there."""
    storage = instance.event_log_storage
    if isinstance(storage, SqliteEventLogStorage):
        file = storage.path_for_shard(run_id)
        for ending in ("", "-wal", "-shm"):
            Path(file + ending).unlink(missing_ok=True)


def _databases(instance: DagsterInstance) -> list[Path]:
    if not isinstance(instance.event_log_storage, SqliteEventLogStorage):
        return []
    root = Path(instance.root_directory)
    named = (root / "history" / "runs.db", root / "history" / "runs" / "index.db", root / "schedules" / "schedules.db")
    return [file for file in named if file.exists()]


def _vacuum(database: Path) -> None:
    """Shrinks the file. One that is busy for long stays as it is until the next time."""
    with closing(sqlite3.connect(database, timeout=_BUSY_S)) as connection, suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _size(instance: DagsterInstance) -> int:
    if not isinstance(instance.event_log_storage, SqliteEventLogStorage):
        return 0
    total = 0
    for file in Path(instance.root_directory).rglob("*.db*"):
        with suppress(FileNotFoundError):
            total += file.stat().st_size
    return total
