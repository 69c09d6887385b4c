"""A workshop for tests: a bank with domains and documents in files, its models behind a scripted author, and builds."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from assets.authoring.cast import Cast, cast_of
from assets.authoring.desk import Desk
from assets.authoring.session import desk_for
from assets.evidence_cards.stage import CardStage, make_cards
from assets.items.bank_files import read_lines
from assets.items.item_lines import ItemLine
from assets.items.making import MadeItems, make_items
from assets.items.passes.assembling import assemble_passes
from assets.items.passes.draft import Draft, Pass, Ruling
from assets.items.passes.running import Ran, run_passes
from assets.items.similarity import Posed
from assets.sources.gathering import gather
from assets.sources.reading import read
from resources.installation import Installation
from resources.registries import Bank, Domain
from resources.registries.banks import FORMATS
from resources.types import Format
from tests.support.author import Author
from tests.support.catalogue import PANEL
from tests.support.facts import Fact
from tests.support.scripted_server import ScriptedServer

BANK = "land"
DOMAIN = "land.ports"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TODAY = NOW.date()
TOPICS = ("Harbours", "Law")


@dataclass(frozen=True)
class Build:
    """What one build of a domain came to."""

    cards: CardStage
    items: MadeItems
    over_budget: bool


@dataclass
class Workshop:
    """The files of one bank; every method works on them as they stand.

    Attributes:
        bank: content of bank.yaml.
        domain: content of the domain's file.
        models: content of models.yaml.
        builds: desks opened so far.
    """

    root: Path
    server: ScriptedServer
    author: Author = field(default_factory=Author)
    bank: dict[str, Any] = field(default_factory=dict)
    domain: dict[str, Any] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)
    builds: int = 0
    _gathered: bool = False
    _registries: Installation | None = None

    @classmethod
    def make(cls, root: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> "Workshop":
        """A bank of one domain with two topics of one item each, without documents yet."""
        monkeypatch.setenv("FACTSWEEP_BANKS", str(root / "banks"))
        monkeypatch.setenv("FACTSWEEP_MODELS", str(root / "models.yaml"))
        monkeypatch.setattr("resources.installation.bank_roots", lambda: [root / "banks"])
        monkeypatch.setattr("resources.llm.errand.FIRST_BACKOFF_S", 0.01)
        monkeypatch.setattr("resources.llm.gateway.POLL_S", 0.01)
        monkeypatch.setattr("assets.sources.gathering.extract", read)  # documents of ours need no process of their own
        monkeypatch.setenv("GENERATOR_KEY", "k-generator")
        made = cls(root, server)
        made.models = [
            made.model("gen-one", "openai/gen-one", server.url, api_key_env="GENERATOR_KEY"),
            made.model("gen-two", "anthropic/gen-two", server.origin, api_key_env="GENERATOR_KEY"),
            *(made.model(id, f"hosted_vllm/{id}", server.url) for id in ("verifier", *PANEL, "judge")),
        ]
        made.bank = {
            "title": "Land",
            "format": "short_answer",
            "roles": {"generator": ["gen-one"], "verifier": "verifier", "panel": list(PANEL), "judge": "judge"},
        }
        made.domain = {
            "title": "Ports of Varnland",
            "topics": [{"name": name, "items": 1} for name in TOPICS],
            "sources": [{"path": "documents/*"}],
        }
        made.write()
        return made

    @staticmethod
    def model(id: str, model: str, api_base: str, **more: Any) -> dict[str, Any]:
        """A model entry with a price that fails fast."""
        return {
            "id": id,
            "model": model,
            "api_base": api_base,
            "params": {"max_tokens": 400},
            "price": {"input": 1.0, "output": 2.0},
            "retries": {"attempts": 2, "seconds": 5},
            "timeout": 5,
        } | more

    @property
    def folder(self) -> Path:
        return self.root / "banks" / BANK

    @property
    def items_file(self) -> Path:
        return self.folder / "items" / "ports.jsonl"

    @property
    def requests(self) -> int:
        return self.server.stats.received

    def wants(self, **items: int) -> None:
        """So many items of each topic."""
        self.domain["topics"] = [{"name": name, "items": count} for name, count in items.items()]
        self.write()

    def write(self) -> None:
        """The registry files as the fields say."""
        self._registries = None
        for name in ("domains", "documents", "items", "prompts"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "bank.yaml").write_text(yaml.safe_dump(self.bank))
        (self.folder / "domains" / "ports.yaml").write_text(yaml.safe_dump(self.domain))
        (self.root / "models.yaml").write_text(yaml.safe_dump({"models": self.models, "baselines": []}))

    def document(self, name: str, *facts: Fact) -> None:
        """A document that states `facts`, a chapter each, so that each is a passage of its own."""
        chapters = [f"# Chapter {number}\n\n{fact.excerpt}\n" for number, fact in enumerate(facts, 1)]
        (self.folder / "documents" / f"{name}.md").write_text("\n".join(chapters), encoding="utf-8")
        self.author.facts = tuple(dict.fromkeys((*self.author.facts, *facts)))
        self._gathered = False

    def plain_document(self, name: str, text: str, *facts: Fact) -> None:
        """A text file, whose lines stay as they are."""
        (self.folder / "documents" / f"{name}.txt").write_text(text, encoding="utf-8")
        self.author.facts = tuple(dict.fromkeys((*self.author.facts, *facts)))
        self._gathered = False

    def no_document(self, name: str) -> None:
        (self.folder / "documents" / f"{name}.md").unlink()
        self._gathered = False

    def without_criterion(self, prompt: str, criterion: str) -> None:
        """The shipped prompt as the bank's own, with `criterion` taken out of it."""
        shipped = (FORMATS / Format.SHORT_ANSWER / f"{prompt}.md").read_text(encoding="utf-8")
        assert criterion in shipped
        (self.folder / "prompts" / f"{prompt}.md").write_text(shipped.replace(criterion, ""), encoding="utf-8")

    def open(self) -> Installation:
        """A ledger and a lake of its own over the registries as they were last written."""
        if self._registries is None:
            self._registries = Installation.open()
        return replace(self._registries)

    def parts(self, installation: Installation) -> tuple[Bank, Domain, Cast]:
        bank, domain = installation.banks.domains[DOMAIN]
        return bank, domain, cast_of(bank, installation.models)

    @contextmanager
    def desk(self, budget: float | None = None) -> Iterator[tuple[Installation, Desk]]:
        """A desk on an account of its own."""
        self.builds += 1
        installation = self.open()
        _, _, cast = self.parts(installation)
        try:
            with desk_for(installation, cast, f"build-{self.builds}", budget) as desk:
                yield installation, desk
        finally:
            installation.ledger.close()

    @contextmanager
    def passes(self, today: date = TODAY, standing: Sequence[Posed] = ()) -> Iterator[list[Pass]]:
        """The bank's passes at a desk."""
        with self.desk() as (installation, desk):
            bank, domain, cast = self.parts(installation)
            yield assemble_passes(installation, bank, domain, cast, desk, today, standing, {})

    def rulings(self, name: str, *drafts: Draft) -> list[Ruling]:
        """What one pass says of drafts."""
        with self.passes() as passes:
            return next(each for each in passes if each.name == name).rule(drafts)

    def ruling(self, name: str, draft: Draft) -> Ruling:
        return self.rulings(name, draft)[0]

    def run(self, *drafts: Draft, revisions: int = 2) -> Ran:
        """Drafts sent through all passes."""
        with self.passes() as passes:
            return run_passes(drafts, passes, revisions)

    def gather(self, now: datetime = NOW) -> pl.DataFrame:
        """The table `sources` as the documents stand."""
        installation = self.open()
        bank, domain, _ = self.parts(installation)
        frame = gather(bank, domain, installation.lake.read("sources", domain=DOMAIN), now)
        installation.lake.write("sources", frame, domain=DOMAIN)
        self._gathered = True
        return frame

    def make_cards(self, budget: float | None = None) -> CardStage:
        if not self._gathered:
            self.gather()
        with self.desk(budget) as (installation, desk):
            return make_cards(installation, *self.parts(installation), desk)

    def build(self, budget: float | None = None, reviewed: Sequence[str] = (), now: datetime = NOW) -> Build:
        """Sources where documents changed, cards and items, one after the other."""
        if not self._gathered:
            self.gather(now)
        with self.desk(budget) as (installation, desk):
            parts = self.parts(installation)
            cards = make_cards(installation, *parts, desk)
            made = make_items(installation, *parts, desk, now, lambda: reviewed)
            return Build(cards, made, desk.over_budget)

    def table(self, name: str) -> pl.DataFrame:
        return self.open().lake.read(name, domain=DOMAIN)

    def lines(self) -> list[ItemLine]:
        """The items file's lines that are items."""
        read = read_lines(self.items_file, Format.SHORT_ANSWER) if self.items_file.exists() else ()
        return [line for _, line in read if isinstance(line, ItemLine)]

    def line(self, fact: Fact) -> ItemLine:
        """The line of the item that was made of a fact."""
        return next(line for line in self.lines() if line.evidence and line.evidence["excerpt"] == fact.excerpt)

    def statuses(self) -> dict[str, str]:
        """Status by gold."""
        return {line.answer: line.status for line in self.lines()}

    def verdicts(self, fact: Fact) -> list[tuple[str, str]]:
        """The item's history: pass and verdict."""
        rows = self.table("verdicts").filter(pl.col("item_id") == self.line(fact).id).sort("step")
        return list(rows.select("pass", "verdict").iter_rows())

    def forget(self) -> None:
        """Another machine with the same files: nothing in its lake or its ledger."""
        home = self.open().home.root
        shutil.rmtree(home)
        home.mkdir()
        self._gathered = False


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    with ScriptedServer() as server:
        made = Workshop.make(tmp_path, monkeypatch, server)
        server.script = made.author
        yield made
