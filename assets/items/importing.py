"""Importing questions from a table into a bank's file of record, with a report of every row.

Reading the file is `tables_in.py`, a row's meaning `row_lines.py`, the rules of an item `item_lines.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assets.items.bank_files import add_lines, read_lines
from assets.items.bank_folders import Place, add_topics, create_bank, create_domain, find_place, title_of
from assets.items.item_lines import ItemLine, fold
from assets.items.row_lines import AnswerKind, ImportRequest, NewLine, lines_of
from assets.items.tables_in import Refusal, Table, read_table
from resources.locks import bank_files
from resources.types import ConfigurationError, Format


@dataclass(frozen=True)
class ImportReport:
    """What became of each row. `changed` counts the duplicates whose id stands in the bank with another text."""

    domain: str
    items_file: Path
    taken: int
    duplicates: int
    changed: int
    refused: tuple[Refusal, ...]


class _Standing:
    """The items that a domain holds already, by id and by question and answer."""

    def __init__(self, lines: Sequence[ItemLine]) -> None:
        self._by_id: dict[str, tuple[str, str]] = {}
        self._asked: set[tuple[str, str]] = set()
        for line in lines:
            self.add(line)

    def add(self, line: ItemLine) -> None:
        self._by_id.setdefault(line.id, _asked(line))
        self._asked.add(_asked(line))

    def holds(self, line: ItemLine) -> bool:
        return line.id in self._by_id or _asked(line) in self._asked

    def differs(self, line: ItemLine) -> bool:
        """Whether the id stands with another question or answer."""
        return self._by_id.get(line.id, _asked(line)) != _asked(line)


def import_items(request: ImportRequest) -> ImportReport:
    """Take the rows of `request.file` that are new and sound; bank, domain and topics are made where they lack.

    Raises:
        ConfigurationError: when file, columns, bank or domain cannot be used; nothing is written then.
    """
    return import_table(request, read_table(request.file))


def import_table(request: ImportRequest, table: Table) -> ImportReport:
    """As `import_items`, from a table that is already read.

    Raises:
        ConfigurationError: when columns, bank or domain cannot be used; nothing is written then.
    """
    if request.answer_kind is not AnswerKind.LETTER and not request.options:
        raise ConfigurationError(f"--answer-kind {request.answer_kind} needs --options; name the options' columns")
    folder = find_place(request.roots, request.bank, request.domain).folder
    with bank_files(folder):
        return _import(request, table)


def _import(request: ImportRequest, table: Table) -> ImportReport:
    place = find_place(request.roots, request.bank, request.domain)
    if place.bank and place.bank.spec.format is not request.form:
        remedy = "leave --options out" if request.options else "name --options"
        raise ConfigurationError(
            f"bank {request.bank} is {place.bank.spec.format} and these items would be {request.form}; "
            f"{remedy} or import into another bank"
        )
    title = place.domain.spec.title if place.domain else request.domain_title or title_of(place.stem)
    lines = _lines(place.items_file, request.form)
    standing = _Standing(lines)
    new: list[NewLine] = []
    refused = list(table.refused)
    duplicates = changed = 0
    for line in lines_of(request, table, title):
        if isinstance(line, Refusal):
            refused.append(line)
        elif standing.holds(line.item):
            duplicates += 1
            changed += standing.differs(line.item)
        else:
            standing.add(line.item)
            new.append(line)
    if new:
        _write(place, request, title, lines, new)
    return ImportReport(place.key, place.items_file, len(new), duplicates, changed, tuple(sorted(refused)))


def _asked(line: ItemLine) -> tuple[str, str]:
    return fold(line.question), fold(line.gold)


def _lines(file: Path, form: Format) -> list[ItemLine]:
    try:
        return [line for _, line in read_lines(file, form) if isinstance(line, ItemLine)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read ({error.strerror}); restore it or its permissions") from None


def _write(place: Place, request: ImportRequest, title: str, lines: list[ItemLine], new: list[NewLine]) -> None:
    """Bank and domain come before the items: whatever stops this in between, what stands is valid."""
    if place.bank is None:
        create_bank(place, request.bank_title or title_of(request.bank), request.form, request.note)
    listed = [topic.name for topic in place.domain.spec.topics] if place.domain else []
    # a domain without a list admits every topic; once it lists one, those in use must be listed too
    used = [] if listed else [line.topic for line in lines]
    wanted = dict.fromkeys([*used, *(line.item.topic for line in new)])
    missing = [topic for topic in wanted if topic not in listed]
    if place.domain is None:
        create_domain(place, title, missing)
    elif missing:
        add_topics(place.domain_file, missing)
    add_lines(place.items_file, [line.text for line in new])
