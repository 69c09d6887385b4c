"""Reading DOCX: paragraphs by their styles, tables by their rows, as if all tracked changes were accepted.

python-docx opens the package and knows its styles and properties. The text is taken from the elements themselves, since
its paragraphs leave out insertions and content controls. Left out are notes, comments, headers and footers.
"""

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, LargeZipFile, ZipFile

from assets.sources.document import DeclaredDate, Extracted, Kind, UnreadableError
from assets.sources.html_pages import language_tag
from assets.sources.prose import Outline, lowered, one_line, raised

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_LEFT_OUT = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr"))
_BREAKS = {f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": " ", f"{_W}noBreakHyphen": "-"}
_HEADING_STYLE = re.compile(r"heading (\d)", re.I)
_LARGEST_UNPACKED = 500_000_000


def read_docx(content: bytes) -> Extracted:
    """The text by its headings.

    Raises:
        UnreadableError: when the package is damaged or locked, or would unpack to more than memory should hold.
    """
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    damaged = UnreadableError("is a damaged DOCX file", "get it again, or save it anew in a word processor")
    try:
        parts = ZipFile(BytesIO(content)).infolist()
        if any(part.flag_bits & 1 for part in parts):
            raise UnreadableError("is locked with a password", "save it without one")
        if sum(part.file_size for part in parts) > _LARGEST_UNPACKED:
            raise UnreadableError("unpacks to more than 500 MB", "save it without its pictures")
        document = docx.Document(BytesIO(content))
    except (BadZipFile, LargeZipFile, zlib.error, EOFError, OSError, NotImplementedError):
        raise damaged from None  # from zipfile; the last one for a compression that it does not know
    except (PackageNotFoundError, SyntaxError, AttributeError, KeyError, ValueError):
        raise damaged from None  # from python-docx and lxml, about what stands in the package
    outline = Outline()
    levels = _levels(document)
    title = ""
    for block in _blocks(document.element.body):
        if block.tag == f"{_W}tbl":
            _add_table(block, outline)
            continue
        style = _style_of(block)
        text = _text(block)
        if style in levels.titles:
            title = title or one_line(text)
            outline.heading(0, text)
        elif (level := _own_level(block) or levels.headings.get(style)) is not None:
            outline.heading(level, text)
        elif block.find(f"{_W}pPr/{_W}numPr") is not None or style in levels.lists:
            outline.line(f"- {text}" if text.strip() else "")
        else:
            outline.paragraph(text)
    about = document.core_properties
    sections = outline.sections()
    title = title or one_line(about.title or "") or next((part.path[0] for part in sections if part.path), "")
    notes = sum(1 for _ in document.element.body.iter(f"{_W}footnoteReference", f"{_W}endnoteReference"))
    left_out = (f"footnotes and endnotes ({notes}) were not read",) if notes else ()
    return Extracted(Kind.DOCX, title or None, sections, _language(document), tuple(_dates(about)), left_out)


class _Levels:
    """What the styles of a document mean, by their ids."""

    def __init__(self) -> None:
        self.headings: dict[str, int] = {}
        self.titles: set[str] = set()
        self.lists: set[str] = set()


def _levels(document: Any) -> _Levels:
    """A style means what it is called (built-in styles keep their English names) or what it is based on."""
    levels = _Levels()
    for style in document.styles.element.iterfind(f"{_W}style"):
        name = _value(style.find(f"{_W}name")) or ""
        key = style.get(f"{_W}styleId") or ""
        outline = _value(style.find(f"{_W}pPr/{_W}outlineLvl"))
        based = _value(style.find(f"{_W}basedOn")) or ""
        if match := _HEADING_STYLE.fullmatch(name):
            levels.headings[key] = int(match[1])
        elif name.lower() == "title":
            levels.titles.add(key)
        elif outline and outline.isdecimal() and int(outline) < 9:
            levels.headings[key] = int(outline) + 1
        elif based in levels.headings:
            levels.headings[key] = levels.headings[based]
        elif name.lower().startswith(("list bullet", "list number")):
            levels.lists.add(key)
    return levels


def _value(element: Any) -> str | None:
    return None if element is None else element.get(f"{_W}val")


def _style_of(paragraph: Any) -> str:
    return _value(paragraph.find(f"{_W}pPr/{_W}pStyle")) or ""


def _own_level(paragraph: Any) -> int | None:
    level = _value(paragraph.find(f"{_W}pPr/{_W}outlineLvl"))
    return int(level) + 1 if level and level.isdecimal() and int(level) < 9 else None


def _blocks(container: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, those in content controls, insertions and text boxes too."""
    for child in container:
        if child.tag in (f"{_W}p", f"{_W}tbl"):
            yield child
            if child.tag == f"{_W}p":
                for box in child.iter(f"{_W}txbxContent"):
                    if next(box.iterancestors(_FALLBACK), None) is None:
                        yield from _blocks(box)
        elif child.tag not in _LEFT_OUT:
            yield from _blocks(child)


def _text(element: Any) -> str:
    """The words of a paragraph or a cell, without those of text boxes in it."""
    parts: list[str] = []
    _collect(element, parts)
    return "".join(parts)


def _collect(element: Any, parts: list[str]) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            parts.append(child.text or "")
        elif tag in _BREAKS:
            parts.append(_BREAKS[tag])
        elif tag == f"{_W}r":
            shift = _value(child.find(f"{_W}rPr/{_W}vertAlign"))
            if child.find(f"{_W}rPr/{_W}vanish") is None:
                inner: list[str] = []
                _collect(child, inner)
                text = "".join(inner)
                parts.append(
                    raised(text) if shift == "superscript" else lowered(text) if shift == "subscript" else text
                )
        elif tag == f"{_W}p":
            parts.append("\n")
            _collect(child, parts)
        elif tag not in _LEFT_OUT and tag != _FALLBACK and tag != f"{_W}txbxContent":
            _collect(child, parts)


def _add_table(table: Any, outline: Outline) -> None:
    outline.end_lines()
    above: list[str] = []
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is not table:
            continue
        cells: list[str] = []
        for cell in row.iterfind(f".//{_W}tc"):
            if next(cell.iterancestors(f"{_W}tr")) is not row:
                continue
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merged is not None and _value(merged) in (None, "continue")
            cells.append(above[len(cells)] if goes_on and len(cells) < len(above) else one_line(_text(cell)))
            span = _value(cell.find(f"{_W}tcPr/{_W}gridSpan")) or "1"
            cells += [""] * (min(int(span), 100) - 1 if span.isdecimal() else 0)
        above = cells
        if any(cells):
            outline.line(" | ".join(cells).rstrip("| "))
    outline.end_lines()


def _language(document: Any) -> str | None:
    default = document.styles.element.find(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr/{_W}lang")
    return language_tag(document.core_properties.language) or language_tag(_value(default))


def _dates(about: Any) -> Iterator[DeclaredDate]:
    for name in ("modified", "created"):  # a copy of an older file keeps the date on which that was made
        try:
            moment = getattr(about, name)
        except ValueError:
            continue
        if moment is not None:
            yield DeclaredDate(f"DOCX {name}", moment.isoformat())
