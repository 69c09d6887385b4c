"""What is left behind: open partitions since when, and the check that fails when nobody knows why."""

from datetime import UTC, datetime, timedelta

from assets.watch.open_partitions import open_partitions
from checks.rules import evaluate
from checks.watch_rules import WATCH_RULES
from tests.support.replies import server_error
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World

START = datetime(2026, 3, 1, tzinfo=UTC)


def look(world: World, day: float) -> list[tuple[str, str | None, float]]:
    """State, excuse and age in days of what is open, so many days after the start."""
    opened = world.open()
    now = START + timedelta(days=day)
    frame = open_partitions(opened, now)
    opened.lake.write("open_partitions", frame)
    return [(row["state"], row["excuse"], (now - row["since"]).total_seconds() / 86_400) for row in frame.to_dicts()]


def left_behind(world: World) -> int:
    """How many partitions the check finds."""
    [rule] = WATCH_RULES
    with world.open().lake.connect() as connection:
        return evaluate(rule, connection).findings[0].failing


def test_what_nobody_swept_is_left_behind_after_two_nights(world: World) -> None:
    assert look(world, 0) == [("missing", None, 0)]
    assert left_behind(world) == 0
    look(world, 2)
    assert left_behind(world) == 0

    assert look(world, 2.5) == [("missing", None, 2.5)]
    assert left_behind(world) == 1


def test_a_swept_partition_is_not_open(world: World) -> None:
    look(world, 0)
    world.sweep()

    assert look(world, 5) == []


def test_it_is_as_old_as_the_last_time_it_was_fresh(world: World) -> None:
    look(world, 0)
    world.sweep()
    look(world, 1)
    world.items[0]["question"] += " Please."
    world.write()

    assert look(world, 2) == [("stale", None, 0)]


def test_a_reason_on_record_excuses_it(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: server_error()
    world.sweep()
    look(world, 0)

    [(state, excuse, age)] = look(world, 9)

    assert (state, age) == ("failed", 9)
    assert excuse is not None and "5 failed" in excuse
    assert left_behind(world) == 0


def test_a_missing_key_excuses_it(world: World) -> None:
    world.models[0]["api_key_env"] = "MISSING_KEY"
    world.write()
    look(world, 0)

    assert look(world, 9) == [("missing", "MISSING_KEY is not set", 9)]
    assert left_behind(world) == 0
