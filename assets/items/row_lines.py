"""Turning a row from outside into a line of a bank's items file: which column is what, and how answers are told.

Whether the line is new, and where it goes, is `importing.py`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from assets.items.cells import CellFault, Field, excerpt, find_field, list_of
from assets.items.item_lines import LETTERS, ItemLine, LineFault, fold, parse_line
from assets.items.tables_in import Refusal, Row, Table
from resources.types import Format

_WORDS_OF_TYPE = {
    "number": ("number", "numeric", "numerical", "integer", "int", "float", "quantity"),
    "date": ("date", "datetime", "time", "year"),
    "name": ("name", "person", "people", "organization", "organisation"),
    "place": ("place", "location"),
    "version": ("version",),
    "provision": ("provision",),
}
_TYPE_OF_WORD = {word: ours for ours, words in _WORDS_OF_TYPE.items() for word in words}


class AnswerKind(StrEnum):
    """How a multiple-choice answer is told: by its letter, its place counted from 0, or its text."""

    LETTER = "letter"
    INDEX = "index"
    TEXT = "text"


@dataclass(frozen=True)
class ImportRequest:
    """What to read, and into which bank and domain; a column may be a path into one, such as `metadata.topic`.

    `options` names one column an option, or a single one that holds lists. `roots` are the folders that hold
    banks, the shipped one first. The titles and the note are for a bank and a domain that must be made.
    """

    file: str
    bank: str
    domain: str
    question: str
    answer: str
    roots: Sequence[Path]
    topic: str | None = None
    item_id: str | None = None
    options: tuple[str, ...] = ()
    answer_kind: AnswerKind = AnswerKind.LETTER
    answer_type: str | None = None
    language: str | None = None
    split: Literal["public", "private"] = "private"
    bank_title: str | None = None
    domain_title: str | None = None
    note: str | None = None

    @property
    def form(self) -> Format:
        return Format.MULTIPLE_CHOICE if self.options else Format.SHORT_ANSWER


class NewLine(NamedTuple):
    """A sound row: its line for the file, as text and as an item."""

    text: str
    item: ItemLine


@dataclass(frozen=True)
class _Fields:
    question: Field
    answer: Field
    options: tuple[Field, ...]
    topic: Field | None
    item_id: Field | None
    answer_type: Field | None
    language: Field | None


def lines_of(request: ImportRequest, table: Table, default_topic: str) -> Iterator[NewLine | Refusal]:
    """Each row of the table as a line, or why it is none; a row without a topic takes `default_topic`.

    Raises:
        ConfigurationError: before the first row, when a column that `request` names is not there.
    """
    if not table.rows and not table.columns:
        return
    fields = _find_fields(request, table)
    for row in table.rows:
        try:
            text = json.dumps(_content(row, fields, request, default_topic), ensure_ascii=False)
            yield NewLine(text, parse_line(text, request.form))
        except (CellFault, LineFault) as fault:
            yield Refusal(row.number, str(fault))


def _find_fields(request: ImportRequest, table: Table) -> _Fields:
    def optional(option: str, path: str | None) -> Field | None:
        return find_field(table, option, path) if path else None

    return _Fields(
        question=find_field(table, "--question", request.question),
        answer=find_field(table, "--answer", request.answer),
        options=tuple(find_field(table, "--options", path) for path in request.options),
        topic=optional("--topic", request.topic),
        item_id=optional("--id", request.item_id),
        answer_type=optional("--answer-type", request.answer_type),
        language=optional("--language", request.language),
    )


def _content(row: Row, fields: _Fields, request: ImportRequest, default_topic: str) -> dict[str, object]:
    question = fields.question.text(row)
    answer = gold = fields.answer.text(row)
    options = _options(row, fields.options)
    if options and answer:
        letter = _letter(answer, options, request.answer_kind)
        answer, gold = letter, options[LETTERS.index(letter)]
    kind = fields.answer_type.text(row) if fields.answer_type else None
    content = {
        "id": (fields.item_id.text(row) if fields.item_id else None) or _derived_id(question, gold),
        "topic": (fields.topic.text(row) if fields.topic else None) or default_topic,
        "question": question,
        "options": options,
        "answer": answer,
        "answer_type": _TYPE_OF_WORD.get(kind.lower(), "other") if kind else None,
        "language": fields.language.text(row) if fields.language else None,
        "split": request.split,
    }
    return {key: value for key, value in content.items() if value is not None}


def _options(row: Row, fields: tuple[Field, ...]) -> list[str] | None:
    """The options in order. A question with fewer than the table has columns leaves the last ones blank."""
    if not fields:
        return None
    found = list_of(fields[0].value(row), fields[0].column) if len(fields) == 1 else [part.text(row) for part in fields]
    while found and found[-1] is None:
        found.pop()
    options = [option for option in found if option is not None]
    if len(options) < len(found):
        raise CellFault(f"option {LETTERS[found.index(None)]} is blank and a later one is not; fill it")
    if not 2 <= len(options) <= len(LETTERS):
        raise CellFault(f"has {len(options)} options; multiple choice needs 2 to {len(LETTERS)}")
    return options


def _letter(answer: str, options: list[str], kind: AnswerKind) -> str:
    letters = LETTERS[: len(options)]
    if kind is AnswerKind.TEXT:
        same = [letter for letter, option in zip(letters, options, strict=True) if fold(option) == fold(answer)]
        if not same:
            raise CellFault(f"answer {excerpt(answer)} is not the text of an option")
        return same[0]
    if kind is AnswerKind.INDEX:
        whole = answer.removesuffix(".0")
        if not (len(whole) < 4 and whole.isdecimal() and int(whole) < len(options)):
            raise CellFault(f"answer {excerpt(answer)} is not a place from 0 to {len(options) - 1}")
        return letters[int(whole)]
    letter = answer.upper()
    if len(letter) != 1 or letter not in letters:
        hint = "" if len(letter) == 1 and letter in LETTERS else "; say --answer-kind index or text"
        raise CellFault(f"answer {excerpt(answer)} is not one of the letters A to {letters[-1]}{hint}")
    return letter


def _derived_id(question: str | None, gold: str | None) -> str:
    return sha256(f"{fold(question or '')}\n{fold(gold or '')}".encode(errors="replace")).hexdigest()[:16]
