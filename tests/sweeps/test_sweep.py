"""A sweep buys what is missing, failed or stale, and nothing else."""

from collections.abc import Callable

import pytest

from tests.support.replies import Reply, rate_limited
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World, capital_in

Make = Callable[..., World]


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
