"""Documents into text, within bounds: each is read in a process of its own, with so much time and memory and no more.

The libraries below read what anyone may have written. Some inputs keep them busy for hours, PDFium is native code and
not thread-safe, and a small file can unpack to more than a machine holds. So whatever happens to the process, the
answer is an `Extracted` or an `Unreadable`, and calls from several threads do not disturb each other.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from assets.sources.document import DeclaredDate, Document, Extracted, Kind, Section, Unreadable
from assets.sources.reading import read
from resources.home import PROJECT

SECONDS = 60.0
_MEMORY = 3 * 1024**3


def extract(document: Document, seconds: float = SECONDS) -> Extracted | Unreadable:
    """The document's text with its structure, or why there is none.

    Args:
        document: its bytes, and what is said of them.
        seconds: how long reading it may take; 1 MB takes a few at most.
    """
    about = json.dumps({"media_type": document.media_type, "name": document.name}).encode()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "assets.sources.extract"],
            input=about + b"\n" + document.content,
            cwd=PROJECT,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Unreadable(f"was not read within {seconds:g} seconds", "split it, or give it in another format")
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return Unreadable(f"broke its reader ({told or f'status {done.returncode}'})", "give it in another format")
    return _from_json(json.loads(done.stdout))


def _serve() -> None:
    """Read the document on standard input and write what came of it to standard output."""
    _bound_memory()
    about, _, content = sys.stdin.buffer.read().partition(b"\n")
    result = read(Document(content, **json.loads(about)))
    sys.stdout.write(json.dumps({"type": type(result).__name__, **asdict(result)}))


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _from_json(fields: dict[str, Any]) -> Extracted | Unreadable:
    if fields.pop("type") == "Unreadable":
        return Unreadable(**fields)
    return Extracted(
        kind=Kind(fields["kind"]),
        title=fields["title"],
        sections=tuple(Section(tuple(part["path"]), part["text"], part["ordinal"]) for part in fields["sections"]),
        language=fields["language"],
        dates=tuple(DeclaredDate(**each) for each in fields["dates"]),
        left_out=tuple(fields["left_out"]),
    )


if __name__ == "__main__":
    _serve()
