"""Reading XML of any vocabulary, by shapes that they share: titles, numbers, paragraphs, lists, tables, records.

The elements are renamed to those of HTML and read as such. Known to fit: JATS, TEI, DocBook, USLM, eCFR, Akoma Ntoso.
"""

import re
from collections.abc import Iterator
from typing import Any

from assets.sources.document import DeclaredDate, Extracted, Kind, UnreadableError
from assets.sources.html_blocks import add_blocks, all_text
from assets.sources.html_pages import language_tag
from assets.sources.prose import Outline, one_line
from assets.sources.rfc_files import read_rfc

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BLOCKS = {
    name: tag
    for tag, names in (
        ("p", "p para simpara"),
        ("ul", "list itemizedlist orderedlist ul ol"),
        ("li", "item listitem list-item li"),
        ("table", "table"),
        ("caption", "caption"),
        ("tr", "tr row"),
        ("td", "td th entry cell"),
        ("blockquote", "quote blockquote disp-quote quotedcontent"),
        ("pre", "pre programlisting literallayout screen"),
    )
    for name in names.split()
}
_INLINE = {"sup": "sup", "superscript": "sup", "sub": "sub", "subscript": "sub", "br": "br", "lb": "br", "del": "del"}
_SKIPPED = frozenset(("meta", "metadata", "teiheader", "script", "style"))
_NOTES = frozenset(("footnote", "fn", "footnoteref", "authorialnote"))
_HEADINGS = frozenset(("title", "head", "heading", "titel", "article-title"))
_NUMBERS = frozenset(("num", "number", "label", "enum", "no", "pnumber"))
_DATES = (
    *("pub-date", "pubdate", "datepublished", "published", "issued", "dateissued", "publicationdate", "date"),
    *("created", "frbrdate", "amddate", "datemodified", "modified", "updated"),
)
_FRONT = frozenset(
    (
        *("front", "meta", "metadata", "head", "header", "teiheader", "info", "identification"),
        *("article-meta", "preface", "prolog"),
    )
)


def read_xml(text: str) -> Extracted:
    """The document's text by its titles.

    Raises:
        UnreadableError: when it is not well-formed, or its entities or its depth are out of bounds.
    """
    root = parse_xml(text)
    if local_name(root) == "rfc":
        return read_rfc(root)
    dates = tuple(_dates(root))
    languages = (root.get(_LANG), *(each.text for each in root.iter() if local_name(each) == "language"))
    title = next((one_line(all_text(each)) for each in root.iter() if local_name(each) in _HEADINGS), None)
    _rename(root, 1, inline=False)
    outline = Outline()
    add_blocks(root, outline)
    language = next(filter(None, map(language_tag, languages)), None)
    return Extracted(Kind.XML, title or None, outline.sections(), language, dates)


