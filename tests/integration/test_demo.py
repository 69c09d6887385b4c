"""The demo as a newcomer runs it: the real embedded model, the shipped bank, the real Dagster instance."""

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

PROJECT = Path(__file__).resolve().parents[2]


def factsweep(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from orchestration.cli import main; main()", *arguments]
    environment = dict(os.environ) | {"FACTSWEEP_HOME": str(home), "COLUMNS": "200"}
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=400)


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the demo has run once."""
    home = tmp_path_factory.mktemp("demo")
    shown = factsweep(home, "demo")
    assert shown.returncode == 0, shown.stderr
    assert "smollm2-135m" in shown.stdout
    return home


def test_the_demo_answers_with_a_real_model_and_scores_it_beside_the_baselines(demo_home: Path) -> None:
    with duckdb.connect(str(demo_home / "benchmark.duckdb"), read_only=True) as connection:
        board = dict(connection.execute("select model, index from leaderboard").fetchall())
        answered = connection.execute("select count(*) from calls where state = 'completed'").fetchall()[0][0]
        served = connection.execute("select distinct served_model from responses where call_id is not null").fetchall()

    assert board.keys() == {"smollm2-135m", "abstain", "guess"}
    assert board["abstain"] == 0.0
    assert -100 < board["smollm2-135m"] < 100
    assert answered == 60
    assert len(served) == 1


def test_a_second_demo_buys_nothing(demo_home: Path) -> None:
    shown = factsweep(demo_home, "demo")

    assert shown.returncode == 0
    assert "Nothing to do" in shown.stdout
    with duckdb.connect(str(demo_home / "benchmark.duckdb"), read_only=True) as connection:
        assert connection.execute("select sum(attempts) from calls").fetchall() == [(60,)]


def test_status_says_that_the_model_was_asked_a_sample(demo_home: Path) -> None:
    states = json.loads(factsweep(demo_home, "status", "--json").stdout)

    found = {(row["model"], row["state"]) for row in states}
    assert found == {("abstain", "fresh"), ("guess", "fresh"), ("smollm2-135m", "incomplete")}


def test_the_sample_reaches_every_topic(demo_home: Path) -> None:
    with duckdb.connect(str(demo_home / "benchmark.duckdb"), read_only=True) as connection:
        topics = connection.execute(
            "select count(distinct (domain, topic)) from responses join items using (domain, item_id) "
            "where model = 'smollm2-135m'"
        ).fetchall()

    assert topics == [(42,)]


def test_the_report_is_there_in_both_renderings(demo_home: Path) -> None:
    for rendering in ("internal", "shareable"):
        page = demo_home / "report" / rendering / "banks" / "omniscience.html"
        assert "smollm2-135m" in page.read_text(encoding="utf-8")


def test_show_prints_prompt_answer_and_the_rule_that_fired(demo_home: Path) -> None:
    with duckdb.connect(str(demo_home / "benchmark.duckdb"), read_only=True) as connection:
        query = "select min(item_id) from responses where call_id is not null"
        [(item,)] = connection.execute(query).fetchall()

    shown = factsweep(demo_home, "show", item, "--model", "smollm2-135m")

    assert shown.returncode == 0, shown.stderr
    for part in ("question", "gold", "source", "answer", "by match:", "asked as user:", "reply"):
        assert part in shown.stdout


def test_no_server_is_left_behind(demo_home: Path) -> None:
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout

    assert str(demo_home) not in listing
