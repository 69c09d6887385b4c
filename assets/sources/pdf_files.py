"""Reading PDF with PDFium: text in reading order, sections by the bookmarks or else by the size of the characters.

PDFium is not thread-safe and is native code: this runs in a process of its own, see `extract.py`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from assets.sources.document import DeclaredDate, Extracted, Kind, UnreadableError
from assets.sources.html_pages import language_tag
from assets.sources.pdf_lines import Line, joined, usual_distance, usual_size, without_running_titles
from assets.sources.prose import Outline, one_line

_LINE = re.compile("(\r\n|\ufffe|\x02)")  # the latter two stand for the hyphen of a divided word
_NUMBER = re.compile(r"(?:chapter|part|section|article|appendix|annex)?(?:\d*|[ivxlc]+|[a-z])")  # before a title
_FILE_NAME = re.compile(r"\.\w{2,4}$|^(?:untitled|microsoft word)", re.I)  # what programs write as a title
_LARGER = 1.12  # than usual makes a line a heading
_LONGEST_HEADING = 150
_HEADING_LINES = 3
_MOST_PAGES = 5000
_MOST_LEVELS = 4


def read_pdf(content: bytes) -> Extracted:
    """The text of all pages.

    Raises:
        UnreadableError: when it is damaged, locked, or holds only pictures of its pages.
    """
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        raise _fault(str(error)) from None
    count = len(pdf)
    pages = [_lines(pdf, number) for number in range(min(count, _MOST_PAGES))]
    blank = [number for number, lines in enumerate(pages, 1) if not lines]
    if len(blank) == len(pages):
        raise UnreadableError("holds pictures of its pages and no text", "run text recognition (OCR) over it first")
    left_out = [f"page {number} holds no text" for number in blank[:5]]
    left_out += [f"{len(blank) - 5} more pages hold no text"] if len(blank) > 5 else []
    left_out += [f"pages after {_MOST_PAGES} were not read"] if count > _MOST_PAGES else []
    about = pdf.get_metadata_dict()
    outline = Outline()
    lines = [line for page in without_running_titles(pages) for line in page]
    _add(lines, outline, _bookmarks(pdf))
    sections = outline.sections()
    title = one_line(about.get("Title") or "")
    if not title or _FILE_NAME.search(title):
        title = _title_page(lines)
    dates = [DeclaredDate(f"PDF {key}", about[key]) for key in ("CreationDate", "ModDate") if about.get(key)]
    return Extracted(Kind.PDF, title or None, sections, _language(pdf), tuple(dates), tuple(left_out))


def _fault(message: str) -> UnreadableError:
    if "password" in message.lower():
        return UnreadableError("is locked with a password", "save it without one")
    if "security" in message.lower():
        return UnreadableError("is encrypted in a way that is not known", "save it without encryption")
    return UnreadableError("is a damaged PDF", "get it again, or print it to a new PDF")


def _lines(pdf: Any, number: int) -> list[Line]:
    """A page's lines in the order in which it holds them; none where the page is damaged."""
    import pypdfium2

    try:
        page = pdf[number]
        text_page = page.get_textpage()
        text = text_page.get_text_range()
    except pypdfium2.PdfiumError:
        return []
    lines = []
    at = 0
    for part in _LINE.split(text):
        words = one_line(part)
        if words and part[0] not in "\r\ufffe\x02":
            start, end = at + len(part) - len(part.lstrip()), at + len(part.rstrip()) - 1
            divided = text[end + 1 : end + 2] in ("\ufffe", "\x02")
            lines.append(_line(text_page, number, start, end, words + "-" if divided else words))
        at += len(part)
    text_page.close()
    page.close()
    return lines


def _line(text_page: Any, number: int, start: int, end: int, words: str) -> Line:
    import pypdfium2.raw as pdfium

    first, last = (max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, index)) for index in (start, end))
    left, bottom, _, top = text_page.get_charbox(first, loose=True)
    right = text_page.get_charbox(last, loose=True)[2]
    size = pdfium.FPDFText_GetFontSize(text_page, first)
    # Some programs set all text in size 1 and enlarge the page.
    return Line(number, left, right, bottom, size if size > 2 else top - bottom, words)


