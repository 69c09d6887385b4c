"""Which documents the `sources:` of a domain file name, and which of them may be taken.

A URL needs a rule for its host (`hosts.py`); the files of the bank's own folder need none. Nothing is fetched or read.
"""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assets.sources.kinds import ENDINGS, ending_of
from resources.registries.hosts import HostRule, UrlFault, checked_url, rule_for
from resources.registries.partial_dates import PartialDate
from resources.registries.source_specs import SourceSpec

OWN_FILE_TIER = 1
_OF_THE_BANK = ("bank.yaml", "domains", "items", "prompts")


@dataclass(frozen=True)
class SourceDocument:
    """One document to get.

    Attributes:
        name: the URL, or the path as the bank's folder sees it.
        file: where it is, for a file.
        tier: authority, 1 to 3.
        topics: for which it was named; none means all of the domain.
        stated: the date that its entry states.
    """

    name: str
    file: Path | None
    tier: int
    topics: tuple[str, ...] = ()
    stated: PartialDate | None = None

    @property
    def url(self) -> str | None:
        return self.name if self.file is None else None


@dataclass(frozen=True)
class Refusal:
    """A source that is not taken, and why."""

    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


@dataclass(frozen=True)
class Expansion:
    """What a domain's sources come to."""

    documents: tuple[SourceDocument, ...]
    refused: tuple[Refusal, ...]


def expand(specs: Sequence[SourceSpec], hosts: Mapping[str, HostRule], folder: Path) -> Expansion:
    """The documents that `specs` name, each once, and what is refused.

    Entries that name one document come before those that name many, whatever their order: what they say of it counts,
    and the others fill in what they leave open. Topics add up.

    Args:
        specs: the domain file's `sources`.
        hosts: its `hosts`.
        folder: the bank's folder.
    """
    documents: dict[str, SourceDocument] = {}
    tiers: dict[str, int | None] = {}  # as the entries state them
    refused: list[Refusal] = []
    for spec in sorted(specs, key=lambda spec: spec.path is not None and _names_many(spec, folder)):
        try:
            found = list(_web_page(spec, hosts) if spec.url else _files(spec, folder, refused))
        except (_NotTaken, UrlFault) as error:
            refused.append(Refusal(spec.name, str(error)))
            continue
        for key, document in found:
            documents[key] = _merged(documents[key], document, tiers[key]) if key in documents else document
            tiers[key] = tiers.get(key) or spec.tier
    return Expansion(tuple(documents.values()), tuple(refused))


class _NotTaken(Exception):
    """A source that cannot be used, with the reason and what to do."""


def _merged(one: SourceDocument, other: SourceDocument, tier: int | None) -> SourceDocument:
    return replace(
        one,
        tier=tier or other.tier,
        topics=tuple(dict.fromkeys((*one.topics, *other.topics))),
        stated=one.stated or other.stated,
    )


def _web_page(spec: SourceSpec, hosts: Mapping[str, HostRule]) -> Iterator[tuple[str, SourceDocument]]:
    url = checked_url(spec.url or "")
    rule = rule_for(url, hosts)
    yield url, SourceDocument(url, None, spec.tier or rule.tier, _topics(spec), spec.date)


def _topics(spec: SourceSpec) -> tuple[str, ...]:
    return (spec.topic,) if spec.topic else ()


def _files(spec: SourceSpec, folder: Path, refused: list[Refusal]) -> Iterator[tuple[str, SourceDocument]]:
    """The files of an entry, those that may not be taken being added to `refused`."""
    home = folder.resolve()
    many = _names_many(spec, folder)
    taken = 0
    for file in _matches(spec, folder):
        shown = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.as_posix()
        try:
            real = file.resolve(strict=True)
        except (OSError, RuntimeError):
            refused.append(Refusal(shown, "is a link that leads nowhere; mend or remove it"))
            continue
        if not spec.anywhere and not real.is_relative_to(home):
            refused.append(Refusal(shown, "is a link out of the bank's folder; copy the file, or add `anywhere: true`"))
            continue
        if real.is_relative_to(home) and real.relative_to(home).parts[0] in _OF_THE_BANK:
            if not many:
                raise _NotTaken("is part of the bank itself; put documents into a folder of their own")
            continue
        if not real.is_file():
            if not many:
                raise _NotTaken("is no file; give a file or a folder")
            continue
        taken += 1
        yield str(real), SourceDocument(shown, real, spec.tier or OWN_FILE_TIER, _topics(spec), spec.date)
    if many and not taken:
        endings = ", ".join(sorted(ENDINGS))
        raise _NotTaken(f"no file there can be read; add files that end in one of {endings}, or mend the path")


def leaves_folder(spec: SourceSpec) -> bool:
    """Whether the entry's path leads out of the bank's folder without saying so."""
    written = Path(spec.path or "")
    return not spec.anywhere and (written.is_absolute() or written.parts[:1] == ("~",) or ".." in written.parts)


def _names_many(spec: SourceSpec, folder: Path) -> bool:
    place = folder / Path(spec.path or "").expanduser()
    return place.is_dir() or (glob.has_magic(spec.path or "") and not os.path.lexists(place))


def _matches(spec: SourceSpec, folder: Path) -> Iterable[Path]:
    """The files that a path names, in order of their names: itself, all that can be read below it, or what fits it.

    Raises:
        _NotTaken: when it leads out of the folder or there is none.
    """
    written = Path(spec.path or "")
    if leaves_folder(spec):
        raise _NotTaken(f"leaves the bank's folder {folder}; put the file there, or add `anywhere: true`")
    place = folder / written.expanduser()
    if not _names_many(spec, folder):
        if not os.path.lexists(place):
            raise _NotTaken(f"no such file in {folder}; mend the path or put the file there")
        return [place]
    if place.is_dir():
        return sorted(_below(place))
    root = Path(place.anchor)
    try:
        fitting = [file for file in root.glob(str(place.relative_to(root))) if not file.is_dir()]
    except ValueError as error:
        raise _NotTaken(f"is no pattern ({error}); write one such as documents/**/*.pdf") from None
    return sorted(file for file in fitting if _is_readable(file) and not _is_hidden(file, folder))


def _below(place: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(place):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (
            Path(parent, name) for name in files if not name.startswith((".", "~")) and _is_readable(Path(name))
        )


def _is_readable(file: Path) -> bool:
    return ending_of(file.name) in ENDINGS


def _is_hidden(file: Path, folder: Path) -> bool:
    """Whether a part of the path below the folder is hidden, or the file is what an open word processor leaves."""
    parts = file.relative_to(folder).parts if file.is_relative_to(folder) else file.parts[-1:]
    return any(part.startswith(".") and part != ".." for part in parts) or file.name.startswith("~")
