"""The item list in a browser: it filters, opens, follows links, and keeps what others wrote as text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from assets.reports.pages import Report, write_report
from tests.browser.chromium import Opened, opened
from tests.browser.planted import ATTACK, MODELS, SCRIPT_LINK
from tests.reports.banks import NOW, SmallBank, installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def page(browser: "Browser", report: Report) -> Iterator[Opened]:
    with opened(browser, report.internal.pages["facts"]) as found:
        yield found


@pytest.fixture
def items(page: Opened) -> Opened:
    """The list with no filter set."""
    page.follow("")
    choose(page, domain="", topic="", model="", grade="", words="")
    return page


def choose(page: Opened, **fields: str) -> None:
    """Sets filters as a person does."""
    for name, value in fields.items():
        field = page.page.locator(f"#filters [name={name}]")
        field.fill(value) if name == "words" else field.select_option(value)


def counted(page: Opened) -> str:
    return page.page.locator("#count").inner_text()


def listed(page: Opened) -> list[str]:
    """The questions in the list."""
    return page.page.locator("#list summary").all_inner_texts()


def answers(page: Opened) -> list[list[str]]:
    """The rows of the open item's table."""
    return page.ask(
        "[...document.querySelectorAll('#list details[open] tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.textContent))"
    )


def open_first(page: Opened) -> None:
    page.page.locator("#list summary").first.click()
    page.page.wait_for_selector("#list details[open] table")


def test_all_items_are_counted_and_the_first_forty_listed(items: Opened) -> None:
    assert counted(items) == "60 items, 40 of them listed"
    assert len(listed(items)) == 40


def test_more_are_listed_on_demand(items: Opened) -> None:
    items.page.locator("#more").click()

    assert (counted(items), len(listed(items))) == ("60 items", 60)
    assert not items.page.locator("#more").is_visible()


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"domain": "facts.law"}, "20 items"),
        ({"topic": "Tax"}, "10 items"),
        ({"domain": "facts.law", "topic": "Tax"}, "10 items"),
        ({"model": "weak", "grade": "correct"}, "6 items"),
        ({"model": "weak", "grade": "none"}, "9 items"),
        ({"model": "careful", "grade": "truncated"}, "3 items"),
        ({"model": "strong", "grade": "correct", "domain": "facts.law"}, "17 items"),
        ({"grade": "partial"}, "3 items"),
        ({"words": "asked in HEALTH-07"}, "1 item"),
        ({"words": "gold code 19"}, "1 item"),
        ({"words": "stands nowhere"}, "0 items"),
        ({"domain": "facts.code", "words": "law-"}, "0 items"),
    ],
    ids=lambda value: " ".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_filters_together_leave_what_matches_all_of_them(items: Opened, fields: dict[str, str], count: str) -> None:
    choose(items, **fields)

    assert counted(items) == count
    assert len(listed(items)) == int(count.split()[0])


def test_a_domain_offers_its_own_topics(items: Opened) -> None:
    choose(items, domain="facts.health")

    options = items.page.locator("#filters [name=topic] option").all_inner_texts()
    assert options == ["all", "Anatomy", "Drugs"]


def test_another_domain_gives_up_a_topic_that_it_does_not_have(items: Opened) -> None:
    choose(items, topic="Tax")
    choose(items, domain="facts.health")

    assert counted(items) == "20 items"


def test_an_item_opens_with_its_gold_its_source_and_every_answer(items: Opened) -> None:
    choose(items, words="law-02")
    open_first(items)

    shown = items.page.locator("#list details[open] > div").inner_text()
    assert "law-02, Law / Tort" in shown and "Gold: gold law 2" in shown
    link = items.page.locator("#list details[open] a")
    assert link.get_attribute("href") == "https://example.org/law-02"
    assert link.get_attribute("rel") == "noreferrer noopener"
    assert sorted(answers(items)) == [
        ["abstain", "not attempted", "I don't know.", "abstains"],
        ["bold", "correct", "bold says so.", "why bold"],
        ["careful", "correct", "careful says so.", "why careful"],
        ["guess", "incorrect", "Something else.", "asserts another"],
        ["middle", "correct", "middle says so.", "why middle"],
        ["second", "correct", "second says so.", "why second"],
        ["strong", "correct", "strong says so.", "why strong"],
        ["weak", "incorrect", "weak says so.", "why weak"],
    ]


def test_an_answer_without_a_grade_says_why(items: Opened) -> None:
    choose(items, words="law-19")
    open_first(items)

    rows = {row[0]: row[1:] for row in answers(items)}
    assert rows["careful"] == ["failed", "", "stop"]
    assert rows["weak"] == ["not graded", "weak says so.", "why weak"]


def test_of_one_model_only_its_answer_is_shown(items: Opened) -> None:
    choose(items, model="middle", words="law-02")
    open_first(items)

    assert answers(items) == [["middle", "correct", "middle says so.", "why middle"]]


