"""A registry file with a fault: what it hides is neither asked nor retired, the rest goes on, and someone is told."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from dagster import AssetKey, DagsterInstance, ExecuteInProcessResult

from assets.items.recorded_items import item_faults
from assets.reports.publishing import is_published
from assets.sweeps.plan import State, make_plan
from assets.sweeps.request import Request
from orchestration.cli import main
from orchestration.definitions import build_definitions
from orchestration.partitions import joint_key
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World


def run(instance: DagsterInstance, *assets: str) -> ExecuteInProcessResult:
    """A sweep without its checks and its report, or what is named."""
    job = build_definitions().resolve_implicit_global_asset_job_def()
    selection = [AssetKey(name) for name in assets or ("sweeps", "scores", "leaderboard", "summary")]
    return job.execute_in_process(instance=instance, asset_selection=selection, raise_on_error=False)


def by_hand(instance: DagsterInstance, model: str) -> ExecuteInProcessResult:
    """One partition from the UI's dialog."""
    job = build_definitions().resolve_implicit_global_asset_job_def()
    return job.execute_in_process(
        instance=instance,
        partition_key=joint_key(DOMAIN, model),
        asset_selection=[AssetKey("responses"), AssetKey("grades")],
        raise_on_error=False,
    )


def failure(result: ExecuteInProcessResult) -> str:
    [event] = [event for event in result.all_events if event.is_step_failure]
    return str(event.step_failure_data.error)


def standings(world: World) -> list[dict[str, Any]]:
    return world.table("leaderboard").select("bank", "model", "index", "items", "penalty", "retired").to_dicts()


def states(world: World) -> dict[tuple[str, str], State]:
    return {(away.domain, away.model): away.state for away in make_plan(world.open(), Request()).unplanned}


def summary(world: World) -> str:
    return (world.open().home.report / "summary.md").read_text("utf-8")


def models_file(world: World) -> Path:
    return world.root / "models.yaml"


def items_file(world: World) -> Path:
    return world.root / "banks" / BANK / "items" / "europe.jsonl"


@pytest.fixture
def swept(world: World, instance: DagsterInstance, server: ScriptedServer) -> World:
    """A second bank of half the penalty and a second model, all swept."""
    world.models.append(world.model("n", server.url))
    world.write()
    other = world.root / "banks" / "sums"
    for name in ("domains", "items"):
        (other / name).mkdir(parents=True)
    (other / "bank.yaml").write_text("title: Sums\nformat: short_answer\npenalty: 0.5\n")
    (other / "domains" / "small.yaml").write_text("title: Small\n")
    (other / "items" / "small.jsonl").write_text(
        '{"id": "two", "topic": "Sums", "question": "What is 1 plus 1? Give a number.", "answer": "2"}\n'
    )
    assert run(instance).success
    return world


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        ("nightly: {cron: [", "is not valid YAML"),
        ("budgt: {per_day: 1}", "budgt: is not a known key"),
        ("budget: {per_day: 5, timezone: Europe/Berln}", "budget.timezone"),
    ],
)
def test_a_models_file_that_cannot_be_read_stops_the_night_and_retires_nobody(
    swept: World, instance: DagsterInstance, server: ScriptedServer, slip: str, told: str
) -> None:
    before, asked, good = standings(swept), server.stats.received, models_file(swept).read_text("utf-8")
    models_file(swept).write_text(f"{good}{slip}\n", encoding="utf-8")

    for assets in [(), ("open_partitions",)]:
        result = run(instance, *assets)
        assert not result.success
        assert "Nothing is asked, graded or published until this is mended" in failure(result)
        assert told in failure(result)
    assert standings(swept) == before
    assert set(states(swept).values()) == {State.FAULTY}

    models_file(swept).write_text(good, encoding="utf-8")
    assert run(instance).success
    assert (standings(swept), server.stats.received) == (before, asked)


