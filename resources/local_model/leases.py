"""Who holds the embedded server: a locked file for each client process.

The system drops the lock of a process that ends, killed or not, so no pid has to be trusted that a later process may
have got.
"""

import os
import uuid
from pathlib import Path

from filelock import FileLock, Timeout

# By process as well as by folder, since a forked child would else take its parent's lease for its own.
_held: dict[tuple[int, Path], FileLock] = {}


def state_lock(state_dir: Path) -> FileLock:
    """The lock under which servers are found, started and ended and leases come and go: one process at a time."""
    return FileLock(state_dir / "state.lock")


def hold(state_dir: Path) -> None:
    """Makes this process a client, once however often it is called. Call it under `state_lock`."""
    lease = _held.get((os.getpid(), state_dir))
    if lease is not None and Path(lease.lock_file).exists():
        return
    folder = state_dir / "clients"
    folder.mkdir(parents=True, exist_ok=True)
    # Not bound to the thread: a sweep takes the lease in one thread and gives it back in another.
    lease = FileLock(folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}", thread_local=False)
    lease.acquire(timeout=0)
    _held[os.getpid(), state_dir] = lease


def drop(state_dir: Path) -> None:
    """This process is no client any more. Call it under `state_lock`."""
    lease = _held.pop((os.getpid(), state_dir), None)
    if lease is not None:
        lease.release()
        Path(lease.lock_file).unlink(missing_ok=True)


def held_by_anyone(state_dir: Path) -> bool:
    """Whether a client lives; what dead ones left is removed. Call it under `state_lock`."""
    for path in (state_dir / "clients").glob("*"):
        try:
            with FileLock(path).acquire(timeout=0):
                pass
        except Timeout:
            return True
        path.unlink(missing_ok=True)
    return False
