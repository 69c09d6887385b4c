"""The elements of HTML as headings, paragraphs and lines; pages, Markdown, XML and the markup inside JSON share it."""

import re
from typing import Any

from assets.sources.html_tables import is_layout, rows
from assets.sources.prose import Outline, lowered, one_line, raised


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SKIPPED = _names(
    "annotation audio button canvas datalist del dialog embed head iframe input meter nav noscript object option"
    " progress rp rt s script select strike style svg template textarea title video"
)
_SKIPPED_ROLES = _names("alertdialog banner complementary contentinfo dialog menu menubar navigation search")
_NOT_IN_MAIN = _names("aside footer header")
_CHROME = _names(
    "breadcrumb breadcrumbs cookie-banner cookie-consent cookie-notice footer menu nav navbar navigation page-footer"
    " sidebar site-footer site-header site-nav skip-link skip-nav skiplink topnav"
)
_HEADINGS = {f"h{level}": level for level in range(1, 31)}  # six in HTML; XML that is read as HTML has more
_BLOCKS = _HEADINGS.keys() | _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form header hr legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul"
)
_LIST_ITEMS = _names("li dd dt")
_PERMALINKS = _names("¶ # 🔗")  # that generators of documentation put behind a heading
_LONGEST_NOTE_MARK = 5  # characters
_WORD = re.compile(r"\w+")


def words_in(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text))


def all_text(element: Any) -> str:
    """All characters in an element, shown or not."""
    return "".join(element.itertext())


def add_blocks(root: Any, outline: Outline, whole_page: bool = False) -> None:
    """Put all that `root` shows into `outline`.

    Args:
        root: an lxml element.
        outline: takes headings, paragraphs and lines.
        whole_page: `root` is the body of a page that does not say which part is its text, so that what surrounds the
            text is in it.
    """
    _Walk(outline, whole_page).walk(root)
    outline.end_lines()


def text_of(markup: str) -> str:
    """The text of a fragment, its paragraphs and lines kept."""
    import lxml.html

    outline = Outline()
    add_blocks(lxml.html.fragment_fromstring(f"<div>{markup}</div>"), outline)
    return "\n\n".join("\n\n".join((*section.path[-1:], section.text)).strip() for section in outline.sections())


class _Walk:
    """One pass over the elements, without recursion: pages nest deeper than Python may call."""

    def __init__(self, outline: Outline, whole_page: bool) -> None:
        self._outline = outline
        self._whole_page = whole_page
        self._inline: list[str] = []
        self._in_pre = 0
        self._in_item = 0
        self._bullet = False

    def walk(self, root: Any) -> None:
        import lxml.etree

        walker: Any = lxml.etree.iterwalk(root, events=("start", "end"))
        whole: Any = None  # the element that was taken or left out as a whole
        for event, element in walker:
            if event == "start":
                if (element is not root and self._is_skipped(element)) or self._takes_whole(element):
                    whole = element
                    walker.skip_subtree()
                else:
                    self._open(element)
            else:
                if element is not whole:
                    self._close(element)
                if element is not root:
                    self._text(element.tail)
        self._flush()

    def _is_skipped(self, element: Any) -> bool:
        tag = element.tag
        if not isinstance(tag, str) or tag in _SKIPPED:
            return True
        if tag == "a" and all_text(element).strip() in _PERMALINKS:
            return True
        if element.get("role") in _SKIPPED_ROLES or element.get("aria-hidden") == "true":
            return True
        if element.get("hidden") not in (None, "until-found") and element.get("role") != "tabpanel":
            return True
        named = f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
        surrounds = not _CHROME.isdisjoint(named) or (
            self._whole_page and tag in _NOT_IN_MAIN and next(element.iterancestors("article", "section"), None) is None
        )
        return surrounds and element.find(".//h1") is None  # the page's title may stand in its header

    def _takes_whole(self, element: Any) -> bool:
        if element.tag in ("sup", "sub"):
            self._inline.append(_shifted(element))
        elif element.tag == "table" and not is_layout(element):
            self._flush()
            self._table(element)
        else:
            return False
        return True

    def _open(self, element: Any) -> None:
        tag = element.tag
        if tag in _BLOCKS:
            self._flush()
            if tag in _LIST_ITEMS:
                self._in_item += 1
                self._bullet = tag == "li"
            elif tag == "pre":
                self._in_pre += 1
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "q":
            self._inline.append("“")
        self._text(element.text)

    def _close(self, element: Any) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            self._outline.heading(_HEADINGS[tag], self._taken())
        elif tag in _BLOCKS:
            self._flush()
            if tag in _LIST_ITEMS:
                self._in_item -= 1
            elif tag == "pre":
                self._in_pre -= 1
            elif tag in ("ul", "ol", "dl") and not self._in_item:
                self._outline.end_lines()
        elif tag == "q":
            self._inline.append("”")

    def _text(self, text: str | None) -> None:
        if text:
            self._inline.append(text if self._in_pre else text.replace("\n", " ").replace("\r", " "))

    def _taken(self) -> str:
        text = "".join(self._inline)
        self._inline.clear()
        return text

    def _flush(self) -> None:
        """End the paragraph, item or block of code that was open."""
        text = self._taken()
        if not text.strip():
            return
        if self._in_item:
            for line in filter(str.strip, text.split("\n")):
                self._outline.line(f"- {line}" if self._bullet else line)
                self._bullet = False
        elif self._in_pre:
            for line in text.split("\n"):
                self._outline.line(line)
            self._outline.end_lines()
        else:
            self._outline.paragraph(text)

    def _table(self, table: Any) -> None:
        caption = table.find("caption")
        if caption is not None:
            self._outline.paragraph(_in_one_line(caption))
        for cells in rows(table, _in_one_line):
            self._outline.line(" | ".join(cells).rstrip("| "))
        self._outline.end_lines()


def _in_one_line(cell: Any) -> str:
    if not len(cell):
        return one_line(cell.text or "")
    inside = Outline()
    add_blocks(cell, inside)
    return one_line(" ".join(" ".join((*section.path[-1:], section.text)) for section in inside.sections()))


def _shifted(element: Any) -> str:
    """A superscript or subscript; one that is a link to a note is no part of the sentence."""
    text = all_text(element)
    if element.tag == "sub":
        return lowered(text)
    linked = element.find(".//a") is not None or next(element.iterancestors("a"), None) is not None
    return "" if linked and len(text.strip()) <= _LONGEST_NOTE_MARK else raised(text)
