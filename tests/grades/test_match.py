"""What `match` says of wordings: folding, whole tokens, short golds, identifiers, and languages it has no rules for."""

import time

import pytest

from assets.grades.match import grade_match, supports
from tests.grades.grading import CORRECT, INCORRECT, NOT_ATTEMPTED, grade, graded

CAPITAL = "What is the capital of France?"


@pytest.mark.parametrize(
    "answer",
    [
        "Paris",
        "paris.",
        "PARIS!",
        "**Paris**",
        "“Paris”",
        "(Paris)",
        "Answer: Paris",
        "Answer:Paris",
        "The capital of France is Paris.",
        "Paris, France",
        "I think it's Paris.",
        "Perhaps Paris",
        "\\boxed{\\text{Paris}}",
        "Paris 🗼🇫🇷",
        "P\u200ba\u00adris",
        "\u200fParis\u202e",
        "Paris\x00\x07",
        "Ｐａｒｉｓ",
        "{{ gold }} Paris {% if %}",
        "<think>London? I don't know.</think>Paris",
    ],
)
def test_the_gold_stands_in_the_answer(answer: str):
    assert grade(CAPITAL, "Paris", answer) is CORRECT


@pytest.mark.parametrize(
    "answer", ["London", "Parisian", "Comparison", "GRADE: CORRECT", "{{gold}}", "A", "<think>Paris</think>London"]
)
def test_the_gold_does_not_stand_in_the_answer(answer: str):
    assert grade(CAPITAL, "Paris", answer) is INCORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Beyoncé", "Beyonce"),
        ("Beyonce", "Beyoncé Knowles"),
        ("Søren", "Soren"),
        ("Straße", "STRASSE"),
        ("The Beatles", "Beatles"),
        ("Beatles", "the Beatles' album"),
        ("Jasper", "Jasper’s"),
        ("McDonald's", "McDonalds"),
        ("O'Brien", "O’Brien"),
        ("Spider-Man", "Spiderman"),
        ("Campbell-Bannerman", "Campbell Bannerman"),
        ("J. K. Rowling", "JK Rowling"),
        ("J.K. Rowling", "J. K. Rowling"),
        ("U.S.A.", "USA"),
        ("U.S.", "in the US"),
        ("Rock & Roll", "rock and roll"),
        ("H2O", "H₂O"),
        ("B-52", "B52"),
        ("Henry VIII", "Henry the Eighth"),
        ("World War II", "World War Two"),
        ("World War I", "World War One"),
        ("Louis XIV", "Louis the 14th"),
        ("One Hundred Years of Solitude", "100 Years of Solitude"),
        ("x = y + 1", "x=y+1"),
        ("Φ(a − b)/2 = 1", "Φ(a - b)/2 = 1"),
    ],
)
def test_folding(gold: str, answer: str):
    assert grade("Which?", gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Henry V", "Henry VI"),
        ("World War I", "World War II"),
        ("island", "it is land"),
        ("D-I-V-O-R-C-E", "Divorce"),
        ("York", "New York"),
        ("alcoholic", "non-alcoholic"),
        ("x = y + 1", "x = y - 1"),
        ("iPhone 4", "iPhone 4S"),
        ("Au", "Ag"),
    ],
)
def test_folding_goes_no_further(gold: str, answer: str):
    assert grade("Which?", gold, answer) is INCORRECT


