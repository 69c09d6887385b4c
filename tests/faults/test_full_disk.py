"""A disk that fills up while a sweep records: it says what to do, and nothing is bought twice once there is room."""

import errno
from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from click.testing import CliRunner, Result

from orchestration.cli import main
from resources.warehouse import DiskFull
from tests.support.capitals import server, world
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World

__all__ = ["server", "world"]

REMEDY = "free some space and sweep again"


class FullFor:
    """No room for the file of one table; the others are still written."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._write = pl.DataFrame.write_parquet

    def __call__(self, frame: pl.DataFrame, file: Path) -> None:
        if self._table in file.parts:
            file.write_bytes(b"PAR1 half a file")
            raise OSError(errno.ENOSPC, "No space left on device")
        self._write(frame, file)


def full_for(table: str):
    full = FullFor(table)
    return patch.object(pl.DataFrame, "write_parquet", lambda frame, file: full(frame, file))


def sweep() -> Result:
    return CliRunner().invoke(main, ["sweep"])


def test_it_ends_with_1_and_the_remedy_and_the_next_sweep_records_without_buying(
    world: World, server: ScriptedServer
) -> None:
    with full_for("responses"):
        full = sweep()

    assert full.exit_code == 1
    assert full.output.count(REMEDY) == 1
    assert "Traceback" not in full.output
    assert server.stats.received == 5
    assert world.table("partitions").is_empty()

    again = sweep()

    assert again.exit_code == 0, again.output
    assert server.stats.received == 5
    assert set(world.grades().values()) == {"correct"}
    assert world.coverage() == 1.0


@pytest.mark.parametrize("table", ["responses", "grades", "partitions", "sweeps"])
def test_whichever_file_finds_no_room_the_next_sweep_has_all_tables_whole(
    world: World, server: ScriptedServer, table: str
) -> None:
    with full_for(table), pytest.raises(DiskFull, match=REMEDY):
        world.sweep()

    world.sweep()

    assert server.stats.received == 5
    assert world.coverage() == 1.0
    assert [world.table(name).height for name in ("items", "responses", "grades", "partitions")] == [5, 5, 5, 1]
    assert not list(world.open().lake.root.rglob(".*"))


def test_no_room_for_the_items_buys_nothing(world: World, server: ScriptedServer) -> None:
    with full_for("items"), pytest.raises(DiskFull, match=REMEDY):
        world.sweep()

    assert server.stats.received == 0
