"""One line of a bank's items file: its keys, its rules and the versions made of it.

Files are `bank_files.py`. An import writes nothing that these rules refuse.
"""

import json
import re
from datetime import date
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from resources.types import Format

_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=lambda _: None)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class LineFault(ValueError):
    """Why a line or a row is no item, with the remedy; caught where the line is set aside."""


def fold(text: str) -> str:
    """`text` with runs of white space as one space and without case, to tell whether two texts are the same."""
    return " ".join(text.split()).casefold()


def parse_json(text: str) -> Any:
    """`text` as JSON with its numbers as text, so that a gold of 3.0 or 1e6 stays what the file shows; NaN is null.

    Raises:
        LineFault: when it is not JSON.
    """
    try:
        content = _DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except UnicodeEncodeError:
        raise LineFault("holds half of a character (\\ud800 to \\udfff alone); write the text anew") from None
    except json.JSONDecodeError as error:
        raise LineFault(f"is not valid JSON at character {error.pos + 1} ({error.msg}); mend it") from None
    except RecursionError:
        raise LineFault("is JSON nested too deeply to be read; flatten it") from None


def parse_object(text: str) -> dict[str, Any]:
    """`text` as a JSON object.

    Raises:
        LineFault: when it is anything else.
    """
    content = parse_json(text)
    if not isinstance(content, dict):
        raise LineFault("is not a JSON object; write one {…} a line")
    return content


def _filled(text: str) -> str:
    if not text:
        raise ValueError("is empty; fill it or remove the line")
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds a control character or an unusual space; choose another id")
    return text


def _day(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a date such as 2025-08-31") from None


def _month(text: str) -> str:
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise ValueError(f"{text!r} is not a month such as 2025-08")
    return text


Text = Annotated[str, AfterValidator(_filled)]


class ItemLine(BaseModel):
    """An item as its file states it; `evidence` is for people and later passes and reaches no table."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    id: Annotated[Text, AfterValidator(_printable)]
    topic: Text
    question: Text
    answer: Text
    options: tuple[Text, ...] | None = None
    aliases: tuple[Text, ...] | None = None
    answer_type: Text | None = None
    language: Text = "en"
    difficulty: float | None = Field(default=None, ge=0, le=1)
    card_id: Text | None = None
    source_url: Text | None = None
    source_date: Annotated[date, BeforeValidator(_day)] | None = None
    answerable_from: Annotated[str, AfterValidator(_month)] | None = None
    split: Literal["public", "private"] = "private"
    status: Literal["active", "disputed", "retired", "dropped"] = "active"
    evidence: Any = None

    @property
    def gold(self) -> str:
        """The right answer in words: the option's text in multiple choice."""
        return self.options[LETTERS.index(self.answer)] if self.options else self.answer

    def row(self, bank: str, domain: str, form: Format) -> dict[str, Any]:
        """The line as a row of the table `items`; `domain` is the partition key."""
        options = list(self.options) if self.options else None
        aliases = list(self.aliases) if self.aliases else None
        return {
            "bank": bank,
            "domain": domain,
            "topic": self.topic,
            "item_id": self.id,
            "question_version": _version(form, self.question, *options or ()),
            "answer_version": _version(self.answer, *aliases or ()),
            "format": str(form),
            "question": self.question,
            "options": options,
            "answer": self.answer,
            "aliases": aliases,
            "answer_type": self.answer_type,
            "language": self.language,
            "difficulty": self.difficulty,
            "card_id": self.card_id,
            "source_url": self.source_url,
            "source_date": self.source_date,
            "answerable_from": self.answerable_from,
            "split": self.split,
            "status": self.status,
        }


def parse_line(text: str, form: Format) -> ItemLine:
    """One line as an item of a bank of this format; a null stands for a key left out.

    Raises:
        LineFault: with every fault of the line.
    """
    content = {key: value for key, value in parse_object(text).items() if value is not None}
    answer = content.get("answer")
    if form is Format.MULTIPLE_CHOICE and isinstance(answer, str) and len(answer.strip()) == 1:
        content["answer"] = answer.upper()
    try:
        line = ItemLine.model_validate(content)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise LineFault("; ".join(f"{_path(fault['loc'])} {_remedy(fault)}" for fault in faults)) from None
    if reason := _format_fault(line, form):
        raise LineFault(reason)
    return line


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location))


def _remedy(fault: Any) -> str:
    if fault["type"] == "missing":
        return "is missing; add it"
    if fault["type"] == "extra_forbidden":
        known = ", ".join(ItemLine.model_fields)
        return f"is not a known key; remove it or mend its spelling (known: {known})"
    message = fault["msg"].replace("valid tuple", "list")
    return message.removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")


def _format_fault(line: ItemLine, form: Format) -> str | None:
    if form is Format.SHORT_ANSWER:
        return "options belong to a multiple-choice bank, and this one has short answers" if line.options else None
    options = line.options or ()
    if not 2 <= len(options) <= len(LETTERS):
        return f"options hold {len(options)}; multiple choice needs 2 to {len(LETTERS)}"
    first: dict[str, str] = {}
    for letter, option in zip(LETTERS, options, strict=False):
        other = first.setdefault(fold(option), letter)
        if other != letter:
            return f"options {other} and {letter} are equal ({_excerpt(option)}); change one"
    if line.answer not in tuple(LETTERS[: len(options)]):
        return f"answer {_excerpt(line.answer)} is not one of the letters A to {LETTERS[len(options) - 1]}"
    return None


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


def _version(*parts: str) -> str:
    """Hash of texts in order; each is preceded by its length, so that no two lists of texts read alike."""
    return sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()[:16]
