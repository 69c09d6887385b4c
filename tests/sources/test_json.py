import json
from typing import Any

from assets.sources.document import DeclaredDate
from tests.sources.made import extracted, sections


def read(content: Any) -> list[tuple[tuple[str, ...], str]]:
    return sections(extracted(json.dumps(content), "application/json"))


def test_json_lines_are_a_section_each_with_heading_and_text_found_by_their_names() -> None:
    rows = [
        {"id": 1, "heading": "§ 1", "text": "One.", "history": "1901"},
        {"title": "§ 2", "body": "<p>Two <b>bold</b>.</p><p>More.</p>"},
        {"text": "Three."},
        {"name": "§ 4", "fee": 3.10, "kinds": ["a", "b"]},
    ]
    document = extracted("\n".join(map(json.dumps, rows)).replace("3.1", "3.10"), name="a.jsonl")
    assert sections(document) == [
        (("§ 1",), "One."),
        (("§ 2",), "Two bold.\n\nMore."),
        (("Line 3",), "Three."),
        (("§ 4",), "fee: 3.10\nkinds: a, b"),
    ]


def test_lines_that_are_no_objects_are_told_and_the_rest_is_read() -> None:
    lines = ['{"heading": "A", "text": "One."}', "oops", "[1]", '{"heading": "B", "text": "cut', ""]
    document = extracted("\n".join(lines), name="a.jsonl")
    assert sections(document) == [(("A",), "One.")]
    assert document.left_out == tuple(f"line {number} is not a JSON object" for number in (2, 3, 4))


def test_many_bad_lines_are_counted() -> None:
    document = extracted('{"text": "One."}\n' + "x\n" * 50, name="a.jsonl")
    assert document.left_out[4:] == ("line 6 is not a JSON object", "45 more lines are not JSON objects")


def test_json_has_sections_by_the_names_above() -> None:
    content = {
        "title": "Factbook",
        "Geography": {
            "Location": {"text": "North America"},
            "Area": {"total ": {"text": "9,833,517 sq km"}, "land": {"text": "9,147,593 sq km"}},
            "Climate": {"text": "mostly temperate", "note": {"text": "<p>cold in&nbsp;Alaska</p>"}},
        },
        "Rows": [{"name": "First", "value": 1.50, "open": True, "none": None}, {"value": 2}],
        "Tags": ["a", "b"],
    }
    document = extracted(json.dumps(content).replace("1.5", "1.50"), "application/json")
    assert sections(document) == [
        ((), "title: Factbook\nTags: a, b"),
        (("Geography",), "Location: North America"),
        (("Geography", "Area"), "total: 9,833,517 sq km\nland: 9,147,593 sq km"),
        (("Geography", "Climate"), "mostly temperate\n\nnote: cold in Alaska"),
        (("Rows", "First"), "name: First\nvalue: 1.50\nopen: yes"),
        (("Rows", "2"), "value: 2"),
    ]
    assert document.title == "Factbook"


def test_language_and_dates_of_a_json_document() -> None:
    document = extracted(
        '{"name": "Fees", "inLanguage": "en", "datePublished": "2021", "updated": 2022, "text": "Due."}'
    )
    assert document.language == "en"
    assert document.dates == (DeclaredDate("datePublished", "2021"), DeclaredDate("updated", "2022"))


def test_less_than_is_no_markup() -> None:
    assert read({"text": "a < b & b > c"}) == [((), "a < b & b > c")]
