from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from assets.sources.documents import Expansion, SourceDocument, expand
from resources.registries.hosts import Hosts
from resources.registries.partial_dates import PartialDate
from resources.registries.problems import RegistryFault, validate
from resources.registries.source_specs import SourceSpec


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    for name in (
        *("bank.yaml", "domains/law.yaml", "items/law.jsonl", "prompts/answer.md"),
        *("documents/a.pdf", "documents/b.PDF", "documents/notes.md", "documents/picture.png"),
        *("documents/more/c.pdf", "documents/.hidden.pdf", "documents/~$d.docx", "documents/.git/e.md"),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    return folder


def expanded(folder: Path, sources: str | Sequence[dict[str, Any]], hosts: dict[str, Any] | None = None) -> Expansion:
    entries = yaml.safe_load(sources) if isinstance(sources, str) else sources
    rules = TypeAdapter(Hosts).validate_python(hosts or {})
    return expand([SourceSpec.model_validate(entry) for entry in entries], rules, folder)


def names(expansion: Expansion) -> list[str]:
    assert expansion.refused == ()
    return [document.name for document in expansion.documents]


def refusal(folder: Path, **entry: Any) -> str:
    expansion = expanded(folder, [entry])
    assert expansion.documents == ()
    return "\n".join(map(str, expansion.refused))


def test_urls_with_a_rule_are_taken_and_others_refused(tmp_path: Path) -> None:
    expansion = expanded(
        tmp_path,
        "[{url: 'https://www.ecfr.gov/26#p', topic: Tax}, {url: 'https://a.example/', tier: 2, date: 2024-05},"
        " {url: 'https://evil.example/'}]",
        {"ecfr.gov": 1, "a.example": {"tier": 3, "date": 2019}},
    )
    assert expansion.documents == (
        SourceDocument("https://www.ecfr.gov/26", None, 1, ("Tax",)),
        SourceDocument("https://a.example/", None, 2, (), PartialDate(2024, 5)),
    )
    assert [document.url for document in expansion.documents] == ["https://www.ecfr.gov/26", "https://a.example/"]
    assert [refused.source for refused in expansion.refused] == ["https://evil.example/"]


def test_a_file_of_the_bank_needs_no_rule(bank: Path) -> None:
    [document] = expanded(bank, "[{path: documents/a.pdf, tier: 2, topic: Tax, date: 2024-05-01}]").documents
    file = (bank / "documents/a.pdf").resolve()
    assert document == SourceDocument("documents/a.pdf", file, 2, ("Tax",), PartialDate(2024, 5, 1))
    assert document.url is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("documents/*.pdf", ["documents/a.pdf"]),
        ("documents/**/*.pdf", ["documents/a.pdf", "documents/more/c.pdf"]),
        ("documents/[ab].*", ["documents/a.pdf", "documents/b.PDF"]),
        ("documents", ["documents/a.pdf", "documents/b.PDF", "documents/more/c.pdf", "documents/notes.md"]),
        ("documents/more/", ["documents/more/c.pdf"]),
        ("./documents/a.pdf", ["documents/a.pdf"]),
        ("documents/picture.png", ["documents/picture.png"]),
        (".", ["documents/a.pdf", "documents/b.PDF", "documents/more/c.pdf", "documents/notes.md"]),
        ("**", ["documents/a.pdf", "documents/b.PDF", "documents/more/c.pdf", "documents/notes.md"]),
    ],
)
def test_files_folders_and_patterns(bank: Path, path: str, expected: list[str]) -> None:
    if path == "**":
        path = "**/*"
    assert names(expanded(bank, [{"path": path}])) == expected


