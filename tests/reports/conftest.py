"""The report written and taken apart."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from assets.reports.pages import Report, write_report
from resources.installation import Installation
from tests.reports.banks import NOW, Row, SmallBank, installed
from tests.reports.reading import ReadPage


@dataclass(frozen=True)
class Pages:
    """Both renderings of a report whose first bank is looked at."""

    installation: Installation
    report: Report
    bank: str

    @property
    def internal(self) -> ReadPage:
        return ReadPage(self.report.internal.pages[self.bank])

    @property
    def shareable(self) -> ReadPage:
        return ReadPage(self.report.shareable.pages[self.bank])


ReportOf = Callable[..., Pages]


@pytest.fixture
def report_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReportOf:
    """The report of some banks. A word stands for the chart library, which takes half a second to copy and read."""
    monkeypatch.setattr("assets.reports.pages.vega_bundle", lambda folder: "/* charts */")

    def make(*banks: SmallBank, models: list[Row] | None = None) -> Pages:
        installation = installed(tmp_path, *banks, models=models or [])
        return Pages(installation, write_report(installation, NOW), banks[0].name)

    return make
