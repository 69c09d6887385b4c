"""Passages of a source: along its structure, within limits, and stable where another part of it changes."""

import pytest

from assets.evidence_cards.chunks import LONGEST, Chunk, Part, chunks_of, in_turn

PARAGRAPH = "The tide turned before noon. " * 40  # 1,160 characters


def texts(*sections: tuple[tuple[str, ...], str]) -> list[list[str]]:
    return [[part.text for part in parts] for _, parts in chunks_of(sections)]


def chunk(source: str, text: str, tier: int = 1, topics: tuple[str, ...] = ("Harbours",)) -> Chunk:
    return Chunk(source, f"{source}.md", source.title(), tier, "Part", (Part(("Part",), text),), topics)


def test_short_sections_under_one_heading_are_read_together() -> None:
    chunks = chunks_of([(("Act", "Section 1"), "One."), (("Act", "Section 2"), "Two.")])

    assert chunks == [("Act", (Part(("Act", "Section 1"), "One."), Part(("Act", "Section 2"), "Two.")))]


@pytest.mark.parametrize(
    ("one", "other"), [(("Chapter 1",), ("Chapter 2",)), (("Act", "Section 1"), ("Order", "Section 1")), ((), ("A",))]
)
def test_sections_under_different_headings_are_read_apart(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert texts((one, "One."), (other, "Two.")) == [["One."], ["Two."]]


def test_a_passage_shows_the_heading_of_each_of_its_parts() -> None:
    ((section, parts),) = chunks_of([(("Act", "Section 1"), "One."), (("Act", "Section 2"), "Two.")])

    read = Chunk("s", "s.md", "Act", 1, section, parts, ())

    assert read.text == "Section 1\n\nOne.\n\nSection 2\n\nTwo."


def test_a_long_section_is_cut_between_paragraphs() -> None:
    section = "\n\n".join([PARAGRAPH.strip()] * 12)

    cut = texts((("Act",), section))

    assert len(cut) > 1
    assert all(sum(map(len, parts)) <= LONGEST for parts in cut)
    assert all(part.endswith("noon.") and part.startswith("The tide") for parts in cut for part in parts)
    assert sum(part.count("The tide") for parts in cut for part in parts) == 12 * 40


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    cut = texts((("Act",), PARAGRAPH * 12))

    assert all(part.startswith("The tide") and part.endswith("noon.") for parts in cut for part in parts)


def test_what_has_no_place_to_be_cut_is_cut_where_it_is_too_long() -> None:
    cut = texts((("Act",), "x" * (2 * LONGEST + 5)))

    assert [len(part) for parts in cut for part in parts] == [LONGEST, LONGEST, 5]


def test_an_empty_section_is_no_passage() -> None:
    assert chunks_of([(("Repealed",), ""), (("Kept",), "Text.")]) == [("Kept", (Part(("Kept",), "Text."),))]


def test_a_change_in_one_passage_leaves_the_others_what_they_are() -> None:
    before = [(("Chapter", str(number)), PARAGRAPH * 3 + str(number)) for number in range(4)]
    after = [*before[:1], (before[1][0], "Short now."), *before[2:]]

    def digests(sections: list[tuple[tuple[str, ...], str]]) -> set[str]:
        return {Chunk("s", "s", "S", 1, section, parts, ()).digest for section, parts in chunks_of(sections)}

    assert len(digests(before) & digests(after)) >= 1
    assert digests(before) != digests(after)


def test_chapters_that_do_not_change_stay_the_same_passages() -> None:
    before = [((f"Chapter {number}",), f"Text {number}.") for number in range(4)]
    after = [*before[:1], (("Chapter 1",), "Another text."), *before[2:]]

    assert len(set(map(str, chunks_of(before))) & set(map(str, chunks_of(after)))) == 3


def test_a_passage_is_another_one_for_another_topic() -> None:
    assert chunk("a", "Text.").digest != chunk("a", "Text.", topics=("Harbours", "Law")).digest


def test_sources_are_read_in_turn_those_of_the_highest_authority_first() -> None:
    chunks = [
        chunk("low", "One.", 3),
        chunk("low", "Two.", 3),
        chunk("high", "One.", 1),
        chunk("high", "Two.", 1),
        chunk("high", "Three.", 1),
    ]

    assert [each.source_id for each in in_turn(chunks)] == ["high", "low", "high", "low", "high"]


def test_the_order_within_a_source_does_not_change_with_the_rest_of_it() -> None:
    chunks = [chunk("a", f"Text {number}.") for number in range(8)]

    whole = [each.text for each in in_turn(chunks)]
    part = [each.text for each in in_turn(chunks[2:])]

    assert [text for text in whole if text in part] == part
