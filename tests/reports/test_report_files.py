"""The report's files: written whole or not at all, none of them stale, and the command that writes them."""

import errno
import os
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assets.reports.pages import write_report
from orchestration.cli import main
from resources.warehouse import DiskFull
from tests.reports.banks import NOW, SmallBank, installed, model
from tests.reports.conftest import ReportOf
from tests.reports.reading import ReadPage

LARGEST = 9_000_000  # without the chart library, which is another megabyte


def bank_called(name: str, grades: str = "ccccci") -> SmallBank:
    bank = SmallBank(name=name, spec={"title": f"Bank {name}", "format": "short_answer"})
    bank.add_many(len(grades))
    bank.say("a", grades)
    return bank


def files_in(folder: Path) -> dict[str, bytes]:
    """Contents by path within the folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_each_bank_has_a_page_in_both_renderings_and_an_index(report_of: ReportOf) -> None:
    pages = report_of(bank_called("one"), bank_called("two"))

    folder = pages.installation.home.report
    assert set(files_in(folder)) == {
        f"{rendering}/{name}"
        for rendering in ("internal", "shareable")
        for name in ("index.html", "banks/one.html", "banks/two.html")
    }


def test_the_page_of_a_bank_without_scores_is_removed(report_of: ReportOf) -> None:
    report_of(bank_called("one"), bank_called("two"))

    pages = report_of(bank_called("two"))

    folder = pages.installation.home.report
    assert set(files_in(folder)) == {
        f"{rendering}/{name}" for rendering in ("internal", "shareable") for name in ("index.html", "banks/two.html")
    }
    assert "Bank one" not in ReadPage(pages.report.shareable.index).seen


def test_a_page_that_another_sweep_is_writing_is_left_alone(report_of: ReportOf) -> None:
    folder = report_of(bank_called("one")).installation.home.report
    unfinished = folder / "internal" / "banks" / ".half.html"
    unfinished.write_text("<html>")

    report_of(bank_called("one", "iiiiii"))

    assert unfinished.exists()


def test_a_page_that_is_open_stays_whole_while_it_is_replaced(report_of: ReportOf) -> None:
    page = report_of(bank_called("one")).report.internal.pages["one"]
    before = page.read_bytes()

    with page.open("rb") as opened:
        report_of(bank_called("one", "iiiiii"))
        assert opened.read() == before
    assert page.read_bytes() != before


def test_a_full_disk_leaves_the_former_pages(report_of: ReportOf, monkeypatch: pytest.MonkeyPatch) -> None:
    installation = report_of(bank_called("one")).installation
    before = files_in(installation.home.report)

    def full(source: object, target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)

    with pytest.raises(DiskFull, match="free some space"):
        write_report(installation, NOW)
    assert files_in(installation.home.report) == before


def test_a_report_says_when_it_was_made_and_when_was_swept(report_of: ReportOf) -> None:
    pages = report_of(bank_called("one"))

    assert "Made by factsweep 2026-06-30 04:00 UTC." in pages.internal.seen
    assert "6 items in 1 domain and 1 topic; 1 model, baselines included. Last sweep 2026-06-30 04:00 UTC." in (
        pages.internal.seen
    )
    assert "Shareable rendering." in ReadPage(pages.report.shareable.index).seen


def test_items_that_are_gone_since_they_were_scored_leave_a_page(report_of: ReportOf) -> None:
    pages = report_of(bank_called("one"))
    items = pages.installation.lake.read("items")
    pages.installation.lake.write("items", items.clear())

    made = write_report(pages.installation, NOW)

    assert ReadPage(made.internal.pages["one"]).rows["a"]["Index"].startswith("66.7")


def test_a_bank_of_many_long_answers_is_a_page_under_10_mb(report_of: ReportOf) -> None:
    """Twelve thousand answers of a thousand characters; none is left out."""
    page = report_of(long_texts(400, 30, "word " * 200)).internal

    assert len(page.raw.encode()) < LARGEST
    assert sum(len(item["a"]) for item in page.json("data")["items"]) == 12_000
    assert "Long answers are cut." in page.seen


@pytest.mark.parametrize("character", ["😀", "<"])
def test_it_is_the_bytes_of_a_page_that_count(report_of: ReportOf, character: str) -> None:
    assert len(report_of(long_texts(120, 26, character * 600)).internal.raw.encode()) < LARGEST


def test_long_questions_are_a_page_under_10_mb_too(report_of: ReportOf) -> None:
    page = report_of(long_texts(2_600, 1, "An answer.", question="word " * 800)).internal

    assert len(page.raw.encode()) < LARGEST
    assert 1_500 < len(page.json("data")["items"]) < 2_600
    assert "of the 2,600 would make the page too large to open." in page.seen


def long_texts(items: int, models: int, answer: str, **changes: str) -> SmallBank:
    bank = SmallBank(name="one")
    bank.add_many(items, **changes)
    for number in range(models):
        bank.say(f"m{number}", "c" * items, text=answer)
    return bank


@pytest.fixture
def command_home(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command works on what `installed` puts into tmp_path."""
    assert home == tmp_path / "home"
    (tmp_path / "banks").mkdir()
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "banks"))
    monkeypatch.setenv("FACTSWEEP_MODELS", str(tmp_path / "models.yaml"))
    return home


