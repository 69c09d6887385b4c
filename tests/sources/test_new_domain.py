"""`factsweep new-domain`: the file that it writes is valid as it is, and with its examples."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from assets.sources.documents import SourceDocument, expand
from orchestration.cli import main
from resources.registries import Banks, Domain, load_banks

BANK = "title: Own\nformat: short_answer\n"


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mine"
    monkeypatch.setenv("FACTSWEEP_BANKS", str(folder))
    return folder


@pytest.fixture
def own(mine: Path) -> Path:
    """A bank that exists."""
    put(mine / "own/bank.yaml", BANK)
    return mine / "own"


def put(file: Path, content: str = "The fee is 12 dollars.") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)


def new_domain(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["new-domain", *arguments])


def loaded(mine: Path) -> Banks:
    banks = load_banks([mine])
    assert banks.problems == ()
    return banks


def made(mine: Path, *arguments: str) -> Domain:
    result = new_domain("own.law", *arguments)
    assert result.exit_code == 0, result.output
    return loaded(mine).domains["own.law"][1]


def documents(mine: Path, domain: Domain) -> list[SourceDocument]:
    expansion = expand(domain.spec.sources, domain.spec.hosts, mine / "own")
    assert expansion.refused == ()
    return list(expansion.documents)


def entries(domain: Domain) -> list[dict[str, Any]]:
    return [entry.model_dump(exclude_defaults=True) for entry in domain.spec.sources]


def test_the_file_is_valid_and_says_what_comes_next(own: Path, mine: Path) -> None:
    result = new_domain("own.law")
    assert result.output.splitlines() == [
        str(own / "domains/law.yaml"),
        "Fill it in, then:",
        "  factsweep build --domain own.law --dry-run",
        "  factsweep build --domain own.law",
    ]
    spec = loaded(mine).domains["own.law"][1].spec
    assert (spec.title, spec.targets, spec.items, spec.sources) == ("Law", {"Law": 20}, 20, ())
    assert (spec.hosts, spec.provisions, spec.retired) == ({}, False, False)


def test_title_and_items_are_taken(own: Path, mine: Path) -> None:
    spec = made(mine, "--title", "Law: 'fees' & #taxes, {all}", "--items", "7").spec
    assert (spec.title, spec.targets, spec.items) == (
        "Law: 'fees' & #taxes, {all}",
        {"Law: 'fees' & #taxes, {all}": 7},
        7,
    )


@pytest.mark.parametrize("with_sources", [False, True])
def test_the_examples_are_valid_too(own: Path, mine: Path, with_sources: bool) -> None:
    put(own / "documents/a.md")
    domain = made(mine, *(("--sources", str(own / "documents")) if with_sources else ()))
    domain.file.write_text(re.sub(r"(?m)^#(?! \S)", "", domain.file.read_text()))
    (bank, domain) = loaded(mine).domains["own.law"]
    assert set(yaml.safe_load(domain.file.read_text())) == set(type(domain.spec).model_fields)
    assert list(domain.spec.hosts) == ["ecfr.gov", "*.gov.uk", "archive.example.org"]
    assert (len(domain.spec.sources), domain.spec.retired) == (4 + with_sources, True)
    refused = {refusal.source for refusal in expand(domain.spec.sources, domain.spec.hosts, bank.folder).refused}
    assert "https://www.ecfr.gov/current/title-26" not in refused


def test_every_key_is_explained(own: Path, mine: Path) -> None:
    domain = made(mine)
    lines = domain.file.read_text().splitlines()
    for key in type(domain.spec).model_fields:
        [number] = [number for number, line in enumerate(lines) if re.match(rf"#?{key}:", line)]
        assert lines[number - 1].startswith("# ")


def test_a_bank_that_does_not_exist_is_made(mine: Path) -> None:
    result = new_domain("tax-law.fees")
    assert result.exit_code == 0
    file = mine / "tax-law/bank.yaml"
    assert result.output.startswith(f"{file} (a new bank: name the models that build it under roles:)\n")
    spec = loaded(mine).banks["tax-law"].spec
    assert (spec.title, spec.format, spec.roles.generator) == ("Tax law", "short_answer", ())

    file.write_text(re.sub(r"(?m)^#(?! \S)", "", file.read_text()))
    roles = loaded(mine).banks["tax-law"].spec.roles
    assert all((roles.generator, roles.verifier, roles.panel, roles.judge))


def test_documents_in_the_bank_have_relative_paths(own: Path, mine: Path) -> None:
    put(own / "documents/a.md")
    put(own / "documents/b [1].md")
    put(own / "documents/picture.png")
    domain = made(mine, "--sources", str(own / "documents"), "--title", "Fees")
    assert entries(domain) == [{"path": "documents/a.md"}, {"path": "documents/b [1].md"}]
    assert list(domain.spec.targets) == ["Fees"]
    assert len(documents(mine, domain)) == 2


def test_documents_elsewhere_are_named_as_such(
    own: Path, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "texts/a.md")
    monkeypatch.chdir(tmp_path)
    domain = made(mine, "--sources", "texts")
    assert entries(domain) == [{"path": str(tmp_path / "texts/a.md"), "anywhere": True}]
    assert len(documents(mine, domain)) == 1


def test_the_bank_s_own_files_are_no_documents(own: Path, mine: Path) -> None:
    put(own / "a.md")
    put(own / "prompts/judge.md")
    assert entries(made(mine, "--sources", str(own))) == [{"path": "a.md"}]


def test_subfolders_are_topics(own: Path, mine: Path) -> None:
    for name in ("income-tax/deep/a.md", "Customs/b.md", "income_tax/d.md", "empty/e.png", "c.md"):
        put(own / "documents" / name)
    domain = made(mine, "--sources", str(own / "documents"))
    assert list(domain.spec.targets) == ["Customs", "Income tax"]
    assert {document.name: document.topics for document in documents(mine, domain)} == {
        "documents/Customs/b.md": ("Customs",),
        "documents/c.md": (),
        "documents/income-tax/deep/a.md": ("Income tax",),
        "documents/income_tax/d.md": ("Income tax",),
    }


@pytest.mark.parametrize("elsewhere", [False, True])
def test_many_documents_are_one_entry_for_each_folder(own: Path, mine: Path, tmp_path: Path, elsewhere: bool) -> None:
    folder = tmp_path / "texts" if elsewhere else own / "documents"
    for number in range(20):
        put(folder / f"tax/{number}.md")
    put(folder / "a.md")
    domain = made(mine, "--sources", str(folder))
    path, more = (str(folder), {"anywhere": True}) if elsewhere else ("documents", {})
    assert entries(domain) == [{"path": path} | more, {"path": f"{path}/tax", "topic": "Tax"} | more]
    topics = [document.topics for document in documents(mine, domain)]
    assert (topics.count(("Tax",)), topics.count(())) == (20, 1)


def test_a_domain_that_exists_is_not_overwritten(own: Path) -> None:
    put(own / "domains/law.yaml", "titel: Law\n")  # not even one that is not valid
    result = new_domain("own.law")
    assert result.exit_code == 2
    assert f"{own / 'domains/law.yaml'} exists already; edit it, or choose another name" in result.output
    assert (own / "domains/law.yaml").read_text() == "titel: Law\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("law",), "'law' is not the name of a domain; write BANK.DOMAIN, such as omniscience.law"),
        ((".law",), "write BANK.DOMAIN"),
        (("o wn.law",), "a bank is named in letters, digits, - and _ only"),
        (("own.a|b",), "choose another name"),
        (("own.law", "--sources", "/none"), "there is no such folder; name the one that holds the documents"),
        (("own.law", "--sources", "{empty}"), "no file there can be read; add files that end in one of .docx"),
        (("own.law", "--items", "0"), "0 is not in the range"),
    ],
)
def test_wrong_use_writes_nothing(mine: Path, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "empty").mkdir()
    result = new_domain(*(argument.replace("{empty}", str(tmp_path / "empty")) for argument in arguments))
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert not mine.exists() or not list(mine.rglob("*.yaml"))


def test_a_bank_that_nothing_may_be_written_to_is_told(own: Path) -> None:
    put(own / "domains")
    result = new_domain("own.law")
    assert result.exit_code == 2
    assert f"{own / 'domains/law.yaml'} cannot be written (" in result.output
