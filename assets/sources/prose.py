"""Text as it is kept: one normalisation for all formats, and the outline that turns blocks into sections.

The rules: Unicode NFC; characters that show nothing (controls, soft hyphens, byte order marks, marks of direction) go;
any run of blanks is one space and none stands at a line's end; a paragraph is one line, but list items, table rows,
lines of code and forced breaks keep lines of their own; one blank line stands between paragraphs.
"""

import re
import unicodedata

from assets.sources.document import Section

_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff0-\ufffc\ufffe\uffff\ud800-\udfff]"
)
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_BREAK = re.compile(r" ?\n ?")
_PARAGRAPH_BREAK = re.compile(r"\n{2,}")

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_DIGITS = re.compile(r"[0-9+\-−=()]+")


def normalise(text: str) -> str:
    """`text` by the rules above; doing it twice changes nothing, so a quotation can be compared with what it quotes."""
    if _is_plain(text):
        return text.strip()
    text = unicodedata.normalize("NFC", _UNSEEN.sub("", _BREAK.sub("\n", text)))
    text = _AROUND_BREAK.sub("\n", _BLANKS.sub(" ", text))
    return _PARAGRAPH_BREAK.sub("\n\n", text).strip()


def one_line(text: str) -> str:
    """`text` normalised, with its line breaks made blanks: for formats in which they are mere layout."""
    return text.strip() if _is_plain(text) else " ".join(normalise(text).split())


def _is_plain(text: str) -> bool:
    """Whether `text` is one line with nothing in it to normalise, as most are; large documents take half the time."""
    return text.isprintable() and "  " not in text and unicodedata.is_normalized("NFC", text)


def raised(text: str) -> str:
    """A superscript such that it cannot be misread: 10⁶ for 10 and 6, 2^k for 2 and k, but 1st."""
    text = one_line(text)
    if _DIGITS.fullmatch(text) or text == "n":
        return text.translate(_RAISED)
    return f"^{text}" if len(text) == 1 and text.isascii() and text.isalpha() else text


def lowered(text: str) -> str:
    """A subscript: H₂O."""
    text = one_line(text)
    return text.translate(_LOWERED) if _DIGITS.fullmatch(text) else text


class Outline:
    """Collects headings, paragraphs and lines in the order of the document and makes sections of them."""

    def __init__(self) -> None:
        self._above: list[tuple[int, str]] = []
        self._blocks: list[str] = []
        self._lines: list[str] = []
        self._sections: list[Section] = []

    def heading(self, level: int, text: str) -> None:
        """Start a section below the last heading of a smaller `level`."""
        text = one_line(text)
        if not text:
            return
        self.end_lines()
        if self._blocks or (self._above and self._above[-1][0] >= level):
            self._close()
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._above.append((level, text))

    def paragraph(self, text: str) -> None:
        """Add a block that blank lines set apart; line breaks in `text` are kept."""
        self.end_lines()
        if text := normalise(text):
            self._blocks.append(text)

    def line(self, text: str) -> None:
        """Add one line of a list, a table or code; lines that follow each other are one block."""
        if text := one_line(text):
            self._lines.append(text)

    def end_lines(self) -> None:
        """Let the next line start a block of its own."""
        if self._lines:
            self._blocks.append("\n".join(self._lines))
            self._lines = []

    def sections(self) -> tuple[Section, ...]:
        """What was collected."""
        self.end_lines()
        if self._blocks or self._above:
            self._close()
        return tuple(self._sections)

    def _close(self) -> None:
        path = tuple(text for _, text in self._above)
        self._sections.append(Section(path, "\n\n".join(self._blocks), len(self._sections) + 1))
        self._blocks = []
