"""A bank's file of record, `items/<domain>.jsonl`: reading it into the table `items`, adding lines to it.

A bad line is set aside with its reason and the rest is kept. A line's own rules are `item_lines.py`.
"""

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import polars as pl

from assets.items.item_lines import ItemLine, LineFault, parse_line
from checks.contracts import ITEMS
from resources.registries import Bank, Domain, Problem
from resources.types import ConfigurationError, Format

_NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.EISDIR)


@dataclass(frozen=True)
class ReadItems:
    """One domain's items in file order, what was set aside, and whether the file could be read at all."""

    frame: pl.DataFrame
    refused: tuple[Problem, ...]
    opened: bool = True

    @cached_property
    def digest(self) -> str:
        """A hash of the table's content alone: not of white space, key order, line order or evidence.

        The lists are covered by the versions, which hash options and aliases.
        """
        return sha256(self.frame.drop("options", "aliases").sort("item_id").write_csv().encode()).hexdigest()


def read_items(bank: Bank, domain: Domain) -> ReadItems:
    """The domain's items; a missing file is a domain without items.

    What is recorded of a domain whose file is gone keeps its place: `recorded_items.read_domain_items`.
    """
    file = bank.items_file(domain)
    refused: list[Problem] = []
    try:
        return ReadItems(ITEMS.frame(_rows(bank, domain, file, refused)), tuple(refused))
    except FileNotFoundError:
        return ReadItems(ITEMS.empty(), (), opened=False)
    except OSError as error:
        problem = Problem(file, "", f"cannot be read ({error.strerror}); restore it or its permissions")
        return ReadItems(ITEMS.empty(), (problem,), opened=False)


def _rows(bank: Bank, domain: Domain, file: Path, refused: list[Problem]) -> Iterator[dict[str, object]]:
    """The rows of the table; what is set aside is added to `refused` meanwhile.

    Raises:
        OSError: when the file cannot be read.
    """
    topics = [topic.name for topic in domain.spec.topics]
    known = frozenset(topics)
    line_of: dict[str, int] = {}
    for number, line in read_lines(file, bank.spec.format):
        if isinstance(line, LineFault):
            refused.append(Problem(file, f"line {number}", str(line)))
        elif known and line.topic not in known:
            reason = f"topic {line.topic!r} is not in {domain.file}; add it there or use {', '.join(topics)}"
            refused.append(Problem(file, f"line {number}", reason))
        elif line.id in line_of:
            reason = f"id {line.id!r} stands in line {line_of[line.id]} already; give this line another id"
            refused.append(Problem(file, f"line {number}", reason))
        else:
            line_of[line.id] = number
            yield line.row(bank.name, domain.key, bank.spec.format)


def read_lines(file: Path, form: Format) -> Iterator[tuple[int, ItemLine | LineFault]]:
    """Each line that is not blank, with its number; only the line's own rules are applied.

    Raises:
        OSError: when the file cannot be read.
    """
    with file.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if not raw.strip():
                continue
            try:
                yield number, parse_line(raw.decode(), form)
            except UnicodeDecodeError as error:
                yield number, LineFault(f"is not UTF-8 at byte {error.start + 1}; save the file as UTF-8")
            except LineFault as fault:
                yield number, fault


def add_lines(file: Path, lines: Iterable[str]) -> None:
    """Put `lines` after those that `file` holds, which stay as they are; a reader never sees half of it."""
    kept = file.read_bytes() if file.exists() else b""
    if kept and not kept.endswith(b"\n"):
        kept += b"\n"
    replace_file(file, kept + "".join(f"{line}\n" for line in lines).encode())


def replace_file(file: Path, content: bytes) -> None:
    """`content` as the whole of `file`, put in place at once; makes its folder.

    Raises:
        ConfigurationError: when nothing may be written there.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            with temporary.open("wb") as target:
                target.write(content)
                target.flush()
                os.fsync(target.fileno())
            os.replace(temporary, file)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in _NOT_WRITABLE:
            raise ConfigurationError(f"{file} cannot be written ({error.strerror}); restore its permissions") from error
        raise
