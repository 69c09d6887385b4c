"""A bank of a few items for the tests that decide about them."""

from pathlib import Path

import pytest

from tests.reviews.harbours import ODD_LINE, Harbours, installed, item_line


@pytest.fixture
def harbours(tmp_path: Path) -> Harbours:
    """Items 1 (active), 2 (dropped), 3 (disputed), 4 (retired), 9 (oddly written), and a line that is no item."""
    return installed(
        tmp_path,
        item_line(1, aliases=["101 metres"]),
        item_line(2, status="dropped"),
        item_line(3, status="disputed"),
        "no item at all",
        item_line(4, status="retired"),
        ODD_LINE,
    )
