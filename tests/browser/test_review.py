"""The review page in a browser: a person decides, corrects and saves, and the command takes the file into the bank."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from assets.reviews.page import write_review_page
from orchestration.cli import main
from tests.browser.chromium import Opened, opened
from tests.browser.planted import ATTACK, SCRIPT_LINK
from tests.reviews.harbours import EXCERPT, KEY, NOW, Harbours, built, item_line, large

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUESTION = "Above which length must a vessel take a pilot in the invented harbour, in metres?"
PHONE = {"width": 390, "height": 844}

Open = Callable[..., Opened]


@pytest.fixture
def harbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Harbours:
    made = built(tmp_path, *(item_line(number) for number in range(1, 4)))
    monkeypatch.setenv("FACTSWEEP_HOME", str(made.installation.home.root))
    monkeypatch.setenv("FACTSWEEP_BANKS", str(tmp_path / "banks"))
    monkeypatch.setenv("FACTSWEEP_MODELS", str(tmp_path / "models.yaml"))
    return made


def written(harbours: Harbours) -> Path:
    return write_review_page(harbours.installation, harbours.bank, harbours.domain, NOW)


@pytest.fixture
def page(browser: "Browser", harbours: Harbours) -> Iterator[Opened]:
    with opened(browser, written(harbours)) as found:
        yield found
        assert (found.complaints, found.requests) == ([], [])


def open_item(page: Opened, words: str) -> Any:
    """Opens the item whose question holds `words`; returns its part of the page."""
    item = page.page.locator("#entries details", has_text=words)
    if item.get_attribute("open") is None:
        item.locator("summary").click()
    item.locator(".choices").wait_for()
    return item


def decide(page: Opened, words: str, decision: str) -> None:
    open_item(page, words).get_by_role("button", name=decision).click()


def progress(page: Opened) -> str:
    return page.page.locator("#progress").inner_text()


def listed(page: Opened) -> list[str]:
    return page.page.locator("#entries summary .asked").all_inner_texts()


def save(page: Opened, folder: Path) -> Path:
    """Saves the decisions as Ann."""
    page.page.get_by_label("Reviewer").fill("Ann")
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name="Save decisions").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_an_item_shows_its_evidence(page: Opened) -> None:
    item = open_item(page, QUESTION)

    assert item.locator("mark").inner_text() == EXCERPT
    assert "They hold for all berths on the north quay. Pilotage" in item.locator("blockquote").inner_text()
    link = item.locator("a")
    assert link.get_attribute("href").startswith("https://harbour.example/rules/pilots#:~:text=Pilotage%20is")
    assert link.get_attribute("rel") == "noreferrer noopener"
    shown = item.inner_text()
    assert "2025-04, as the document declares (dc.date)" in shown and "Harbour › Pilots" in shown
    assert [row.split("\n")[0] for row in item.locator(".history li").all_inner_texts()] == [
        "draft pass writer, $0.001200",
        "ambiguity rewritten checker, $0.001200",
        "entailment pass checker, price unknown",
    ]
    assert item.locator("del").all_inner_texts() == ["length?"]
    assert "must a vessel take a pilot" in "".join(item.locator("ins").all_inner_texts())


def test_decisions_are_saved_and_taken_into_the_bank(page: Opened, harbours: Harbours, tmp_path: Path) -> None:
    decide(page, "How long is it valid?", "Accept")
    decide(page, "berth 1", "Reject")
    decide(page, "berth 2", "Dispute")
    item = open_item(page, QUESTION)
    item.get_by_role("button", name="Correct").click()
    item.get_by_label("Gold").fill("86")
    item.get_by_label("Also right").fill("86 m\n\n 86 metres ")
    item.get_by_label("Note").fill("more than, not from")
    assert progress(page) == "4 decided, 1 undecided, 4 not saved"

    file = save(page, tmp_path)

    assert file.name == "decisions-port.harbours.json"
    assert progress(page) == "4 decided, 1 undecided, all saved"
    saved = json.loads(file.read_text("utf-8"))
    corrected = next(entry for entry in saved["decisions"] if entry["decision"] == "correct")
    assert {name: corrected[name] for name in ("note", "answer", "aliases")} == {
        "note": "more than, not from",
        "answer": "86",
        "aliases": ["86 m", "86 metres"],
    }
    assert "question" not in corrected
    result = CliRunner().invoke(main, ["review", "--apply", str(file)])
    assert (result.exit_code, result.stdout.split("\n")[0]) == (
        0,
        f"{KEY}: 4 taken, 0 recorded before, 0 refused",
    )
    assert (harbours.status("berth-1"), harbours.status("berth-2")) == ("dropped", "disputed")
    assert harbours.line(corrected["item_id"])["aliases"] == ["86 m", "86 metres"]


def test_earlier_reviews_are_shown_on_the_next_page(
    browser: "Browser", page: Opened, harbours: Harbours, tmp_path: Path
) -> None:
    open_item(page, "berth 1").get_by_label("Note").fill("measured anew")
    decide(page, "berth 1", "Reject")
    CliRunner().invoke(main, ["review", "--apply", str(save(page, tmp_path))])

    with opened(browser, written(harbours)) as after:
        item = open_item(after, "berth 1")
        assert "dropped by a reviewer" in item.locator("summary").inner_text()
        assert "reject Ann" in item.inner_text() and "measured anew" in item.inner_text()
        assert progress(after) == "0 decided, 5 undecided"


def test_a_name_is_asked_for_before_saving(page: Opened) -> None:
    decide(page, "berth 1", "Accept")

    page.page.get_by_role("button", name="Save decisions").click()

    assert "Enter your name first" in page.page.get_by_role("alert").inner_text()
    assert page.ask("document.activeElement.name") == "reviewer"


def test_a_second_press_takes_a_decision_back(page: Opened) -> None:
    decide(page, "berth 1", "Accept")
    decide(page, "berth 1", "Accept")

    assert progress(page) == "0 decided, 5 undecided"
    assert page.page.get_by_role("button", name="Save decisions").is_disabled()


def test_a_correction_without_a_change_is_no_decision_yet(page: Opened) -> None:
    decide(page, "berth 1", "Correct")

    assert progress(page) == "0 decided, 5 undecided; 1 is begun only"
    assert "nothing changed yet" in open_item(page, "berth 1").locator("summary").inner_text()


def test_a_reload_loses_nothing(page: Opened) -> None:
    page.page.get_by_label("Reviewer").fill("Ann")
    decide(page, "berth 1", "Correct")
    open_item(page, "berth 1").get_by_label("Question").fill("How long is berth 1?")
    open_item(page, "berth 1").get_by_label("Note").fill("shorter")

    page.page.on("dialog", lambda dialog: dialog.accept())
    page.page.reload()

    assert page.page.get_by_label("Reviewer").input_value() == "Ann"
    assert progress(page) == "1 decided, 4 undecided, 1 not saved"
    item = open_item(page, "berth 1")
    assert item.get_by_label("Question").input_value() == "How long is berth 1?"
    assert item.get_by_label("Note").input_value() == "shorter"


def test_leaving_with_unsaved_decisions_is_asked_about(page: Opened, tmp_path: Path) -> None:
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.page.on("dialog", leave)
    decide(page, "berth 1", "Accept")
    page.page.reload()
    assert asked == ["beforeunload"]

    save(page, tmp_path)
    page.page.reload()
    assert asked == ["beforeunload"]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"topic": "Pilots"}, 2),
        ({"status": "dropped"}, 1),
        ({"dropped": "reliance"}, 1),
        ({"review": "new"}, 5),
        ({"review": "old"}, 0),
        ({"review": "undecided"}, 4),
        ({"review": "decided"}, 1),
        ({"words": "BERTH 2"}, 1),
        ({"words": "whatever they carry"}, 1),
        ({"topic": "Pilots", "words": "berth 2"}, 0),
    ],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else "",
)
def test_filters_leave_what_matches_all_of_them(page: Opened, filters: dict[str, str], count: int) -> None:
    decide(page, "berth 1", "Accept")

    for name, value in filters.items():
        control = page.page.locator(f"#filters [name={name}]")
        control.fill(value) if name == "words" else control.select_option(value)

    assert len(listed(page)) == count
    assert page.page.locator("#count").inner_text() == f"{count} item{'' if count == 1 else 's'}"


def test_keys_decide_and_go_on(page: Opened) -> None:
    for key in ("a", "r", "d", "j", "k", "a"):
        page.page.keyboard.press(key)
    page.page.keyboard.press("n")
    page.page.keyboard.type("a r d")
    page.page.keyboard.press("Escape")

    decided = page.page.locator("#entries details").evaluate_all(
        "(all) => all.map((one) => one.querySelector('.chosen')?.textContent || '')"
    )
    assert decided == ["accept", "reject", "dispute", "accept", ""]
    assert page.page.locator("#entries details[open] [name=note]").input_value() == "a r d"
    assert page.ask("document.activeElement.tagName") == "SUMMARY"


def test_the_key_for_a_correction_leads_to_its_first_field(page: Opened) -> None:
    page.page.keyboard.press("c")

    assert page.ask("document.activeElement.name") == "question"


def test_what_others_wrote_stays_text(browser: "Browser", tmp_path: Path) -> None:
    names = ("question", "answer", "fact", "reason", "title")
    texts = {name: f"{name} {ATTACK}" for name in names} | {"page": f"Before. {ATTACK} After.", "excerpt": ATTACK}
    hostile = built(tmp_path, texts=texts | {"url": SCRIPT_LINK})

    with opened(browser, written(hostile)) as page:
        item = open_item(page, "question <script>")
        item.get_by_label("Note").fill(ATTACK)
        item.get_by_role("button", name="Correct").click()
        item.get_by_label("Question").fill(f"Corrected {ATTACK}")
        file = save(page, tmp_path)

        assert item.locator("mark").inner_text() == ATTACK
        shown = item.inner_text()
        assert [name for name in names if f"{name} {ATTACK}" not in shown] == []
        assert f"{SCRIPT_LINK}" in shown and item.locator("a").count() == 0
        assert page.ask(
            "[window.hacked, document.images.length, document.querySelectorAll('#entries dd b').length]"
        ) == [
            None,
            0,
            0,
        ]
        assert (page.complaints, page.requests) == ([], [])
    assert json.loads(file.read_text("utf-8"))["decisions"][0]["note"] == ATTACK


def test_a_note_that_attacks_stays_text_on_the_next_page(
    browser: "Browser", page: Opened, harbours: Harbours, tmp_path: Path
) -> None:
    open_item(page, "berth 1").get_by_label("Note").fill(ATTACK)
    decide(page, "berth 1", "Dispute")
    CliRunner().invoke(main, ["review", "--apply", str(save(page, tmp_path))])

    with opened(browser, written(harbours)) as after:
        assert ATTACK in open_item(after, "berth 1").inner_text()
        assert after.ask("[window.hacked, document.images.length]") == [None, 0]


def test_a_large_domain_is_listed_fifty_at_a_time(browser: "Browser", tmp_path: Path) -> None:
    with opened(browser, written(large(tmp_path, 1_000))) as page:
        assert len(listed(page)) == 50
        assert page.page.locator("#count").inner_text() == "1000 items, 1 to 50 listed"

        page.page.get_by_role("button", name="Next 50").click()

        assert page.page.locator("#count").inner_text() == "1000 items, 51 to 100 listed"
        assert page.ask("document.querySelectorAll('#entries *').length") < 1_000
        assert page.complaints == []


def test_the_last_item_of_a_page_leads_to_the_next_page(browser: "Browser", tmp_path: Path) -> None:
    with opened(browser, written(large(tmp_path, 60))) as page:
        for _ in range(50):
            page.page.keyboard.press("j")

        assert page.page.locator("#count").inner_text() == "60 items, 51 to 60 listed"
        assert page.page.locator("#entries details[open] summary .asked").inner_text() == listed(page)[0]


@pytest.mark.parametrize("words", ["", QUESTION])
def test_it_fits_a_phone(browser: "Browser", harbours: Harbours, words: str) -> None:
    with opened(browser, written(harbours), viewport=PHONE) as page:
        page.page.locator(".summary summary").click()
        if words:
            decide(page, words, "Correct")

        assert page.ask("document.documentElement.scrollWidth <= innerWidth")


def test_every_control_has_a_name(page: Opened) -> None:
    decide(page, QUESTION, "Correct")

    nameless = page.ask(
        """() => [...document.querySelectorAll("button, input, select, textarea, summary")]
            .filter((one) => !(one.labels?.length ? one.labels[0].textContent : one.textContent).trim())
            .map((one) => one.outerHTML)"""
    )
    assert nameless == []


def test_on_paper_the_listed_items_stand_open(page: Opened) -> None:
    page.ask("dispatchEvent(new Event('beforeprint'))")

    assert page.page.locator("#entries details[open] dl").count() == 10
