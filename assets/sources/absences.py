"""Files that had a text last time and are not found now: whether they were removed, or are out of reach."""

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from assets.sources.documents import OWN_FILE_TIER, SourceDocument, leaves_folder
from resources.registries.source_specs import SourceSpec


def out_of_reach(
    specs: Sequence[SourceSpec], folder: Path, names: Iterable[str]
) -> Iterator[tuple[SourceDocument, str]]:
    """Those of the files `names` that an entry names still and that cannot be looked at, each with the reason.

    A file that is gone while the folder of its entry is there was removed, and is none of them.

    Args:
        specs: the domain file's `sources`.
        folder: the bank's folder.
        names: the files as the table names them.
    """
    for name in names:
        file = folder / name
        found: tuple[SourceDocument, str] | None = None
        for spec in specs:
            if not (_covers(spec, folder, file) and (reason := _obstacle(spec, folder, file))):
                continue
            document = SourceDocument(
                name, file, spec.tier or OWN_FILE_TIER, (spec.topic,) if spec.topic else (), spec.date
            )
            found = (_joined(found[0], document), found[1]) if found else (document, reason)
        if found is not None:
            yield found


def _joined(one: SourceDocument, other: SourceDocument) -> SourceDocument:
    return replace(one, topics=tuple(dict.fromkeys((*one.topics, *other.topics))), stated=one.stated or other.stated)


def _covers(spec: SourceSpec, folder: Path, file: Path) -> bool:
    if spec.path is None or leaves_folder(spec):
        return False
    root = _root(spec, folder)
    return file == root or root in file.parents


def _root(spec: SourceSpec, folder: Path) -> Path:
    """What the entry names, up to where it becomes a pattern."""
    written = Path(spec.path or "").expanduser()
    if os.path.lexists(folder / written):
        return folder / written
    return folder / next(part for part in (written, *written.parents) if not glob.has_magic(str(part)))


def _obstacle(spec: SourceSpec, folder: Path, file: Path) -> str | None:
    """Why nobody can tell whether the file is there."""
    root = _root(spec, folder)
    place = Path(os.path.realpath(file)).parent if file == root else root
    try:
        os.stat(file)
        os.scandir(file.parent).close()
    except (FileNotFoundError, NotADirectoryError):
        return None if os.path.exists(place) else f"there is no folder {place} now; connect it again, or mend the path"
    except OSError as error:
        return f"cannot be looked up ({error.strerror}); mend its permissions or connect its disk again"
    return None
