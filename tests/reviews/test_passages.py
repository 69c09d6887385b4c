"""An excerpt within its passage, the link that leads to it, and what a rewrite changed."""

import pytest

from assets.reviews.passages import Passage, difference, linked, passage_of


def test_an_excerpt_stands_in_its_passage() -> None:
    sections = [(("Harbour",), "No pilots here."), (("Harbour", "Pilots"), "Before it. The fact. After it.")]

    assert passage_of("The fact.", "Harbour › Pilots", sections) == Passage(
        "Harbour › Pilots", "Before it. ", "The fact.", " After it.", True
    )


def test_of_two_places_the_one_in_the_cards_section_is_shown() -> None:
    sections = [(("A",), "One: the fact."), (("B",), "Two: the fact.")]

    assert passage_of("the fact.", "B", sections).before == "Two: "


def test_a_section_that_was_renamed_is_found_all_the_same() -> None:
    assert passage_of("the fact.", "Old", [(("New",), "Here: the fact.")]).section == "New"


def test_line_breaks_of_the_source_do_not_hide_an_excerpt() -> None:
    assert passage_of("the plain fact", "", [((), "It is the\nplain fact.")]).excerpt == "the\nplain fact"


def test_about_four_hundred_characters_stand_around_it_in_whole_words() -> None:
    text = "early " * 200 + "the fact" + " later" * 200

    passage = passage_of("the fact", "", [((), text)])

    assert passage.before.startswith("… early") and passage.after.endswith("later …")
    assert 390 < len(passage.before) < 410 and 390 < len(passage.after) < 410


def test_an_excerpt_that_is_gone_is_shown_alone() -> None:
    assert passage_of("the fact", "Harbour", [((), "another text")]) == Passage("Harbour", "", "the fact", "", False)


@pytest.mark.parametrize(
    ("url", "excerpt", "expected"),
    [
        ("https://a.example/p", "Ships, 85 m", "https://a.example/p#:~:text=Ships%2C%2085%20m"),
        ("https://a.example/p#top", "Ships", "https://a.example/p#top:~:text=Ships"),
        ("https://a.example/p", "on-line & off", "https://a.example/p#:~:text=on%2Dline%20%26%20off"),
        (
            "https://a.example/p?q=1",
            "one two three four five six seven eight nine ten elevén",
            "https://a.example/p?q=1#:~:text=one%20two%20three%20four%20five,seven%20eight%20nine%20ten%20elev%C3%A9n",
        ),
    ],
)
def test_a_link_names_the_first_and_last_words(url: str, excerpt: str, expected: str) -> None:
    assert linked(url, excerpt) == expected


def test_a_difference_says_which_words_stayed_went_and_came() -> None:
    assert difference("How long is it?", "How long is the berth?") == [
        ("=", "How long is "),
        ("-", "it?"),
        ("+", "the berth?"),
    ]
