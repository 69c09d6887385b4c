from assets.sources.document import DeclaredDate
from tests.sources.made import extracted, sections


def test_markdown_has_sections_lists_tables_code_and_html() -> None:
    text = """# <a name="fees"></a>Fees

The *fee* is [due](https://a.example/) in May.
It is paid once.

* for a barber
* for a guide

## Table

| License | Fee |
|---|---|
| Barber | $40 |

<div><p>A <b>note</b>.</p></div>

```
a = 1
b = 2
```
"""
    assert sections(extracted(text, name="fees.md")) == [
        (("Fees",), "The fee is due in May. It is paid once.\n\n- for a barber\n- for a guide"),
        (("Fees", "Table"), "License | Fee\nBarber | $40\n\nA note.\n\na = 1\nb = 2"),
    ]


def test_front_matter_gives_title_language_and_date() -> None:
    document = extracted("---\ntitle: On fees\nlang: en\ndate: 2021-07-01\n---\n# Fees\n\nDue in May.\n", name="a.md")
    assert (document.title, document.language) == ("On fees", "en")
    assert document.dates == (DeclaredDate("front matter date", "2021-07-01"),)
    assert "title:" not in document.text


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert extracted("---\n\nWords: [unclosed\n\n---\nmore", name="a.md").text.startswith("Words: [unclosed")


def test_plain_text_is_unwrapped_into_paragraphs() -> None:
    text = """The board shall set the fee for a license by rule, and the sheriff
of each county shall furnish the license.

Roses are red,
violets are blue.

The applicant gives the board these things before the license is made:
  - a form that the board has approved and that the applicant has signed
  - a fee
"""
    assert extracted(text).text.split("\n\n") == [
        "The board shall set the fee for a license by rule, and the sheriff of each county shall furnish the license.",
        "Roses are red,\nviolets are blue.",
        "The applicant gives the board these things before the license is made:\n"
        "- a form that the board has approved and that the applicant has signed\n- a fee",
    ]


def test_plain_text_has_headings_that_look_like_some() -> None:
    text = """LICENSING HANDBOOK

Chapter 2. Fees

§ 33-1-101. Sheriff to furnish licenses.

The sheriff does.

1. Scope

It is wide.

1.1 Limits

None.

Underlined
==========

Words.
"""
    assert [section.path for section in extracted(text).sections] == [
        ("LICENSING HANDBOOK", "Chapter 2. Fees", "§ 33-1-101. Sheriff to furnish licenses."),
        ("1. Scope",),
        ("1. Scope", "1.1 Limits"),
        ("Underlined",),
    ]


def test_numbered_items_and_sentences_are_no_headings() -> None:
    text = "1. Wash your hands\n\n2. Dry them\n\nSection 5 applies to all of it.\n\nNo fee is due:\n"
    assert [section.path for section in extracted(text).sections] == [()]