def parse_xml(text: str) -> Any:
    """The root element. Entities that the document itself defines are expanded within bounds; no other is, ever.

    Raises:
        UnreadableError: see `read_xml`.
    """
    import lxml.etree

    parser = lxml.etree.XMLParser(
        encoding="utf-8",
        resolve_entities="internal",
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return lxml.etree.fromstring(text.encode("utf-8", "replace"), parser)
    except lxml.etree.XMLSyntaxError as error:
        raise _fault(str(error.msg), error.lineno) from None


def _fault(message: str, line: int | None) -> UnreadableError:
    if match := re.match(r"Entity '(.+?)' not defined", message):
        return UnreadableError(
            f"refers to the entity {match[1]!r}, which it does not define; none is fetched from elsewhere",
            "put the entity's text in its place",
        )
    if "amplification" in message or "entity reference loop" in message.lower():
        return UnreadableError("has entities that expand without bound", "put their text in their place")
    if "depth" in message:
        return UnreadableError("nests its elements deeper than can be read", "give it with fewer levels")
    if "too long" in message:
        return UnreadableError("has a text of more than 10 MB in one element", "split it")
    return UnreadableError(f"is not well-formed XML (line {line}: {message.partition(', line')[0]})", "mend it")


def local_name(element: Any) -> str:
    """An element's name without its namespace, in lower case."""
    return str(element.tag).rpartition("}")[2].lower()


def _rename(element: Any, level: int, inline: bool) -> None:
    """Turn `element` and all below it into elements of HTML; `inline` is inside of a paragraph."""
    name = local_name(element)
    spans = {"rowspan": str(int(rows) + 1)} if (rows := element.get("morerows", "")).isdecimal() else {}
    spans |= {key: element.get(key) for key in ("rowspan", "colspan") if element.get(key)}
    element.attrib.clear()
    element.attrib.update(spans)
    if name in _SKIPPED or (inline and name in _NOTES):
        element.tag = "script"
        return
    children = list(element)
    if name in _INLINE or (inline and name not in _BLOCKS):
        element.tag = _INLINE.get(name, "span")
        for child in children:
            _rename(child, level, inline=True)
        return
    mixed = not children or _has_text(element.text) or any(_has_text(child.tail) for child in children)
    element.tag = _BLOCKS.get(name) or ("p" if mixed else "div")
    if element.tag == "div":
        level = _rename_heading(element, children, level) or level
        if _is_record(children):
            element.tag = "dl"
            for child in children:
                child.text = f"{local_name(child)}: {child.text}" if _has_text(child.text) else None
                child.tag = "dd"
                child.attrib.clear()
            return
        elif len(children) > 1 and local_name(children[0]) in _NUMBERS:
            _put_before(children[0].text or "", children[1])
            element.remove(children.pop(0))
    for child in children:
        _rename(child, level, inline=element.tag == "p")


def _rename_heading(element: Any, children: list[Any], level: int) -> int | None:
    """Make the title among the first children a heading, and its number a part of it; the level below it."""
    at = next((at for at, child in enumerate(children[:3]) if local_name(child) in _HEADINGS), None)
    if at is None or len(children) == 1 or any(local_name(child) not in _NUMBERS for child in children[:at]):
        return None
    texts = [one_line(all_text(child)) for child in children[: at + 1]]
    heading = children[at]
    tail = heading.tail
    heading.clear()
    heading.tail = tail
    heading.text = " ".join(filter(None, texts))
    heading.tag = f"h{level}"
    for number in children[:at]:
        element.remove(number)
    del children[: at + 1]
    return level + 1


def _is_record(children: list[Any]) -> bool:
    """Whether these are fields with a value each, not parts of a text."""
    names = {local_name(child) for child in children}
    known = names & (_BLOCKS.keys() | _NUMBERS | _HEADINGS)
    return len(children) > 1 and not known and len(names) == len(children) and not any(len(child) for child in children)


def _put_before(number: str, element: Any) -> None:
    """Put the number of a clause before its first words."""
    while not _has_text(element.text) and len(element):
        element = element[0]
    element.text = f"{number.strip()} {element.text or ''}"


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())


def _dates(root: Any) -> Iterator[DeclaredDate]:
    """Dates in the document's front matter, those named for publication first."""
    found: dict[str, str] = {}
    for element in root.iter():
        name = local_name(element)
        if name in _DATES and name not in found and _in_front(element, root):
            parts = {local_name(child): one_line(all_text(child)) for child in element}
            by_parts = "-".join(filter(None, (parts.get("year"), parts.get("month"), parts.get("day"))))
            attribute = element.get("iso-8601-date") or element.get("when") or element.get("date")
            if text := attribute or by_parts or one_line(all_text(element)):
                found[name] = text
    return (DeclaredDate(name, found[name]) for name in _DATES if name in found)


def _in_front(element: Any, root: Any) -> bool:
    return element.getparent() is root or any(local_name(each) in _FRONT for each in element.iterancestors())
