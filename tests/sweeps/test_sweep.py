"""A sweep buys what is missing, failed or stale, and nothing else."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assets.items.bank_files import replace_file
from assets.sweeps.plan import State, make_plan
from assets.sweeps.request import Request
from resources.types import ConfigurationError
from tests.support.replies import Reply, rate_limited
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World, capital_in

Make = Callable[..., World]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: Reply(text=capital_in(request.message))) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    return World.make(tmp_path, monkeypatch, server.url)


def test_every_item_is_asked_once_and_graded(world: World, server: ScriptedServer) -> None:
    world.sweep()

    assert server.stats.received == 5
    assert world.grades() == dict.fromkeys(("france", "italy", "spain", "austria", "poland"), "correct")
    assert world.coverage() == 1.0


def test_a_second_sweep_buys_nothing(world: World, server: ScriptedServer) -> None:
    world.sweep()
    result = world.sweep()

    assert server.stats.received == 5
    assert result.rows.is_empty()


def test_a_mended_gold_is_only_graded_anew(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.items[0]["answer"] = "Lyon"
    world.write()

    world.sweep()

    assert server.stats.received == 5
    assert world.grades()["france"] == "incorrect"


def test_a_mended_question_is_asked_anew_alone(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.items[0]["question"] = "Which city has been the capital of France since 1944? Give its English name."
    world.write()

    world.sweep()

    assert server.stats.received == 6
    assert world.coverage() == 1.0


def test_a_removed_item_leaves_the_tables(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.items = world.items[1:]
    world.write()

    world.sweep()

    assert server.stats.received == 5
    assert "france" not in world.grades()


@pytest.mark.parametrize(
    "change",
    [
        {"model": "hosted_vllm/another"},
        {"params": {"max_tokens": 50, "temperature": 0.5}},
        {"params": {"max_tokens": 60}},
        {"seed": False},
    ],
)
def test_what_changes_the_answer_asks_anew(world: World, server: ScriptedServer, change: dict) -> None:
    world.sweep()
    world.models[0] |= change
    world.write()

    world.sweep()

    assert server.stats.received == 10


@pytest.mark.parametrize(
    "change", [{"concurrency": 2}, {"retries": {"attempts": 5}}, {"price": {"input": 9, "output": 9}}, {"timeout": 9}]
)
def test_what_does_not_change_the_answer_asks_nothing(world: World, server: ScriptedServer, change: dict) -> None:
    world.sweep()
    world.models[0] |= change
    world.write()

    world.sweep()

    assert server.stats.received == 5


def test_again_asks_anew_and_keeps_the_epoch(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.sweep(again=True, models=("m",))
    world.sweep()

    assert server.stats.received == 10
    assert set(world.table("responses")["epoch"]) == {1}


def test_again_for_one_item_asks_that_item(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.sweep(again=True, items=("france",))

    assert server.stats.received == 6


def test_again_with_a_limit_asks_that_sample_anew_and_keeps_the_rest(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.sweep(again=True, limit=2)
    world.sweep()

    assert server.stats.received == 7
    assert sorted(world.table("responses")["epoch"]) == [0, 0, 0, 1, 1]
    assert world.coverage() == 1.0


def test_one_broken_model_or_bank_blocks_only_itself(world: World, server: ScriptedServer) -> None:
    world.models.append(world.model("keyed", server.url, api_key_env="MISSING_KEY"))
    world.write()
    broken = world.root / "banks" / "broken"
    broken.mkdir()
    (broken / "bank.yaml").write_text("title: [never closed")

    world.sweep()

    assert server.stats.received == 5
    assert world.coverage("m") == 1.0
    assert any(str(broken) in str(problem) for problem in world.open().problems)


def test_a_retired_domain_leaves_no_active_item(world: World, server: ScriptedServer) -> None:
    world.sweep()
    (world.root / "banks" / BANK / "domains" / "europe.yaml").write_text("title: Europe\nretired: true\n")

    world.sweep()

    assert set(world.table("items")["status"]) == {"retired"}
    assert world.grades("m")["france"] == "correct"
    assert server.stats.received == 5


def test_a_reader_meets_whole_tables_while_a_sweep_records(world: World) -> None:
    world.sweep()
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            installation = world.open()
            seen.append(installation.lake.read("responses").height)
            assert make_plan(installation, Request()).partitions
            installation.ledger.close()

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        for turn in range(5):
            world.items[0]["answer"] = f"Paris {turn}"
            lines = "".join(json.dumps(item) + "\n" for item in world.items)
            replace_file(world.root / "banks" / BANK / "items" / "europe.jsonl", lines.encode())
            world.sweep()
        stop.set()
        reading.result()

    assert set(seen) == {5}


def test_samples_are_calls_of_their_own_with_their_seed(world: World, server: ScriptedServer) -> None:
    world.sweep(samples=3)

    responses = world.table("responses")
    assert server.stats.received == 15
    assert sorted(responses["seed"].unique()) == [0, 1, 2]


def test_a_limit_asks_a_sample_and_a_larger_one_buys_the_rest(world: World, server: ScriptedServer) -> None:
    world.sweep(limit=2)
    assert server.stats.received == 2
    assert world.coverage() == pytest.approx(0.4)

    world.sweep(limit=2)
    assert server.stats.received == 2

    world.sweep()
    assert server.stats.received == 5
    assert world.coverage() == 1.0


def test_failed_rows_are_no_grades_and_the_next_sweep_buys_exactly_them(world: World, server: ScriptedServer) -> None:
    broken = {"France", "Italy"}

    def script(request):
        fails = any(country in request.message for country in broken)
        return rate_limited() if fails else Reply(text=capital_in(request.message))

    server.script = script
    world.sweep()
    assert world.coverage() == pytest.approx(0.6)
    assert set(world.grades()) == {"spain", "austria", "poland"}
    asked = server.stats.received

    broken.clear()
    world.sweep()

    assert server.stats.received == asked + 2
    assert world.coverage() == 1.0


def test_a_damaged_file_is_rebuilt_without_buying(world: World, server: ScriptedServer) -> None:
    world.sweep()
    [file] = world.open().lake.files("responses")
    file.write_bytes(file.read_bytes()[:200])

    world.sweep()

    assert server.stats.received == 5
    assert world.table("responses").height == 5


def test_a_bank_without_items_is_no_error(world: World, server: ScriptedServer) -> None:
    world.items = []
    world.write()

    result = world.sweep()

    assert server.stats.received == 0
    assert result.rows.is_empty()


def test_a_bad_line_is_set_aside_and_the_rest_is_swept(world: World, server: ScriptedServer) -> None:
    file = world.root / "banks" / "capitals" / "items" / "europe.jsonl"
    file.write_text(file.read_text() + '{"id": "broken", "question": \n')

    world.sweep()

    assert server.stats.received == 5


def test_baselines_stand_beside_the_models_and_buy_nothing(world: World, server: ScriptedServer) -> None:
    world.baselines = ("abstain", "guess")
    world.write()

    world.sweep()

    assert server.stats.received == 5
    assert set(world.grades("abstain").values()) == {"not_attempted"}
    assert set(world.grades("guess").values()) == {"incorrect"}


@pytest.mark.parametrize("odd", ["meta/llama:8b@fast", "mistral große", "日本語 1"])
def test_odd_ids_are_swept_like_others(world: World, odd: str) -> None:
    world.models[0]["id"] = odd
    world.write()

    world.sweep()

    assert world.coverage(odd) == 1.0


def test_a_model_without_its_key_is_skipped_and_the_plan_says_why(world: World, server: ScriptedServer) -> None:
    world.models.append(world.model("keyed", server.url, api_key_env="MISSING_KEY"))
    world.write()

    world.sweep()

    installation = world.open()
    plan = make_plan(installation, Request())
    reasons = {planned.target.model: planned.reason for planned in plan.partitions}
    assert server.stats.received == 5
    assert reasons["keyed"] == "skipped: MISSING_KEY is not set"


def test_a_retired_model_keeps_its_history_and_is_not_asked(world: World, server: ScriptedServer) -> None:
    world.sweep()
    world.models = [world.model("other", server.url)]
    world.write()

    world.sweep()

    plan = make_plan(world.open(), Request())
    assert [(gone.domain, gone.model) for gone in plan.retired] == [(DOMAIN, "m")]
    assert world.grades("m")["france"] == "correct"


def test_the_plan_names_what_changed(world: World) -> None:
    world.sweep()
    world.items[0]["answer"] = "Lyon"
    world.models[0]["params"] = {"max_tokens": 20}
    world.write()

    [planned] = make_plan(world.open(), Request()).partitions

    assert planned.state is State.STALE
    assert planned.reason == "changed: items, parameters"


def test_the_log_of_sweeps_says_why_and_what_it_cost(world: World, server: ScriptedServer) -> None:
    world.sweep()

    [row] = world.table("sweeps").iter_rows(named=True)
    expected = (server.stats.prompt_tokens * 1.0 + server.stats.completion_tokens * 2.0) / 1e6
    assert (row["status"], row["reason"], row["forecast_calls"], row["bought_calls"]) == (
        "missing",
        "never swept",
        5,
        5,
    )
    assert row["bought_usd"] == pytest.approx(expected)


def test_totals_over_all_sweeps_equal_the_servers_own(world: World, server: ScriptedServer) -> None:
    world.sweep(limit=2)
    world.sweep()

    responses = world.table("responses")
    assert responses["input_tokens"].sum() == server.stats.prompt_tokens
    assert responses["output_tokens"].sum() == server.stats.completion_tokens


def test_an_unknown_price_is_an_unknown_cost(world: World) -> None:
    world.models[0]["price"] = None
    world.write()

    world.sweep()

    assert world.table("partitions")["cost_usd"].to_list() == [None]


def test_an_unknown_price_under_a_budget_is_refused_before_anything_is_bought(
    world: World, server: ScriptedServer
) -> None:
    world.models[0]["price"] = None
    world.write()

    with pytest.raises(ConfigurationError, match="nobody states one for m"):
        world.sweep(budget_usd=1.0)

    assert server.stats.received == 0


def test_an_unregistered_name_lists_the_known_ones(world: World) -> None:
    with pytest.raises(ConfigurationError, match="model 'x' is not registered; known: m"):
        world.sweep(models=("x",))
