"""What a sweep makes of banks and models as they stand (broken, retired, empty, without a price), and its log."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from assets.items.bank_files import replace_file
from assets.sweeps.plan import State, make_plan
from assets.sweeps.request import Request
from resources.types import ConfigurationError
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World

Make = Callable[..., World]


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
    assert [(gone.domain, gone.model) for gone in plan.unplanned] == [(DOMAIN, "m")]
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


def test_an_unregistered_name_lists_the_known_ones(world: World) -> None:
    with pytest.raises(ConfigurationError, match="model 'x' is not registered; known: m"):
        world.sweep(models=("x",))
