"""A table as bytes in an exchange format."""

import io
import json

import polars as pl


def encode(frame: pl.DataFrame, form: str) -> bytes:
    """`frame` as csv (lists as JSON text), jsonl (times as ISO text) or parquet."""
    buffer = io.BytesIO()
    match form:
        case "csv":
            lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
            flat = frame.with_columns(
                pl.col(name).map_elements(lambda value: json.dumps(list(value), ensure_ascii=False), pl.String)
                for name in lists
            )
            flat.write_csv(buffer)
        case "jsonl":
            frame.write_ndjson(buffer)
        case "parquet":
            frame.write_parquet(buffer)
        case _:
            raise ValueError(f"unknown format {form!r}")
    return buffer.getvalue()
