"""A long report is written by a process of its own, and is the same report."""

import os
from pathlib import Path

import pytest

from assets.reports import writing
from assets.reports.pages import write_report
from assets.reports.writing import write_report_sparingly
from tests.reports.banks import NOW, SmallBank, installed


def test_a_long_report_is_written_by_another_process_and_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = SmallBank()
    bank.add_many(6)
    bank.say("a", "ccccci")
    installation = installed(tmp_path, bank)
    monkeypatch.setenv("FACTSWEEP_HOME", str(installation.home.root))
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "banks"))
    monkeypatch.setenv("FACTSWEEP_MODELS", str(tmp_path / "models.yaml"))
    here = write_report(installation, NOW)
    [page] = here.internal.pages.values()
    before = page.read_bytes()
    page.unlink()
    writers: list[int] = []
    monkeypatch.setattr(writing, "write_report", lambda *_: writers.append(os.getpid()))
    monkeypatch.setattr(writing, "_MANY_ANSWERS", 0)

    apart = write_report_sparingly(installation, NOW)

    assert writers == []
    assert apart == here
    assert page.read_bytes() == before
