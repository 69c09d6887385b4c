"""What format a document is in: its bytes are believed first, then its media type, then the ending of its name."""

import json
import re
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile

from assets.sources.decoding import decode
from assets.sources.document import Document, Kind, UnreadableError

_BY_TYPE = {
    "text/html": Kind.HTML,
    "application/xhtml+xml": Kind.HTML,
    "text/markdown": Kind.MARKDOWN,
    "text/x-markdown": Kind.MARKDOWN,
    "application/json": Kind.JSON,
    "application/jsonl": Kind.JSON_LINES,
    "application/x-jsonlines": Kind.JSON_LINES,
    "application/x-ndjson": Kind.JSON_LINES,
    "text/xml": Kind.XML,
    "application/xml": Kind.XML,
    "text/csv": None,
    "text/tab-separated-values": None,
}
_BY_ENDING = {
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
    ".xhtml": Kind.HTML,
    ".pdf": Kind.PDF,
    ".docx": Kind.DOCX,
    ".xml": Kind.XML,
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".json": Kind.JSON,
    ".jsonl": Kind.JSON_LINES,
    ".ndjson": Kind.JSON_LINES,
    ".txt": Kind.TEXT,
}
ENDINGS = frozenset(_BY_ENDING)
"""Endings of the files that are read when a folder or a pattern names them."""

_FOREIGN = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is an old Office file or one with a password",
        "save it as DOCX without one",
    ),
    (b"{\\rtf", "is RTF", "save it as DOCX"),
    (b"%!PS", "is PostScript", "save it as PDF"),
    (b"\x1f\x8b", "is compressed with gzip", "unpack it"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7-Zip archive", "unpack it"),
    (b"\x89PNG", "is an image", "give its text"),
    (b"\xff\xd8\xff", "is an image", "give its text"),
    (b"GIF8", "is an image", "give its text"),
    (b"II*\0", "is an image", "give its text"),
    (b"MM\0*", "is an image", "give its text"),
)
_READABLE = "HTML, PDF, DOCX, XML, Markdown, JSON, JSON lines or plain text"
_COMMENTS = re.compile(r"(?:\s*<!--.*?-->)*\s*", re.S)
_HTML_START = re.compile(r"<!doctype\s+html|<html[\s>]", re.I)
_XML_START = re.compile(r"<\?xml\s|<!doctype\s", re.I)
_ROOT = re.compile(r"<([a-z_][\w.:-]*)", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]{0,500})?/?>", re.I)
_HTML_TAGS = frozenset(
    (
        *("a", "article", "body", "br", "center", "div", "font", "h1", "h2", "h3", "h4", "head", "hr", "li", "main"),
        *("meta", "ol", "p", "pre", "script", "section", "span", "table", "title", "ul"),
    )
)
_HEAD = 65_536  # characters in which a document shows what it is


def kind_of(document: Document) -> tuple[Kind, str]:
    """The format, and the decoded characters where it is one of text.

    Raises:
        UnreadableError: when it is none that can be read.
    """
    content = document.content
    if b"%PDF-" in content[:1024]:
        return Kind.PDF, ""
    if content.startswith(b"PK"):
        _must_be_docx(content)
        return Kind.DOCX, ""
    for mark, reason, remedy in _FOREIGN:
        if content.startswith(mark):
            raise UnreadableError(reason, remedy)
    media_type = document.media_type.partition(";")[0].strip().lower()
    ending = ending_of(document.name)
    said = _BY_TYPE.get(media_type, Kind.TEXT)
    if said is Kind.TEXT and ending in (".csv", ".tsv"):
        said = None
    if said is None:
        raise UnreadableError("is a table", "give it as JSON lines with the fields heading and text")
    if said is Kind.TEXT:
        said = _by_suffix(media_type) or _BY_ENDING.get(ending, Kind.TEXT)
    if media_type == "application/pdf":
        said = Kind.PDF
    try:
        text = decode(content, document.media_type)
        if text.count("\0") * 20 > len(text):
            raise UnreadableError("is not text but some other format", f"give {_READABLE}")
        found = _corrected(Kind.TEXT if said in (Kind.PDF, Kind.DOCX) else said, text)
    except UnreadableError:
        if content.strip():
            _must_not_be_binary(said)
        raise
    if found is Kind.TEXT:
        _must_not_be_binary(said)
        if said in (Kind.JSON, Kind.JSON_LINES):
            what = "JSON" if said is Kind.JSON else "JSON lines"
            raise UnreadableError(f"is damaged: it is no whole {what}", "get it again, or mend it")
    return found, text


