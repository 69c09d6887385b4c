"""A bank's page: what its leaderboard and its model sections say, for banks of every kind."""

import re
from pathlib import Path

import pytest

from assets.reports.facts import Rendering
from assets.reports.pages import make_page
from tests.reports.banks import SmallBank, board_of, facts_of, model
from tests.reports.conftest import ReportOf
from tests.reports.kinds import KINDS, choices, few_sources, nothing_graded, two_graders, two_models
from tests.reports.reading import ReadPage, table_by

UNSAID = re.compile(r"\b(nan|None|inf|Infinity|null|undefined|True|False)\b|NaN")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_page_shows_what_only_a_program_says(report_of: ReportOf, kind) -> None:
    pages = report_of(kind(), models=[model("a"), model("b")])

    for page in (pages.internal, pages.shareable):
        assert UNSAID.findall(page.seen) == []
        assert page.json("charts") is not None and page.json("data") is not None
    for index in (pages.report.internal.index, pages.report.shareable.index):
        assert UNSAID.findall(ReadPage(index).seen) == []


def test_the_leaderboard_shows_ranks_intervals_coverage_and_cost(report_of: ReportOf) -> None:
    row = report_of(two_models(), models=[model("a"), model("b")]).internal.rows["a"]

    assert row["Rank"] == "1"
    assert re.fullmatch(r"75\.0 −?\d+\.\d to \d+\.\d", row["Index"])
    assert re.fullmatch(r"83\.3 % [\d.]+ to [\d.]+", row["Accuracy"])
    assert row["Hallucination rate"].startswith("50.0 %")
    assert (row["Attempt rate"], row["Coverage"], row["Cost"]) == ("91.7 %", "100 %", "$0.0120")


def test_models_that_cannot_be_told_apart_share_a_range_of_ranks(report_of: ReportOf) -> None:
    bank = SmallBank()
    bank.add_many(10)
    bank.say("a", "cccccccici")
    bank.say("b", "ccccccicic")
    bank.say("c", "i" * 10)

    rows = report_of(bank).internal.rows

    assert [(name, row["Rank"]) for name, row in rows.items()] == [("a", "1–2"), ("b", "1–2"), ("c", "3")]


def test_without_five_sources_the_index_says_why_it_has_no_interval(report_of: ReportOf) -> None:
    assert report_of(few_sources()).internal.rows["a"]["Index"] == "50.0 too few sources"


def test_an_incomplete_model_is_marked_and_the_page_opens_with_the_reason(report_of: ReportOf) -> None:
    bank = SmallBank(notes={"a": "2 truncated; 1 filtered"})
    bank.add_many(9)
    bank.say("a", "ccccccttf")

    page = report_of(bank).internal

    assert page.rows["a"]["Coverage"] == "66.6 % incomplete"
    assert "a is incomplete: 66.6 % of what is due is graded (2 truncated; 1 filtered)." in page.seen


def test_an_unknown_cost_is_a_word(report_of: ReportOf) -> None:
    assert report_of(few_sources()).internal.rows["b"]["Cost"] == "unknown"


def test_what_is_not_graded_has_no_rank_and_no_numbers(report_of: ReportOf) -> None:
    row = report_of(nothing_graded()).internal.rows["a"]

    assert (row["Rank"], row["Index"], row["Accuracy"], row["Coverage"]) == ("–", "none", "none", "0.0 % incomplete")


def test_where_all_is_correct_there_is_no_hallucination_rate(report_of: ReportOf) -> None:
    bank = SmallBank()
    bank.add_many(8)
    bank.say("a", "c" * 8)

    page = report_of(bank).internal

    assert page.rows["a"]["Hallucination rate"] == "none all correct"
    assert "Of what it does not get right" not in page.seen


def test_each_grader_has_a_leaderboard_of_its_own(report_of: ReportOf) -> None:
    page = report_of(two_graders()).internal

    boards = [table for table in page.tables if table[0][0] == "Rank"]
    assert [list(table_by(board, "Model")) for board in boards] == [["b"], ["a"]]
    assert "Leaderboard, graded by judge (j)" in page.seen and "Leaderboard, graded by match" in page.seen


def test_the_page_says_how_coarse_match_is_and_only_where_it_graded(report_of: ReportOf) -> None:
    assert "too coarse for small differences" in report_of(two_models()).internal.seen
    assert "too coarse for small differences" not in report_of(choices()).internal.seen


def test_a_model_that_models_yaml_no_longer_names_keeps_its_row(report_of: ReportOf) -> None:
    page = report_of(two_models(), models=[model("a")]).internal

    assert set(page.rows) == {"a", "b"}
    assert "No longer in models.yaml; its answers stay." in page.seen


def test_a_bank_whose_folder_is_gone_still_has_its_page(report_of: ReportOf) -> None:
    bank = two_models()
    bank.spec = None

    assert report_of(bank).internal.rows["b"]["Index"].startswith("−100.0")


