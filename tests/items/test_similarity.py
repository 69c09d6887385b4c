"""Two questions are one only where they read alike and their numbers, names and golds agree."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from assets.items.similarity import Duplicate, Posed, SimilarityIndex
from assets.items.similarity.golds import gold_keys
from benchmarks.questions import judge, make_questions
from tests.items.similar_pairs import DIFFERENT, SAME, pairs

SEEDS = (1, 2)


def merged(one: Posed, other: Posed) -> bool:
    return SimilarityIndex([one]).duplicate_of(other) is not None


def posed(question: str, answer: str = "Lima", *aliases: str, id: str = "a") -> Posed:
    return Posed(id, question, answer, aliases)


@pytest.mark.parametrize(("one", "other", "gold", "other_gold"), pairs(SAME))
def test_other_words_for_the_same_question_are_a_duplicate(one: str, other: str, gold: str, other_gold: str) -> None:
    assert merged(posed(one, gold), posed(other, other_gold))
    assert merged(posed(other, other_gold), posed(one, gold))


@pytest.mark.parametrize(("one", "other", "gold", "other_gold"), pairs(DIFFERENT))
def test_a_look_alike_is_another_question(one: str, other: str, gold: str, other_gold: str) -> None:
    assert not merged(posed(one, gold), posed(other, other_gold))
    assert not merged(posed(other, other_gold), posed(one, gold))


def test_a_duplicate_names_the_earlier_question_and_why() -> None:
    index = SimilarityIndex([posed("Who wrote Emma?", "Jane Austen", id="first")])

    found = index.duplicate_of(posed("who wrote “Emma”", "Austen, Jane", "Jane Austen", id="second"))

    assert found is not None
    assert (found.id, found.question, found.likeness) == ("first", "Who wrote Emma?", 1.0)
    assert found.reason == "the same words, apart from case, punctuation and spacing"


def test_a_slip_is_told_with_both_words() -> None:
    index = SimilarityIndex([posed("Which country hosted Expo 1970?", "Japan")])

    found = index.duplicate_of(posed("Which country hostd Expo 1970?", "Japan"))

    assert found is not None
    assert "“hosted” for “hostd”" in found.reason
    assert 0.9 < found.likeness < 1


def test_the_likest_earlier_question_is_named() -> None:
    near, same = (
        posed("In which year was ESO founded?", "1962", id="near"),
        posed("When was ESO founded?", "1962", id="s"),
    )
    index = SimilarityIndex([near, same])

    found = index.duplicate_of(posed("when was ESO founded", "1962", id="new"))

    assert found is not None
    assert found.id == "s"


def test_of_equals_the_first_is_named() -> None:
    index = SimilarityIndex([posed("When was ESO founded?", "1962", id=id) for id in ("one", "two")])

    found = index.duplicate_of(posed("When was ESO founded?", "1962", id="new"))

    assert found is not None
    assert found.id == "one"


def test_a_question_is_found_when_it_was_added_later() -> None:
    index = SimilarityIndex()
    index.add(posed("When was ESO founded?", "1962"))

    assert index.duplicate_of(posed("When was ESO founded?", "1962")) is not None


def test_an_alias_of_one_may_be_the_gold_of_the_other() -> None:
    one = posed("Who painted Guernica?", "Pablo Picasso", "Picasso")
    other = posed("Who painted Guernica?", "Picasso")

    assert merged(one, other)
    assert merged(other, one)


def test_two_golds_that_share_only_an_alias_do_not_agree() -> None:
    assert not merged(posed("Who signed it?", "John Adams", "Adams"), posed("Who signed it?", "Sam Adams", "Adams"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1 000"),
        ("3", "three"),
        ("5 March 1957", "1957-03-05"),
        ("March 5, 1957", "5 Mar 1957"),
        ("the Who", "THE WHO"),
        ("Malmö", "Malmo"),
        ("5 km", "5 kilometres"),
        ("$50", "50 US dollars"),
        ("100 °C", "100 degrees Celsius"),
        ("12%", "12 percent"),
    ],
)
def test_golds_agree(one: str, other: str) -> None:
    assert gold_keys(one) == gold_keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3.1", "3.10"),
        ("5", "-5"),
        ("A+", "A-"),
        ("C", "C++"),
        ("5 km", "5 miles"),
        ("5 mg", "5 Mg"),
        ("1990", "1990s"),
        ("first", "one"),
        ("Henry VII", "Henry VIII"),
        ("😀", "😂"),
    ],
)
def test_golds_do_not_agree(one: str, other: str) -> None:
    assert gold_keys(one) != gold_keys(other)


def judged(index: SimilarityIndex, questions: Sequence[Posed]) -> list[Duplicate | None]:
    """What each question repeats; one that repeats none joins the index."""
    found = []
    for question in questions:
        found.append(index.duplicate_of(question))
        if found[-1] is None:
            index.add(question)
    return found


def test_each_is_judged_against_those_before_it() -> None:
    index = SimilarityIndex([posed("Who wrote Emma?", "Jane Austen", id="0")])
    questions = [
        posed("Who wrote Persuasion?", "Jane Austen", id="1"),
        posed("who wrote emma", "Jane Austen", id="2"),
        posed("Who wrote “Persuasion”?", "Jane Austen", id="3"),
    ]

    found = judged(index, questions)

    assert [duplicate and duplicate.id for duplicate in found] == [None, "0", "1"]


def test_what_is_no_duplicate_is_what_later_ones_are_judged_against() -> None:
    index = SimilarityIndex()
    judged(index, [posed("Who wrote Emma?", id="1"), posed("who wrote Emma", id="2")])

    found = index.duplicate_of(posed("who wrote Emma", id="3"))

    assert found is not None
    assert found.id == "1"


def test_a_word_that_the_corpus_has_in_its_own_right_is_no_slip() -> None:
    one, other = (f"Which town has the old {word} in Kent?" for word in ("gattleworks", "gatleworks"))
    alone = SimilarityIndex([posed(one)])
    known = SimilarityIndex([posed(one)])
    for town in ("Deal", "Dover", "Hythe"):
        known.add(posed(f"Who owns the gatleworks of {town}?"))
        known.add(posed(f"Who owns the gattleworks of {town}?"))

    assert alone.duplicate_of(posed(other)) is not None
    assert known.duplicate_of(posed(other)) is None


def test_a_large_block_of_one_gold_is_searched_as_well() -> None:
    index = SimilarityIndex([posed(f"Which river flows past Castle {chr(97 + at) * 4}?", "Rhine") for at in range(26)])
    index.add(posed("Which river has its mouth at Rotterdam harbour?", "Rhine", id="sought"))

    found = index.duplicate_of(posed("Which rivr has its mouth at Rotterdam harbor?", "Rhine"))

    assert found is None, "a word of five letters is too short for a slip"
    found = index.duplicate_of(posed("At Rotterdam harbor, which river has its mouth?", "Rhine"))
    assert found is not None
    assert found.id == "sought"


@pytest.mark.parametrize(
    "question", ["", " ", "?", "😀", "😀😀?!", "\u200b", "a", "—", "\ud83d", "1" * 5000, "?" * 300]
)
def test_an_odd_question_is_its_own_duplicate_or_none(question: str) -> None:
    index = SimilarityIndex()

    first, second = judged(index, [posed(question), posed(question, id="b")])

    assert first is None
    assert second is None or second.id == "a"


@pytest.mark.parametrize("answer", ["", " ", "?", "😀", "1/0", "9" * 5000, "1e400"])
def test_an_odd_gold_does_no_harm(answer: str) -> None:
    index = SimilarityIndex([posed("What is it called?", answer)])

    assert index.duplicate_of(posed("What is it, then?", "Lima")) is None


def test_an_empty_gold_agrees_with_none() -> None:
    assert not merged(posed("What is it called?", ""), posed("What is it called?", ""))


def test_a_very_long_question_is_compared_in_all_its_length() -> None:
    words = " ".join(f"word{at}" for at in range(8000))
    middle = words.replace("word4000 ", "other ")

    assert merged(posed(words), posed(words.upper()))
    assert not merged(posed(words), posed(middle))


def test_questions_without_a_subject_are_the_same_only_word_by_word() -> None:
    assert merged(posed("What is it?"), posed("what is it"))
    assert not merged(posed("What is it?"), posed("Who was that?"))


def test_a_verdict_is_the_same_either_way_round() -> None:
    plants = make_questions(5, 150, 60, 30)
    questions = [plant.posed for plant in plants]
    index = SimilarityIndex(questions)
    apart = [(one, other) for one, other in pairwise(questions) if merged(one, other) is not merged(other, one)]

    assert apart == []
    assert all(index.duplicate_of(question) is not None for question in questions)


@pytest.mark.parametrize("seed", SEEDS)
def test_planted_edits_are_found_and_planted_look_alikes_kept_apart(seed: int) -> None:
    outcome = judge(make_questions(seed, 2_000, 300, 150))

    assert outcome.recall >= 0.98, outcome.missed
    assert (outcome.false_lookalikes, outcome.false_others) == (0, 0)


def test_the_generator_is_the_same_for_the_same_seed() -> None:
    assert make_questions(7, 100, 20, 10) == make_questions(7, 100, 20, 10)
