"""Published documents as they come, from `../shared/data/sources`; skipped where that is absent."""

import re
from datetime import date
from pathlib import Path

import pytest

from assets.sources.dates import publication
from assets.sources.document import Document, Extracted, Kind
from assets.sources.extract import extract
from assets.sources.prose import normalise
from resources.home import PROJECT
from resources.registries.partial_dates import PartialDate

SOURCES = PROJECT.parent / "shared" / "data" / "sources"

pytestmark = pytest.mark.skipif(not SOURCES.is_dir(), reason=f"real documents are not at {SOURCES}")


def real(name: str) -> Extracted:
    result = extract(Document((SOURCES / name).read_bytes(), "", name))
    assert isinstance(result, Extracted), str(result)
    return result


def text_of(document: Extracted, *path: str) -> str:
    return next(section.text for section in document.sections if section.path[-len(path) :] == path)


@pytest.mark.parametrize("file", sorted(path.name for path in SOURCES.glob("*")) if SOURCES.is_dir() else [])
def test_all_text_is_normalised_and_stands_in_the_whole(file: str) -> None:
    document = real(file)
    assert normalise(document.text) == document.text
    assert all(section.text in document.text for section in document.sections)
    assert [section.ordinal for section in document.sections] == list(range(1, len(document.sections) + 1))
    assert document.left_out == ()


def test_the_statute_has_a_section_a_line() -> None:
    statute = real("wy_professions_occupations_sections.jsonl")
    lines = (SOURCES / "wy_professions_occupations_sections.jsonl").read_text().splitlines()
    assert (statute.kind, len(statute.sections)) == (Kind.JSON_LINES, len(lines))
    first = statute.sections[0]
    assert first.path == ("§ 33-1-101. Sheriff to furnish licenses and collect fees.",)
    assert first.text.startswith("It shall be the duty of the sheriff of each county to furnish all licenses")
    assert "C.L. 1876" not in first.text


def test_the_rfc_has_the_numbers_of_its_published_sections() -> None:
    rfc = real("rfc9110.xml")
    headings = {section.path[-1] for section in rfc.sections}
    assert {"9.3.1. GET", "15.4.2. 301 Moved Permanently", "8.8.3. ETag", "Appendix A. Collected ABNF"} <= headings
    assert rfc.title == "HTTP Semantics"
    assert publication(date(2026, 6, 30), declared=rfc.dates).date == PartialDate(2022, 6)
    assert "The 301 (Moved Permanently) status code indicates that the target resource has been assigned" in rfc.text
    assert "The request method token is the primary source of request semantics" in text_of(rfc, "9.1. Overview")
    assert "as described in Section 4." in rfc.text
    assert "3986" not in {section.path[-1] for section in rfc.sections}
    assert re.search(r"\(see ?\)| \.|\[\]", text_of(rfc, "1. Introduction", "1.2. History and Evolution")) is None


def test_the_guideline_keeps_its_tables_lists_and_headings() -> None:
    guideline = real("nist_sp800_63b_sec5_authenticators.md")
    assert guideline.kind is Kind.MARKDOWN
    secrets = text_of(guideline, "5.1.1.1 Memorized Secret Authenticators")
    assert "Memorized secrets SHALL be at least 8 characters in length if chosen by the subscriber." in secrets
    assert text_of(guideline, "5.1.1 Memorized Secrets").startswith("A Memorized Secret authenticator — commonly")
    assert "- Passwords obtained from previous breach corpuses.\n- Dictionary words." in guideline.text
    assert not re.search(r"</?\w+>|\]\(", guideline.text)


def test_the_factbook_has_its_figures_below_their_names() -> None:
    factbook = real("factbook_us.json")
    assert factbook.kind is Kind.JSON
    assert text_of(factbook, "Geography", "Area").startswith("total: 9,833,517 sq km\nland: 9,147,593 sq km")
    assert "<p>" not in factbook.text
    assert Path(SOURCES / "factbook_us.json").stat().st_size > len(factbook.text) > 40_000
