"""What a domain's items file holds when a build begins: whose lines they are, and which of them a build may change."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from assets.items.bank_files import read_lines, replace_file
from assets.items.item_lines import ItemLine
from assets.items.seals import is_sealed
from resources.registries import Bank, Domain

_ID = re.compile(r'"id"\s*:\s*"([^"]+)"')


@dataclass(frozen=True)
class Standing:
    """The lines by id.

    Attributes:
        mine: ids of the lines that a build made and nobody has touched since.
        kept: ids of the lines that a build made and that stay as they are: a person reviewed or edited them, or they
            were built where other cards were.
        unreadable: ids of lines with a fault, as far as they show one: a person's slip is no reason to write over it.
    """

    lines: Mapping[str, ItemLine]
    mine: frozenset[str]
    kept: frozenset[str]
    unreadable: frozenset[str] = frozenset()

    def holds(self, id: str) -> bool:
        """Whether a line with this id stands in the file, also one that cannot be read."""
        return id in self.lines or id in self.unreadable

    def adopting(self, ids: Collection[str]) -> "Standing":
        """With these lines left as they are, though a build made them."""
        return replace(self, mine=self.mine - set(ids), kept=self.kept | set(ids))

    def active(self, topic: str) -> int:
        """Active items of a topic that no build changes."""
        return sum(
            line.topic == topic and line.status == "active" for id, line in self.lines.items() if id not in self.mine
        )

    def questions(self) -> Iterable[ItemLine]:
        """The lines that no build changes and that are, or may become, part of the bank."""
        return (
            line for id, line in self.lines.items() if id not in self.mine and line.status in ("active", "disputed")
        )


def read_standing(bank: Bank, domain: Domain, reviewed: Collection[str]) -> Standing:
    """The domain's file as a build meets it.

    A line is a build's own when it is tied to a card of its own id and its seal fits: then nobody has edited it.

    Args:
        reviewed: ids with a review.
    """
    file = bank.items_file(domain)
    lines: dict[str, ItemLine] = {}
    faulty: set[str] = set()
    if file.exists():
        raw = file.read_bytes().split(b"\n")
        for number, line in read_lines(file, bank.spec.format):
            if isinstance(line, ItemLine):
                lines.setdefault(line.id, line)
            elif (id := _id_of(raw[number - 1])) is not None:
                faulty.add(id)
    built = {id for id, line in lines.items() if line.card_id == id}
    mine = {id for id in built if id not in reviewed and is_sealed(lines[id])}
    return Standing(lines, frozenset(mine), frozenset(built - mine), frozenset(faulty - lines.keys()))


def write_lines(bank: Bank, domain: Domain, changed: Mapping[str, str]) -> int:
    """Puts `changed` (JSON lines by id) into the file: in the place of the line with that id, else at the end.

    Every other line stays byte for byte, also one that cannot be read. Returns how many lines differ now.
    """
    file = bank.items_file(domain)
    raw = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    left = dict(changed)
    written: list[bytes] = []
    for line in raw:
        id = _id_of(line)
        new = left.pop(id, None) if id is not None else None
        written.append(line if new is None else f"{new}\n".encode())
    if left and written and not written[-1].endswith(b"\n"):
        written[-1] += b"\n"
    written += [f"{line}\n".encode() for line in left.values()]
    if written == raw:
        return 0
    differing = sum((Counter(map(bytes.strip, written)) - Counter(map(bytes.strip, raw))).values())
    replace_file(file, b"".join(written))
    return differing


def _id_of(line: bytes) -> str | None:
    """The id that a line states, also where its JSON is broken."""
    text = line.decode(errors="replace").removeprefix("\ufeff")
    try:
        content = json.loads(text)
    except ValueError:
        found = _ID.search(text)
        return found[1] if found else None
    id = content.get("id") if isinstance(content, dict) else None
    return id.strip() if isinstance(id, str) else None
