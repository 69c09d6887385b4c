from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml

from assets.sources.document import DeclaredDate, Document, Unreadable
from assets.sources.reading import read
from tests.sources.made import extracted, saved, sections

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def with_part(content: bytes, name: str, data: bytes) -> bytes:
    """The package with one part replaced."""
    out = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, data if part == name else old.read(part))
    return out.getvalue()


def unreadable(content: bytes) -> str:
    result = read(Document(content))
    assert isinstance(result, Unreadable)
    return str(result)


def test_headings_lists_tables_and_properties() -> None:
    made = docx.Document()
    made.add_heading("Fees handbook", 0)
    made.add_heading("Licenses", 1)
    made.add_paragraph("A license\u00a0 is valid for a year.")
    made.add_heading("Fees", 2)
    made.add_paragraph("for a barber", style="List Bullet")
    made.add_paragraph("for a guide", style="List Bullet")
    table = made.add_table(rows=3, cols=2)
    for row, texts in zip(table.rows, (("License", "Fee"), ("Barber", "$40"), ("", "$5")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    made.core_properties.modified = datetime(2021, 7, 1)
    made.core_properties.language = "en-US"

    document = extracted(saved(made))

    assert sections(document) == [
        (("Fees handbook", "Licenses"), "A license is valid for a year."),
        (
            ("Fees handbook", "Licenses", "Fees"),
            "- for a barber\n- for a guide\n\nLicense | Fee\nBarber | $40\nBarber | $5",
        ),
    ]
    assert (document.title, document.language) == ("Fees handbook", "en-US")
    assert document.dates[0] == DeclaredDate("DOCX modified", "2021-07-01T00:00:00+00:00")


def test_raised_and_lowered_figures_keep_their_meaning() -> None:
    made = docx.Document()
    paragraph = made.add_paragraph("H")
    paragraph.add_run("2").font.subscript = True
    paragraph.add_run("O, 10")
    paragraph.add_run("6").font.superscript = True
    assert extracted(saved(made)).text == "H₂O, 10⁶"


def test_tracked_changes_are_accepted_and_content_controls_are_read() -> None:
    made = docx.Document()
    body = made.element.body
    changed = f"""<w:p {W}><w:r><w:t xml:space="preserve">The fee is </w:t></w:r>
        <w:del><w:r><w:delText>$30</w:delText></w:r></w:del><w:ins><w:r><w:t>$40</w:t></w:r></w:ins></w:p>"""
    control = f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>It is due in May.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    for number, block in enumerate((changed, control)):
        body.insert(number, parse_xml(block))
    assert extracted(saved(made)).text == "The fee is $40\n\nIt is due in May."


def test_hidden_words_are_left_out_and_notes_are_told() -> None:
    made = docx.Document()
    paragraph = made.add_paragraph("The fee is $40.")
    paragraph.add_run(" (ask Ann)").font.hidden = True
    paragraph._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="2"/></w:r>'))
    document = extracted(saved(made))
    assert (document.text, document.left_out) == ("The fee is $40.", ("footnotes and endnotes (1) were not read",))


def test_a_style_that_is_based_on_a_heading_is_one() -> None:
    made = docx.Document()
    style: Any = made.styles.add_style("Clause", WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = made.styles["Heading 3"]
    made.add_paragraph("§ 1", style="Clause")
    made.add_paragraph("Words.")
    assert sections(extracted(saved(made))) == [(("§ 1",), "Words.")]


@pytest.mark.parametrize("part", ["word/document.xml", "[Content_Types].xml", "_rels/.rels", "word/styles.xml"])
def test_a_damaged_part_is_told(part: str) -> None:
    assert "is a damaged DOCX file; get it again" in unreadable(with_part(saved(docx.Document()), part, b"<cut"))


def test_a_compression_that_nobody_knows_is_told() -> None:
    """The method stands in the local and in the central header of each part (APPNOTE 4.4.5)."""
    content = bytearray(saved(docx.Document()))
    for signature, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = content.find(signature)
        while at >= 0:
            content[at + method : at + method + 2] = b"\xfe\x00"
            at = content.find(signature, at + 1)

    assert "is a damaged DOCX file; get it again" in unreadable(bytes(content))


def test_what_unpacks_to_too_much_is_refused_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assets.sources.word_files._LARGEST_UNPACKED", 1000)
    assert "save it without its pictures" in unreadable(saved(docx.Document()))


def test_an_entity_from_outside_is_not_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.txt"
    secret.write_text("SECRET")
    body = f'<!DOCTYPE d [<!ENTITY e SYSTEM "{secret.as_uri()}">]><w:document {W}><w:body><w:p><w:r><w:t>The words &e;'
    made = with_part(
        saved(docx.Document()), "word/document.xml", f"{body}</w:t></w:r></w:p></w:body></w:document>".encode()
    )
    result = read(Document(made))
    assert "SECRET" not in str(result)
