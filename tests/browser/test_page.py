"""A bank's page in a browser, wide and narrow: it is quiet, asks nothing of the network, fits, and can be read."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assets.reports.pages import Report
from tests.browser.chromium import Opened, opened
from tests.browser.planted import MODELS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
CHARTS = ["b0-index", "b0-quadrants", "b0-mix", "b0-cost", "b0-withheld"]


@pytest.fixture(scope="module", params=SIZES)
def page(request: pytest.FixtureRequest, browser: "Browser", report: Report) -> Iterator[Opened]:
    with opened(browser, report.internal.pages["facts"], viewport=SIZES[request.param]) as found:
        yield found


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme(request: pytest.FixtureRequest, browser: "Browser", report: Report) -> Iterator[Opened]:
    with opened(browser, report.internal.pages["facts"], color_scheme=request.param) as found:
        yield found


def test_nothing_is_complained_of(page: Opened) -> None:
    assert page.complaints == []


def test_nothing_but_the_file_is_asked_for(page: Opened, tmp_path: Path) -> None:
    page.page.screenshot(path=tmp_path / "page.png", full_page=True)

    assert page.requests == []


def test_the_page_is_as_wide_as_its_window(page: Opened) -> None:
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")


def test_every_chart_is_drawn_within_its_place(page: Opened) -> None:
    drawn: dict[str, list[float]] = page.ask(
        """() => Object.fromEntries([...document.querySelectorAll("[data-chart]")].map((place) => {
            const svg = place.querySelector("svg").getBoundingClientRect();
            return [place.dataset.chart, [svg.width, svg.height, place.getBoundingClientRect().width - svg.width]];
        }))"""
    )

    assert list(drawn) == CHARTS
    assert [name for name, (width, height, room) in drawn.items() if width < 300 or height < 60 or room < 0] == []


def test_the_index_chart_names_every_model(page: Opened) -> None:
    texts = page.ask("[...document.querySelectorAll('#b0-index svg text')].map((text) => text.textContent)")

    assert {*MODELS, "abstain", "guess"} <= set(texts)


def test_no_text_of_a_chart_is_cut_off(page: Opened) -> None:
    cut = page.ask(
        """() => [...document.querySelectorAll("[data-chart] svg")].flatMap((svg) => {
            const box = svg.getBoundingClientRect();
            return [...svg.querySelectorAll("text")].filter((text) => {
                const one = text.getBoundingClientRect();
                return one.width && (one.left < box.left - 1 || one.right > box.right + 1);
            }).map((text) => text.textContent);
        })"""
    )

    assert cut == []


def test_a_chart_has_a_name_and_its_picture_is_skipped(page: Opened) -> None:
    named: list[list[str]] = page.ask(
        """() => [...document.querySelectorAll("[data-chart]")].map((place) => [
            place.getAttribute("role"), place.getAttribute("aria-label"),
            place.closest("figure").querySelector("h3").textContent, place.querySelector("svg").ariaHidden,
        ])"""
    )

    assert len(named) == len(CHARTS)
    for role, name, title, hidden in named:
        assert role in ("img", "graphics-document") and name.startswith(f"{title}. ") and hidden == "true"
    assert page.ask("[...document.images].filter((image) => !image.alt).length") == 0


def test_every_table_has_heads_with_their_scope(page: Opened) -> None:
    """Those of the item list too, which stand in the page once an item is open."""
    page.ask("document.querySelector('#list details').open = true")
    page.page.wait_for_selector("#list details table")

    found: list[list[Any]] = page.ask(
        """() => [...document.querySelectorAll("main table")].map((table) => [
            table.querySelectorAll("thead th[scope=col]").length === table.rows[0].cells.length,
            [...table.querySelectorAll("th")].every((cell) => cell.scope),
        ])"""
    )

    assert len(found) > 8
    assert [one for one in found if one != [True, True]] == []


def test_controls_and_links_have_names(page: Opened) -> None:
    nameless = page.ask(
        """() => [...document.querySelectorAll("a, button, summary, select, input")].filter((one) => {
            const label = one.labels && one.labels.length ? one.labels[0].textContent : one.textContent;
            return !label.trim();
        }).map((one) => one.outerHTML.slice(0, 80))"""
    )

    assert nameless == []


def test_headings_follow_one_another(page: Opened) -> None:
    levels = page.ask("[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((one) => Number(one.tagName[1]))")

    assert levels.count(1) == 1 and levels[0] == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
    assert page.ask("document.documentElement.lang") == "en"
    assert page.ask("document.title") == "Planted facts: factsweep report"


def test_no_id_stands_twice(page: Opened) -> None:
    ids = page.ask("[...document.querySelectorAll('[id]')].map((one) => one.id)")

    assert sorted(ids) == sorted(set(ids))


def test_every_link_within_the_page_leads_somewhere(page: Opened) -> None:
    lost = page.ask(
        """() => [...document.querySelectorAll("a[href^='#']")].map((link) => link.getAttribute("href"))
            .filter((href) => !href.startsWith("#items?") && !document.getElementById(href.slice(1)))"""
    )

    assert lost == []


def test_every_link_to_items_shows_some_and_goes_there(page: Opened) -> None:
    """Nothing is listed, or the first of it is not to be seen: link and place."""
    links, lost = page.ask(
        """async () => {
            const links = [...new Set([...document.querySelectorAll("a[href^='#items?']")].map((one) => one.hash))];
            const lost = [];
            for (const link of links) {
                scrollTo(0, 0);
                location.hash = link;
                await new Promise((done) => addEventListener("hashchange", done, { once: true }));
                const first = document.querySelector("#list details")?.getBoundingClientRect().top;
                if (!(first > 0 && first < innerHeight)) lost.push([link, first]);
            }
            return [links, lost];
        }"""
    )

    assert len(links) > 40
    assert lost == []


def colours(page: Opened) -> set[str]:
    """All colours that the charts are painted in."""
    return set(
        page.ask(
            """() => [...document.querySelectorAll("[data-chart] svg *")]
                .flatMap((one) => [one.getAttribute("fill"), one.getAttribute("stroke")]).filter(Boolean)"""
        )
    )


def test_a_change_to_dark_draws_the_charts_in_other_colours(browser: "Browser", report: Report) -> None:
    with opened(browser, report.internal.pages["facts"], color_scheme="light") as page:
        light = colours(page)
        accent = page.ask("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
        page.page.emulate_media(color_scheme="dark")
        page.page.wait_for_function(
            "(accent) => !document.querySelector(`[data-chart] svg [fill='${accent}']`)", arg=accent
        )
        page.charts_drawn()

        assert accent in light and "#7db7ea" in colours(page)
        assert page.complaints == []


def test_on_paper_charts_stay_and_what_needs_a_screen_goes(browser: "Browser", report: Report, tmp_path: Path) -> None:
    with opened(browser, report.internal.pages["facts"], color_scheme="dark") as page:
        printed = page.page.pdf(path=tmp_path / "page.pdf", format="A4")
        page.page.emulate_media(media="print")
        page.page.wait_for_function("document.querySelector(\"[data-chart] svg [fill='#000'], svg [stroke='#000']\")")
        page.charts_drawn()

        hidden = page.ask(
            "['nav', '#items', '.csv'].map((name) => getComputedStyle(document.querySelector(name)).display)"
        )
        assert printed.startswith(b"%PDF-") and len(printed) > 20_000
        assert hidden == ["none", "none", "none"]
        assert page.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.ask("[...document.querySelectorAll('[data-chart] svg')].every((one) => one.clientHeight > 50)")


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *((text, "--paper") for text in ("--ink", "--soft", "--accent", "--warn")),
        *((text, "--sheet") for text in ("--ink", "--soft", "--accent", "--correct", "--incorrect")),
        ("--warn", "--warn-sheet"),
    ],
)
def test_text_stands_out_from_its_ground(scheme: Opened, text: str, ground: str) -> None:
    """The ratio of WCAG 2.2, success criterion 1.4.3."""
    tokens = scheme.ask(
        "(names) => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())",
        [text, ground],
    )

    assert contrast(*(channels(token) for token in tokens)) >= 4.5


def test_what_stands_in_the_heat_map_stands_out_from_its_cell(scheme: Opened) -> None:
    paper = channels(scheme.ask("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"))
    painted: list[str] = scheme.ask(
        """() => [...new Set([...document.querySelectorAll(".heat td *")].map((text) =>
            getComputedStyle(text).color + ";" + getComputedStyle(text.closest("td")).backgroundColor))]"""
    )

    weak = []
    for pair in painted:
        text, cell = ([float(part) for part in re.findall(r"[\d.]+", colour)] for colour in pair.split(";"))
        opacity = cell[3] if len(cell) > 3 else 1.0
        ground = [(1 - opacity) * under + opacity * part for under, part in zip(paper, cell[:3], strict=True)]
        if contrast(text[:3], ground) < 4.5:
            weak.append((pair, round(contrast(text[:3], ground), 1)))
    assert len(painted) > 5
    assert weak == []


def channels(token: str) -> list[float]:
    """Red, green and blue of #rgb or #rrggbb, 0 to 255."""
    digits = token.lstrip("#")
    wide = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(wide[place : place + 2], 16) for place in (0, 2, 4)]


def contrast(one: list[float], other: list[float]) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: list[float]) -> float:
    linear = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
