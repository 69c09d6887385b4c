"""A web on loopback, and a domain with one page of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.discovered import scene
from tests.sources.gathered import Gathered, law
from tests.support.web import Web

__all__ = ["scene"]


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.fixture
def domain(tmp_path: Path, web: Web) -> Gathered:
    web.pages["/law"] = law()
    return Gathered(tmp_path / "bank", web, sources=[{"url": web.url("/law")}])
