"""What commands print of a model with a long id: the whole of it, in one piece where a program reads it."""

import sys
from collections.abc import Callable

import pytest

from assets.sweeps.request import Request
from checks.contracts import LEADERBOARD
from orchestration.comparing import compare_two
from orchestration.status import collect_status, print_status
from orchestration.sweeping import print_leaderboards
from resources.installation import Installation
from tests.summaries.published import night, publish, score
from tests.support.world import World

LONG = "hosted_vllm/organisation/some-very-long-model-name-2026-11"

PRINTERS: dict[str, Callable[[Installation], None]] = {
    "compare-nights": lambda opened: compare_two(opened, None, None, None, as_json=False),
    "status": lambda opened: print_status(collect_status(opened)),
    "leaderboard": lambda opened: print_leaderboards(opened, Request()),
}
printers = pytest.mark.parametrize("shown", PRINTERS.values(), ids=PRINTERS)


@pytest.fixture
def opened(world: World) -> Installation:
    """Two models, more than there are domains, on the leaderboards of two nights."""
    world.models = [world.model(id, "http://127.0.0.1:9/v1") for id in (LONG, "m")]
    world.write()
    opened = world.open()
    rows = [score(LONG, 30.0, 20.0, 40.0), score("m", 20.0, 10.0, 30.0)]
    for number in range(2):
        publish(opened.lake, night(number), *rows)
    ranked = [{**row, "rank": place} for place, row in enumerate(rows, 1)]
    names = LEADERBOARD.schema.names()
    frame = LEADERBOARD.frame([{name: row[name] for name in names if name in row} for row in ranked])
    opened.lake.write("leaderboard", frame)
    return opened


@printers
def test_without_a_terminal_it_is_in_one_piece(
    opened: Installation, shown: Callable[[Installation], None], capsys: pytest.CaptureFixture[str]
) -> None:
    shown(opened)

    assert f"│ {LONG} " in capsys.readouterr().out


@pytest.mark.parametrize("columns", [80, 120])
@printers
def test_in_a_terminal_it_is_broken_over_lines(
    opened: Installation,
    shown: Callable[[Installation], None],
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))

    shown(opened)

    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    columns_of_names = ("".join(cells[place].strip() for cells in rows) for place in (1, 2))
    assert any(LONG in names for names in columns_of_names)