@pytest.mark.parametrize(
    ("grades", "lead"),
    [
        ({"a": "c" * 12, "b": "i" * 12}, "a comes first with an index of 100.0, told apart from all other models."),
        ({"a": "ci" * 6, "b": "ci" * 5 + "ii"}, "on these items b cannot be told apart from it."),
        ({"a": "c" * 12}, "a has an index of 100.0."),
        ({"a": "i" * 12}, "A model that answered nothing would score higher: 0."),
        ({"abstain": "a" * 12}, "No model has a graded answer yet."),
    ],
)
def test_the_lead_says_who_is_first_and_whether_others_may_be(
    tmp_path: Path, grades: dict[str, str], lead: str
) -> None:
    bank = SmallBank()
    bank.add_many(12)
    for who, letters in grades.items():
        bank.say(who, letters)

    assert lead in board_of(tmp_path, bank).lead


def test_the_lead_tells_the_first_apart_from_all_only_where_its_rank_is_one(tmp_path: Path) -> None:
    """`first` answered eight items of a hundred, on which `third` was as good; `second` is better than `third`."""
    bank = SmallBank()
    items = bank.add_many(100)
    bank.say("first", "c" * 8, items[:8])
    bank.say("second", "i" * 8 + "c" * 92)
    bank.say("third", "c" * 8 + "i" * 92)

    board = board_of(tmp_path, bank)

    assert board.rows[0].rank == "1–2"
    assert "told apart from all" not in board.lead


@pytest.mark.parametrize(
    ("penalty", "formula"), [(1.0, "100 (c − i) / N"), (0.5, "100 (c − 0.5 i) / N"), (2.0, "100 (c − 2 i) / N")]
)
def test_the_formula_has_the_banks_penalty(report_of: ReportOf, penalty: float, formula: str) -> None:
    bank = SmallBank(spec={"title": "Facts", "format": "short_answer", "penalty": penalty})
    bank.add_many(6)
    bank.say("a", "ccccii")

    assert formula in report_of(bank).internal.seen


def test_the_range_of_the_index_has_the_banks_penalty(report_of: ReportOf) -> None:
    bank = SmallBank(spec={"title": "Facts", "format": "short_answer", "penalty": 0.5})
    bank.add_many(6)
    bank.say("a", "ccccii")

    assert "from −100 to 100" not in report_of(bank).internal.seen


def test_a_model_section_says_what_it_is_and_how_it_did(tmp_path: Path) -> None:
    stated = {"developer": "Ours", "released": "2026-01-05", "context": 32_768, "open_weights": False}
    entry = model("a", **stated, params={"reasoning_effort": "high"})

    section = board_of(tmp_path, two_models(), [entry]).models[0]

    assert section.facts == (
        "hosted_vllm/m; Ours; released 2026-01-05; context of 32,768 tokens; closed weights; "
        "asked with reasoning_effort high."
    )
    assert section.text.startswith("Index 75.0 (") and "rank 1 of 2" in section.text
    assert re.findall(r"[\d.]+ %", section.text) == ["91.7 %", "83.3 %", "50.0 %"]
    assert section.mix_text == "Answers: 10 correct, 1 incorrect, 1 not attempted."


def test_an_incomplete_models_rates_are_said_of_its_graded_answers(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add_many(10)
    bank.say("a", "cccccxxxxx")

    text = board_of(tmp_path, bank).models[0].text

    assert "Of 5 graded answers 100.0 %" in text and "It is incomplete: 50.0 %" in text


def test_parameters_read_as_in_models_yaml(tmp_path: Path) -> None:
    entry = model("a", params={"logprobs": True, "stop": None})

    assert "asked with logprobs true, stop null" in board_of(tmp_path, two_models(), [entry]).models[0].facts


def test_strong_and_weak_topics_stand_in_the_order_of_their_index(tmp_path: Path) -> None:
    bank = SmallBank()
    for topic in range(8):
        for number in range(2):
            bank.add(f"{topic}-{number}", topic=f"topic {topic}")
    bank.say("a", "".join("cc" if topic < 4 else "ci" if topic < 6 else "ii" for topic in range(8)))

    section = board_of(tmp_path, bank).models[0]

    assert [row.topic for row in section.topics] == [f"topic {number}" for number in (0, 1, 2, 5, 6, 7)]
    assert section.topics_note.startswith("Its strongest and weakest topics of 8, by index.")
    assert section.topics_note.endswith("Few answers a topic: an indication, no finding.")


def test_the_shareable_page_says_how_many_items_it_leaves_out(tmp_path: Path) -> None:
    bank = two_models()
    bank.items[0]["split"] = "private"

    page = make_page(facts_of(tmp_path, bank), Rendering.SHAREABLE)

    assert page.items_note == "11 public items of 12; 1 private item not shown."


def test_the_index_lists_each_bank_with_its_first_model(report_of: ReportOf) -> None:
    other = choices()
    other.name = "exam"
    for item in other.items:
        item |= {"bank": "exam", "domain": "exam.law"}

    index = ReadPage(report_of(two_models(), other).report.internal.index)

    rows = table_by(index.tables[0], "Bank")
    assert (rows["Facts"]["First by index"], rows["Facts"]["Items"], rows["Facts"]["Models"]) == ("a", "12", "2")
    assert rows["Exam"]["Graded by"] == "choice"
    assert index.links() == ["banks/exam.html", "banks/facts.html"]
