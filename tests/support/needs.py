"""What a test needs of the machine: real data beside the project, programs; and what happens without it.

Without the real data, which are no part of the project, a test is skipped; a file that is missing from them is a
failure. Without a program a test is skipped too, but fails where the programs are required, as in continuous
integration: a test that quietly stopped running there would prove nothing.
"""

import os
from pathlib import Path
from typing import NoReturn

import pytest

from resources.home import PROJECT

SHARED_DATA = PROJECT.parent / "shared" / "data"


def shared_data(name: str) -> Path:
    """A file of the real data; the test is skipped where they are absent.

    Raises:
        FileNotFoundError: when the data are there without this file.
    """
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the real data are not at {SHARED_DATA}; they are no part of the project")
    file = SHARED_DATA / name
    if not file.is_file():
        raise FileNotFoundError(f"{SHARED_DATA} has no {name}")
    return file


def without_program(reason: str) -> NoReturn:
    """Skips the test, or fails it where FACTSWEEP_PROGRAMS=required or CI is set."""
    if os.environ.get("CI") or os.environ.get("FACTSWEEP_PROGRAMS") == "required":
        pytest.fail(f"required here: {reason}")
    pytest.skip(reason)
