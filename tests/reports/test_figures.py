"""The charts: what their titles claim is so, their data are the scores, and too little data is said."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assets.reports.boards import Board
from tests.reports.banks import SmallBank, board_in, board_of, facts_of
from tests.reports.conftest import ReportOf
from tests.reports.reading import csv_rows

INDEX, QUADRANTS, MIX, COST = range(4)
Made = Callable[..., Board]


@pytest.fixture
def board(tmp_path: Path) -> Made:
    """The board of models by their grades, a letter an item; `cost` by model is per answer."""

    def make(cost: dict[str, float | None] | None = None, **grades: str) -> Board:
        bank = SmallBank()
        bank.add_many(len(next(iter(grades.values()))))
        for who, letters in grades.items():
            bank.say(who, letters, cost=(cost or {}).get(who, 0.001))
        return board_of(tmp_path, bank)

    return make


def rich() -> SmallBank:
    """Five models of which one is incomplete, one has no price, and one misses nothing; two domains."""
    bank = SmallBank(domains={"law": "Law", "tax": "Tax"})
    bank.add_many(6)
    bank.add_many(6, "tax")
    for who, grades in (("a", "cccciacccpii"), ("b", "cciiiacciiii"), ("full", "c" * 12), ("cut", "cctfxaccuccc")):
        bank.say(who, grades)
    bank.say("free", "ciaciaciacia", cost=None)
    bank.say("abstain", "a" * 12, cost=0.0)
    return bank


@dataclass(frozen=True)
class Drawn:
    """The rich bank's board, and the scores that it is made of."""

    board: Board
    overall: list[dict[str, Any]]
    by_domain: list[dict[str, Any]]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    facts = facts_of(tmp_path_factory.mktemp("rich"), rich())
    board = board_in(facts)
    by_domain = facts.scores.filter(pl.col("level") == "domain")
    return Drawn(board, list(facts.leaderboard.iter_rows(named=True)), list(by_domain.iter_rows(named=True)))


def number(text: str) -> float | None:
    return float(text) if text else None


def test_every_chart_has_a_title_how_to_read_it_words_for_who_cannot_see_it_and_data(report_of: ReportOf) -> None:
    page = report_of(rich()).internal

    charts = [attributes for tag, attributes in page.elements if "data-chart" in attributes]
    assert [chart["data-chart"] for chart in charts] == [
        f"b0-{name}" for name in ("index", "quadrants", "mix", "cost", "withheld")
    ]
    assert set(page.json("charts")) == {chart["data-chart"] for chart in charts}
    assert set(page.csvs()) == {f"{chart['data-chart']}.csv" for chart in charts} | {"b0-domains.csv"}
    assert page.tags.count("figcaption") == page.tags.count("figure") == len(charts) + 1
    for chart in charts:
        assert chart["role"] == "img"
        title, values = str(chart["aria-label"]).split(". ", 1)
        assert f" {title} " in page.seen and " " in values


def test_the_index_chart_holds_the_leaderboards_indices_and_intervals(drawn: Drawn) -> None:
    rows = csv_rows(drawn.board.figures[INDEX].csv)

    found = [[row["model"], *(number(row[name]) for name in ("index", "low", "high", "coverage"))] for row in rows]
    names = ("model", "index", "index_low", "index_high", "coverage")
    assert found == [[row[name] for name in names] for row in drawn.overall]


def test_the_quadrants_hold_accuracy_and_hallucination_rate_in_per_cent(drawn: Drawn) -> None:
    """Without those that have no such rate."""
    rows = csv_rows(drawn.board.figures[QUADRANTS].csv)

    assert [(row["model"], float(row["accuracy"]), float(row["hallucination_rate"])) for row in rows] == [
        (row["model"], 100 * row["accuracy"], 100 * row["hallucination_rate"])
        for row in drawn.overall
        if row["hallucination_rate"] is not None
    ]


def test_the_mix_holds_each_models_counts_and_their_shares(drawn: Drawn) -> None:
    rows = csv_rows(drawn.board.figures[MIX].csv)

    counts = {(row["model"], row["grade"]): int(row["answers"]) for row in rows}
    for row in drawn.overall:
        others = row["truncated"] + row["filtered"] + row["failed"] + row["ungraded"]
        assert counts[row["model"], "not graded"] == others
        assert counts[row["model"], "correct"] == row["correct"]
        assert counts[row["model"], "partial"] == row["partial"]
        assert counts[row["model"], "incorrect"] == row["incorrect"]
        assert counts[row["model"], "not attempted"] == row["not_attempted"]
        assert sum(float(one["share"]) for one in rows if one["model"] == row["model"]) == pytest.approx(100)


def test_the_cost_chart_holds_models_with_a_known_price_and_names_the_others(drawn: Drawn) -> None:
    figure = drawn.board.figures[COST]

    assert [(row["model"], float(row["cost_usd"]), float(row["index"])) for row in csv_rows(figure.csv)] == [
        (row["model"], row["cost_usd"], row["index"])
        for row in drawn.overall
        if row["model"] not in ("free", "abstain")
    ]
    assert "Not shown, since nobody states a price: free." in figure.reading


def test_what_was_withheld_is_shown_with_the_index_at_worst_and_at_best(drawn: Drawn) -> None:
    figure = drawn.board.withheld

    [row] = csv_rows(figure.csv)
    [score] = [row for row in drawn.overall if row["model"] == "cut"]
    assert (row["model"], row["truncated"], row["filtered"]) == ("cut", "1", "1")
    assert (float(row["index_worst"]), float(row["index_best"])) == (score["index_worst"], score["index_best"])
    assert figure.title == "cut had 2 answers cut off or filtered"


def test_the_heat_map_holds_the_scores_by_domain(drawn: Drawn) -> None:
    heat = drawn.board.heat

    names = ("index", "index_low", "index_high", "accuracy", "coverage", "items")
    found = {(row["model"], row["domain"]): [number(row[name]) for name in names] for row in csv_rows(heat.csv)}
    assert found == {(row["model"], row["key"]): [row[name] for name in names] for row in drawn.by_domain}
    assert heat.domains == ["Law", "Tax"]


def test_a_heat_cell_leads_to_its_items(drawn: Drawn) -> None:
    line = drawn.board.heat.lines[0]

    assert (line.model, line.cells[1].href) == ("full", "#items?domain=facts.tax&model=full")


def test_without_a_grade_each_chart_says_that_there_is_too_little(board: Made) -> None:
    made = board(a="xxxxxx")

    assert made.figures[INDEX].missing == "Too little data: no model has a graded answer."
    assert made.figures[QUADRANTS].missing == "Too little data: no model has both an accuracy and a hallucination rate."
    assert made.figures[COST].spec is None and made.figures[COST].missing
    assert made.withheld.missing == "No answer was truncated or filtered."
    assert made.heat.title == "No domain has a graded answer"


def test_a_chart_without_data_is_a_sentence_on_the_page(report_of: ReportOf) -> None:
    bank = SmallBank()
    bank.add_many(5)
    bank.say("a", "ccccc")

    page = report_of(bank).internal

    assert "Too little data: no model has both an accuracy and a hallucination rate." in page.seen
    assert "b0-quadrants" not in page.json("charts")


def test_without_a_price_the_cost_chart_names_those_it_lacks(board: Made) -> None:
    assert board(cost={"a": None}, a="cccci").figures[COST].missing.endswith("Nobody states a price for a.")
