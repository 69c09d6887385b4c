"""What goes into reading a document and what comes out. No format is read here.

`Extracted.text` is what evidence must stand in word for word; how its blanks and lines are kept says `prose.py`.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Kind(StrEnum):
    """The formats that can be read."""

    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    XML = "xml"
    MARKDOWN = "markdown"
    JSON = "json"
    JSON_LINES = "json_lines"
    TEXT = "text"


@dataclass(frozen=True)
class Document:
    """A document as it came.

    Attributes:
        content: its bytes.
        media_type: what a server says, such as `text/html; charset=utf-8`; empty where nobody says.
        name: its URL or file name, whose ending is believed where neither bytes nor media type tell the format.
    """

    content: bytes
    media_type: str = ""
    name: str = ""


@dataclass(frozen=True)
class DeclaredDate:
    """A date as the document writes it, and the field that it stands in; `dates.py` reads it."""

    field: str
    text: str


@dataclass(frozen=True)
class Section:
    """A part of a document.

    Attributes:
        path: the headings above the text, outermost first; empty before the first heading.
        text: normalised; empty where a heading stands alone, as that of a repealed section does.
        ordinal: its place in the document, from 1.
    """

    path: tuple[str, ...]
    text: str
    ordinal: int


@dataclass(frozen=True)
class Extracted:
    """A document's text with its structure.

    Attributes:
        kind: the format that it was read as.
        title: what the document calls itself.
        language: the language tag that the document declares, such as `en-US`; nothing is guessed.
        dates: the dates of its publication that it declares, the most telling first.
        left_out: one sentence for each part that could not be read.
    """

    kind: Kind
    title: str | None
    sections: tuple[Section, ...]
    language: str | None = None
    dates: tuple[DeclaredDate, ...] = ()
    left_out: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """All sections with their headings, a blank line between any two paragraphs."""
        blocks: list[str] = []
        above: tuple[str, ...] = ()
        for section in self.sections:
            shared = 0
            while shared < min(len(above), len(section.path)) and above[shared] == section.path[shared]:
                shared += 1
            # Each section has a heading of its own, even where it is called like the one before.
            blocks += section.path[min(shared, len(section.path) - 1) :] if section.path else ()
            blocks += [section.text] if section.text else []
            above = section.path
        return "\n\n".join(blocks)


@dataclass(frozen=True)
class Unreadable:
    """Why a document gives no text, as half a sentence after its name, and what a person can do."""

    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.reason}; {self.remedy}"


class UnreadableError(Exception):
    """Raised by the readers of the formats; `reading.read` turns it into its `Unreadable`."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason}; {remedy}")
        self.unreadable = Unreadable(reason, remedy)