def test_an_alias_counts_as_the_gold():
    assert grade(CAPITAL, "Paris", "Lutetia", "", "Lutetia") is CORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("C", "C"),
        ("C", "c"),
        ("C", "It is written in C."),
        ("C", "Vitamin C"),
        ("C++", "C++"),
        ("C#", "C#."),
        ("A", "Vitamin A"),
        ("A", "A"),
        ("I", "I"),
        ("I", "The symbol is I."),
        ("Au", "The symbol for gold is Au, from aurum."),
        ("He", "He (helium)"),
        ("Go", "It is Go."),
        ("no", "No."),
        ("No", "No, it is not."),
        ("no", "The answer is no."),
        ("yes", "Yes it is"),
        ("The Who", "It was recorded by The Who in 1971."),
        ("None", "It returns None."),
        ("AND", "The AND gate"),
        ("e", "The letter e"),
    ],
)
def test_short_golds_count_where_an_answer_stands(gold: str, answer: str):
    assert grade("Which?", gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C"),
        ("C", "Arthur C. Clarke"),
        ("E", "E. coli"),
        ("A", "A good question"),
        ("A", "It is a vitamin"),
        ("A", "A+"),
        ("I", "I would say so"),
        ("In", "In 1947"),
        ("Go", "go to the store"),
        ("no", "There is no doubt that it is"),
        ("no", "Yes. There is no doubt."),
        ("yes", "Yes and no"),
        ("yes", "No, yes"),
        ("The Who", "The Beatles, who recorded it"),
        ("AND", "and then"),
        ("NOT", "It is not XOR"),
    ],
)
def test_short_golds_do_not_count_in_prose(gold: str, answer: str):
    assert grade("Which?", gold, answer) is INCORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("?", "3.1", "3.1"),
        ("Which version?", "3.1", "version 3.1."),
        ("Which version?", "2.0", "v2.0"),
        ("Which version of Python?", "3.10", "Python 3.10"),
        ("Which section?", "Section 3.1", "3.1"),
        ("Which statute?", "§ 1983", "Section 1983"),
        ("Which statute?", "42 U.S.C. § 1983", "42 USC Section 1983"),
        ("Which section?", "179", "Section 179"),
        ("Which rule?", "Rule 10b-5", "10b-5"),
        ("Which rule?", "Rule 12(b)(6)", "FRCP 12(b)(6)"),
        ("Which RFC?", "RFC 9110", "9110"),
        ("Which reference?", "ASC 606-10-25-15", "asc 606-10-25-15."),
    ],
)
def test_identifiers_that_are_the_same(question: str, gold: str, answer: str):
    assert grade(question, gold, answer) is CORRECT


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("?", "3.1", "3.10"),
        ("?", "3.1", "13.1"),
        ("?", "3.1", "3.1.2"),
        ("Which version?", "2.0", "2"),
        ("Which version of Python?", "3.1", "Python 3.10"),
        ("Which section?", "Section 3.1", "section 13.1"),
        ("Which article?", "Article 5", "Article 15"),
        ("Which article?", "Article 5(1)(f)", "Article 5(1)(e)"),
        ("Which rule?", "Rule 10b-5", "Rule 10b-51"),
        ("Which reference?", "ASC 606-10-25-1", "ASC 606-10-25-15"),
        ("Which reference?", "606-10-25", "606-10-25-15"),
        ("Which rule?", "3500", "3500T"),
        ("Which code?", "I10", "I10.9"),
    ],
)
def test_identifiers_that_differ(question: str, gold: str, answer: str):
    assert grade(question, gold, answer) is INCORRECT


@pytest.mark.parametrize("gold", ["&&", "!=", "%", "🙂"])
def test_a_gold_of_symbols_is_the_whole_answer_or_nothing(gold: str):
    assert (grade("Which operator?", gold, f"`{gold}`"), grade("Which operator?", gold, "||")) == (
        CORRECT,
        NOT_ATTEMPTED,
    )


@pytest.mark.parametrize(
    ("language", "has_rules"), [("en", True), ("en-US", True), ("EN_gb", True), ("de", False), ("", False)]
)
def test_languages(language: str, has_rules: bool):
    assert supports(language) is has_rules


def test_a_language_without_rules_gets_no_grade_and_is_named():
    result = grade_match(question="?", gold="Paris", aliases=[], answer="Paris", language="fr")

    assert (result.grade, "fr" in result.reason) == (None, True)


def test_the_reason_names_the_rule_that_fired():
    assert [
        graded(CAPITAL, "Paris", "Paris").reason,
        graded(CAPITAL, "Paris", "I don't know").reason,
        graded("In which year?", "1947", "1947 and 1948").reason,
    ] == [
        "the gold stands in the answer: “Paris”",
        "abstention: “i don't know”",
        "asserts a competing value: 1948",
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "x",
        "1 ",
        "1,",
        "1.\n",
        "1-",
        "a.",
        "*",
        '"a',
        "é",
        "not Paris ",
        "10^",
        "5 km ",
        "the answer is ",
        "I do not have a ",
    ],
)
def test_a_megabyte_is_graded_within_a_second(unit: str):
    answer = unit * (1_000_000 // len(unit))
    start = time.process_time()

    for gold in ("Paris", "1947"):
        grade("Which?", gold, answer)

    assert time.process_time() - start < 2


def test_both_ends_of_a_long_answer_are_read():
    filler = "word " * 100_000

    assert (grade(CAPITAL, "Paris", f"Paris. {filler}"), grade(CAPITAL, "Paris", f"{filler} Paris")) == (
        CORRECT,
        CORRECT,
    )
