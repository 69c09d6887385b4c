"""A process that is kept alive: started again when it ends, given up when it ends at once again and again.

Its log is a file that it writes itself, so that it outlives whoever reads a pipe, and that is cut by size.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from resources.types import FactsweepError

LOG_BYTES = 10_000_000
LOGS_KEPT = 3
SETTLED_S = 60.0  # who lives longer did start; the count of crashes begins anew
CRASHES = 5
LONGEST_PAUSE_S = 30.0
_LAST_LINES = 15


class GivenUp(FactsweepError):
    """A process that does not stay up."""


class Service:
    """One process in a session of its own, with the processes that it starts."""

    def __init__(self, name: str, command: Sequence[str], log: Path, tell: Callable[[str], None]) -> None:
        self.name = name
        self.log = log
        self._command = list(command)
        self._tell = tell
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._next_start = 0.0
        self._crashes = 0
        self._sessions: list[int] = []  # also of earlier processes, whose own children may go on

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def tend(self) -> None:
        """Starts the process when it is not there and its pause is over; to be called again and again.

        Raises:
            GivenUp: when it ended `CRASHES` times in a row within `SETTLED_S` of its start.
        """
        rotate(self.log)
        self._sessions = [session for session in self._sessions if _lives(session)]
        if self._process is None:
            if time.monotonic() >= self._next_start:
                self._start()
        elif (status := self._process.poll()) is not None:
            self._ended(status)

    def ask_to_end(self) -> None:
        """Sends SIGTERM to the process, and SIGINT to what an earlier one left behind, which cancels a run."""
        for session in self._sessions:
            with suppress(ProcessLookupError):
                if self._process is not None and session == self._process.pid:
                    self._process.terminate()
                else:
                    os.killpg(session, signal.SIGINT)

    def gone(self) -> bool:
        """Whether neither the process nor anything that it started is left."""
        if self._process is not None:
            self._process.poll()
        return not any(map(_lives, self._sessions))

    def kill(self) -> None:
        """Ends at once whatever is left."""
        for session in self._sessions:
            with suppress(ProcessLookupError):
                os.killpg(session, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def _start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "orchestration.tied", str(os.getpid()), *self._command]
        with self.log.open("ab") as output:  # appending, so that cutting the file moves the writer to its new end
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        self._sessions.append(self._process.pid)
        self._started = time.monotonic()

    def _ended(self, status: int) -> None:
        lived = time.monotonic() - self._started
        self._crashes = 1 if lived >= SETTLED_S else self._crashes + 1
        self._process = None
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        if self._crashes >= CRASHES:
            raise GivenUp(
                f"the {self.name} {how} for the {CRASHES}th time in a row, each time within {SETTLED_S:.0f} seconds. "
                f"The end of its log {self.log}:\n{last_lines(self.log)}\nMend the cause, then run `make up` again."
            )
        pause = min(2.0 ** (self._crashes - 1), LONGEST_PAUSE_S)
        self._next_start = time.monotonic() + pause
        self._tell(f"the {self.name} {how}; it is started again in {pause:.0f} s (log: {self.log})")


def rotate(log: Path) -> None:
    """Moves a log that has grown too large aside, as `NAME.1` and so on; the writer keeps its open file.

    A line that is written between copying and cutting is lost: the price for a writer that knows of nothing.
    """
    if not log.exists() or log.stat().st_size < LOG_BYTES:
        return
    for number in range(LOGS_KEPT - 1, 0, -1):
        with suppress(FileNotFoundError):
            os.replace(_kept(log, number), _kept(log, number + 1))
    shutil.copyfile(log, _kept(log, 1))
    os.truncate(log, 0)


def last_lines(log: Path) -> str:
    with suppress(FileNotFoundError):
        return "\n".join(log.read_text("utf-8", errors="replace").splitlines()[-_LAST_LINES:])
    return "(it wrote none)"


def _kept(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")


def _lives(session: int) -> bool:
    """Whether the session has a process left; one that has ended and was not waited for yet counts as left."""
    try:
        os.killpg(session, 0)
    except (ProcessLookupError, PermissionError):  # another user's: the number was given anew
        return False
    return True
