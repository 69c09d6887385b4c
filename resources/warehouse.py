"""The lake: one Parquet file per table and partition, DuckDB views over them, and the published database.

Files are replaced whole, so that many processes write at once and a reader never sees half a file.
What a table holds is decided elsewhere; `checks/contracts.py` says what it may hold.
"""

import errno
import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import polars as pl

from checks.contracts import CALLS, CONTRACTS
from resources.keys import decode_key, encode_key
from resources.types import FactsweepError

if TYPE_CHECKING:
    import duckdb

_MAGIC = b"PAR1"
_HALF = ".half-"  # begins the name of a file that takes the place of another when it is whole


class DiskFull(FactsweepError):
    """No room to write; what was paid for is in the ledger."""


@dataclass(frozen=True)
class Lake:
    """The tables under one folder."""

    root: Path

    def write(self, table: str, frame: pl.DataFrame, **keys: str) -> None:
        """Puts the file of one partition in place, validated first.

        Args:
            table: a table of `checks.contracts.CONTRACTS`.
            frame: its rows, in the contract's schema.
            keys: the partition, such as `domain="omniscience.law", model="gpt-5-mini"`.

        Raises:
            ContractViolation: before anything is written.
            DiskFull: the former file is still in place.
        """
        CONTRACTS[table].validate(frame)
        with replacing(self._file(table, keys)) as temporary:
            frame.write_parquet(temporary)

    def read(self, table: str, columns: Sequence[str] | None = None, **keys: str) -> pl.DataFrame:
        """The rows of a partition, or of the whole table; empty where nothing is recorded.

        Without `columns` all of them: an answer may be long, and most readers do not need its text.

        A damaged file counts as absent: the next sweep rebuilds it from the ledger.
        """
        file = self._file(table, keys)
        files = ([file] if intact(file) else []) if keys else self.files(table)
        if files:
            # Each file is opened once: polars opens a path twice, and a sweep may replace the file in between.
            contents: list[IO[bytes]] = [io.BytesIO(file.read_bytes()) for file in files]
            if columns:
                return pl.read_parquet(contents, columns=list(columns))
            return CONTRACTS[table].grown(pl.read_parquet(contents))
        empty = CONTRACTS[table].empty()
        return empty.select(columns) if columns else empty

    def remove(self, table: str, **keys: str) -> None:
        self._file(table, keys).unlink(missing_ok=True)

    def holds(self, table: str, **keys: str) -> bool:
        """Whether the partition's file is there and whole."""
        return intact(self._file(table, keys))

    def files(self, table: str, domain: str | None = None) -> list[Path]:
        """All whole files of a table, in a fixed order; with `domain` none of another domain."""
        folder = self.root / table
        found = sorted(folder.glob("**/part.parquet"))
        if domain is not None:
            own = f"domain={encode_key(domain)}"
            first = {file: file.relative_to(folder).parts[0] for file in found}
            found = [file for file in found if first[file] == own or not first[file].startswith("domain=")]
        return [file for file in found if intact(file)]

    def damaged(self, table: str) -> list[dict[str, str]]:
        """The partitions whose file is cut or not Parquet."""
        return [
            dict(_decode(part) for part in file.relative_to(self.root / table).parts[:-1])
            for file in sorted((self.root / table).glob("**/part.parquet"))
            if not intact(file)
        ]

    def connect(self) -> "duckdb.DuckDBPyConnection":
        """A DuckDB connection in memory with one view a table; an empty table where nothing is recorded."""
        import duckdb

        connection = duckdb.connect()
        self.create_views(connection)
        return connection

    def create_views(self, connection: "duckdb.DuckDBPyConnection", domain: str | None = None) -> None:
        """One view a table on `connection`; with `domain` those of tables kept by domain show its rows alone."""
        connection.execute("set TimeZone = 'UTC'")
        for table in CONTRACTS:
            self._create_view(connection, table, domain)

    def _create_view(self, connection: "duckdb.DuckDBPyConnection", table: str, domain: str | None) -> None:
        if files := self.files(table, domain):
            names = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
            connection.execute(
                f"create or replace view {table} as "
                f"select * from read_parquet([{names}], union_by_name = true, hive_partitioning = false)"
            )
        else:
            connection.register(f"_empty_{table}", CONTRACTS[table].empty().to_arrow())
            connection.execute(f"create or replace view {table} as select * from _empty_{table}")

    def _file(self, table: str, keys: Mapping[str, str]) -> Path:
        folder = self.root / table
        for name, key in keys.items():
            folder /= f"{name}={encode_key(key)}"
        return folder / "part.parquet"


def _decode(segment: str) -> tuple[str, str]:
    name, _, key = segment.partition("=")
    return name, decode_key(key)


def intact(file: Path) -> bool:
    """Whether `file` starts and ends as a Parquet file does; a file cut in half does not."""
    try:
        with file.open("rb") as handle:
            if handle.read(4) != _MAGIC:
                return False
            handle.seek(-4, os.SEEK_END)
            return handle.read(4) == _MAGIC and handle.tell() > 12
    except OSError:
        return False


def _umask() -> int:
    """What new files are not allowed; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def leftovers(folder: Path, before: datetime) -> dict[Path, int]:
    """Half-written files in `folder` and below, with their bytes, of processes that were killed before a time."""
    found = {}
    for parent, _, names in os.walk(folder):  # which passes over what vanishes or cannot be opened
        for file in (Path(parent, name) for name in names if name.startswith(_HALF)):
            with suppress(OSError):
                state = file.lstat()
                if state.st_mtime < before.timestamp():
                    found[file] = state.st_size
    return found


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """A temporary path beside `file` that takes its place when the block ends well.

    Raises:
        DiskFull: when there is no room; `file` is as it was.
    """
    temporary: Path | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=_HALF, suffix=file.suffix, dir=file.parent)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, file)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error):
            raise DiskFull(
                f"no space left while writing {file}; free some space and sweep again: "
                "what was paid for is in the ledger and is not bought twice"
            ) from error
        raise
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def publish(lake: Lake, calls: Iterable[pl.DataFrame], target: Path) -> dict[str, int]:
    """Writes all tables into a new DuckDB file and swaps it in; readers of the old file keep it.

    Args:
        lake: the tables.
        calls: the ledger's calls (contract `calls`), in parts.
        target: path of the database.

    Returns:
        Rows by table.
    """
    import duckdb

    rows = {}
    with replacing(target) as temporary:
        temporary.unlink()  # DuckDB wants to create the file itself
        with lake.connect() as source:
            source.execute("set threads = 1")  # each holds a part of what it writes
            source.execute(f"attach '{str(temporary).replace(chr(39), chr(39) * 2)}' as published")
            for table, contract in CONTRACTS.items():
                source.execute(f"create table published.{table} as select * from {table}")
                for part in calls if contract is CALLS else ():
                    source.register("part", part.to_arrow())
                    source.execute(f"insert into published.{table} select * from part")
                source.execute(f"comment on table published.{table} is {_literal(contract.description)}")
                for column in contract.columns:
                    name = f'published.{table}."{column.name}"'
                    source.execute(f"comment on column {name} is {_literal(column.description)}")
                rows[table] = int(source.execute(f"select count(*) from published.{table}").fetchall()[0][0])
            source.execute("detach published")
        with duckdb.connect(str(temporary), read_only=True) as check:
            check.execute("select 1")
    return rows


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
