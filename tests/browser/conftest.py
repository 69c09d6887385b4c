"""One browser and one report for the folder. The browser ends with it: others have an event loop of their own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from assets.reports.pages import Report, write_report
from tests.browser.chromium import started
from tests.browser.planted import planted, registered
from tests.reports.banks import NOW, installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    with started() as chromium:
        yield chromium


@pytest.fixture(scope="package")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of the planted bank."""
    root = tmp_path_factory.mktemp("report")
    return write_report(installed(root, planted(), models=registered()), NOW)
