"""Without a browser these tests are skipped, but not where one is required."""

import pytest

from tests.browser.chromium import find_chromium


@pytest.fixture(autouse=True)
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("FACTSWEEP_PROGRAMS", raising=False)


def test_without_chromium_a_test_is_skipped_with_the_reason() -> None:
    with pytest.raises(pytest.skip.Exception, match="no Chromium is installed"):
        find_chromium()


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("FACTSWEEP_PROGRAMS", "required")])
def test_where_a_browser_is_required_its_absence_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(pytest.fail.Exception, match="required here: no Chromium"):
        find_chromium()
