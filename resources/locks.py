"""One writer at a time for a bank's files: a build, a review, an import and a split may come at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from resources.home import current_home


@contextmanager
def bank_files(folder: Path) -> Iterator[None]:
    """Held while files of the bank in `folder` are read, changed and put back; short, and never across a call."""
    name = sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    place = current_home().root / "locks"
    place.mkdir(parents=True, exist_ok=True)
    with FileLock(place / f"{name}.lock"):
        yield
