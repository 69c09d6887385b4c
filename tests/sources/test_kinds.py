from io import BytesIO
from zipfile import ZipFile

import pytest

from assets.sources.document import Document, Kind, Unreadable
from assets.sources.kinds import ending_of, kind_of
from assets.sources.reading import read
from tests.sources.made import lines, pdf

PAGE = "<!DOCTYPE html><html><body><p>A page with words.</p></body></html>"
RECORD = '{"heading": "One", "text": "Words."}'


def kind(content: str | bytes, media_type: str = "", name: str = "") -> Kind:
    return kind_of(Document(content if isinstance(content, bytes) else content.encode(), media_type, name))[0]


def unreadable(content: bytes, media_type: str = "", name: str = "") -> str:
    result = read(Document(content, media_type, name))
    assert isinstance(result, Unreadable)
    return str(result)


def needing_a_later_version(content: bytes) -> bytes:
    """The archive, whose one part says that only version 25.5 of the ZIP format can read it (APPNOTE 4.4.3)."""
    at = content.index(b"PK\x01\x02") + 6
    return content[:at] + b"\xff\x00" + content[at + 2 :]


def archive(*names: str) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "media_type", "name", "expected"),
    [
        (PAGE, "text/html; charset=utf-8", "", Kind.HTML),
        ("<p>A fragment.", "text/html", "", Kind.HTML),
        ("# A heading", "text/markdown", "", Kind.MARKDOWN),
        ("# A heading", "text/plain", "https://raw.example.org/notes/README.md?plain=1", Kind.MARKDOWN),
        ("<a name='x'></a>\n\n# A heading", "", "notes.md", Kind.MARKDOWN),
        ("<d><p>x</p></d>", "application/xml", "", Kind.XML),
        ("<feed>x</feed>", "application/atom+xml", "", Kind.XML),
        (RECORD, "application/json", "", Kind.JSON),
        (RECORD, "application/ld+json", "", Kind.JSON),
        (f"{RECORD}\n{RECORD}", "", "a.jsonl", Kind.JSON_LINES),
        (RECORD, "application/x-ndjson", "", Kind.JSON_LINES),
        ("Words.", "text/plain", "", Kind.TEXT),
        ("Words.", "", "LICENSE", Kind.TEXT),
    ],
)
def test_the_format_that_is_said(content: str, media_type: str, name: str, expected: Kind) -> None:
    assert kind(content, media_type, name) is expected


@pytest.mark.parametrize(
    ("content", "media_type", "expected"),
    [
        (pdf(lines("Words.")), "text/html", Kind.PDF),
        (b"\n\n" + pdf(lines("Words.")), "application/octet-stream", Kind.PDF),
        (PAGE, "text/plain", Kind.HTML),
        (PAGE, "application/json", Kind.HTML),
        (f"<!-- saved from elsewhere -->\n{PAGE}", "text/plain", Kind.HTML),
        (f"<?xml version='1.0'?>{PAGE}", "application/xml", Kind.HTML),
        ("<div><p>Words.</p></div>", "text/plain", Kind.HTML),
        ("<?xml version='1.0'?><d>Words.</d>", "text/html", Kind.XML),
        ("<act><num>1</num></act>", "text/plain", Kind.XML),
        (RECORD, "text/plain", Kind.JSON),
        (f"{RECORD}\n{RECORD}", "application/json", Kind.JSON_LINES),
        ("Only words, 3 < 4.", "text/html", Kind.TEXT),
        ("Only words.", "application/xml", Kind.TEXT),
        ("[a note] and words", "text/plain", Kind.TEXT),
    ],
)
def test_bytes_are_believed_before_what_is_said(content: str | bytes, media_type: str, expected: Kind) -> None:
    assert kind(content, media_type) is expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty; give a document with text"),
        (b" \n\t", "is empty"),
        (b"PK\x03\x04 cut off", "is a damaged DOCX or ZIP file; get it again"),
        (needing_a_later_version(archive("word/document.xml")), "is a damaged DOCX or ZIP file; get it again"),
        (archive("notes.txt"), "is a ZIP archive that holds no Word document; unpack it"),
        (archive("xl/workbook.xml"), "is an Excel workbook; save it as PDF"),
        (archive("ppt/presentation.xml"), "is a PowerPoint presentation"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
            "an old Office file or one with a password; save it as DOCX",
        ),
        (b"{\\rtf1 words}", "is RTF; save it as DOCX"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "is an image"),
        (b"\x1f\x8b\x08" + bytes(100), "is compressed with gzip; unpack it"),
        (bytes(1000), "is not text but some other format"),
        ("😀😀 🎉".encode(), "holds no words"),
        (b"--- *** --- a", "holds no words"),
    ],
)
def test_what_cannot_be_read_is_told_with_a_remedy(content: bytes, reason: str) -> None:
    assert reason in unreadable(content)


@pytest.mark.parametrize(
    ("content", "media_type", "name", "reason"),
    [
        (b'{"heading": "One", "text": "Wor', "", "a.json", "is damaged: it is no whole JSON; get it again"),
        (b'[\n{"text": "One."},\n{"text": "Two."}', "", "a.json", "is damaged: it is no whole JSON; get it again"),
        (b'{"heading": "One", "text": "Wor', "application/json", "", "is damaged: it is no whole JSON; get it again"),
        (b'{"heading": "One", "text": "Wor', "", "a.jsonl", "is damaged: it is no whole JSON lines; get it again"),
        (bytes(range(1, 256)) * 9, "", "a.pdf", "is no PDF; get it again"),
        (bytes(1000), "", "a.pdf", "is no PDF; get it again"),
        (b"Only words.", "application/pdf", "", "is no PDF; get it again"),
        (b"", "", "a.pdf", "is empty; give a document with text"),
        (b"Only words.", "", "a.docx", "is no DOCX; get it again"),
    ],
)
def test_a_damaged_file_is_not_read_as_text(content: bytes, media_type: str, name: str, reason: str) -> None:
    assert unreadable(content, media_type, name).startswith(reason)


@pytest.mark.parametrize(("media_type", "name"), [("text/csv", ""), ("", "wages.csv"), ("text/plain", "wages.tsv")])
def test_a_table_is_no_text(media_type: str, name: str) -> None:
    assert "give it as JSON lines with the fields heading and text" in unreadable(b"a,b\n1,2\n", media_type, name)


def test_more_than_is_read_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assets.sources.reading.LARGEST_MB", 1)
    assert "is 2 MB large, and 1 MB at most are read; split it" in unreadable(b"words " * 400_000)


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("a.PDF", ".pdf"),
        ("documents/v1.2/LICENSE", ""),
        ("https://a.example/x.tar.md?y=1.pdf#z.html", ".md"),
        ("https://a.example", ""),
        ("https://[broken.md", ""),
        ("c#.md", ".md"),
    ],
)
def test_the_ending_of_a_name(name: str, ending: str) -> None:
    assert ending_of(name) == ending