def test_an_answer_that_is_a_script_stays_text(items: Opened) -> None:
    choose(items, words="Attacked")
    open_first(items)

    rows = {row[0]: row[1:] for row in answers(items)}
    assert rows["strong"] == ["correct", ATTACK, f"reason {ATTACK}"]
    assert items.page.locator("#list details[open] summary").inner_text() == f"Attacked: {ATTACK}?"
    shown = items.page.locator("#list details[open] > div").inner_text()
    assert f"Gold: gold {ATTACK} (also alias {ATTACK})" in shown
    assert items.ask("[window.hacked, document.images.length, document.querySelectorAll('.said b').length]") == [
        None,
        0,
        0,
    ]


def test_a_source_that_is_a_script_is_no_link(items: Opened) -> None:
    choose(items, words="Attacked")
    open_first(items)

    assert f"Source: {SCRIPT_LINK}" in items.page.locator("#list details[open] > div").inner_text()
    assert items.page.locator("#list details[open] a").count() == 0


def test_a_cell_of_the_heat_map_leads_to_the_models_items_there(items: Opened) -> None:
    items.page.locator(".heat tbody tr", has_text="middle").locator("a").first.click()

    values = items.ask("['domain', 'model'].map((name) => document.querySelector(`#filters [name=${name}]`).value)")
    assert values == ["facts.health", "middle"]
    assert counted(items) == "20 items"
    assert items.ask("document.getElementById('filters').getBoundingClientRect().top < innerHeight")


def test_a_listed_question_leads_to_its_item_and_opens_it(items: Opened) -> None:
    link = items.page.locator("#b0-questions ~ .scroll a").first
    question = link.inner_text()
    link.click()
    items.page.wait_for_selector("#list details[open] table")

    assert listed(items) == [question]
    assert {row[0] for row in answers(items)} == {*MODELS, "abstain", "guess"}


def test_a_link_that_is_followed_again_leads_there_again(items: Opened) -> None:
    cell = items.page.locator(".heat tbody tr", has_text="middle").locator("a").first
    cell.click()
    choose(items, domain="")

    cell.click()

    assert counted(items) == "20 items"


def test_the_page_opens_at_the_items_that_its_address_names(browser: "Browser", report: Report) -> None:
    with opened(browser, report.internal.pages["facts"], "#items?domain=facts.law&topic=Tax&model=weak") as page:
        assert counted(page) == "10 items"
        assert page.ask("scrollY > 0")


def test_nothing_was_complained_of_or_asked_for(page: Opened) -> None:
    assert (page.complaints, page.requests) == ([], [])


def test_the_shareable_list_has_the_public_items(browser: "Browser", report: Report) -> None:
    with opened(browser, report.shareable.pages["facts"]) as page:
        choose(page, domain="facts.law")

        assert counted(page) == "18 items"
        assert "What is asked in law-05?" not in listed(page)
        assert page.complaints == []


def test_a_link_of_a_shareable_page_to_a_models_items_keeps_to_the_model(browser: "Browser", report: Report) -> None:
    with opened(browser, report.shareable.pages["facts"]) as page:
        links: list[str] = page.ask("[...document.querySelectorAll('.heat a[href]')].map((link) => link.hash)")
        strayed = []
        for link in links:
            page.follow(link)
            if f"model={page.page.locator('#filters [name=model]').input_value()}" not in link.split("&"):
                strayed.append(link)

        assert len(links) >= 18
        assert strayed == []


def lost_links(page: Opened) -> list[str]:
    """Links to items of a domain or topic that show none, or others."""
    links: list[str] = page.ask(
        "[...new Set([...document.querySelectorAll(\"a[href^='#items?']\")].map((a) => a.hash))]"
    )
    lost = []
    for link in links:
        page.follow(link)
        domains: list[str] = page.ask(
            "[...document.querySelectorAll('#list summary')].map((one) => one.textContent.match(/in (\\w+)-/)[1])"
        )
        if not domains or any(f"facts.{domain}" not in link for domain in domains):
            lost.append(link)
    return lost


def one_domain_private() -> SmallBank:
    bank = SmallBank(domains={"law": "Law", "tax": "Tax"})
    bank.add_many(6)
    bank.add_many(6, "tax", split="private")
    bank.say("a", "ccccciiiiiic")
    return bank


def wholly_private() -> SmallBank:
    bank = SmallBank(spec={"title": "Ours", "format": "short_answer", "private": True})
    bank.add_many(6)
    bank.say("a", "ccccci")
    return bank


@pytest.mark.parametrize(
    "bank",
    [
        one_domain_private,
        wholly_private,
    ],
    ids=["one domain private", "all private"],
)
def test_no_link_of_a_shareable_page_promises_items_that_it_does_not_have(
    browser: "Browser", tmp_path_factory: pytest.TempPathFactory, bank: Any
) -> None:
    made = write_report(installed(tmp_path_factory.mktemp("report"), bank()), NOW)

    with opened(browser, made.shareable.pages["facts"]) as page:
        assert lost_links(page) == []
