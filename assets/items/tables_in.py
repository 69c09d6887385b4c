"""Reading a table from outside: CSV, JSON lines or Parquet, here or on Hugging Face, as rows of raw cells.

What a cell means is `cells.py`. Rows are numbered from 1, the header apart; in JSON lines it is the line's number.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from polars import selectors as cs

from assets.items.item_lines import LineFault, parse_object
from resources.types import ConfigurationError


class Refusal(NamedTuple):
    """A row that was set aside, and why."""

    row: int
    reason: str


class Row(NamedTuple):
    """One row by column name; a cell is text, None, or a list or mapping where the file has such."""

    number: int
    cells: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A file's columns, the rows that could be read and those that could not."""

    file: str
    columns: tuple[str, ...]
    rows: list[Row]
    refused: list[Refusal]


def read_table(file: str) -> Table:
    """The table in `file`, a path or an `hf://` address that ends in .csv, .jsonl, .ndjson or .parquet.

    Raises:
        ConfigurationError: when it is not there, is empty, is none of these formats, or is not UTF-8.
    """
    kind = Path(file).suffix.lower()
    if kind not in (".csv", ".jsonl", ".ndjson", ".parquet"):
        raise ConfigurationError(
            f"{file}: its name ends in {kind or 'no format'}; give a .csv, .jsonl, .ndjson or .parquet file"
        )
    table = _from_hugging_face(file, kind) if file.startswith("hf://") else _from_disk(file, kind)
    if not (table.columns or table.rows or table.refused):
        raise ConfigurationError(f"{file} is empty; give a file with a row for each question")
    return table


def _from_hugging_face(file: str, kind: str) -> Table:
    try:
        if kind == ".parquet":
            frame = pl.read_parquet(file)
        elif kind == ".csv":
            frame = pl.read_csv(file, infer_schema=False)
        else:
            frame = pl.read_ndjson(file, infer_schema_length=None)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ConfigurationError(
            f"{file} cannot be read from Hugging Face ({_first_line(error)}); "
            "download the file and give its path instead"
        ) from None
    return _from_frame(file, frame)


def _from_disk(file: str, kind: str) -> Table:
    try:
        content = Path(file).read_bytes()
    except FileNotFoundError:
        raise ConfigurationError(f"{file}: no such file; mend the path") from None
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read ({error.strerror}); give the path of a file") from None
    if kind == ".parquet":
        try:
            return _from_frame(file, pl.read_parquet(content))
        except pl.exceptions.PolarsError as error:
            raise ConfigurationError(
                f"{file} is not a whole Parquet file ({_first_line(error)}); get it again"
            ) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(
            f"{file} is not UTF-8 (byte 0x{content[error.start]:02x} in line {line}); save it as UTF-8 and import again"
        ) from None
    return _from_csv(file, text) if kind == ".csv" else _from_json_lines(file, text)


def _from_csv(file: str, text: str) -> Table:
    # strict: without it a quote that is never closed swallows the rest of the file into one answer
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = tuple(name.strip() for name in next((cells for cells in reader if cells), ()))
    except csv.Error as error:
        raise ConfigurationError(f"{file}: its header is not valid CSV ({error}); mend its quotes") from None
    rows: list[Row] = []
    refused: list[Refusal] = []
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return Table(file, columns, rows, refused)
        except csv.Error as error:
            number += 1
            refused.append(Refusal(number, f"is not valid CSV ({error}) up to line {reader.line_num}; mend its quotes"))
            continue
        if not cells:
            continue
        number += 1
        if len(cells) == len(columns):
            rows.append(Row(number, dict(zip(columns, cells, strict=True))))
        else:
            found = f"has {len(cells)} cells and the header {len(columns)}"
            refused.append(Refusal(number, f"{found}; mend its commas and quotes"))


def _from_json_lines(file: str, text: str) -> Table:
    columns: dict[str, None] = {}
    rows: list[Row] = []
    refused: list[Refusal] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = Row(number, parse_object(line))
        except LineFault as fault:
            refused.append(Refusal(number, str(fault)))
            continue
        columns.update(dict.fromkeys(row.cells))
        rows.append(row)
    return Table(file, tuple(columns), rows, refused)


def _from_frame(file: str, frame: pl.DataFrame) -> Table:
    """Numbers and dates become text as polars shows them, so that 3.0 stays 3.0; not a number becomes null."""
    texts = frame.with_columns(cs.float().fill_nan(None)).with_columns(
        (cs.numeric() | cs.boolean() | cs.categorical() | (cs.temporal() - cs.duration())).cast(pl.String)
    )
    rows = [Row(number, cells) for number, cells in enumerate(texts.iter_rows(named=True), 1)]
    return Table(file, tuple(frame.columns), rows, [])


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
