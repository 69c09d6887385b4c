"""Who holds a reservation, and whether that process still lives."""

import os
import socket
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

LEASE_S = 180.0  # an owner on another host is dead when its heartbeat is older
_IN_THIS_PROCESS: set[str] = set()


@dataclass(frozen=True)
class Owner:
    """One engine in one process: host, boot, pid, process start and a token."""

    host: str
    boot: str
    pid: int
    started: float
    token: str

    @classmethod
    def register(cls) -> "Owner":
        """A new owner in this process; `retire` it when its engine has ended."""
        owner = cls(socket.gethostname(), _boot_id(), os.getpid(), _started(os.getpid()) or 0.0, uuid.uuid4().hex[:8])
        _IN_THIS_PROCESS.add(str(owner))
        return owner

    def retire(self) -> None:
        _IN_THIS_PROCESS.discard(str(self))

    def __str__(self) -> str:
        return "|".join((self.host, self.boot, str(self.pid), f"{self.started:.2f}", self.token))

    @classmethod
    def parse(cls, text: str) -> "Owner":
        host, boot, pid, started, token = text.split("|")
        return cls(host, boot, int(pid), float(started), token)

    def lives(self, silent_s: float | None) -> bool:
        """Whether the owner still runs.

        Args:
            silent_s: seconds since its last heartbeat, for owners on other hosts; None when it had none.
        """
        # Two machines can have one name: only the boot tells them apart, and this host's own earlier one waits too.
        if (self.host, self.boot) != (socket.gethostname(), _boot_id()):
            return silent_s is not None and silent_s < LEASE_S
        if self.pid == os.getpid():
            return str(self) in _IN_THIS_PROCESS
        return process_lives(self.pid, self.started)

    def process_lives_here(self) -> bool | None:
        """Whether its process runs on this host; None when it is another host's."""
        if self.host != socket.gethostname():
            return None
        return self.boot == _boot_id() and process_lives(self.pid, self.started)


def process_lives(pid: int, started: float) -> bool:
    """Whether `pid` runs and is the process that started then, not a later one with its number."""
    actual = _started(pid)
    return actual is not None and abs(actual - started) < 1.0


def _started(pid: int) -> float | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


@cache
def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return f"{psutil.boot_time():.0f}"
