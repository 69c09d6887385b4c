"""What is private is in no shareable file, in no form; the internal rendering holds it."""

from pathlib import Path

import polars as pl
import pytest

from assets.reports.pages import write_report
from resources.types import Method, Outcome
from tests.reports.banks import NOW, Row, Said, SmallBank, model, write_scores
from tests.reports.conftest import Pages, ReportOf
from tests.reports.reading import ReadPage
from tests.support.world import BANK, World

FIELDS = ("question", "gold", "alias", "answer", "source", "id", "option", "reason", "failure", "card")


def secret(field: str) -> str:
    """A word that stands nowhere else."""
    return f"zq{field}zq"


def private_item(bank: SmallBank, split: str = "private") -> Row:
    return bank.add(
        secret("id"),
        question=f"What of {secret('question')}?",
        answer=secret("gold"),
        aliases=[secret("alias")],
        source_url=f"https://example.org/{secret('source')}",
        card_id=secret("card"),
        options=[secret("option"), "another"],
        split=split,
    )


def answers(item: Row) -> list[Said]:
    """Answers by each road on which a text of the item might come along."""
    item_id = item["item_id"]
    told: Row = {"text": f"It is {secret('answer')}", "reason": f"says {secret('reason')}"}
    return [
        Said("right", item_id, **told),
        Said("wrong", item_id, "incorrect", **told),
        Said("judged", item_id, "partial", method=Method.JUDGE, judge="j", **told),
        Said("failed", item_id, None, outcome=Outcome.FAILED, finish_reason=f"400: {secret('failure')}"),
    ]


def mixed() -> SmallBank:
    """Six public items and a private one."""
    bank = SmallBank(notes={"failed": "1 failed"})
    bank.add_many(6)
    for who, grades in (("right", "ccccci"), ("wrong", "iiiiic"), ("failed", "cccccc")):
        bank.say(who, grades)
    bank.say("judged", "cpiacc", method=Method.JUDGE, judge="j")
    bank.answers += answers(private_item(bank))
    return bank


def wholly_private() -> SmallBank:
    """A private bank, whose one item says that it is public."""
    bank = SmallBank(spec={"title": "Ours", "format": "short_answer", "private": True, "providers": ["hosted_vllm"]})
    bank.answers += answers(private_item(bank, split="public"))
    return bank


def shared_text(pages: Pages) -> str:
    """All that leaves the house: names and contents of the shareable rendering's files."""
    folder = pages.report.shareable.index.parent
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return "\n".join([*map(str, files), *(ReadPage(file).everything() for file in files)])


@pytest.mark.parametrize("bank", [mixed, wholly_private], ids=lambda bank: bank.__name__)
def test_no_text_of_a_private_item_is_in_a_shareable_file(report_of: ReportOf, bank) -> None:
    shared = shared_text(report_of(bank()))

    assert [field for field in FIELDS if secret(field) in shared] == []


@pytest.mark.parametrize("bank", [mixed, wholly_private], ids=lambda bank: bank.__name__)
def test_the_internal_page_holds_private_items(report_of: ReportOf, bank) -> None:
    page = report_of(bank()).internal.everything()

    assert [field for field in FIELDS if secret(field) not in page] == ["card"]


def test_public_items_are_shared_whole(report_of: ReportOf) -> None:
    page = report_of(mixed()).shareable

    items = page.json("data")["items"]
    assert [item["i"] for item in items] == [f"law-{number:02}" for number in range(6)]
    assert {(item["g"], item["s"], len(item["a"])) for item in items} == {
        (f"gold of law-{number:02}", f"https://example.org/law-{number:02}", 4) for number in range(6)
    }


def test_the_numbers_of_both_renderings_are_the_same(report_of: ReportOf) -> None:
    pages = report_of(mixed())

    assert pages.shareable.rows == pages.internal.rows
    assert pages.shareable.csvs() == pages.internal.csvs()


def test_of_a_private_bank_no_item_is_counted_by_itself(report_of: ReportOf) -> None:
    page = report_of(wholly_private()).shareable

    assert page.json("data")["items"] == page.json("data")["models"] == []
    assert "0 public items of 1; 1 private item not shown." in page.seen
    assert "No item of this bank may be shown here." in page.seen


def test_the_items_of_a_bank_without_its_folder_count_as_private(report_of: ReportOf) -> None:
    """Whether the bank is private stands in a file that is gone."""
    bank = wholly_private()
    bank.spec = None

    shared = shared_text(report_of(bank))

    assert [field for field in FIELDS if secret(field) in shared] == []


def test_an_item_made_private_leaves_the_page_with_the_next_report(report_of: ReportOf) -> None:
    bank = mixed()
    bank.items[-1]["split"] = "public"
    assert secret("gold") in shared_text(report_of(bank))

    bank.items[-1]["split"] = "private"

    assert secret("gold") not in shared_text(report_of(bank))


def test_a_guess_gives_away_no_private_gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`guess` says another item's gold: here that of the one private item."""
    monkeypatch.setattr("assets.reports.pages.vega_bundle", lambda folder: "")
    world = World.make(tmp_path, monkeypatch, "http://127.0.0.1:9")
    world.models, world.baselines, world.items = [], ["guess"], world.items[:2]
    world.items[1] |= {"answer": secret("gold"), "split": "private"}
    world.write()
    world.sweep()
    installation = world.open()
    write_scores(installation)

    made = write_report(installation, NOW)

    assert world.table("responses").filter(pl.col("item_id") == "france")["text"].item() == secret("gold")
    assert secret("gold") not in ReadPage(made.shareable.pages[BANK]).everything()


def test_a_providers_message_is_not_shared(report_of: ReportOf) -> None:
    """Ten failures in a row stop a model, and the message of the last may quote its prompt or name an account."""
    bank = mixed()
    bank.notes["failed"] = f"1 failed; stopped: 400: What of {secret('question')}? is refused (account ours)"

    shared = shared_text(report_of(bank, models=[model("failed")]))

    assert secret("question") not in shared and "account ours" not in shared
