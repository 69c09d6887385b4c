"""The file of decisions that the review page saves: its format and its reading. Acting on it is `applying.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

from assets.items.item_lines import LineFault, parse_object
from assets.reviews.records import Decision, Filled, UtcMoment
from resources.registries.problems import RegistryFault, validate
from resources.types import ConfigurationError

FORMAT = "factsweep-review-1"
_CLOCKS_DIFFER = timedelta(days=1)


class Entry(BaseModel):
    """One decision.

    Attributes:
        question_version: of the item as the page showed it, as `answer_version` is.
        question: corrected; None where it stays, as with `answer` and `aliases`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    item_id: Filled
    decision: Decision
    note: str | None = None
    question_version: Filled
    answer_version: Filled
    question: str | None = None
    answer: str | None = None
    aliases: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _only_corrections_change(self) -> "Entry":
        if self.changes and self.decision is not Decision.CORRECT:
            named = " and ".join(self.changes)
            raise ValueError(f"{self.decision} changes no {named}; remove it, or decide correct")
        return self

    @property
    def changes(self) -> dict[str, Any]:
        """The corrected values by the key of the item's line."""
        values = {"question": self.question, "answer": self.answer, "aliases": self.aliases}
        return {key: value for key, value in values.items() if value is not None}


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    format: Literal["factsweep-review-1"]
    domain: Filled
    saved_at: UtcMoment
    reviewer: str | None = None
    decisions: list[Any]


@dataclass(frozen=True)
class Decisions:
    """A file of decisions: all were made by `reviewer` and saved at one moment."""

    domain: str
    saved_at: datetime
    reviewer: str | None
    entries: Sequence[Entry]


def read_decisions(file: Path, now: datetime) -> Decisions:
    """The file, each entry of it sound in itself.

    Raises:
        ConfigurationError: with every fault of it, each with its entry and what to do.
    """
    try:
        content = parse_object(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(
            f"{file} cannot be read ({error.strerror}); name the file that the page saved"
        ) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file} is not UTF-8 text; name the file that the page saved") from None
    except LineFault as fault:
        raise ConfigurationError(f"{file} {fault}, or save it from the review page again") from None
    try:
        head = validate(_File, content, file)
    except RegistryFault as fault:
        raise _refused(file, [str(problem) for problem in fault.problems]) from None
    if head.saved_at > now + _CLOCKS_DIFFER:
        # Decisions count in the order of their moments: one of tomorrow would outrank all that follow it.
        raise _refused(file, [f"{file}: saved_at: is in the future ({head.saved_at:%Y-%m-%d}); set it to today"])
    entries: list[Entry] = []
    faults: list[str] = []
    for number, entry in enumerate(head.decisions, 1):
        try:
            entries.append(validate(Entry, entry, file, f"entry {number}{_named(entry)}"))
        except RegistryFault as fault:
            faults += map(str, fault.problems)
    if faults:
        raise _refused(file, faults)
    return Decisions(head.domain, head.saved_at, head.reviewer or None, entries)


def _named(entry: object) -> str:
    item_id = entry.get("item_id") if isinstance(entry, dict) else None
    return f" ({item_id})" if isinstance(item_id, str) else ""


def _refused(file: Path, faults: list[str]) -> ConfigurationError:
    listed = "\n".join(f"  {fault}" for fault in faults)
    return ConfigurationError(f"nothing was taken from {file}; mend this and apply it again:\n{listed}")
