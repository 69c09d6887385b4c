"""What `match` says of numbers, units and dates: compared by value, whatever they look like."""

import pytest

from tests.grades.grading import CORRECT, INCORRECT, grade


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("1,000", "1000"),
        ("1000", "1,000 of them"),
        ("1000", "1 000"),
        ("1000", "1\u202f000"),
        ("1,000", "one thousand"),
        ("1500", "fifteen hundred"),
        ("21", "twenty-one"),
        ("121", "one hundred and twenty-one"),
        ("3", "3.0"),
        ("3.0", "3"),
        ("2.1 million", "2,100,000"),
        ("1000000", "1 million"),
        ("12", "a dozen"),
        ("12", "$12$"),
        ("12", "\\boxed{12}"),
        ("12", "3 x 4 = 12"),
        ("-5", "−5"),
        ("−5", "minus five"),
        ("6.02e23", "6.02 × 10^23"),
        ("6.02 × 10^23", "6.02 × 10²³"),
        ("6.02e23", "6.02 \\times 10^{23}"),
        ("½", "0.5"),
        ("2/3", "two thirds"),
        ("2.5", "two and a half"),
        ("3rd", "third"),
        ("10-20", "10 to 20"),
        ("10-20", "between 10 and 20"),
        ("1939–1945", "from 1939 to 1945"),
        ("1939–1945", "1939-45"),
        ("3-1", "3–1"),
        ("44 BC", "In 44 B.C.E."),
        ("19th century", "the nineteenth century"),
    ],
)
def test_one_number_in_two_forms(gold: str, answer: str):
    assert grade("How many?", gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("1000", "10000"),
        ("1000", "1,0000"),
        ("2", "12"),
        ("2", "2.5"),
        ("5", "-5"),
        ("21", "one hundred and twenty-one"),
        ("20", "twenty-one"),
        ("1", "It is one of the oldest."),
        ("19", "COVID-19"),
        ("16", "the F-16"),
        ("3", "Step 3: think. The answer is 4."),
        ("6.02e23", "6.02 x 10^22"),
        ("10-20", "10"),
        ("3-1", "1-3"),
        ("12", "12th"),
        ("44 BC", "44 AD"),
        ("44 BC", "44"),
        ("1940s", "1940"),
        ("2.1 million", "2.1"),
        ("61.25%", "61.23%"),
    ],
)
def test_two_numbers(gold: str, answer: str):
    assert grade("How many?", gold, answer) is INCORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("How long is it?", "5 km", "5km"),
        ("How long is it?", "5 km", "five kilometres"),
        ("How long is it?", "5 km", "5000 m"),
        ("How long is it?", "5 km", "3.1 miles (5 km)"),
        ("How many kilometres?", "5 km", "5"),
        ("How many kilometres?", "5", "5 km"),
        ("What share?", "8%", "8 per cent"),
        ("What percentage?", "8%", "8"),
        ("What was the price?", "$5 million", "US$5m"),
        ("What was the price?", "$5 million", "5,000,000 dollars"),
        ("What was the price?", "€6bn", "6 billion euros"),
        ("How cold?", "-40 °C", "minus 40 degrees Celsius"),
        ("How tall?", "5 feet 10 inches", "5 ft 10 in"),
        ("How long?", "90 minutes", "1.5 hours"),
        ("What dose?", "500 mg", "0.5 g twice daily"),
        ("What is the time limit?", "30 days", "thirty calendar days"),
        ("How fast is light?", "299,792,458 m/s", "299,792.458 km/s"),
        ("How many bones?", "206", "206 bones"),
    ],
)
def test_units_that_agree(question: str, gold: str, answer: str):
    assert grade(question, gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("How long is it?", "5 km", "5 miles"),
        ("How long is it?", "5 km", "5"),
        ("How many kilometres?", "5", "5 miles"),
        ("What share?", "8%", "6.8%"),
        ("What rate?", "5%", "5 percentage points"),
        ("What was the price?", "€6bn", "$6 billion"),
        ("How cold?", "-40 °C", "40 °C"),
        ("What temperature?", "100 °C", "100 °F"),
        ("How tall?", "5 feet", "5 feet 10 inches"),
        ("What is the final event?", "1500 metres", "1500 m run"),
    ],
)
def test_units_that_differ(question: str, gold: str, answer: str):
    assert grade(question, gold, answer) is INCORRECT


@pytest.mark.parametrize(
    "answer",
    [
        "4 July 1776",
        "July 4, 1776",
        "1776-07-04",
        "the 4th of July, 1776",
        "the fourth of July 1776",
        "Thursday, 4 Jul. 1776",
        "04/07/1776",
        "7/4/1776",
        "It was signed on July 4th, 1776, in Philadelphia.",
    ],
)
def test_one_day_in_many_forms(answer: str):
    assert grade("When was it signed?", "4 July 1776", answer) is CORRECT


@pytest.mark.parametrize(
    "answer", ["July 5, 1776", "4 June 1776", "July 1776", "1776", "July 4", "4 July 1777", "05/07/1776"]
)
def test_another_day_or_less_than_the_day(answer: str):
    assert grade("When was it signed?", "4 July 1776", answer) is INCORRECT


@pytest.mark.parametrize("gold", ["1776", "July 1776", "July 4"])
def test_a_date_that_says_more_than_the_gold_has_the_gold_in_it(gold: str):
    assert grade("When was it signed?", gold, "July 4, 1776") is CORRECT


def test_a_year_that_the_question_says_may_be_left_out():
    assert grade("On which day in 1776?", "4 July 1776", "July 4") is CORRECT


def test_a_number_in_a_date_is_no_number_of_its_own():
    assert grade("How many?", "4", "July 4, 1776") is INCORRECT


def test_may_is_a_month_only_with_a_capital():
    assert grade("When?", "5 May 1926", "It may 5, 1926") is INCORRECT
