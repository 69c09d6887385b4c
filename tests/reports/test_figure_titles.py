"""What the charts' titles claim, in cases where it is plain what is so: all right, none right, ties."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assets.reports.figure import Figure
from assets.reports.figures import index_figure, mix_figure
from assets.reports.scatters import cost_figure, quadrant_figure
from tests.reports.banks import SmallBank, board_of, facts_of

Grades = dict[str, str]
Maker = Callable[[str, Sequence[Mapping[str, Any]]], Figure]


def figure_of(root: Path, make: Maker, bank: SmallBank) -> Figure:
    return make("b0", list(facts_of(root, bank).leaderboard.iter_rows(named=True)))


def title_of(root: Path, make: Maker, grades: Grades, cost: dict[str, float | None] | None = None) -> str:
    """The title of a chart of models by their grades, a letter an item; `cost` by model is per answer."""
    bank = SmallBank()
    bank.add_many(10)
    for who, letters in grades.items():
        bank.say(who, letters, cost=(cost or {}).get(who, 0.001))
    return figure_of(root, make, bank).title


@pytest.mark.parametrize(
    ("grades", "title"),
    [
        ({"a": "c" * 10, "b": "c" * 10}, "(2 of 2 models|Every model)"),
        ({"a": "i" * 10, "b": "c" * 5 + "i" * 5}, "No model"),
        ({"a": "c" * 10, "b": "i" * 10, "c": "a" * 10}, "1 (of 3 models|model of 3)"),
        ({"a": "c" * 10, "b": "c" * 10, "c": "a" * 10}, "2 (of 3 models|models of 3)"),
        ({"a": "c" * 10, "guess": "i" * 10}, "(1 of 1 model|Every model)"),
        ({"abstain": "a" * 10, "guess": "i" * 10}, "No model"),
    ],
)
def test_how_many_models_are_right_more_often_than_wrong(tmp_path: Path, grades: Grades, title: str) -> None:
    assert re.fullmatch(f"{title} .*right more often than wrong", title_of(tmp_path, index_figure, grades))


def test_what_may_be_chance_is_not_said_to_be_shown(tmp_path: Path) -> None:
    assert title_of(tmp_path, index_figure, {"a": "c" * 6 + "i" * 4}).startswith("No model is shown")


def lenient() -> SmallBank:
    """Where a wrong answer costs a tenth of a right one; twenty are right and forty wrong."""
    bank = SmallBank(spec={"title": "Facts", "format": "short_answer", "penalty": 0.1})
    bank.add_many(60)
    bank.say("a", "cii" * 20)
    return bank


def test_a_lower_penalty_makes_no_model_right_more_often(tmp_path: Path) -> None:
    figure = figure_of(tmp_path, index_figure, lenient())

    assert "right more often" not in figure.title + figure.reading + figure.alt


def test_nor_does_it_in_the_heat_map(tmp_path: Path) -> None:
    assert "right more often" not in board_of(tmp_path, lenient()).heat.reading


@pytest.mark.parametrize(
    ("grades", "best"),
    [
        ({"a": "c" * 9 + "a", "b": "i" * 10}, ["a"]),
        ({"a": "c" * 9 + "a", "b": "c" * 8 + "aa"}, ["a", "b"]),
        ({"a": "c" * 9 + "i", "b": "c" + "a" * 9}, []),
        ({"a": "i" * 10, "abstain": "a" * 10}, []),
        # From four models on much and little are the medians.
        ({"a": "ccccaaaaaa", "b": "cccaaaaaai", "c": "ciiiiaaaaa", "d": "iiiiiiiiaa"}, ["a", "b"]),
    ],
)
def test_who_knows_much_and_invents_little(tmp_path: Path, grades: Grades, best: list[str]) -> None:
    title = title_of(tmp_path, quadrant_figure, grades)

    assert [who for who in "abcd" if re.search(rf"\b{who}\b", title)] == best
    assert title.startswith("No model") == (not best)


def test_equal_models_that_know_much_are_not_said_to_know_little(tmp_path: Path) -> None:
    title = title_of(tmp_path, quadrant_figure, {who: "c" * 9 + "a" for who in "abcd"})

    assert title == "No model both knows more than the median model and invents less"


def test_a_model_that_is_always_right_is_not_passed_over(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add_many(10)
    for who, grades in {"full": "c" * 10, "b": "i" * 10, "c": "c" + "i" * 9}.items():
        bank.say(who, grades)

    figure = figure_of(tmp_path, quadrant_figure, bank)

    assert "full" in figure.title + figure.reading


@pytest.mark.parametrize(
    ("grades", "title"),
    [
        ({"a": "c" * 7 + "iii", "b": "c" * 6 + "iiii"}, "b is wrong most often, in 40 %"),
        ({"a": "c" * 7 + "iii", "guess": "i" * 10}, "a is wrong in 30 %"),
        ({"a": "c" * 10, "b": "a" * 10}, "No model gave a wrong answer"),
    ],
)
def test_who_is_wrong_most_often(tmp_path: Path, grades: Grades, title: str) -> None:
    assert title_of(tmp_path, mix_figure, grades).startswith(title)


def test_of_models_wrong_equally_often_none_is_wrong_most_often(tmp_path: Path) -> None:
    assert not title_of(tmp_path, mix_figure, {"a": "ci" * 5, "b": "ic" * 5}).startswith("a is wrong most often")


def test_a_model_that_is_wrong_is_not_wrong_in_0_per_cent(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add_many(250)
    bank.say("a", "c" * 249 + "i")
    bank.say("b", "c" * 250)

    assert "in 0 %" not in figure_of(tmp_path, mix_figure, bank).title


def test_where_nothing_is_graded_nobody_is_said_to_have_made_no_mistake(tmp_path: Path) -> None:
    assert title_of(tmp_path, mix_figure, {"a": "x" * 10}) != "No model gave a wrong answer"


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        ({"good": 0.001, "poor": 0.01}, "good has the best index, at $0.0100"),
        ({"good": 0.1, "poor": 0.01}, "good has the best index, at $1.00"),
        ({"good": 0.01, "poor": 0.0}, "good has the best index, at $0.1000"),
    ],
)
def test_what_the_best_index_costs(tmp_path: Path, cost: dict[str, float | None], said: str) -> None:
    assert title_of(tmp_path, cost_figure, {"good": "c" * 10, "poor": "i" * 10}, cost) == said


def test_a_cheaper_model_that_may_be_as_good_is_named(tmp_path: Path) -> None:
    title = title_of(
        tmp_path, cost_figure, {"good": "c" * 10, "near": "c" * 9 + "a", "poor": "i" * 10}, {"good": 0.1, "poor": 0.0}
    )

    assert title.startswith("good has the best index, at $1.00") and "near" in title and "poor" not in title


def test_a_model_is_not_called_best_where_a_better_one_has_no_price(tmp_path: Path) -> None:
    title = title_of(tmp_path, cost_figure, {"good": "c" * 10, "poor": "i" * 9 + "a"}, {"good": None})

    assert not title.startswith("poor has the best index")


def test_models_without_a_grade_have_cost_something(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add_many(5)
    bank.say("a", "ttttt", cost=0.5)

    assert "no model here has cost anything" not in figure_of(tmp_path, cost_figure, bank).missing


def two_domains(grades: Grades) -> SmallBank:
    """Five items of law, then five of tax."""
    bank = SmallBank(domains={"law": "Law", "tax": "Tax"})
    bank.add_many(5)
    bank.add_many(5, "tax")
    for who, letters in grades.items():
        bank.say(who, letters)
    return bank


@pytest.mark.parametrize(
    ("grades", "title"),
    [
        ({"a": "cccccccccc", "b": "ccccciiiii"}, "Tax is where the models differ most"),
        ({"a": "ccccciiiii"}, "a does best in Law, worst in Tax"),
        ({"a": "cccciiiiic", "guess": "iiiiiccccc"}, "a does best in Law, worst in Tax"),
        ({"a": "ccccicccci"}, "a does equally well in all domains"),
        ({"a": "ccccc-----"}, "One domain"),
    ],
)
def test_where_models_differ(tmp_path: Path, grades: Grades, title: str) -> None:
    assert board_of(tmp_path, two_domains(grades)).heat.title == title


def test_equal_models_differ_nowhere(tmp_path: Path) -> None:
    heat = board_of(tmp_path, two_domains({"a": "cciiiccccc", "b": "cciiiccccc"})).heat

    assert "differ most" not in heat.title


def test_a_domain_is_led_by_the_highest_index_with_those_close_to_it(tmp_path: Path) -> None:
    bank = SmallBank(domains={"law": "Law", "tax": "Tax"})
    bank.add_many(20)
    bank.add_many(20, "tax")
    bank.say("a", "c" * 20 + "c" * 18 + "ii")
    bank.say("b", "i" * 20 + "c" * 17 + "iii")
    bank.say("c", "c" * 20 + "i" * 20)

    leaders = board_of(tmp_path, bank).leaders

    assert [(row.domain, row.items, row.model, row.others) for row in leaders] == [
        ("Law", 20, "a", "c"),
        ("Tax", 20, "a", "b"),
    ]
