"""What a bank, a model or a judge wrote stays text: it makes no element, no script and no attribute."""

from pathlib import Path
from typing import Any

import pytest

from assets.reports.pages import write_report
from resources.types import Method
from tests.reports.banks import NOW, SmallBank, facts_of, installed, model
from tests.reports.conftest import ReportOf
from tests.reports.reading import ReadPage, table_by

LINE, TURNED = "\u2028", "\u202e"
HOSTILE = (
    f"</script><script>alert(1)</script><!-- <b x=\"1\" y='2'>{{{{ 7*7 }}}} {{% raw %}} & &lt; {LINE}{TURNED}\x01\x07"
)
# Ids are printable, and a model's id holds no bar.
HOSTILE_ID = "</script><script>alert(1)</script><!-- <b x=\"1\" y='2'>{{ 7*7 }} & &lt; #?%+"
PLAIN = "plain"


def bank_of(text: str, id: str) -> SmallBank:
    """A bank whose every text is `text` with the name of its place before it."""
    bank = SmallBank(
        spec={"title": f"title {text}", "format": "short_answer", "note": f"bank note {text}"},
        domains={"law": f"domain {text}"},
        notes={f"model {id}": f"note {text}"},
    )
    for topic in range(2):
        for number in range(3):
            bank.add(
                f"item {topic}{number} {id}",
                topic=f"topic {topic} {text}",
                question=f"question {text}",
                answer=f"gold {text}",
                aliases=[f"alias {text}"],
                options=[f"option {text}", "another"],
                source_url=f"javascript:{text}",
            )
    words: dict[str, Any] = {"text": f"answer {text}", "reason": f"reason {text}"}
    bank.say(f"model {id}", "ccciit", **words)
    bank.say("other", "cicici", method=Method.JUDGE, judge=f"judge {id}", **words)
    return bank


def models_of(text: str, id: str) -> list[dict[str, Any]]:
    return [model(f"model {id}", model=f"hosted_vllm/{text}", developer=f"developer {text}", params={f"p{text}": text})]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> ReadPage:
    """The page of a bank of hostile texts, with the chart library."""
    root = tmp_path_factory.mktemp("hostile")
    installation = installed(root, bank_of(HOSTILE, HOSTILE_ID), models=models_of(HOSTILE, HOSTILE_ID))
    return ReadPage(write_report(installation, NOW).internal.pages["facts"])


def test_hostile_texts_make_no_element_and_no_attribute(hostile: ReadPage, report_of: ReportOf) -> None:
    harmless = report_of(bank_of(PLAIN, PLAIN), models=models_of(PLAIN, PLAIN)).internal

    assert [(tag, list(attributes)) for tag, attributes in hostile.elements] == [
        (tag, list(attributes)) for tag, attributes in harmless.elements
    ]


def test_a_page_has_its_own_scripts_and_style_only(hostile: ReadPage) -> None:
    scripts = [attributes for tag, attributes in hostile.elements if tag == "script"]

    assert scripts == [{"type": "application/json", "id": "charts"}, {"type": "application/json", "id": "data"}, {}, {}]
    assert hostile.tags.count("style") == 1
    assert "<!--" not in hostile.raw and "<b x" not in hostile.raw


def test_hostile_texts_are_shown_as_they_are(hostile: ReadPage) -> None:
    places = ("title ", "bank note ", "note ", "domain ", "topic 0 ", "question ", "hosted_vllm/", "developer ")

    assert [place for place in places if " ".join(f"{place}{HOSTILE}".split()) not in hostile.seen] == []
    assert "49" not in hostile.seen


def test_hostile_ids_of_models_and_judges_are_shown_as_they_are(hostile: ReadPage) -> None:
    boards = [table_by(table, "Model") for table in hostile.tables if table[0][0] == "Rank"]

    assert [list(board) for board in boards] == [["other"], [f"model {HOSTILE_ID}"]]
    assert f"graded by judge (judge {HOSTILE_ID})" in hostile.seen


def test_the_embedded_items_are_what_was_recorded(hostile: ReadPage) -> None:
    data = hostile.json("data")

    assert data["domains"] == [["facts.law", f"domain {HOSTILE}"]]
    item = data["items"][0]
    assert [item[name] for name in "qgxos"] == [
        f"question {HOSTILE}",
        f"gold {HOSTILE}",
        [f"alias {HOSTILE}"],
        [f"option {HOSTILE}", "another"],
        f"javascript:{HOSTILE}",
    ]
    assert {answer[2] for answer in item["a"]} == {f"answer {HOSTILE}"}
    assert f"reason {HOSTILE}" in data["reasons"]


def test_the_csvs_have_the_models_ids(hostile: ReadPage) -> None:
    csvs = {name: {row["model"] for row in rows} for name, rows in hostile.csvs().items()}

    assert csvs["b0-index.csv"] == csvs["b0-domains.csv"] == {"other"}
    assert csvs["b1-index.csv"] == csvs["b1-domains.csv"] == csvs["b1-withheld.csv"] == {f"model {HOSTILE_ID}"}


def test_every_link_stays_on_the_page(hostile: ReadPage) -> None:
    """A source is a link only in the item list, which the page's script builds."""
    assert [link for link in hostile.links() if not link.startswith(("#", "data:text/csv;"))] == []


def test_the_index_escapes_too(report_of: ReportOf) -> None:
    index = ReadPage(report_of(bank_of(HOSTILE, HOSTILE_ID)).report.internal.index)

    assert index.tags.count("script") == 0
    assert [tag for tag in index.tags if tag in ("b", "img")] == []
    assert " ".join(f"title {HOSTILE}".split()) in index.seen


def test_the_chart_library_ends_no_script_before_its_end(hostile: ReadPage) -> None:
    assert hostile.raw.count("</script") == 4
    assert "vegaEmbed" in hostile.raw and "vegaEmbed" not in hostile.seen


def test_the_facts_hold_what_the_pages_escape(tmp_path: Path) -> None:
    """The texts above do reach the report: nothing on the way strips them."""
    facts = facts_of(tmp_path, bank_of(HOSTILE, HOSTILE_ID))

    assert facts.items["question"].to_list() == [f"question {HOSTILE}"] * 6