def _language(pdf: Any) -> str | None:
    import ctypes

    import pypdfium2.raw as pdfium

    buffer = (ctypes.c_ushort * 64)()
    size = pdfium.FPDFCatalog_GetLanguage(pdf, buffer, ctypes.sizeof(buffer))
    tag = bytes(buffer)[: max(0, size - 2)] if size <= ctypes.sizeof(buffer) else b""
    return language_tag(tag.decode("utf-16-le", "ignore"))


def _bookmarks(pdf: Any) -> list[tuple[int, int, str]]:
    """Page, level and title of each bookmark, in the order of the pages."""
    marks = []
    for mark in pdf.get_toc():
        target = mark.get_dest()
        page = target.get_index() if target else None
        if page is not None and (title := one_line(mark.get_title() or "")):
            marks.append((page, mark.level + 1, title))
    return sorted(marks, key=lambda mark: mark[0])


def _add(lines: Sequence[Line], outline: Outline, marks: list[tuple[int, int, str]]) -> None:
    distance = usual_distance(lines)
    headings = _by_bookmarks(lines, marks) if marks else _by_size(lines)
    body: list[Line] = []
    at = 0
    for start, end, level, title in [*headings, (len(lines), len(lines), 0, "")]:
        body += lines[at:start]
        for paragraph in joined(body, distance):
            outline.paragraph(paragraph)
        body = []
        outline.heading(level, title)
        at = max(at, end)


def _by_bookmarks(lines: Sequence[Line], marks: list[tuple[int, int, str]]) -> list[tuple[int, int, int, str]]:
    """Where each bookmark's heading stands: first line, line after the last, level, title.

    A title that no line repeats starts its section at the top of its page.
    """
    found = []
    at = 0
    for page, level, title in marks:
        first = next((index for index in range(at, len(lines)) if lines[index].page >= page), len(lines))
        start, end = next(_standing(lines, first, page, title), (first, first))
        found.append((start, end, level, title if start == end else _title(lines[start:end])))
        at = end
    return found


def _standing(lines: Sequence[Line], first: int, page: int, title: str) -> Iterator[tuple[int, int]]:
    wanted = _letters(title)
    for start in range(first, len(lines)):
        if lines[start].page > page:
            return
        for end in range(start + 1, min(start + _HEADING_LINES, len(lines)) + 1):
            text = _letters(" ".join(line.text for line in lines[start:end]))
            if text.endswith(wanted) and _NUMBER.fullmatch(text.removesuffix(wanted)):
                yield start, end


def _title_page(lines: Sequence[Line]) -> str:
    """The heading in the largest characters on the first page, which is the title more often than not."""
    first_page = [heading for heading in _by_size(lines) if lines[heading[0]].page == 0]
    return min(first_page, key=lambda heading: heading[2])[3] if first_page else ""


def _title(lines: Sequence[Line]) -> str:
    return one_line("\n".join(joined(lines, usual_distance(lines))))


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _by_size(lines: Sequence[Line]) -> list[tuple[int, int, int, str]]:
    """Short lines in larger characters; neighbours of one size are one heading."""
    usual = usual_size(lines)
    large = [
        (index, round(line.size, 1))
        for index, line in enumerate(lines)
        if line.size > usual * _LARGER and len(line.text) <= _LONGEST_HEADING
    ]
    level_of = {size: level for level, size in enumerate(sorted({size for _, size in large}, reverse=True), 1)}
    runs: list[list[int]] = []
    for index, size in large:
        last = runs[-1][-1] if runs else -2
        if last == index - 1 and round(lines[last].size, 1) == size and lines[last].page == lines[index].page:
            runs[-1].append(index)
        else:
            runs.append([index])
    found = []
    for run in runs:
        title = _title([lines[index] for index in run])
        if len(run) <= _HEADING_LINES and len(_letters(title)) >= 3 and len(title) <= _LONGEST_HEADING:
            found.append((run[0], run[-1] + 1, min(level_of[round(lines[run[0]].size, 1)], _MOST_LEVELS), title))
    return found
