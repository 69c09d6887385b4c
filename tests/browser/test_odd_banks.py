"""Pages of unusual banks in a browser: with little data, and with words that a phone cannot break."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from assets.reports.pages import write_report
from tests.browser.chromium import Opened, opened
from tests.reports.banks import NOW, SmallBank, installed
from tests.reports.kinds import few_sources, nothing_graded, only_baselines, two_graders

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LONG = "word_without_a_place_to_break_it_" * 4


@pytest.mark.parametrize(
    "bank",
    [
        only_baselines,
        two_graders,
        few_sources,
        nothing_graded,
    ],
    ids=lambda bank: bank.__name__,
)
def test_little_data_is_no_reason_to_complain(
    browser: "Browser", tmp_path_factory: pytest.TempPathFactory, bank: Callable[[], SmallBank]
) -> None:
    made = write_report(installed(tmp_path_factory.mktemp("report"), bank()), NOW)

    with opened(browser, made.internal.pages["facts"]) as page:
        assert page.complaints == page.requests == []


@pytest.fixture(scope="module")
def narrow(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A phone, a page whose every text is one long word, and an open item."""
    bank = SmallBank(
        spec={"title": f"title_{LONG}", "format": "short_answer", "note": f"note_{LONG}"},
        domains={"law": f"domain_{LONG}"},
    )
    for number in range(6):
        bank.add(
            f"item_{number}_{LONG}",
            topic=f"topic_{number}_{LONG}",
            question=f"question_{LONG}",
            answer=f"gold_{LONG}",
            source_url=f"https://example.org/{LONG}",
        )
    for who in ("a", "b"):
        bank.say(f"{who}_{LONG}", "ccciia", text=f"answer_{LONG}", reason=f"reason_{LONG}")
    made = write_report(installed(tmp_path_factory.mktemp("report"), bank), NOW)
    with opened(browser, made.internal.pages["facts"], viewport={"width": 390, "height": 844}) as page:
        page.page.locator("#list summary").first.click()
        page.page.wait_for_selector("#list details[open] table")
        yield page


@pytest.mark.parametrize(
    "place",
    [
        ".facts",
        "nav",
        "#items > .reading",
        "#list summary",
        "h1",
        ".notice",
        ".lead",
        "figure",
        ".model",
        ".filters",
        "#list details > div",
    ],
)
def test_a_long_word_stays_within_the_page(narrow: Opened, place: str) -> None:
    """Only what stands in a box that scrolls by itself may be wider."""
    wide = narrow.ask(
        """(place) => [...document.querySelectorAll(`${place}, ${place} *`)].filter((one) => {
            if (one.closest(".scroll, .chart")) return false;
            const boxes = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((text) => {
                const range = document.createRange();
                range.selectNodeContents(text);
                return range;
            });
            return [one, ...boxes].some((box) => box.getBoundingClientRect().right > innerWidth + 1);
        }).map((one) => one.tagName)""",
        place,
    )

    assert wide == []
