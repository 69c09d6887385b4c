"""What a run in this process says of a step that failed."""

from pathlib import Path

import pytest

from orchestration.console import Console
from orchestration.launch import run_build_job
from tests.support.world import DOMAIN, World


def test_an_unexpected_fault_is_told_with_its_type_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    World.make(tmp_path, monkeypatch, "http://127.0.0.1:9")

    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("assets.items.assets.read_domain_items", broken)

    launched = run_build_job(DOMAIN, None, Console())

    told = dict(launched.failed_steps)
    assert not launched.success
    assert "OSError: [Errno 5] Input/output error" in told["items"]
