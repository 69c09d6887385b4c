import pytest

from assets.sources.document import DeclaredDate, Document, Unreadable
from assets.sources.reading import read
from tests.sources.made import LOCKED_PDF, Words, extracted, lines, pdf, sections

PROSE = lines(
    "The board shall set the fee for a license by rule, and the sheriff of",
    "each county shall furnish the license after the fee has been paid.",
)


def unreadable(content: bytes) -> str:
    result = read(Document(content, "application/pdf"))
    assert isinstance(result, Unreadable)
    return str(result)


def test_lines_of_a_paragraph_are_joined_and_a_gap_starts_another() -> None:
    page = [*PROSE, *lines("A license is valid for a year.", top=660)]
    assert extracted(pdf(page)).text == (
        "The board shall set the fee for a license by rule, and the sheriff of each county shall furnish the license "
        "after the fee has been paid.\n\nA license is valid for a year."
    )


def test_a_sentence_that_goes_on_over_the_page_is_one() -> None:
    first = [*PROSE[:1], *lines("(a) a", top=600)]
    text = extracted(pdf(first[:1], PROSE[1:])).text
    assert "and the sheriff of each county shall" in text


def test_a_list_keeps_its_lines() -> None:
    page = [
        *PROSE,
        *lines("• a form that the board has approved and that the applicant has signed", top=676),
        *lines("• a fee", top=664),
    ]
    assert extracted(pdf(page)).text.splitlines()[-2:] == [
        "• a form that the board has approved and that the applicant has signed",
        "• a fee",
    ]


@pytest.mark.parametrize(
    ("end", "start", "joined"),
    [
        ("every one of them shall pay for a regis-", "tration of the trade.", "a registration of"),
        ("every one of them pays in a non-", "profit trade; non-profit ones do not.", "a non-profit trade;"),
        ("every one of them was at hand during COVID-", "19 and later on.", "during COVID-19 and"),
        ("every one of them was there in the years 2019-", "2021 and later on.", "years 2019-2021 and"),
        ("every one of them has a trade -", "or none - in this county.", "trade - or none"),
    ],
)
def test_a_divided_word_is_made_whole_unless_the_hyphen_is_its_own(end: str, start: str, joined: str) -> None:
    assert joined in extracted(pdf(lines(end, start))).text


def test_running_titles_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            Words("Licensing Handbook", 760),
            *lines(*(f"Rule {page}.{line} says so." for line in range(6))),
            Words(str(page), 40),
        ]
        for page in range(1, 6)
    ]
    text = extracted(pdf(*pages)).text
    assert "Handbook" not in text
    assert [line for line in text.split() if line.isdecimal()] == []
    assert all(f"Rule {page}.{line} says so." in text for page in range(1, 6) for line in range(6))


def test_bookmarks_are_the_headings() -> None:
    page_one = [Words("Chapter 1", 750), *PROSE]
    page_two = [Words("2. Fees and", 750), Words("deadlines", 738), *lines("The fee is $40.", top=700)]
    document = extracted(pdf(page_one, page_two, bookmarks=[("Chapter 1", 0), ("Fees and deadlines", 1), ("Annex", 1)]))
    assert [section.path for section in document.sections] == [("Chapter 1",), ("2. Fees and deadlines",), ("Annex",)]


def test_without_bookmarks_larger_characters_are_the_headings() -> None:
    page = [
        Words("Licensing Handbook", 760, size=20),
        Words("Fees", 730, size=14),
        *PROSE,
        Words("Terms", 640, size=14),
        *lines("A license is valid for a year.", top=620),
    ]
    document = extracted(pdf(page))
    assert [section.path for section in document.sections] == [
        ("Licensing Handbook", "Fees"),
        ("Licensing Handbook", "Terms"),
    ]
    assert document.title == "Licensing Handbook"


def test_two_columns_are_read_one_after_the_other() -> None:
    left = lines("A barber who has held", "a license for a year", "may renew it.", x=72)
    right = lines("A guide needs a new", "license every year.", x=330)
    text = extracted(pdf([*left, *right])).text
    assert text == "A barber who has held a license for a year may renew it.\n\nA guide needs a new license every year."


def test_title_dates_and_language() -> None:
    info = "/Title(Fee Schedule)/CreationDate(D:20210701120000-06'00')/ModDate(D:20220102)"
    document = extracted(pdf(PROSE, info=info, catalog="/Lang(en-US)"))
    assert (document.title, document.language) == ("Fee Schedule", "en-US")
    assert document.dates == (
        DeclaredDate("PDF CreationDate", "D:20210701120000-06'00'"),
        DeclaredDate("PDF ModDate", "D:20220102"),
    )


def test_a_title_that_is_a_file_name_is_none() -> None:
    assert extracted(pdf(PROSE, info="/Title(Microsoft Word - fees final.doc)")).title is None


def test_a_locked_document_is_told() -> None:
    assert unreadable(LOCKED_PDF) == "is locked with a password; save it without one"


def test_pictures_of_pages_are_told() -> None:
    assert "holds pictures of its pages and no text; run text recognition (OCR)" in unreadable(pdf([], []))


def test_single_pages_without_text_are_told_beside_the_text() -> None:
    assert extracted(pdf(PROSE, [], PROSE)).left_out == ("page 2 holds no text",)


@pytest.mark.parametrize("content", [b"%PDF-1.7\nnothing", pdf(PROSE)[:150]])
def test_a_damaged_document_is_told(content: bytes) -> None:
    assert "is a damaged PDF; get it again" in unreadable(content)


def test_a_damaged_table_of_references_is_mended() -> None:
    assert sections(extracted(pdf(PROSE).replace(b"startxref", b"startxxxx"))) == sections(extracted(pdf(PROSE)))
