"""The candidates file of a domain, `candidates/<domain>.yaml`: what was proposed, and what a person said of it.

Entries are added at its end and marked as taken; nothing else in it is ever changed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assets.items.bank_files import replace_file
from assets.sources.discovery.searching import Page
from assets.sources.discovery.yaml_lines import LayoutFault, block, inserted, proven, read_text, root_of, value_of
from resources.registries import Bank, Domain
from resources.registries.hosts import Tier
from resources.registries.problems import RegistryFault, validate
from resources.types import ConfigurationError

TAKEN = "taken"

_HEADER = """\
# Pages that a search proposed as sources of {key}. None is taken without you.
# Look at a page, then write behind its `accept:`
#   true   to take it; `factsweep discover --domain {key} --accept-marked` adds all of these to the sources
#   false  or leave it, and it is not taken and not proposed again
# You may change a `tier` (1: the law itself, a standard, an agency's own figures; 2 and 3: less authority) or a
# `topic`. A `date` is what the search says and often wrong; it is not taken over. Keep entries that you refuse:
# what is removed may be proposed again.
"""


def _as_accept(value: object) -> object:
    if isinstance(value, bool) or value == TAKEN:
        return value
    raise ValueError(f"{value!r} is no answer; write true or false")


class Candidate(BaseModel):
    """One entry; what else stands in it is a person's own."""

    model_config = ConfigDict(frozen=True)

    url: str
    tier: Tier | None = None
    topic: str | None = None
    accept: Annotated[bool | Literal["taken"], BeforeValidator(_as_accept)] = Field(default=False)


class _Entries(BaseModel):
    entries: list[Candidate]


@dataclass(frozen=True)
class Candidates:
    """The file as it was read; `text` is empty where there is none yet."""

    file: Path
    text: str
    entries: tuple[Candidate, ...]


def candidates_file(bank: Bank, domain: Domain) -> Path:
    return bank.folder / "candidates" / f"{domain.file.stem}.yaml"


def load_candidates(file: Path) -> Candidates:
    """The candidates in `file`.

    Raises:
        ConfigurationError: when the file cannot be used.
    """
    if not file.exists():
        return Candidates(file, "", ())
    try:
        text = read_text(file)
        root = root_of(text)
        if root is None:
            return Candidates(file, text, ())
        if not isinstance(root, yaml.SequenceNode) or root.flow_style:
            raise LayoutFault("must hold a list, each entry on lines of its own that start with `- url:`")
        read = validate(_Entries, {"entries": yaml.safe_load(text)}, file)
    except LayoutFault as fault:
        raise ConfigurationError(f"{file}: {fault}") from None
    except RegistryFault as fault:
        raise ConfigurationError(str(fault)) from None
    return Candidates(file, text, tuple(read.entries))


def add_candidates(file: Path, key: str, pages: Sequence[Page]) -> None:
    """Put `pages` at the end of the file, which is made where there is none.

    Raises:
        ConfigurationError: when the file's layout leaves no safe place.
    """
    if not pages:
        return
    standing = load_candidates(file)
    entries = [_entry(page) for page in pages]
    text = standing.text or _HEADER.format(key=key)
    root = root_of(text)
    lines = "".join("\n" + block([entry], root.start_mark.column if root else 0) for entry in entries)
    try:
        changed = proven(inserted(text, len(text), lines), [*(yaml.safe_load(text) or ()), *entries])
    except LayoutFault as fault:
        raise ConfigurationError(f"{file}: {fault}:\n{lines}") from None
    replace_file(file, changed.encode())


def mark_taken(file: Path, urls: Collection[str]) -> None:
    """Write `taken` behind the `accept:` of the marked entries with these addresses.

    Raises:
        ConfigurationError: when the file's layout leaves no safe way.
    """
    standing = load_candidates(file)
    text, root = standing.text, root_of(standing.text)
    expected = yaml.safe_load(text)
    nodes: list[yaml.Node] = []
    for node, entry, content in zip(root.value if root else (), standing.entries, expected, strict=True):
        answer = value_of(node, "accept")
        if entry.accept is True and entry.url in urls and answer is not None:
            content["accept"] = TAKEN
            nodes.append(answer)
    for answer in sorted(nodes, key=lambda node: node.start_mark.index, reverse=True):
        text = text[: answer.start_mark.index] + TAKEN + text[answer.end_mark.index :]
    try:
        replace_file(file, proven(text, expected).encode())
    except LayoutFault:
        raise ConfigurationError(
            f"{file}: the sources were added, but the entries cannot be marked; write `accept: {TAKEN}` yourself"
        ) from None


def _entry(page: Page) -> dict[str, object]:
    entry = {"url": page.url, "tier": page.tier, "topic": page.topic, "title": page.title, "date": page.date}
    return {name: value for name, value in entry.items() if value} | {"query": page.query, "accept": False}