def _must_not_be_binary(said: Kind) -> None:
    if said in (Kind.PDF, Kind.DOCX):
        raise UnreadableError(f"is no {said.name}", "get it again, or give it the ending of what it is")


def ending_of(name: str) -> str:
    """The ending of a file name or of a URL's path, in lower case."""
    path = re.sub(r"^[^:]*://[^/?#]*|[?#].*", "", name, flags=re.S) if "://" in name else name
    return PurePosixPath(path).suffix.lower()


def _by_suffix(media_type: str) -> Kind | None:
    if media_type.endswith("+xml"):
        return Kind.XML
    return Kind.JSON if media_type.endswith("+json") else None


def _corrected(said: Kind, text: str) -> Kind:
    """What `text` is, where it can be seen not to be what is said."""
    head = text[:_HEAD]
    head = head[_COMMENTS.match(head).end() :]  # type: ignore[union-attr]
    first = _ROOT.search(head)
    name = first[1].lower() if first else ""
    if _HTML_START.match(head):
        return Kind.HTML
    if _XML_START.match(head):
        return Kind.HTML if name == "html" else Kind.XML
    if said in (Kind.JSON, Kind.JSON_LINES, Kind.TEXT) and (found := _json_kind(said, text)):
        return found
    tagged = first is not None and first.start() == 0
    if tagged and said in (Kind.JSON, Kind.JSON_LINES, Kind.TEXT):
        if name in _HTML_TAGS:
            return Kind.HTML
        return Kind.XML if text.rstrip().endswith(">") else Kind.TEXT
    if said is Kind.HTML:
        return Kind.HTML if _TAG.search(text) else Kind.TEXT
    return said if said is Kind.MARKDOWN or tagged else Kind.TEXT


def _json_kind(said: Kind, text: str) -> Kind | None:
    """JSON or JSON lines, whichever the text is; None when it is neither."""
    if said is Kind.TEXT and text.lstrip()[:1] not in ("{", "["):
        return None
    lines = [line for line in text.split("\n", 20)[:20] if line.lstrip().startswith("{")]
    in_lines = any(_is_json(line) for line in lines)
    if in_lines and said is Kind.JSON_LINES:
        return Kind.JSON_LINES
    if _is_json(text):
        return Kind.JSON
    return Kind.JSON_LINES if in_lines and text.lstrip().startswith("{") else None  # not a list that was cut off


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_int=str), dict | list)
    except ValueError:
        return False
    except RecursionError:
        raise UnreadableError("nests deeper than can be read", "give it with fewer levels") from None


def _must_be_docx(content: bytes) -> None:
    try:
        names = set(ZipFile(BytesIO(content)).namelist())
    # zipfile raises the last one for a file that needs a later version of the format than it knows.
    except (BadZipFile, ValueError, OSError, EOFError, NotImplementedError):
        raise UnreadableError("is a damaged DOCX or ZIP file", "get it again") from None
    if "word/document.xml" in names:
        return
    office = {"xl/workbook.xml": "an Excel workbook", "ppt/presentation.xml": "a PowerPoint presentation"}
    for name, what in office.items():
        if name in names:
            raise UnreadableError(f"is {what}", "save it as PDF, or its text as Markdown")
    raise UnreadableError("is a ZIP archive that holds no Word document", f"unpack it and give {_READABLE}")
