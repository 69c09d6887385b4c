"""Published documents as they come, from the real data beside the project; skipped where these are absent."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from assets.sources.dates import publication
from assets.sources.document import Document, Extracted, Kind
from assets.sources.extract import extract
from assets.sources.gathering import gather
from assets.sources.prose import normalise
from checks.bank_contracts import SOURCES as SOURCES_TABLE
from resources.registries import load_banks
from resources.registries.partial_dates import PartialDate
from tests.support.needs import shared_data

FILES = (
    "factbook_us.json",
    "nist_sp800_63b_sec5_authenticators.md",
    "rfc9110.xml",
    "wy_professions_occupations_sections.jsonl",
)


def real(name: str) -> Extracted:
    result = extract(Document(shared_data(f"sources/{name}").read_bytes(), "", name))
    assert isinstance(result, Extracted), str(result)
    return result


def text_of(document: Extracted, *path: str) -> str:
    return next(section.text for section in document.sections if section.path[-len(path) :] == path)


@pytest.mark.parametrize("file", FILES)
def test_all_text_is_normalised_and_stands_in_the_whole(file: str) -> None:
    document = real(file)
    assert normalise(document.text) == document.text
    assert all(section.text in document.text for section in document.sections)
    assert [section.ordinal for section in document.sections] == list(range(1, len(document.sections) + 1))
    assert document.left_out == ()


def test_the_statute_has_a_section_a_line() -> None:
    statute = real("wy_professions_occupations_sections.jsonl")
    lines = shared_data("sources/wy_professions_occupations_sections.jsonl").read_text().splitlines()
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
    assert shared_data("sources/factbook_us.json").stat().st_size > len(factbook.text) > 40_000


def test_one_domain_file_gathers_all_of_them(tmp_path: Path) -> None:
    folder = shared_data("sources/rfc9110.xml").parent
    file = tmp_path / "own" / "domains" / "all.yaml"
    file.parent.mkdir(parents=True)
    (tmp_path / "own" / "bank.yaml").write_text("title: Own\nformat: short_answer\n")
    file.write_text(f"""
title: All
topics: [{{name: Statutes}}, {{name: Standards}}]
sources:
  - {{path: {folder}, anywhere: true, tier: 2}}
  - {{path: {folder}/wy_*.jsonl, anywhere: true, topic: Statutes, date: 2024}}
  - {{path: {folder}/rfc9110.xml, anywhere: true, topic: Standards, tier: 1}}
""")
    banks = load_banks([tmp_path])
    assert banks.problems == ()
    gathered = gather(*banks.domains["own.all"], SOURCES_TABLE.empty(), datetime(2026, 6, 30, tzinfo=UTC))

    assert SOURCES_TABLE.violations(gathered) == []
    assert gathered.select("name", "status", "kind", "tier", "topics", "published").rows() == [
        (str(folder / name), "read", *rest)
        for name, *rest in (
            ("factbook_us.json", "json", 2, None, None),
            ("nist_sp800_63b_sec5_authenticators.md", "markdown", 2, None, None),
            ("rfc9110.xml", "xml", 1, ["Standards"], date(2022, 6, 1)),
            ("wy_professions_occupations_sections.jsonl", "json_lines", 2, ["Statutes"], date(2024, 1, 1)),
        )
    ]
    assert gathered["characters"].to_list() == [len(real(Path(name).name).text) for name in gathered["name"]]
