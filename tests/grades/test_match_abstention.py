"""What `match` takes for an abstention, and what for a hedged attempt."""

import pytest

from tests.grades.grading import CORRECT, INCORRECT, NOT_ATTEMPTED, grade

CAPITAL = "What is the capital of France?"


@pytest.mark.parametrize("answer", ["", "  \n ", "...", "?!", "🤷", "\u200b\u200f", "\x00"])
def test_nothing_is_no_attempt(answer: str):
    assert grade(CAPITAL, "Paris", answer) is NOT_ATTEMPTED


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know",
        "I don’t know.",
        "I DON'T KNOW",
        "**I do not know the answer.**",
        "I honestly don't know.",
        "I'm afraid I don't know",
        "dont know",
        "idk",
        "No idea.",
        "I'm not sure.",
        "I'm unsure",
        "Not sure",
        "I can't say",
        "Cannot determine",
        "I cannot determine this.",
        "Unable to answer.",
        "It is impossible to say.",
        "I do not have enough information to answer",
        "No information available",
        "Insufficient context",
        "There is not enough information",
        "I don’t have access to that data",
        "As an AI language model, I can't answer that.",
        "As of my knowledge cutoff, I do not have this information.",
        "I’m sorry, but I couldn’t find any information about it.",
        "I'm sorry, but I can't assist with that.",
        "That's beyond my knowledge.",
        "The document does not specify this.",
        "The exact figure isn't publicly available.",
        "Could you provide more context?",
        "I would need more context.",
        "I must decline to answer.",
        "I'd rather not guess.",
        "N/A",
        "unknown",
        "Answer: unknown",
        "I don't know. It could be Paris or London.",
        "I don't know, it could be Paris",
        "I don't know. Paris?",
        "I'm not sure, maybe Paris or London",
        "Paris or London? I am not sure.",
        "Let me think about it step by step. France is in Europe. I cannot determine the answer.",
    ],
)
def test_abstentions(answer: str):
    assert grade(CAPITAL, "Paris", answer) is NOT_ATTEMPTED


@pytest.mark.parametrize(
    "answer",
    [
        "I'm not certain, but it is Paris",
        "I'm not certain but I believe it's Paris.",
        "I'm not 100% sure, but Paris",
        "I do not know for sure, but it is Paris.",
        "I can't say with certainty, but it's Paris.",
        "I don't have real-time data, but as of 2023 the capital is Paris.",
        "The capital is Paris, but I cannot verify this.",
        "Paris. I don't know anything else about it.",
        "I think it is Paris, but I'm not sure.",
    ],
)
def test_a_hedge_with_one_value_is_an_attempt(answer: str):
    assert (grade(CAPITAL, "Paris", answer), grade(CAPITAL, "Rome", answer)) == (CORRECT, INCORRECT)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("unknown", "unknown"),
        ("Unknown", "The author is unknown."),
        ("N/A", "n/a"),
        ("I Don't Know How to Love Him", "I Don't Know How to Love Him"),
        ("I Don't Know How to Love Him", '"I Don\'t Know How to Love Him" by Yvonne Elliman'),
    ],
)
def test_a_gold_that_reads_like_an_abstention(gold: str, answer: str):
    assert grade("Which?", gold, answer) is CORRECT


def test_who_does_not_know_abstains_even_where_the_gold_is_unknown():
    assert grade("Who is the author?", "unknown", "I don't know") is NOT_ATTEMPTED


@pytest.mark.parametrize("answer", ["I Don't Know How to Love Him", '"I Can\'t Tell You Why"', "none", "Na"])
def test_a_wrong_title_or_word_is_an_attempt(answer: str):
    assert grade("Which song?", "Yesterday", answer) is INCORRECT