def test_a_partition_by_hand_is_refused_where_its_domain_cannot_be_read(
    swept: World, instance: DagsterInstance
) -> None:
    (swept.root / "banks" / BANK / "domains" / "europe.yaml").write_text("title: [\n")

    result = by_hand(instance, "m")

    assert "capitals.europe cannot be read" in failure(result)


def test_a_partition_by_hand_is_refused_where_its_models_entry_has_a_fault(
    swept: World, instance: DagsterInstance
) -> None:
    swept.models[1]["price"] = "cheap"
    swept.write()

    result = by_hand(instance, "n")

    assert "n cannot be read" in failure(result) and "models.n.price" in failure(result)


def test_a_model_whose_entry_has_a_fault_keeps_its_place(swept: World, instance: DagsterInstance) -> None:
    before = {(row["bank"], row["model"]) for row in standings(swept)}
    swept.models[1]["price"] = "cheap"
    swept.items[0]["answer"] = "Lutetia"
    swept.write()

    assert run(instance).success

    assert {(row["bank"], row["model"]) for row in standings(swept) if not row["retired"]} == before
    assert states(swept)[DOMAIN, "n"] is State.FAULTY
    assert "Faults in files" in summary(swept) and "models.n.price" in summary(swept).replace("\\", "")


def test_a_domain_file_that_cannot_be_read_takes_no_item_out_of_the_scores(
    swept: World, instance: DagsterInstance
) -> None:
    before = standings(swept)
    (swept.root / "banks" / BANK / "domains" / "europe.yaml").write_text("title: [\n")

    assert run(instance).success

    assert standings(swept) == before
    assert swept.table("items").filter(pl.col("domain") == DOMAIN)["status"].unique().to_list() == ["active"]
    assert states(swept)[DOMAIN, "m"] is State.FAULTY
    assert "1 fault in files" in summary(swept)


