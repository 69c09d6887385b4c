from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from orchestration.commands.import_ import import_command
from resources.types import ConfigurationError

COLUMNS = ("--bank", "own", "--domain", "law", "--question", "q", "--answer", "a")


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "mine"))
    return tmp_path / "mine"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(import_command, arguments)


def write(tmp_path: Path, content: str) -> str:
    file = tmp_path / "in.csv"
    file.write_text(content)
    return str(file)


def test_the_report_counts_rows_and_gives_reasons(tmp_path: Path, mine: Path) -> None:
    result = run(write(tmp_path, "q,a\nWho?,Ann\n,x\nWho?,Ann\n"), *COLUMNS)
    assert result.output.splitlines() == [
        "own.law: 1 taken, 1 duplicates, 1 refused",
        "  row 2: question is missing; add it",
        f"  written to {mine / 'own/items/law.jsonl'}",
    ]
    assert result.exit_code == 0


def test_nothing_new_says_so_with_status_2(tmp_path: Path) -> None:
    file = write(tmp_path, "q,a\nWho?,Ann\n")
    run(file, *COLUMNS)
    result = run(file, *COLUMNS)
    assert result.output.splitlines() == [
        "own.law: 0 taken, 1 duplicates, 0 refused",
        "  nothing new, nothing written",
    ]
    assert result.exit_code == 2


def test_a_changed_row_under_a_known_id_is_told(tmp_path: Path, mine: Path) -> None:
    run(write(tmp_path, "q,a,n\nWho?,Ann,1\n"), *COLUMNS, "--id", "n")
    result = run(write(tmp_path, "q,a,n\nWho?,Anna,1\n"), *COLUMNS, "--id", "n")
    assert "1 of the duplicates have the id of an item with another question or answer" in result.output
    assert f"edit its line in {mine / 'own/items/law.jsonl'}" in result.output


def test_options_and_answer_kind_reach_the_import(tmp_path: Path, mine: Path) -> None:
    file = write(tmp_path, "q,a,x,y\nWhich?,1,one,two\n")
    assert run(file, *COLUMNS, "--options", "x, y", "--answer-kind", "index").exit_code == 0
    assert '"answer": "B"' in (mine / "own/items/law.jsonl").read_text()


def test_the_preset_takes_a_copy(tmp_path: Path, mine: Path) -> None:
    file = write(tmp_path, "domain,topic,question_id,question,answer\nLaw,Tax,1,Which act?,The Act\n")
    result = run("aa-omniscience-public", "--bank", "aa", file)
    assert result.output.startswith("aa.law: 1 taken")
    assert (mine / "aa/items/law.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("aa-omniscience-public", "--bank", "aa", "--question", "q"), "knows its domains and columns"),
        (("a.csv", "b.csv", *COLUMNS), "import one file at a time"),
        (("a.csv", "--bank", "own"), "name --domain, --question and --answer"),
        (("a.csv", *COLUMNS, "--answer-kind", "word"), "'letter', 'index', 'text'"),
        (("a.csv", "--domain", "law"), "Missing option '--bank'"),
    ],
)
def test_wrong_use_ends_with_status_2_and_says_what_to_do(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_configuration_error_reaches_the_command_line(tmp_path: Path) -> None:
    result = run(str(tmp_path / "none.csv"), *COLUMNS)
    assert isinstance(result.exception, ConfigurationError)
