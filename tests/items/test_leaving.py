"""What public items say of where they come from."""

import polars as pl
import pytest

from assets.items.leaving import without_folders


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