def test_a_name_with_brackets_is_a_name_where_there_is_such_a_file(bank: Path) -> None:
    (bank / "documents" / "[1].md").write_text("x")
    assert names(expanded(bank, [{"path": "documents/[1].md"}])) == ["documents/[1].md"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("documents/none.pdf", "no such file in"),
        ("documents/*.docx", "no file there can be read; add files that end in one of .docx"),
        ("../other", "leaves the bank's folder"),
        ("documents/../../other", "leaves the bank's folder"),
        ("/etc/hosts", "leaves the bank's folder"),
        ("~/x.pdf", "leaves the bank's folder"),
        ("items/law.jsonl", "is part of the bank itself"),
        ("bank.yaml", "is part of the bank itself"),
        ("prompts", "no file there can be read"),
        ("documents/**.pdf", "is no pattern"),
    ],
)
def test_what_is_not_taken_is_told(bank: Path, path: str, reason: str) -> None:
    told = refusal(bank, path=path)
    assert told.startswith(f"{path}: ")
    assert reason in told


def test_no_link_leads_out_of_the_bank(bank: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("x")
    (bank / "documents" / "link.md").symlink_to(outside / "secret.md")
    (bank / "documents" / "folder").symlink_to(outside)
    (bank / "documents" / "nowhere.md").symlink_to(outside / "none.md")
    (bank / "documents" / "round.md").symlink_to(bank / "documents" / "round.md")
    for path in ("documents", "documents/*", "documents/**/*"):
        expansion = expanded(bank, [{"path": path}])
        assert not any("secret" in document.name for document in expansion.documents)
        assert {refused.source: refused.reason.partition(";")[0] for refused in expansion.refused} == {
            "documents/link.md": "is a link out of the bank's folder",
            "documents/nowhere.md": "is a link that leads nowhere",
            "documents/round.md": "is a link that leads nowhere",
        }
    assert "is a link out of the bank's folder" in refusal(bank, path="documents/folder/secret.md")


def test_a_link_inside_the_bank_is_the_file_it_leads_to(bank: Path) -> None:
    (bank / "documents" / "link.md").symlink_to("notes.md")
    assert names(expanded(bank, [{"path": "documents/*.md"}])) == ["documents/link.md"]


def test_anywhere_takes_files_from_elsewhere(bank: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    for path in ("../outside.md", str(outside), f"{tmp_path}/out*.md"):
        [document] = expanded(bank, [{"path": path, "anywhere": True}]).documents
        assert document.file == outside.resolve()


def test_a_document_that_is_named_twice_is_one(bank: Path) -> None:
    expansion = expanded(
        bank,
        """
        - {path: documents/*.pdf, tier: 3, topic: Fees, date: 2019}
        - {path: documents/a.pdf, tier: 2, topic: Tax}
        - {url: "https://a.example/x#one", topic: Tax}
        - {url: "https://a.example/x#two", topic: Fees, tier: 3, date: 2020}
        """,
        {"a.example": 1},
    )
    assert [(each.name, each.tier, each.topics, each.stated) for each in expansion.documents] == [
        ("documents/a.pdf", 2, ("Tax", "Fees"), PartialDate(2019)),
        ("https://a.example/x", 3, ("Tax", "Fees"), PartialDate(2020)),
    ]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"tier": 1}, "names no document; add a url or a path"),
        ({"url": "https://a.example/", "path": "a.pdf"}, "names a url and a path; make two sources of it"),
        ({"url": "https://a.example/", "anywhere": True}, "anywhere is for paths; remove it"),
        ({"path": "a.pdf", "tier": 4}, "tier: tier 4 is none; write 1, 2 or 3, 1 being the most authoritative"),
        ({"path": "a.pdf", "tier": True}, "tier: tier True is none"),
        ({"path": "a.pdf", "date": "soon"}, "date: 'soon' is no date since 1900; write 2024, 2024-05 or 2024-05-01"),
        ({"path": "a.pdf", "date": 1850}, "date: 1850 is no date since 1900"),
        ({"path": "a.pdf", "pages": 3}, "pages: is not a known key; remove it or mend its spelling"),
    ],
)
def test_an_entry_that_is_wrong_is_told_with_its_key(entry: dict[str, Any], reason: str) -> None:
    with pytest.raises(RegistryFault) as raised:
        validate(SourceSpec, entry, Path("law.yaml"), "sources.0")
    assert f"law.yaml: sources.0{'.' if ': ' in reason.split(';')[0] else ': '}{reason}" in str(raised.value)
