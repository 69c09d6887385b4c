"""What `match` says of an answer that names the gold and something else: a rival in its slot, or an explanation."""

import pytest

from tests.grades.grading import CORRECT, INCORRECT, grade

CAPITAL = "What is the capital of France?"
YEAR = "In which year was it founded?"


@pytest.mark.parametrize(
    "answer",
    [
        "1947 or 1948",
        "1948 or 1947",
        "either 1947 or 1948",
        "1947, or maybe 1948",
        "1947, possibly 1948",
        "It was 1947, I think, or 1948.",
        "1947/1948",
        "1947-48",
        "1947–1948",
        "between 1947 and 1948",
        "1947 and 1948",
        "1947, 1948",
        "1946, 1947 or 1948",
        "- 1947\n- 1948",
        "not 1947",
        "not 1947 but 1948",
        "It was not 1947",
        "It was founded in 1948, not 1947.",
        "1947. No, 1948.",
        "1947... wait, it's 1948",
        "1948, a year after 1947",
        "It was founded in 1948, three years after 1947.",
        "1947 was planned. The answer is 1948.",
        "1948 (some say 1947)",
    ],
)
def test_a_rival_year(answer: str):
    assert grade(YEAR, "1947", answer) is INCORRECT


@pytest.mark.parametrize(
    "answer",
    [
        "1947, two years after the war ended in 1945",
        "It was founded in 1947, two years after the war ended in 1945.",
        "It was founded in 1947, not 1948.",
        "not 1948 but 1947",
        "1947. It was not 1948.",
        "It did not open until 1947",
        "No earlier than 1947",
        "In 1947, 200 people came.",
        "Founded in 1947 by 3 brothers, it had 500 members in 1950.",
        "around 1947",
        "The year was not 1948. It was 1947.",
    ],
)
def test_a_year_that_explains_or_is_denied_is_no_rival(answer: str):
    assert grade(YEAR, "1947", answer) is CORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        (
            "The war ended in 1945. When, two years later, was it founded?",
            "1947",
            "The war ended in 1945, so it was 1947",
        ),
        ("In what year did the war that began in 1939 end?", "1945", "The war that began in 1939 ended in 1945."),
        ("How many of the 50 states?", "12", "12 of the 50 states"),
        ("Which is the capital, Paris or London?", "Paris", "Between Paris or London, Paris is the capital"),
        ("Which planet does not have moons?", "Venus", "Venus does not have any moons."),
        ("Which two men wrote it?", "John Lennon", "John Lennon and Paul McCartney"),
    ],
)
def test_what_the_question_says_or_asks_for_is_no_rival(question: str, gold: str, answer: str):
    assert grade(question, gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer", "expected"),
    [
        ("How many moons does Mars have?", "2", "Mars has two moons, Phobos and Deimos.", CORRECT),
        ("How many moons does Mars have?", "2", "Mars has 3 moons, two of which are large", INCORRECT),
        ("How many moons does Mars have?", "2", "2-3", INCORRECT),
        ("How many sons?", "3", "He had 3 sons and 2 daughters.", CORRECT),
        ("How many daughters?", "2", "He had 3 sons and 2 daughters.", CORRECT),
        ("How long?", "5 km", "5 or 6 km", INCORRECT),
        ("What rate?", "5%", "5%, up from 4%", CORRECT),
        ("What rate?", "5%", "4%, up from 5%", INCORRECT),
        ("What is the population?", "2 million", "2 million or 3 million", INCORRECT),
        ("When?", "July 4, 1776", "July 4, 1776 or July 5, 1776", INCORRECT),
        ("When?", "1776", "July 4, 1776 or July 5, 1776", CORRECT),
        ("When?", "July 4, 1776", "July 4, 1776, two days after the vote of July 2, 1776", CORRECT),
    ],
)
def test_rival_amounts_and_dates(question: str, gold: str, answer: str, expected: str):
    assert grade(question, gold, answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "not Paris",
        "It is not Paris",
        "It isn't Paris.",
        "It can't be Paris.",
        "Paris is not the capital.",
        "Paris is wrong",
        "Paris? No.",
        "I don't think it is Paris",
        "I doubt it is Paris",
        "Anything but Paris",
        "London rather than Paris",
        "London, not Paris",
        "Neither Paris nor London",
        "Paris or London",
        "London or Paris",
        "either Paris or London",
        "Paris, London or Rome",
        "Paris, London, or Rome",
        "Paris, London and Rome",
        "London, Paris, Rome",
        "Paris, London, Rome",
        "Paris and London",
        "Paris as well as London",
        "Paris/London",
        "Paris; London",
        "Paris? London? Rome?",
        "- Paris\n- London",
        "1. Paris\n2. London",
        "Paris. No, London.",
        "Paris, maybe London",
        "I thought it was Paris, but it is London",
        "Many say Paris, but the capital is actually London.",
        "It is Paris. It is also London.",
        "Paris is a candidate. Final answer: London",
        "London, followed by Paris",
    ],
)
def test_a_rival_name(answer: str):
    assert grade(CAPITAL, "Paris", answer) is INCORRECT


@pytest.mark.parametrize(
    "answer",
    [
        "Paris, not London",
        "Not London but Paris",
        "It's not London, it's Paris.",
        "No, it's Paris.",
        "none other than Paris",
        "It can't be anything other than Paris",
        "not only Paris",
        "Without a doubt, Paris",
        "Paris, with 2 million inhabitants",
        "Paris (not to be confused with Paris, Texas)",
        "Many say London, but the capital is actually Paris.",
        "It used to be London. Now it is Paris.",
        "London is a candidate. Final answer: Paris",
        "They chose Paris instead of London",
        "Paris. It lies between London and Rome.",
        "Q: What is the capital of France?\nA: Paris",
    ],
)
def test_a_name_that_explains_or_is_denied_is_no_rival(answer: str):
    assert grade(CAPITAL, "Paris", answer) is CORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer", "expected"),
    [
        ("In which city was he born?", "Richmond", "Richmond, Virginia, USA", CORRECT),
        ("Who wrote it?", "John Lennon", "It was written by John Lennon and Paul McCartney.", INCORRECT),
        ("Who discovered it?", "Gregor Mendel", "Gregor Mendel, an Austrian monk and scientist.", CORRECT),
        ("Who owns it?", "Johnson & Johnson", "Johnson and Johnson", CORRECT),
        ("Which organ?", "heart", "heart or liver", INCORRECT),
        ("Which organ?", "heart", "It is the heart or the liver.", INCORRECT),
        ("What is it called?", "goad", "A spiked stick for driving cattle is called a goad or prod.", CORRECT),
        ("Which port is it?", "Ghent", "The third largest port is Ghent (or Gent).", CORRECT),
        ("Which is longer, the Nile or the Amazon?", "the Amazon", "The Nile is longer than the Amazon.", INCORRECT),
        ("Which is longer, the Nile or the Amazon?", "the Nile", "The Nile is longer than the Amazon.", CORRECT),
    ],
)
def test_lists_appositions_and_synonyms(question: str, gold: str, answer: str, expected: str):
    assert grade(question, gold, answer) == expected
