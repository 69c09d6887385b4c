"""What `factsweep build` prints meanwhile."""

import pytest

from assets.sources.assets import Counted
from orchestration.domain_builds import BuildConsole


def test_a_long_line_to_a_pipe_is_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    path = "/very/long/" + "folder/" * 30 + "fees.pdf"
    BuildConsole("own.law").built("sources", f"{path}: is empty")
    assert capsys.readouterr().err == f"sources: {path}: is empty\n"


def test_documents_are_counted_at_most_every_15_seconds() -> None:
    moments = iter((0.0, 14.0, 15.0, 16.0, 31.0))
    said: list[str] = []
    counted = Counted(said.append, lambda: next(moments))

    for done in (11, 12, 13, 40):
        counted(done, 300)

    assert said == ["12 of 300 documents", "40 of 300 documents"]
