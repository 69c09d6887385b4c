"""How an option's letter is read from what models write, and how it is graded."""

import time

import pytest

from assets.grades.choice import UNREADABLE, grade_choice, parse_choice
from resources.types import ConfigurationError, Grade

OPTIONS = ["London", "Berlin", "Paris", "Rome", "Madrid", "Vienna"]


@pytest.mark.parametrize(
    "text",
    [
        "C",
        "c",
        "(C)",
        "[C]",
        "C.",
        "C!",
        "**C**",
        "'C'",
        "Ｃ",
        "\u200fC\u202c",
        "C) Paris",
        "C. Paris",
        "C: Paris",
        "C - Paris",
        "C Paris",
        "(C) Paris is the capital of France.",
        "C. Because Paris is the capital.",
        "C, because it is the capital",
        "C\n\nParis is the capital.",
        "Option C",
        "Letter C",
        "Choice: (C)",
        "Answer: C",
        "Answer C",
        "**Answer:** C",
        "Answer: **C**",
        "### Answer\nC",
        "answer is c",
        "The answer is C.",
        "The answer is (c).",
        "The answer is option C",
        'The answer is "C".',
        "The correct answer is (C) Paris",
        "The correct option is C: Paris",
        "The correct answer is:\n\n**C) Paris**",
        "The right answer is C because A is wrong and B is wrong",
        "I am sure the answer is C, not B.",
        "Final Answer: C",
        "\\boxed{C}",
        "$\\boxed{\\text{C}}$",
        "Therefore, the answer is $\\boxed{C}$.",
        "C is correct",
        "Option C is the correct answer.",
        "A and B are wrong; C is correct.",
        "I choose C",
        "I would choose (C)",
        "I'd go with C.",
        "It's C",
        "Paris",
        "paris.",
        "Answer: Paris",
        "The answer is Paris.",
        "Paris (C)",
        '{"answer": "C"}',
        '```json\n{"answer": "C"}\n```',
        '{"choice": "C", "reason": "A or B are wrong"}',
        "A: C",
        "<think>A?</think>C",
        "Let me think. A is London.\nB is not right.\nC",
        "A is wrong because of this. B is wrong. The answer is C.",
        "A) London is wrong.\nB) Berlin is wrong.\nThe answer is C",
        "A) London\nB) Berlin\nC) Paris\n\nAnswer: C",
        "Initially I thought A. Final answer: C",
        "I first thought the answer is A, but the final answer is C.",
        "The answer isn't A; it's C.",
    ],
)
def test_a_choice_of_c(text: str):
    assert parse_choice(text, OPTIONS) == "C"


@pytest.mark.parametrize("text", ["A", "a", "A.", "The answer is A", "The answer is A.", "A) London", "A. London"])
def test_a_is_a_letter_where_only_a_letter_can_stand(text: str):
    assert parse_choice(text, OPTIONS) == "A"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A good question is what it means",
        "A is a trap",
        "The answer is A good one",
        "The answer is a city",
        "I would say so",
        "I think",
        "I",
        "A. B. Yehoshua",
        "Vitamin C",
        "Plan B is better",
        "The answer is C++",
        "The capital is Paris.",
        "None of the above",
        "G",
        "The answer is G",
        "ABC",
        "A B",
        "A or B",
        "A and C",
        "A, C",
        "A/B",
        "C or D?",
        "Both A and B",
        "Neither A nor B",
        "Options A and C",
        "B and C are correct",
        "The answer is A or B",
        "The answer is either A or B",
        "The answer is C or maybe D",
        "The answer is not C",
        "C is not correct",
        "C) Rome",
        "A\nB",
        "The answer is A. The answer is B.",
        "The answer is B. Wait, actually the answer is C.",
        "Final answer: A\nFinal answer: B",
        "A) London\nB) Berlin\nC) Paris\nD) Rome\nE) Madrid\nF) Vienna",
        '{"answer": "A and B"}',
        '{"answer": 3}',
        '{"answer": "A", "choice": "B"}',
    ],
)
def test_unreadable_choices(text: str):
    assert parse_choice(text, OPTIONS) is None


def test_letters_go_as_far_as_the_options():
    assert [parse_choice("J", [str(number) for number in range(1, count)]) for count in (10, 11)] == [None, "J"]


def test_a_letter_wins_over_an_option_that_is_that_letter():
    assert parse_choice("B", ["B", "A"]) == "B"


def test_an_option_may_read_like_an_abstention():
    assert parse_choice("It cannot be determined", ["Yes", "It cannot be determined"]) == "B"


@pytest.mark.parametrize(
    ("answer", "grade"),
    [
        ("The answer is C.", Grade.CORRECT),
        ("B", Grade.INCORRECT),
        ("", Grade.NOT_ATTEMPTED),
        (" \n…", Grade.NOT_ATTEMPTED),
        ("I don't know", Grade.NOT_ATTEMPTED),
        ("I don't know. C", Grade.NOT_ATTEMPTED),
        ("I'm not sure, but the answer is C", Grade.CORRECT),
        ("A or C", Grade.INCORRECT),
    ],
)
def test_grades(answer: str, grade: Grade):
    assert grade_choice(answer=answer, gold="C", options=OPTIONS).grade is grade


@pytest.mark.parametrize("answer", ["A or C", "A good question", "G", "The capital is Paris"])
def test_an_unreadable_choice_says_so(answer: str):
    assert grade_choice(answer=answer, gold="C", options=OPTIONS).reason.startswith(UNREADABLE)


def test_a_readable_choice_says_what_was_chosen():
    assert grade_choice(answer="B", gold="C", options=OPTIONS).reason == "chose B, the answer is C"


@pytest.mark.parametrize("gold", ["G", "", "Paris"])
def test_a_gold_that_is_no_letter_of_an_option_is_a_fault_of_the_item(gold: str):
    with pytest.raises(ConfigurationError, match="expected one of A, B, C, D, E, F"):
        grade_choice(answer="C", gold=gold, options=OPTIONS)


@pytest.mark.parametrize("unit", ["C", "A ", "the answer is A ", "\\boxed{", "{", '"', "A) x\n", "is correct "])
def test_a_megabyte_is_graded_within_a_second(unit: str):
    answer = unit * (1_000_000 // len(unit))
    start = time.process_time()

    grade_choice(answer=answer, gold="C", options=OPTIONS)

    assert time.process_time() - start < 1
