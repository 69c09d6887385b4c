from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from assets.items.tables_in import Table, read_table
from resources.types import ConfigurationError


def read(folder: Path, name: str, content: str | bytes) -> Table:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(str(file))


def test_csv_keeps_line_breaks_commas_and_quotes_inside_quotes(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", 'q,a\n"one\ntwo, ""three""",4\n')
    assert table.columns == ("q", "a")
    assert table.rows == [(1, {"q": 'one\ntwo, "three"', "a": "4"})]


def test_csv_with_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    table = read(tmp_path, "a.CSV", b"\xef\xbb\xbfq,a\r\n\xf0\x9f\x98\x80,4\r\n\r\n")
    assert table.columns == ("q", "a")
    assert table.rows == [(1, {"q": "😀", "a": "4"})]


def test_a_csv_row_of_the_wrong_width_is_set_aside(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", "q,a\none\ntwo,2\nthree,3,3\n")
    assert [row.number for row in table.rows] == [2]
    assert table.refused == [
        (1, "has 1 cells and the header 2; mend its commas and quotes"),
        (3, "has 3 cells and the header 2; mend its commas and quotes"),
    ]


def test_a_quote_in_the_wrong_place_costs_its_row_alone(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", 'q,a\n"one" more,1\ntwo,2\n')
    assert [row.number for row in table.rows] == [2]
    assert table.refused[0].row == 1
    assert "is not valid CSV" in table.refused[0].reason


def test_a_quote_that_is_never_closed_is_told_and_swallows_nothing_silently(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", 'q,a\none,1\n"two,2\nthree,3\n')
    assert [row.number for row in table.rows] == [1]
    assert "unexpected end of data" in table.refused[0].reason


def test_in_a_long_file_a_quote_that_is_never_closed_does_not_cost_the_end(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", 'q,a\n"one,1\n' + "two,2\n" * 50_000)
    assert len(table.rows) > 25_000
    assert "field larger than field limit" in table.refused[0].reason


def test_latin_1_is_an_error_that_names_byte_and_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"not UTF-8 \(byte 0xe9 in line 2\); save it as UTF-8"):
        read(tmp_path, "a.csv", "q,a\ncafé,1\n".encode("latin-1"))


def test_utf_16_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read(tmp_path, "a.jsonl", '{"q": "x"}'.encode("utf-16"))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_an_empty_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="is empty"):
        read(tmp_path, name, "\n")


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    assert read(tmp_path, "a.csv", "q,a\n").rows == []


def test_json_lines_have_the_columns_of_all_rows_and_numbers_as_written(tmp_path: Path) -> None:
    table = read(tmp_path, "a.jsonl", '{"q": "x", "a": 3.0}\n\n{"q": "y", "b": 1e6, "c": NaN}\n')
    assert table.columns == ("q", "a", "b", "c")
    assert table.rows == [(1, {"q": "x", "a": "3.0"}), (3, {"q": "y", "b": "1e6", "c": None})]


def test_a_bad_json_line_is_set_aside_under_its_line_number(tmp_path: Path) -> None:
    table = read(tmp_path, "a.ndjson", '{"q": "x"}\n{"q": \n["y"]\n')
    assert [refusal.row for refusal in table.refused] == [2, 3]
    assert len(table.rows) == 1


def test_parquet_numbers_dates_and_truth_values_become_text(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    pl.DataFrame(
        {"i": [4], "f": [3.0], "n": [float("nan")], "s": pl.Series([0.1], dtype=pl.Float32), "b": [True], "x": [None]}
    ).with_columns(
        d=pl.date(2024, 2, 29), t=pl.duration(days=2), l=pl.concat_list(pl.lit("u"), pl.lit("v"))
    ).write_parquet(file)
    [row] = read_table(str(file)).rows
    assert row.cells == {
        **{"i": "4", "f": "3.0", "n": None, "s": "0.1", "b": "true", "x": None},
        **{"d": "2024-02-29", "t": timedelta(days=2), "l": ["u", "v"]},
    }


@pytest.mark.parametrize("content", [b"", b"PAR1 cut"])
def test_half_a_parquet_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ConfigurationError, match="is not a whole Parquet file"):
        read(tmp_path, "a.parquet", content)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such file"):
        read_table(str(tmp_path / "none.csv"))


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_table(str(tmp_path / "a.csv"))


def test_another_format_is_an_error_that_names_those_that_are_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"ends in \.xlsx; give a \.csv, \.jsonl, \.ndjson or \.parquet file"):
        read(tmp_path, "a.xlsx", "x")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_hugging_face_out_of_reach_says_to_download_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(
        ConfigurationError, match=r"cannot be read from Hugging Face .* download the file and give its path"
    ):
        read_table(f"hf://datasets/nobody/nothing/{name}")
