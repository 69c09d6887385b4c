"""An excerpt stands in its source word for word, and is one to three sentences long."""

import pytest

from assets.evidence_cards.excerpts import count_sentences, excerpt_fault, find_excerpt

TEXT = "The lock at Brae\nwas cut in 1796.  It is 3.25 metres wide.\n\nBarges of the salt trade use it."


@pytest.mark.parametrize(
    ("excerpt", "found"),
    [
        ("The lock at Brae was cut in 1796.", "The lock at Brae\nwas cut in 1796."),
        ("was cut in 1796. It is 3.25 metres wide.", "was cut in 1796.  It is 3.25 metres wide."),
        ("wide. Barges of the salt trade", "wide.\n\nBarges of the salt trade"),
        ("  Barges of the salt trade use it.  ", "Barges of the salt trade use it."),
        ("cut in 1796", "cut in 1796"),
    ],
)
def test_an_excerpt_is_found_whatever_its_line_breaks(excerpt: str, found: str) -> None:
    assert find_excerpt(excerpt, TEXT) == found


@pytest.mark.parametrize(
    "excerpt",
    [
        "The lock at Brae was cut in 1797.",
        "The lock at Brae was built in 1796.",
        "The lock at Brae … 1796.",
        "the lock at brae was cut in 1796.",
        "",
        " \n",
    ],
)
def test_other_words_are_not_found(excerpt: str) -> None:
    assert find_excerpt(excerpt, TEXT) is None


@pytest.mark.parametrize("excerpt", ["was cut in 17", "It is 3", "25 metres wide.", "ock at Brae"])
def test_a_word_or_number_that_is_cut_off_is_another(excerpt: str) -> None:
    assert find_excerpt(excerpt, TEXT) is None


def test_signs_are_taken_as_signs() -> None:
    assert find_excerpt("f(x) = x+ [a|b]", "let f(x) =\n x+ [a|b] hold") == "f(x) =\n x+ [a|b]"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The lock was cut in 1796.", 1),
        ("It was cut. It was filled. It leaked.", 3),
        ("See Art. 5 and No. 7 of the U.S. Code. Dr. Roth drew it.", 2),
        ("It weighs 3.2 tons. (It was weighed twice.)", 2),
        ("Was it cut? It was! “By whom?” Nobody knows…", 4),
    ],
)
def test_sentences_are_counted_without_abbreviations_and_numbers(text: str, count: int) -> None:
    assert count_sentences(text) == count


def test_three_sentences_are_evidence_and_four_are_not() -> None:
    assert excerpt_fault("It was cut. It was filled. It leaked.") is None
    assert excerpt_fault("It was cut. It was filled. It leaked. It dried.") == "the excerpt has 4 sentences; 3 at most"


@pytest.mark.parametrize(
    ("excerpt", "fault"),
    [
        ("It was cut.", "the excerpt has 11 characters, too few to state a fact"),
        ("word " * 200, "the excerpt has 1000 characters; 900 at most"),
    ],
)
def test_what_is_too_short_or_too_long_is_no_evidence(excerpt: str, fault: str) -> None:
    assert excerpt_fault(excerpt) == fault