def report(*options: str) -> Result:
    return CliRunner().invoke(main, ["report", *options])


def test_the_command_writes_both_renderings_and_names_them(command_home: Path, tmp_path: Path) -> None:
    installed(tmp_path, bank_called("one"), bank_called("two"), models=[model("a")])

    result = report()

    assert result.exit_code == 0, result.output
    folder = command_home / "report"
    assert result.stdout.splitlines() == [
        f"one: {folder / 'internal' / 'banks' / 'one.html'}",
        f"two: {folder / 'internal' / 'banks' / 'two.html'}",
        f"to share: {folder / 'shareable' / 'index.html'}",
    ]
    row = ReadPage(folder / "internal" / "banks" / "one.html").rows["a"]
    assert (row["Rank"], row["Coverage"]) == ("1", "100 %")


def test_before_the_first_sweep_the_command_ends_with_2_and_says_what_to_do(command_home: Path) -> None:
    result = report()

    assert result.exit_code == 2
    assert "nothing is scored yet" in result.output and "run `factsweep sweep` first" in result.output


@pytest.mark.parametrize(
    ("names", "page"), [(("one",), "banks/one.html"), (("one", "two"), "index.html")], ids=["one bank", "two banks"]
)
def test_open_shows_the_page_of_the_only_bank_or_the_index(
    command_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], page: str
) -> None:
    shown: list[Path] = []
    monkeypatch.setattr("orchestration.reporting.open_report", lambda page: shown.append(page) or True)
    installed(tmp_path, *map(bank_called, names))

    assert report("--open").exit_code == 0
    assert shown == [command_home / "report" / "internal" / page]


def test_open_names_the_page_where_no_browser_can_be_started(
    command_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(address: str) -> bool:
        raise AssertionError(f"a browser was started for {address}")

    monkeypatch.setattr(webbrowser, "open", never)
    installed(tmp_path, bank_called("one"))

    result = report("--open")

    assert result.exit_code == 0
    assert f"open {command_home / 'report' / 'internal' / 'banks' / 'one.html'}" in result.stderr


def test_a_report_needs_no_registered_model(command_home: Path, tmp_path: Path) -> None:
    installed(tmp_path, bank_called("one"))

    assert report().exit_code == 0
    assert "No longer in models.yaml" in ReadPage(command_home / "report/internal/banks/one.html").seen


def test_the_former_report_is_gone_where_nothing_is_scored_any_more(tmp_path: Path, report_of: ReportOf) -> None:
    empty = report_of(bank_called("one")).installation
    for table in ("scores", "leaderboard"):
        empty.lake.write(table, empty.lake.read(table).clear())

    made = write_report(empty, NOW)

    assert made.internal.pages == made.shareable.pages == {}
    assert set(files_in(empty.home.report)) == {"internal/index.html", "shareable/index.html"}
    assert "No bank has scores yet." in ReadPage(made.internal.index).seen
