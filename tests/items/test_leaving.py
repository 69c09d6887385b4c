"""What public items say of where they come from."""

from pathlib import Path

import polars as pl
import pytest

from assets.items.leaving import Split, part_of, without_folders
from resources.registries.banks import Bank, BankSpec
from resources.types import Format


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("/mnt/share/tax/fees 2024.pdf", "fees 2024.pdf"),
        ("~/tax/fees.pdf", "fees.pdf"),
        ("file:///home/ann/fees.pdf", "fees.pdf"),
        (r"C:\Users\Ann\fees.pdf", "fees.pdf"),
        ("d:/tax/fees.pdf", "fees.pdf"),
        (r"\\server\tax\fees.pdf", "fees.pdf"),
        ("documents/tax/fees.pdf", "documents/tax/fees.pdf"),
        ("https://example.org/a/fees.pdf", "https://example.org/a/fees.pdf"),
        (None, None),
    ],
)
def test_of_an_absolute_path_the_name_alone_is_left(source: str | None, shown: str | None) -> None:
    frame = pl.DataFrame({"source_url": [source]}, schema={"source_url": pl.String})
    assert frame.select(without_folders(pl.col("source_url"))).item() == shown


def test_no_absolute_path_stands_in_the_public_part() -> None:
    items = pl.DataFrame({"bank": "own", "status": "active", "split": "public", "source_url": "/mnt/share/fees.pdf"})
    bank = Bank("own", Path("own"), BankSpec(title="Own", format=Format.SHORT_ANSWER))
    assert part_of(items, Split.PUBLIC, {"own": bank})["source_url"].to_list() == ["fees.pdf"]
