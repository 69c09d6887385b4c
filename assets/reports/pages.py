"""The report as files: one self-contained page a bank and an index, in two renderings.

A page needs no network: styles, script, data and one copy of Vega stand in it. All text goes through Jinja's escaping
or, in the item list, through the browser's `textContent`: what a model or a source says stays text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from assets.metrics.pictures import vega_bundle
from assets.reports.boards import Board, board_notices, boards
from assets.reports.facts import Estimate, Facts, Links, Rendering, counted, index_of, models_of, moment, read_facts
from assets.reports.questions import items_data, script_json
from assets.reports.templating import TEMPLATES, part, write_page
from resources.home import PROJECT
from resources.installation import Installation

_CACHE = PROJECT / ".cache"


@dataclass(frozen=True)
class Page:
    """What the template of a bank's page shows."""

    title: str
    facts: str
    shareable: bool
    notices: list[str]
    boards: list[Board]
    items_note: str
    index_formula: str
    index_least: str
    footer: str
    specs: Markup
    data: Markup


@dataclass(frozen=True)
class Entry:
    """A bank's line in the index."""

    href: str
    title: str
    items: int
    models: int
    grader: str
    leader: str
    index: Estimate


Chart = tuple[str, str, dict[str, Any]]


@dataclass(frozen=True)
class Written:
    """The files of one rendering, and each bank's charts for a picture: bank, title, Vega-Lite spec."""

    index: Path
    pages: dict[str, Path]
    charts: list[Chart]


@dataclass(frozen=True)
class Report:
    """Both renderings."""

    internal: Written
    shareable: Written


def write_report(installation: Installation, made_at: datetime) -> Report:
    """Writes the report of every bank that has scores, both renderings, and their indexes.

    Raises:
        DiskFull: the former files are still in place.
        RuntimeError: when vl-convert cannot give Vega.
    """
    facts = list(read_facts(installation, made_at))
    internal, shareable = (
        _write(installation.home.report / rendering, facts, rendering, made_at) for rendering in Rendering
    )
    return Report(internal, shareable)


def _write(folder: Path, facts: list[Facts], rendering: Rendering, made_at: datetime) -> Written:
    """One page after the other: a large bank's is held once only."""
    vega, script = Markup(vega_bundle(_CACHE)), part(TEMPLATES / "page.js")
    pages: dict[str, Path] = {}
    entries: list[Entry] = []
    charts: list[Chart] = []
    for each in facts:
        page = make_page(each, rendering)
        pages[each.name] = folder / "banks" / f"{each.name}.html"
        write_page(pages[each.name], TEMPLATES / "page.html.j2", page=page, vega=vega, script=script)
        entries.append(_entry(each, page))
        pictured = (figure for board in page.boards for figure in board.figures[1:2])
        charts += [(each.name, figure.title, figure.spec) for figure in pictured if figure.spec]
    # A name with a dot is what another sweep is writing right now.
    for stale in set((folder / "banks").glob("[!.]*.html")) - set(pages.values()):
        stale.unlink(missing_ok=True)
    index = folder / "index.html"
    said = f"Made {moment(made_at)}. {rendering.capitalize()} rendering."
    write_page(
        index,
        TEMPLATES / "index.html.j2",
        index={"banks": entries, "facts": said, "shareable": rendering is Rendering.SHAREABLE},
    )
    return Written(index, pages, charts)


def make_page(facts: Facts, rendering: Rendering) -> Page:
    """The bank's page for one rendering."""
    shareable = rendering is Rendering.SHAREABLE
    data = items_data(facts, rendering)
    found = list(boards(facts, rendering, Links(data)))
    shown = facts.shown_items(rendering).height
    figures = [figure for board in found for figure in (*board.figures, board.withheld)]
    penalty = facts.leaderboard["penalty"][0] if facts.leaderboard.height else 1.0
    listed = len(data["items"])
    note = f"{counted(listed, 'item')} with each model's answer, its grade and the reason. Long answers are cut."
    if shareable and shown < facts.items.height:
        hidden = facts.items.height - shown
        note = (
            f"{counted(shown, 'public item')} of {facts.items.height:,}; {counted(hidden, 'private item')} not shown."
        )
    if listed < shown:
        note += f" More than {listed:,} of the {shown:,} would make the page too large to open."
    return Page(
        title=facts.title,
        facts=_facts(facts),
        shareable=shareable,
        notices=list(board_notices(facts, rendering)),
        boards=found,
        items_note=note,
        index_formula="c − i" if penalty == 1 else f"c − {penalty:g} i",
        index_least=f"−{100 * penalty:g}" if penalty else "0",
        footer=f"Made by factsweep {moment(facts.made_at)}.",
        specs=Markup(script_json({figure.id: figure.spec for figure in figures if figure.spec})),
        data=Markup(script_json(data)),
    )


def _facts(facts: Facts) -> str:
    topics = facts.items.select("domain", "topic").n_unique()
    domains = facts.items["domain"].n_unique()
    models = facts.leaderboard["model"].n_unique()
    size = f"{counted(facts.items.height, 'item')} in {counted(domains, 'domain')} and {counted(topics, 'topic')}"
    return f"{size}; {counted(models, 'model')}, baselines included. Last sweep {moment(facts.swept_at)}."


def _entry(facts: Facts, page: Page) -> Entry:
    ranked = list(facts.leaderboard.sort("rank", "model").iter_rows(named=True))
    first = (models_of(ranked) or ranked)[0]
    graders: Iterable[str] = dict.fromkeys(board.grader for board in page.boards)
    return Entry(
        href=f"banks/{facts.name}.html",
        title=facts.title,
        items=facts.items.height,
        models=facts.leaderboard["model"].n_unique(),
        grader=", ".join(graders),
        leader=first["model"],
        index=index_of(first),
    )
