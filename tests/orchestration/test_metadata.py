"""What the UI shows of a table."""

import polars as pl

from orchestration.metadata import table_markdown


def test_an_answer_with_an_image_is_shown_as_text() -> None:
    frame = pl.DataFrame({"item_id": ["q1"], "text": ["![x](https://evil.example/p.png)"]})

    shown = table_markdown(frame, ("text",)).value

    assert str(shown).splitlines()[2] == "| !\\[x\\](https://evil.example/p.png) |"


def test_more_rows_than_shown_are_counted_below_the_table() -> None:
    shown = str(table_markdown(pl.DataFrame({"n": list(range(10))}), ("n",), rows=2).value)

    assert shown == "| n |\n| --- |\n| 0 |\n| 1 |\n\n_2 of 10 rows_"


def test_a_table_without_rows_says_so() -> None:
    assert table_markdown(pl.DataFrame({"n": []}), ("n",)).value == "_no rows_"
