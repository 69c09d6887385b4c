import unicodedata

import pytest

from assets.sources.document import Extracted, Kind, Section
from assets.sources.prose import Outline, lowered, normalise, one_line, raised


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("two  blanks and\ta tab", "two blanks and a tab"),
        ("no-break\u00a0space, thin\u2009space", "no-break space, thin space"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        (" a \n  b ", "a\nb"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("a\n \t \nb", "a\n\nb"),
        ("soft\u00adhyphen, zero\u200bwidth, \ufeffmark", "softhyphen, zerowidth, mark"),
        ("bell\x07 and\x00 nul", "bell and nul"),
        ("e\u0301", "é"),
        ("10² m, ﬁne", "10² m, ﬁne"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("lone \ud83d surrogate", "lone surrogate"),
    ],
)
def test_normalising_keeps_lines_and_paragraphs_and_nothing_that_cannot_be_seen(written: str, kept: str) -> None:
    assert normalise(written) == kept


def test_normalising_twice_changes_nothing() -> None:
    odd = "".join(map(chr, range(0x300))) + "a\u2003\n \u00a0\n\x85b\u2029 c" + unicodedata.normalize("NFD", "Ångström")
    once = normalise(odd)
    assert normalise(once) == once


def test_one_line_makes_a_blank_of_every_break() -> None:
    assert one_line(" a\nb\n\n c ") == "a b c"


@pytest.mark.parametrize(
    ("written", "shown"), [("6", "⁶"), ("-3", "⁻³"), ("n", "ⁿ"), ("k", "^k"), ("st", "st"), ("(2)", "⁽²⁾"), ("*", "*")]
)
def test_a_superscript_cannot_be_misread_as_part_of_a_number(written: str, shown: str) -> None:
    assert raised(written) == shown


def test_a_subscript_of_figures_is_one() -> None:
    assert ("H" + lowered("2") + "O", "x" + lowered("max")) == ("H₂O", "xmax")


def test_a_section_has_the_headings_above_it() -> None:
    outline = Outline()
    outline.paragraph("Before.")
    outline.heading(1, "Title")
    outline.heading(2, "Chapter")
    outline.paragraph("First.")
    outline.paragraph("Second.")
    outline.heading(2, "Repealed")
    outline.heading(1, "Annex")
    outline.line("a")
    outline.line("b")
    assert outline.sections() == (
        Section((), "Before.", 1),
        Section(("Title", "Chapter"), "First.\n\nSecond.", 2),
        Section(("Title", "Repealed"), "", 3),
        Section(("Annex",), "a\nb", 4),
    )


def test_a_level_that_is_left_out_is_no_level() -> None:
    outline = Outline()
    outline.heading(1, "One")
    outline.heading(4, "Four")
    outline.paragraph("x")
    outline.heading(3, "Three")
    outline.paragraph("y")
    assert [section.path for section in outline.sections()] == [("One", "Four"), ("One", "Three")]


def test_the_text_repeats_no_heading_and_leaves_none_out() -> None:
    parts = (
        Section((), "Before.", 1),
        Section(("A", "B"), "One.", 2),
        Section(("A", "C"), "Two.", 3),
        Section(("A", "C"), "Three.", 4),
        Section(("A",), "Four.", 5),
        Section(("D",), "", 6),
    )
    text = Extracted(Kind.TEXT, None, parts).text
    assert text.split("\n\n") == ["Before.", "A", "B", "One.", "C", "Two.", "C", "Three.", "A", "Four.", "D"]
