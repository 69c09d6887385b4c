"""The section that sets the public part of a bank against the whole."""

from pathlib import Path

import pytest

from tests.reports.banks import SmallBank, board_of
from tests.reports.conftest import ReportOf
from tests.reports.reading import ReadPage, table_by

TITLE = "Public part against the whole"


def split_bank(public: int = 6, private: int = 6) -> SmallBank:
    """Public items first."""
    bank = SmallBank()
    bank.add_many(public)
    for number in range(private):
        bank.add(f"hidden-{number}", split="private")
    return bank


def three_models() -> SmallBank:
    """On the public part `b` is before `a`, on all items after it."""
    bank = split_bank()
    bank.say("a", "cccciicccccc")
    bank.say("b", "ccccciciiiii")
    bank.say("c", "iiiiiiiiiiii")
    bank.say("abstain", "a" * 12, cost=0.0)
    return bank


def rows_of(page: ReadPage) -> dict[str, dict[str, str]]:
    [table] = [table for table in page.tables if "Index on public items" in table[0]]
    return table_by(table, "Model")


def test_each_model_stands_with_both_indices_and_ranks(report_of: ReportOf) -> None:
    rows = rows_of(report_of(three_models()).internal)

    assert list(rows) == ["a", "abstain", "b", "c"]
    assert {name: (row["Difference"], row["Rank on public items"], row["Rank on all items"])
            for name, row in rows.items()} == {
        "a": ("−33.3", "2", "1"),
        "abstain": ("0.0", "3", "2"),
        "b": ("66.7", "1", "2"),
        "c": ("0.0", "4", "4"),
    }  # fmt: skip
    assert rows["a"]["Index on public items"].startswith("33.3 −70.3 to 91.6")
    assert rows["a"]["Index on all items"].startswith("66.7 ")


def test_the_text_counts_items_orders_and_intervals(tmp_path: Path) -> None:
    """Ranks 2, 1, 3 against 1, 2, 3: 1 − 6 · 2 / (3 · 8)."""
    part = board_of(tmp_path, three_models()).public

    assert part is not None
    assert part.text == (
        "6 of 12 items are public. Spearman's rank correlation of the two orders of 3 models is 0.50. "
        "The interval on public items covers the index on all items for 3 of 3 models, baselines left out."
    )


def test_two_models_have_no_correlation(tmp_path: Path) -> None:
    bank = split_bank()
    bank.say("a", "cccciicccccc")
    bank.say("b", "ccccciciiiii")

    part = board_of(tmp_path, bank).public

    assert part is not None and "Spearman" not in part.text


def test_both_renderings_have_the_section_and_its_data(report_of: ReportOf) -> None:
    pages = report_of(three_models())

    for page in (pages.internal, pages.shareable):
        assert TITLE in page.seen
        assert "#b0-public" in page.links()
        [first, *_] = page.csvs()["b0-public.csv"]
        assert (first["model"], first["items_public"], first["items_all"]) == ("a", "6", "12")
        assert float(first["index_difference"]) == pytest.approx(-100 / 3)


def test_the_shareable_section_names_no_private_item(report_of: ReportOf) -> None:
    assert "hidden-" not in report_of(three_models()).shareable.everything()


def test_a_model_with_too_few_public_items_says_so(report_of: ReportOf) -> None:
    bank = split_bank()
    bank.say("a", "cccciicccccc")
    bank.say("few", "cc----cccccc")

    row = rows_of(report_of(bank).internal)["few"]

    assert row["Index on public items"] == "– too few public or private items"
    assert row["Index on all items"].startswith("100.0 ")
    assert (row["Difference"], row["Rank on public items"], row["Rank on all items"]) == ("–", "–", "–")


def test_public_items_of_few_sources_have_no_interval(report_of: ReportOf) -> None:
    bank = split_bank()
    for item in bank.items[:6]:
        item["source_url"] = "https://example.org/one"
    bank.say("a", "cccciicccccc")

    page = report_of(bank).internal

    assert rows_of(page)["a"]["Index on public items"] == "33.3 too few public sources"
    assert "The interval on public items covers" not in page.seen


@pytest.mark.parametrize(("public", "private"), [(6, 0), (0, 6), (4, 6)])
def test_there_is_no_section_where_nothing_can_be_compared(report_of: ReportOf, public: int, private: int) -> None:
    bank = split_bank(public, private)
    bank.say("a", "c" * (public + private))

    page = report_of(bank).internal

    assert TITLE not in page.seen
    assert "#b0-public" not in page.links()


def test_a_models_name_is_text(report_of: ReportOf) -> None:
    bank = split_bank()
    bank.say("<b>a</b>", "cccciicccccc")

    assert "<b>a</b>" in rows_of(report_of(bank).internal)
