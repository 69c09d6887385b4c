from datetime import date

import pytest

from assets.sources.dates import Basis, Publication, publication
from assets.sources.document import DeclaredDate
from resources.registries.partial_dates import PartialDate, Precision, read_date

TODAY = date(2026, 6, 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", "2024"),
        ("2024-05", "2024-05"),
        ("2024-05-01", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        ("20240501", "2024-05-01"),
        ("20240501T101112Z", "2024-05-01"),
        ("2024-05-01T23:30:00-05:00", "2024-05-02"),
        ("2024-05-01T10:00:00Z", "2024-05-01"),
        ("2024-05-01 10:00", "2024-05-01"),
        ("D:20240501120000-06'00'", "2024-05-01"),
        ("D:2024", "2024"),
        ("D:202405", "2024-05"),
        ("Wed, 01 May 2024 10:11:12 GMT", "2024-05-01"),
        ("Thursday, August 29, 2024", "2024-08-29"),
        ("May 1st, 2024", "2024-05-01"),
        ("1 May 2024", "2024-05-01"),
        ("1-May-2024", "2024-05-01"),
        ("June 2022", "2022-06"),
        ("Sept. 2022", "2022-09"),
        ("13/05/2024", "2024-05-13"),
        ("05/13/2024", "2024-05-13"),
        ("05/05/2024", "2024-05-05"),
        ("03/04/2024", "2024"),
        ("published in May", None),
        ("2024-13-01", None),
        ("30 February 2024", None),
        ("12345678901", None),
        ("0000-00-00", None),
        ("", None),
        ("on 2024", None),
    ],
)
def test_reading_a_date(text: str, expected: str | None) -> None:
    found = read_date(text)
    assert (str(found) if found else None) == expected


def test_a_partial_date_knows_how_exact_it_is() -> None:
    dates = [PartialDate(2024), PartialDate(2024, 5), PartialDate(2024, 5, 7)]
    assert [each.precision for each in dates] == [Precision.YEAR, Precision.MONTH, Precision.DAY]
    assert [each.first_day for each in dates] == [date(2024, 1, 1), date(2024, 5, 1), date(2024, 5, 7)]


def test_a_date_that_the_calendar_does_not_have_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="day is out of range"):
        PartialDate(2023, 2, 29)


def test_who_is_believed_first() -> None:
    evidence = {
        "stated": PartialDate(2020),
        "declared": [DeclaredDate("dc.date", "no date"), DeclaredDate("JSON-LD datePublished", "2021-02")],
        "last_modified": "Sat, 01 Oct 2022 00:00:00 GMT",
        "url": "https://a.example/2023/page",
        "host": PartialDate(2024),
    }
    found = []
    while evidence:
        found.append(publication(TODAY, **evidence))
        evidence.pop(next(iter(evidence)))
    assert found == [
        Publication(PartialDate(2020), Basis.STATED, "date"),
        Publication(PartialDate(2021, 2), Basis.METADATA, "JSON-LD datePublished"),
        Publication(PartialDate(2022, 10, 1), Basis.LAST_MODIFIED, "Last-Modified"),
        Publication(PartialDate(2023), Basis.URL, "/2023"),
        Publication(PartialDate(2024), Basis.HOST, "date of the host"),
    ]
    assert publication(TODAY) == Publication(None, Basis.UNKNOWN)


@pytest.mark.parametrize("text", ["2026-07-01", "2027", "1899-12-31", "0001-01-01"])
def test_dates_in_the_future_or_before_1900_are_not_believed(text: str) -> None:
    known = publication(TODAY, declared=[DeclaredDate("date", text)], host=PartialDate(2019))
    assert known == Publication(PartialDate(2019), Basis.HOST, "date of the host")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Mon, 29 Jun 2026 05:00:00 GMT", None),
        ("Tue, 30 Jun 2026 05:00:00 GMT", None),
        ("Sun, 28 Jun 2026 23:00:00 GMT", "2026-06-28"),
        ("nonsense", None),
        ("Fri, 31 Dec 9999 23:59:59 -0500", None),
        ("Sat, 99 Foo 2022 00:00:00 GMT", None),
    ],
)
def test_a_page_that_is_made_when_it_is_asked_for_has_no_date(header: str, expected: str | None) -> None:
    found = publication(TODAY, last_modified=header).date
    assert (str(found) if found else None) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/2024/", "2024"),
        ("/news/2024/05/a-title", "2024-05"),
        ("/2024/05/01/title", "2024-05-01"),
        ("/2024/5/1", "2024-05-01"),
        ("/rules/2024-05-01/part-1", "2024-05-01"),
        ("/files/report_2024_05_01.pdf", "2024-05-01"),
        ("/files/report-20240501.pdf", "2024-05-01"),
        ("/files/report-2024-05.pdf", "2024-05"),
        ("/budget/fy23/tables", "2023"),
        ("/budget/FY2023-tables.pdf", "2023"),
        ("/2019/05/notice-2021-03-02.pdf", "2021-03-02"),
        ("/archive/2020/2022/x", "2022"),
        ("/2031/05/2020/", "2020"),
        ("/section-2010/1040", None),
        ("/29-cfr/1910-12/", None),
        ("/33-1-101/2024-13/", None),
        ("/title-26/section/20240501123", None),
        ("/justify23", None),
        ("/2024/13/", "2024"),
        ("/?date=2024-05-01", None),
    ],
)
def test_dates_in_a_url_the_most_exact_first(path: str, expected: str | None) -> None:
    found = publication(TODAY, url=f"https://a.example{path}").date
    assert (str(found) if found else None) == expected