def test_a_bank_file_that_cannot_be_read_leaves_what_was_published_of_the_bank(
    swept: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    before = standings(swept)
    assert {row["penalty"] for row in before} == {0.5, 1.0}
    (swept.root / "banks" / "sums" / "bank.yaml").write_text("title: [\n")
    swept.items[0]["question"] += " (In Europe.)"
    swept.write()
    asked = server.stats.received

    assert run(instance).success

    assert standings(swept) == before
    assert server.stats.received == asked + 2, "the other bank goes on"


@pytest.mark.parametrize("mount_point", [False, True], ids=["gone", "empty"])
def test_a_folder_of_banks_that_is_away_retires_nothing(
    swept: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch, mount_point: bool
) -> None:
    before, root = standings(swept), swept.root / "unmounted"
    if mount_point:
        root.mkdir()
    monkeypatch.setattr("resources.installation.bank_roots", lambda: [root])

    assert run(instance).success

    assert standings(swept) == before
    assert set(states(swept).values()) == {State.FAULTY}


def test_what_is_taken_out_of_a_sound_file_is_retired(swept: World, instance: DagsterInstance) -> None:
    swept.models.pop()
    swept.write()
    (swept.root / "banks" / "sums" / "bank.yaml").unlink()

    assert run(instance).success

    assert states(swept) == dict.fromkeys([(DOMAIN, "n"), ("sums.small", "n"), ("sums.small", "m")], State.RETIRED)
    assert [(row["bank"], row["model"], row["retired"]) for row in standings(swept)] == [
        (BANK, "m", False),
        (BANK, "n", True),
    ]


def test_a_fault_alone_and_its_mending_are_published(swept: World, instance: DagsterInstance) -> None:
    assert run(instance, "sweeps", "scores", "leaderboard", "benchmark_db").success
    assert is_published(swept.open())

    swept.baselines = ()
    good = models_file(swept).read_text("utf-8")
    models_file(swept).write_text(good.replace("models:", "models:\n- {id: bad, model: none}", 1), encoding="utf-8")
    assert not is_published(swept.open())

    models_file(swept).write_text(good, encoding="utf-8")
    assert is_published(swept.open())


def test_a_bank_whose_judge_cannot_judge_is_told_in_the_summary(swept: World, instance: DagsterInstance) -> None:
    swept.bank["roles"] = {"judge": "hosted_vllm/nobody"}
    swept.nightly = {"budget_usd": 1}
    swept.items[0]["answer"] = "Lutetia"
    swept.write()

    assert run(instance).success

    assert "bank capitals: the judge hosted\\_vllm/nobody: nobody states its price" in summary(swept)


def test_an_items_file_that_is_gone_takes_no_item_out_of_the_scores(
    swept: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    assert run(instance, "sweeps", "scores", "leaderboard", "benchmark_db").success
    before, asked, file = standings(swept), server.stats.received, items_file(swept)
    away = file.rename(file.with_suffix(".away"))
    assert not is_published(swept.open())

    assert run(instance).success

    assert (standings(swept), server.stats.received) == (before, asked)
    assert swept.table("items").filter(pl.col("domain") == DOMAIN)["status"].unique().to_list() == ["active"]
    assert "items stay as they were recorded" in summary(swept)

    away.rename(file)
    assert is_published(swept.open())


def test_an_items_file_that_is_there_and_empty_is_meant(swept: World, instance: DagsterInstance) -> None:
    items_file(swept).write_text("")

    assert run(instance).success

    assert swept.table("items").filter(pl.col("domain") == DOMAIN).is_empty()
    assert {row["bank"] for row in standings(swept)} == {"sums"}


def test_lines_that_are_set_aside_are_told_in_the_summary(swept: World, instance: DagsterInstance) -> None:
    with items_file(swept).open("a") as file:
        file.write("<<<<<<< HEAD\n=======\n>>>>>>> other\n")

    assert run(instance).success

    told = summary(swept).replace("\\", "")
    assert f"europe.jsonl: set aside: lines {len(swept.items) + 1}, " in told and "doctor` says why" in told
    assert "1 fault in files" in told


def test_an_items_file_that_cannot_be_read_says_why(swept: World, instance: DagsterInstance) -> None:
    before, file = standings(swept), items_file(swept)
    file.unlink()
    file.mkdir()

    assert run(instance).success

    assert standings(swept) == before
    assert "cannot be read (Is a directory)" in summary(swept)


def test_a_retired_domain_needs_no_items_file(swept: World, instance: DagsterInstance) -> None:
    items_file(swept).unlink()
    (swept.root / "banks" / BANK / "domains" / "europe.yaml").write_text("title: Europe\nretired: true\n")

    assert run(instance).success

    assert item_faults(swept.open()) == []
    assert swept.table("items").filter(pl.col("domain") == DOMAIN)["status"].unique().to_list() == ["retired"]


def test_a_new_domain_without_an_items_file_has_no_fault(world: World) -> None:
    items_file(world).unlink()

    assert item_faults(world.open()) == []


@pytest.mark.parametrize("command", [["sweep"], ["sweep", "--dry-run"], ["status"]])
def test_the_commands_tell_of_an_items_file_that_is_gone(world: World, command: list[str]) -> None:
    world.sweep()
    items_file(world).unlink()

    result = CliRunner().invoke(main, command)

    assert result.exit_code == 0
    assert "europe.jsonl: is gone; bring it back" in result.stderr


def test_nothing_is_built_for_a_domain_whose_items_file_is_gone(world: World) -> None:
    world.sweep()
    items_file(world).unlink()
    domain = world.root / "banks" / BANK / "domains" / "europe.yaml"
    domain.write_text("title: Europe\nhosts: {example.org: 1}\nsources: [{url: 'https://example.org/'}]\n")

    result = CliRunner().invoke(main, ["build", "--domain", DOMAIN, "--dry-run"])

    assert result.exit_code == 2
    assert "is gone; bring it back" in result.stderr and not items_file(world).exists()
