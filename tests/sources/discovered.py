"""A scene for discovery: a bank whose planner and search provider answer by a script, and the command on it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from orchestration.cli import main
from tests.support.replies import Api, Page, Reply, Request
from tests.support.scripted_server import ScriptedServer
from tests.support.workshop import DOMAIN, Workshop

KEY = "tvly-0123456789abcdef"
HARBOURS, LAW = "varnland harbour register", "varnland port act text"
PLAN = {"queries": [{"topic": "Harbours", "query": HARBOURS}, {"topic": "Law", "query": LAW}]}
REGISTER = Page("https://ports.gov.example/register", "Register of harbours")
ACT = Page("https://law.example/port-act", "Port Act")


@dataclass
class Scene:
    """Files and scripts of one domain.

    Attributes:
        plans: the planner's replies, the last again and again.
        pages: what each query finds.
        troubles: replies to a query that come instead.
    """

    workshop: Workshop
    plans: list[Reply] = field(default_factory=lambda: [plan(PLAN)])
    pages: dict[str, tuple[Page, ...]] = field(default_factory=lambda: {HARBOURS: (REGISTER,), LAW: (ACT,)})
    troubles: dict[str, Reply] = field(default_factory=dict)
    planned: int = 0

    @property
    def domain_file(self) -> Path:
        return self.workshop.folder / "domains/ports.yaml"

    @property
    def file(self) -> Path:
        return self.workshop.folder / "candidates/ports.yaml"

    @property
    def requests(self) -> int:
        return self.workshop.requests

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["discover", "--domain", DOMAIN, *arguments])

    def entries(self) -> list[dict[str, Any]]:
        return yaml.safe_load(self.file.read_text(encoding="utf-8"))

    def urls(self) -> list[str]:
        return [entry["url"] for entry in self.entries()]

    def searches(self) -> list[Request]:
        return [request for request in self.workshop.server.log if request.api is Api.TAVILY]

    def prompts(self) -> list[str]:
        return [request.message for request in self.workshop.server.log if request.api is not Api.TAVILY]

    def __call__(self, request: Request) -> Reply:
        if request.api is Api.TAVILY:
            return self.troubles.get(request.message) or Reply(pages=self.pages.get(request.message, ()))
        self.planned += 1
        return self.plans[min(self.planned, len(self.plans)) - 1]


def plan(content: object) -> Reply:
    return Reply(text=json.dumps(content))


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setenv("FINDER_KEY", KEY)
    monkeypatch.setenv("FACTSWEEP_BANKS", "")
    with ScriptedServer() as server:
        workshop = Workshop.make(tmp_path, monkeypatch, server)
        finder = workshop.model("finder", "search/tavily", server.origin, api_key_env="FINDER_KEY", params={})
        workshop.models = [
            workshop.model("planner", "hosted_vllm/planner", server.url),
            finder | {"price": {"input": 0, "output": 0, "request": 0.01}, "timeout": 30},
        ]
        workshop.bank["roles"] = {"planner": "planner", "search": "finder"}
        workshop.domain["hosts"] = {"law.example": 1, "*.gov.example": 2}
        workshop.write()
        made = Scene(workshop)
        server.script = made
        yield made
