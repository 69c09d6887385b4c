"""What a team does in the UI of `make up`: look at the graph, materialize, backfill a new domain, sweep, read results.

Screenshots are kept under FACTSWEEP_ARTIFACTS, or in the test's temporary folder.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.production import LOCATION, Production, until
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World, capital_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NEW = f"{BANK}.asia"
JOBS = f"/locations/__repository__@{LOCATION}/jobs"
LAUNCHPAD = f"ops: {{sweeps: {{config: {{banks: [{BANK}], budget_usd: 5}}}}}}"


@dataclass
class Ui:
    """A page of the UI; `complaints` are errors of its console and errors that nobody caught."""

    page: "Page"
    production: Production
    artifacts: Path
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.production.url + path)

    def shoot(self, name: str) -> None:
        self.page.screenshot(path=self.artifacts / f"{name}.png")

    def press(self, words: str) -> None:
        self.page.get_by_role("button", name=words).last.click()

    def select_partition(self, key: str) -> None:
        """In the dialog that is open, whose list closes by itself when the partitions' states arrive meanwhile."""
        until(lambda: self._selected(key), explain=self.production.explain)
        self.page.keyboard.press("Escape")
        self.page.get_by_placeholder("Filter partitions").wait_for(state="hidden")

    def _selected(self, key: str) -> bool:
        from playwright.sync_api import TimeoutError

        chosen = self.page.locator("[class*=tagSelectorContainer]")
        if chosen.filter(has_text=key).count():
            return True
        with suppress(TimeoutError):
            if not self.page.get_by_placeholder("Filter partitions").is_visible():
                chosen.click(timeout=3000)
            self.page.get_by_role("menuitem").filter(has_text=key).click(timeout=3000)
        return False

    def until(self, true: Callable[[], bool]) -> None:
        until(true, 120, self.production.explain)


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory, browser: "Browser") -> Iterator[Production]:
    """With a bank of one domain, into which another is written while it runs."""
    with pytest.MonkeyPatch.context() as patch, ScriptedServer(lambda sent: Reply(text=capital_in(sent.message))) as ai:
        world = World.make(tmp_path_factory.mktemp("up"), patch, ai.url)
        banks = {"FACTSWEEP_BANKS": str(world.root / "banks"), "FACTSWEEP_MODELS": str(world.root / "models.yaml")}
        with Production(world.root, banks) as running:
            until(lambda: DOMAIN in running.partitions("items"), explain=running.explain)
            commit_domain(world.root / "banks" / BANK)
            yield running


def commit_domain(bank: Path) -> None:
    """What a colleague commits: a domain file and its items."""
    question = "Which city is the capital of Japan? Give its English name."
    item = {"id": "japan", "topic": "Capitals", "question": question, "answer": "Tokyo", "split": "public"}
    (bank / "items" / "asia.jsonl").write_text(json.dumps(item) + "\n")
    (bank / "domains" / "asia.yaml").write_text("title: Asia\n")


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("FACTSWEEP_ARTIFACTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def ui(browser: "Browser", production: Production, artifacts: Path) -> Iterator[Ui]:
    with browser.new_context(viewport={"width": 1500, "height": 900}) as context:
        context.set_default_timeout(30_000)
        opened = Ui(context.new_page(), production, artifacts)
        opened.page.on(
            "console", lambda said: opened.complaints.append(said.text) if said.type == "error" else None
        )  # warnings are Dagster's own
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        yield opened
        assert opened.complaints == []


@pytest.fixture
def swept(ui: Ui) -> str:
    """Id of a sweep that was launched from the launchpad and succeeded."""
    ui.go(f"{JOBS}/sweep/playground")
    ui.page.get_by_text("No errors").wait_for()
    ui.page.locator(".CodeMirror").click()
    ui.page.keyboard.press("Control+A")
    ui.page.keyboard.insert_text(LAUNCHPAD)
    ui.page.get_by_text("No errors").wait_for()
    ui.shoot("4-launchpad")
    ui.press("Launch Run")
    ui.page.wait_for_url("**/runs/*")
    run = ui.page.url.rpartition("/")[2]
    ui.until(lambda: ui.production.status(run) in ("SUCCESS", "FAILURE"))
    ui.page.get_by_text("RUN_SUCCESS").first.wait_for()
    ui.shoot("5-sweep")
    return run


def test_the_graph_shows_the_groups_in_the_order_of_the_flow(ui: Ui) -> None:
    ui.go("/asset-groups")
    shown = ui.page.get_by_text("g4_publish").and_(ui.page.locator(":visible"))
    shown.first.wait_for()
    listed = re.findall(r"^g\d_\w+$", ui.page.locator("body").inner_text(), re.MULTILINE)
    ui.page.get_by_text("g3_metrics").and_(ui.page.locator(":visible")).last.click()

    ui.page.get_by_text("leaderboard").first.wait_for()
    ui.shoot("1-graph")
    assert list(dict.fromkeys(listed))[:4] == ["g1_bank", "g2_sweep", "g3_metrics", "g4_publish"]


def test_one_domains_items_are_materialized_through_the_dialog(ui: Ui) -> None:
    ui.go("/assets/items")
    ui.press("Materialize")
    ui.press("Confirm")
    ui.select_partition(DOMAIN)
    ui.shoot("2-materialize")
    ui.press("Launch 1 run")
    ui.page.get_by_text("Launched run").wait_for()

    ui.until(lambda: DOMAIN in ui.production.materialized("items"))


def test_a_new_domain_becomes_a_partition_and_is_built_through_the_jobs_dialog(ui: Ui) -> None:
    ui.until(lambda: NEW in ui.production.partitions("items"))

    ui.go(f"{JOBS}/build")
    ui.press("Materialize all")
    ui.select_partition(NEW)
    ui.shoot("3-build")
    ui.press("Launch 1 run")
    ui.page.get_by_text("Launched run").wait_for()

    ui.until(lambda: NEW in ui.production.materialized("items"))


def test_a_sweep_from_the_launchpad_shows_its_checks_and_the_leaderboards_chart(ui: Ui, swept: str) -> None:
    assert ui.production.status(swept) == "SUCCESS"

    ui.go("/assets/responses?view=checks")
    ui.page.get_by_text("answered_once").first.click()
    ui.page.get_by_text("Passed").first.wait_for()
    ui.shoot("6-checks")
    ui.go("/assets/leaderboard?view=events")
    row = ui.page.locator("tr", has_text=f"{BANK} chart")
    row.get_by_text("[Show Markdown]").click()
    ui.page.wait_for_function("[...document.images].some((image) => image.naturalWidth > 300)")
    ui.shoot("7-chart")
    ui.go("/assets/leaderboard")
    ui.page.get_by_text("Freshness policy").first.wait_for()
    ui.shoot("8-leaderboard")
