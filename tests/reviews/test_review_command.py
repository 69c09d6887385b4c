"""`factsweep review`: its output and exit statuses; `factsweep show` of a built item."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from orchestration.cli import main
from tests.reviews.harbours import KEY, Harbours, built, decisions_file, item_line


@pytest.fixture
def harbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Harbours:
    made = built(tmp_path, item_line(1))
    monkeypatch.setenv("FACTSWEEP_HOME", str(made.installation.home.root))
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "banks"))
    monkeypatch.setenv("FACTSWEEP_MODELS", str(tmp_path / "models.yaml"))
    return made


def factsweep(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.mark.parametrize("named", [("--domain", KEY), ("--bank", "port", "--domain", "harbours")])
def test_the_page_is_written_and_its_path_printed(harbours: Harbours, named: tuple[str, ...]) -> None:
    result = factsweep("review", *named)

    assert result.exit_code == 0, result.output
    page = harbours.installation.home.report / "review" / "port.harbours.html"
    assert result.stdout == f"{page}\n"
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_an_unknown_domain_is_refused_with_the_known_ones(harbours: Harbours) -> None:
    result = factsweep("review", "--domain", "port.lighthouses")

    assert result.exit_code == 2
    assert "domain 'port.lighthouses' is not registered; known:" in result.output and KEY in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name --domain to write its page, or --apply FILE to take decisions"),
        (("--apply", "f.json", "--domain", KEY), "--apply stands alone: the file says which domain it is about"),
        (("--apply", "none.json"), "none.json cannot be read (No such file or directory)"),
    ],
)
def test_wrong_use_is_told(harbours: Harbours, arguments: tuple[str, ...], message: str) -> None:
    result = factsweep("review", *arguments)

    assert result.exit_code == 2
    assert message in result.output


def test_decisions_are_taken_and_counted(harbours: Harbours, tmp_path: Path) -> None:
    entry, unknown = harbours.entry("berth-1", "reject"), harbours.entry("berth-1", "accept") | {"item_id": "berth-8"}
    file = decisions_file(tmp_path, entry, unknown)

    result = factsweep("review", "--apply", file)

    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "port.harbours: 1 taken, 0 recorded before, 1 refused\n"
        "  entry 2 (berth-8): is no item of port.harbours; make the page anew, or mend the id\n"
        f"  written to {harbours.reviews_file} and {harbours.items_file}\n"
    )
    assert harbours.status("berth-1") == "dropped"


def test_nothing_to_take_is_no_failure(harbours: Harbours, tmp_path: Path) -> None:
    file = decisions_file(tmp_path, harbours.entry("berth-1", "accept"))
    factsweep("review", "--apply", file)

    assert factsweep("review", "--apply", file).exit_code == 0
    assert factsweep("review", "--apply", decisions_file(tmp_path)).exit_code == 0


def test_where_all_is_refused_the_status_is_2(harbours: Harbours, tmp_path: Path) -> None:
    file = decisions_file(tmp_path, harbours.entry("berth-1", "correct"))

    assert factsweep("review", "--apply", file).exit_code == 2


def test_a_domain_of_another_installation_is_told(harbours: Harbours, tmp_path: Path) -> None:
    result = factsweep("review", "--apply", decisions_file(tmp_path, domain="inland.harbours"))

    assert result.exit_code == 2
    assert "is about domain 'inland.harbours', which is not registered" in result.output
