"""A PostgreSQL server for one test session: in a temporary folder, on a Unix socket only, and with a password.

Where PostgreSQL is not installed, tests that use it do as `needs.without_program` says.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from tests.support.needs import without_program

USER = "tester"
PASSWORD = "p@ss:w/rd?%41"  # what a URL has to escape
_START_S = 30.0
_WITHOUT = "needs PostgreSQL (Debian: `apt-get install postgresql`; elsewhere with initdb on the PATH)"
# The server ends when the other end of its standard input is closed, even by the death of the test session.
_UNTIL_CLOSED = '"$@" & read -r _; kill -QUIT $!; wait $!'


@dataclass
class PostgresServer:
    """A running server; each test takes a schema of its own, which is made sooner than a database."""

    folder: Path
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str = "postgres", password: str = PASSWORD, **settings: str) -> str:
        """SQLAlchemy URL of a database on this server.

        Args:
            settings: libpq's, such as `options`.
        """
        place = {"host": str(self.folder)} | settings
        url = sa.URL.create("postgresql+psycopg", USER, password, database=database, query=place)
        return url.render_as_string(hide_password=False)

    def new_schema(self) -> str:
        """The URL of an empty place for tables, with the strictest isolation that an administrator may have set."""
        schema = f"test{next(self._numbers)}"
        self.execute(f"create schema {schema}")
        return self.url(options=f"-c search_path={schema} -c default_transaction_isolation=serializable")

    def disconnect_all(self) -> None:
        """Ends every connection, as a restart of the server does."""
        self.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")

    def execute(self, statement: str) -> None:
        """Runs `statement` as superuser, outside of a transaction."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql(statement)

    @cached_property
    def _engine(self) -> sa.Engine:
        return sa.create_engine(self.url(), isolation_level="AUTOCOMMIT")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    programs = _programs()
    account = _account()
    # Not below pytest's own folder: other users cannot enter it, and a socket's path holds about 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="factsweep-pg-"))
    try:
        if account is not None:
            shutil.chown(folder, account)
        with _running(programs, folder, account) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@contextmanager
def _running(programs: Path, folder: Path, account: str | None) -> Iterator[PostgresServer]:
    data, log = folder / "data", folder / "log"
    (folder / "password").write_text(PASSWORD)
    with log.open("wb") as out:
        how = {"cwd": folder, "user": account, "stdout": out, "stderr": out}
        access = ["-U", USER, "-A", "md5", f"--pwfile={folder / 'password'}"]
        made = subprocess.run([programs / "initdb", "-D", data, *access, "-E", "UTF8", "--no-locale", "-N"], **how)
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{log.read_text()}")
        # Nothing has to outlive the session, so nothing has to reach the disk.
        settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
        command = ["sh", "-c", _UNTIL_CLOSED, "sh", programs / "postgres", "-D", data, *settings]
        # A session of its own, or Ctrl-C would end the shell before it has ended the server.
        with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, **how) as process:
            server = PostgresServer(folder)
            _wait_until_ready(server, process, log)
            yield server


def _wait_until_ready(server: PostgresServer, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        try:
            return server.execute("select 1")
        except OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}") from None
        time.sleep(0.05)


def _programs() -> Path:
    """The folder of PostgreSQL's programs; Debian puts them beside the PATH, by version."""
    by_version = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    initdb = by_version[-1] if by_version else shutil.which("initdb")
    if initdb is None or os.name == "nt":
        without_program(_WITHOUT)
    return Path(initdb).resolve().parent


def _account() -> str | None:
    """Whose processes the server's are: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    import pwd

    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        without_program(f"{_WITHOUT}; as root it also needs the user postgres")
