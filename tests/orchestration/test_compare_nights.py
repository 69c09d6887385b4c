"""`factsweep compare-nights` over published nights of the lake."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from orchestration.cli import main
from resources.home import current_home
from resources.warehouse import Lake
from tests.summaries.published import night, publish, score, swept


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """Two nights of the models `m` and `n`, and one of another bank's `p`."""
    models = tmp_path / "models.yaml"
    entries = ", ".join(f"{{id: {id}, model: hosted_vllm/{id}}}" for id in ("m", "n", "p"))
    models.write_text(f"models: [{entries}]\n")
    monkeypatch.setenv("FACTSWEEP_MODELS", str(models))
    lake = Lake(current_home().lake)
    other = score("p", 5.0, bank="rivers")
    publish(lake, night(0), score("m", 30.0, 20.0, 40.0), score("n", 10.0, 0.0, 20.0), other)
    moved = score("m", 45.0, 35.0, 55.0, accuracy=0.7, cost_usd=0.75)
    publish(lake, night(1), moved, score("n", 12.0, 2.0, 22.0), other, log=(swept(night(1), "n"),))
    return lake


def compare_nights(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare-nights", *arguments])


def test_the_last_two_nights_are_compared_model_by_model(lake: Lake) -> None:
    result = compare_nights("--bank", "capitals")

    assert result.exit_code == 0, result.output
    [line] = [line for line in result.stdout.splitlines() if "│ m " in line]
    cells = [cell.strip() for cell in line.strip("│").split("│")]
    assert cells[:7] == ["m", "1", "index", "30 (20 to 40)", "45 (35 to 55)", "+15.0", "moved"]
    assert cells[7:] == ["100 %", "60", "$0.5000 → $0.7500"]
    assert "n: not like with like: changed: items (capitals.europe)" in result.stdout
    assert "Moved means: the new value lies outside the earlier 95 % interval." in result.stdout
    assert "rivers" not in result.stdout


def test_the_nights_are_named_by_date_or_beginning(lake: Lake) -> None:
    by_date = compare_nights("2026-11-30", "2026-11-29", "--json")

    told = json.loads(by_date.stdout)
    assert (told["before"]["sweep_id"], told["after"]["sweep_id"]) == (night(1).sweep_id, night(0).sweep_id)
    assert json.loads(compare_nights("1aaa", "0aaa", "--json").stdout) == told


def test_json_holds_both_nights_and_what_is_unlike(lake: Lake) -> None:
    told = json.loads(compare_nights("--json").stdout)

    assert [(board["bank"], board["method"]) for board in told["boards"]] == [
        ("capitals", "match"),
        ("rivers", "match"),
    ]
    m, n = told["boards"][0]["models"]
    assert m["moved"] == {"index": True, "accuracy": None, "hallucination_rate": None}
    assert m["before"]["index"] == {"value": 30.0, "low": 20.0, "high": 40.0}
    assert m["difference"]["index"] == 15.0
    assert n["not_like_with_like"] == ["changed: items (capitals.europe)"]


def test_the_nights_are_listed(lake: Lake) -> None:
    shown = compare_nights("--list").stdout.splitlines()

    assert shown == [
        f"{night(0).sweep_id}  2026-11-29 02:10 UTC",
        f"{night(1).sweep_id}  2026-11-30 02:10 UTC",
    ]
    assert [each["sweep_id"] for each in json.loads(compare_nights("--list", "--json").stdout)] == [
        night(0).sweep_id,
        night(1).sweep_id,
    ]


def test_before_the_first_sweep_there_is_nothing_to_list_or_to_compare() -> None:
    assert "No sweep has published scores yet" in compare_nights("--list").stdout
    result = compare_nights()
    assert result.exit_code == 2
    assert "two published sweeps are compared, and there are 0; run `factsweep sweep` first" in result.output


def test_a_bank_that_neither_night_has_is_wrong_use(lake: Lake) -> None:
    result = compare_nights("--bank", "nothing")

    assert result.exit_code == 2
    assert "neither night has scores of bank 'nothing'; they have capitals, rivers" in result.output
