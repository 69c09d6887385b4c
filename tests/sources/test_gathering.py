"""Gathering from a real web server on loopback: what a row holds, and what is kept of the last time."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from assets.sources.gathering import due_for_refresh, sources_digest
from checks.bank_contracts import SOURCES
from resources.warehouse import Lake
from tests.sources.gathered import HTML, LAW, NOW, Gathered, law
from tests.support.web import HOST, Page, Web, redirect


def test_a_page_is_a_row_with_its_text_and_what_admits_it(domain: Gathered, web: Web) -> None:
    row = domain.again().row

    assert row == row | {
        "bank": "own",
        "domain": "own.law",
        "name": web.url("/law"),
        "url": web.url("/law"),
        "host": HOST,
        "rule": HOST,
        "tier": 2,
        "topics": None,
        "status": "read",
        "reason": None,
        "kind": "html",
        "title": "Fees",
        "sections": [{"path": ["Fees"], "text": "The fee is 12 dollars."}],
        "published": None,
        "published_basis": "unknown",
        "etag": '"1"',
        "fetched_at": domain.now,
        "changed_at": domain.now,
    }
    assert row["characters"] == len("Fees\n\nThe fee is 12 dollars.")
    assert len(row["source_id"]) == 16
    assert domain.progress[-1] == (1, 1)


def test_the_table_fits_the_lake(domain: Gathered, tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    lake.write("sources", domain.again().frame, domain="own.law")
    assert lake.read("sources", domain="own.law").equals(domain.frame)


def test_a_domain_without_sources_is_an_empty_table(tmp_path: Path, web: Web) -> None:
    assert Gathered(tmp_path, web).again().frame.equals(SOURCES.empty())


def test_what_is_unchanged_keeps_its_text(domain: Gathered, web: Web) -> None:
    first = domain.again().row
    second = domain.again().row

    assert [request.headers.get("if-none-match") for request in web.log if request.path == "/law"] == [None, '"1"']
    assert second == first | {"fetched_at": first["fetched_at"] + timedelta(days=1)}


def test_a_page_that_changes_has_a_new_hash_and_moment(domain: Gathered, web: Web) -> None:
    first = domain.again().row
    web.pages["/law"] = law(LAW.replace(b"12", b"15"), '"2"')
    second = domain.again().row

    assert domain.texts() == ["The fee is 15 dollars."]
    assert (second["changed_at"], second["etag"]) == (domain.now, '"2"')
    assert second["content_hash"] != first["content_hash"]


def test_new_bytes_with_the_same_text_are_no_change(domain: Gathered, web: Web) -> None:
    first = domain.again().row
    web.pages["/law"] = law(LAW + b"<!-- 2 -->", '"2"')
    assert domain.again().row["changed_at"] == first["changed_at"]


def test_tier_topics_and_date_are_those_of_the_file_without_fetching_anew(domain: Gathered, web: Web) -> None:
    domain.again()
    row = domain.again(sources=[{"url": web.url("/law"), "tier": 1, "topic": "Tax", "date": 2024}]).row

    assert web.log[-1].headers["if-none-match"] == '"1"'
    assert (row["tier"], row["topics"], row["status"]) == (1, ["Tax"], "read")
    assert (row["published"], row["published_precision"], row["published_basis"]) == (
        date(2024, 1, 1),
        "year",
        "stated",
    )


def test_the_date_of_a_host_is_that_of_the_file_too(domain: Gathered) -> None:
    domain.again()
    row = domain.again(hosts={HOST: {"tier": 3, "date": 2019}}).row
    assert (row["tier"], row["published"], row["published_basis"]) == (3, date(2019, 1, 1), "host")


def test_a_date_that_is_no_longer_stated_is_asked_of_the_document(domain: Gathered, web: Web) -> None:
    dated = LAW.replace(b"<h1>", b'<meta property="article:published_time" content="2021-03-04"><h1>')
    web.pages["/law"] = law(dated)
    stated = [{"url": web.url("/law"), "date": 2024}]
    assert domain.again(sources=stated).row["published_basis"] == "stated"

    row = domain.again(sources=[{"url": web.url("/law")}]).row

    assert "if-none-match" not in web.log[-1].headers
    assert (row["published"], row["published_basis"]) == (date(2021, 3, 4), "metadata")
    assert domain.again().row["published"] == date(2021, 3, 4)  # a 304 keeps it


def test_last_modified_dates_a_page(domain: Gathered, web: Web) -> None:
    web.pages["/law"] = law(Last_Modified="Mon, 01 Dec 2025 00:00:00 GMT")
    for _ in range(2):
        row = domain.again().row
        assert (row["published"], row["published_basis"]) == (date(2025, 12, 1), "last_modified")
        assert row["last_modified"] == "Mon, 01 Dec 2025 00:00:00 GMT"


# What comes


def test_a_wrong_content_type_costs_no_document(domain: Gathered, web: Web) -> None:
    web.pages["/law"] = Page(LAW, headers={"Content-Type": "application/pdf"})
    assert domain.again().row["kind"] == "html"


def test_latin_1_by_its_header(domain: Gathered, web: Web) -> None:
    web.pages["/law"] = Page(
        "Die Gebühr beträgt 12 £.".encode("latin-1"), headers={"Content-Type": "text/plain; charset=ISO-8859-1"}
    )
    domain.again()
    assert domain.texts() == ["Die Gebühr beträgt 12 £."]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "is empty; give a document with text"),
        ("<p>😀😀😀 🎉</p>".encode(), "holds no words; "),
        (b"\x89PNG\r\n", "is an image; give its text"),
    ],
)
def test_a_page_without_text_is_unreadable(domain: Gathered, web: Web, body: bytes, reason: str) -> None:
    web.pages["/law"] = Page(body, headers=HTML)
    row = domain.again().row
    assert (row["status"], row["reason"].startswith(reason), row["content_hash"]) == ("unreadable", True, None)


def test_emoji_among_words_are_text(domain: Gathered, web: Web) -> None:
    web.pages["/law"] = Page("<p>The fee 💶 is 12 dollars 😀.</p>".encode(), headers=HTML)
    domain.again()
    assert domain.texts() == ["The fee 💶 is 12 dollars 😀."]


def test_one_bad_document_costs_no_other(domain: Gathered, web: Web) -> None:
    web.pages["/half"] = Page(b"01234", headers={"Content-Length": "10"})
    urls = [web.url("/law"), web.url("/none"), web.url("/half"), "https://evil.test/", "no url", " "]
    domain.again(sources=[{"url": url} for url in urls])
    assert domain.statuses() == {
        web.url("/law"): "read",
        web.url("/none"): "failed",
        web.url("/half"): "failed",
        "https://evil.test/": "refused",
        "no url": "refused",
        "' '": "refused",
    }
    assert domain.frame["name"].is_sorted()
    assert domain.progress[-1] == (3, 3)
    assert domain.progress == sorted(domain.progress)


def test_a_source_that_is_named_and_refused_twice_is_one_row(domain: Gathered) -> None:
    row = domain.again(sources=[{"url": "https://evil.test/", "tier": 1}, {"url": "https://evil.test/"}]).row
    assert row["status"] == "refused"


# Copies


def test_two_names_of_one_document_are_one(domain: Gathered, web: Web) -> None:
    web.pages["/old"] = redirect("/law")
    sources = [{"url": web.url("/old"), "topic": "Tax"}, {"url": web.url("/law"), "topic": "Fees"}]
    rows = domain.again(sources=sources).rows

    assert rows[web.url("/old")] == rows[web.url("/old")] | {"status": "read", "topics": ["Tax", "Fees"]}
    copy = rows[web.url("/law")]
    assert (copy["status"], copy["sections"], copy["characters"]) == ("refused", None, 0)
    assert copy["reason"] == f"is the same document as {web.url('/old')}; take one of the two out of the sources"


def test_a_copy_serves_all_topics_where_one_of_the_two_does(domain: Gathered, web: Web) -> None:
    web.pages["/copy"] = Page(LAW, headers=HTML)
    rows = domain.again(sources=[{"url": web.url("/law"), "topic": "Tax"}, {"url": web.url("/copy")}]).rows
    assert (rows[web.url("/copy")]["status"], rows[web.url("/law")]["topics"]) == ("refused", None)


def test_a_copy_takes_no_place_of_what_was_read_before(domain: Gathered, web: Web) -> None:
    domain.again()
    web.pages["/copy"] = Page(LAW, headers=HTML)
    domain.again(sources=[{"url": web.url("/copy")}, {"url": web.url("/law")}])
    assert domain.statuses() == {web.url("/copy"): "refused", web.url("/law"): "read"}


def test_two_documents_that_are_missing_are_no_copies(domain: Gathered, web: Web) -> None:
    domain.again(sources=[{"url": web.url("/a")}, {"url": web.url("/b")}])
    assert set(domain.statuses().values()) == {"failed"}


# The whole table


@pytest.mark.parametrize(
    ("changed", "same"),
    [({}, True), ({"tier": 1}, False), ({"topic": "Tax"}, False), ({"date": 2024}, False)],
)
def test_the_digest_changes_with_what_is_made_of_sources(
    domain: Gathered, web: Web, changed: dict[str, Any], same: bool
) -> None:
    digest = sources_digest(domain.again().frame)
    domain.again(sources=[{"url": web.url("/law")} | changed])
    assert (sources_digest(domain.frame) == digest) is same


def test_the_digest_changes_with_the_text(domain: Gathered, web: Web) -> None:
    digest = sources_digest(domain.again().frame)
    web.pages["/law"] = law(b"<p>Another law.</p>", '"2"')
    assert sources_digest(domain.again().frame) != digest


@pytest.mark.parametrize(("age", "due"), [(7, False), (8, True)])
def test_a_refresh_is_due_after_so_many_days(domain: Gathered, age: int, due: bool) -> None:
    frame = domain.again(after_days=0).frame
    assert due_for_refresh(frame, NOW + timedelta(days=age), 7) is due


def test_no_refresh_is_due_where_nothing_is_fetched(tmp_path: Path, web: Web) -> None:
    (tmp_path / "a.md").write_text("The fee is 12 dollars.")
    frame = Gathered(tmp_path, web, sources=[{"path": "a.md"}, {"url": "https://evil.test/"}]).again().frame
    assert not due_for_refresh(frame, NOW + timedelta(days=1000), 7)
    assert not due_for_refresh(SOURCES.empty(), NOW, 7)
