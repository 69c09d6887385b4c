"""A changed price changes what answers cost, buys nothing and leaves the ledger as it is."""

import pytest

from tests.support.replies import Reply, Usage
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World, capital_in


@pytest.fixture
def swept(world: World, server: ScriptedServer) -> World:
    server.script = lambda request: Reply(text=capital_in(request.message))
    world.sweep()
    return world


def cost(world: World) -> float:
    return world.table("partitions")["cost_usd"].item()


def test_twice_the_price_is_twice_the_cost_and_nothing_is_bought(swept: World, server: ScriptedServer) -> None:
    before, requests = cost(swept), server.stats.received
    paid = swept.open().ledger.frame()["cost_usd"].sum()
    swept.models[0]["price"] = {"input": 2.0, "output": 4.0}
    swept.write()

    swept.sweep()

    assert cost(swept) == pytest.approx(2 * before)
    assert swept.table("responses")["cost_usd"].sum() == pytest.approx(2 * before)
    assert server.stats.received == requests
    assert swept.open().ledger.frame()["cost_usd"].sum() == paid
    assert swept.table("sweeps")["reason"].to_list() == ["never swept", "changed: price"]


def test_a_price_that_becomes_known_prices_what_was_bought_without_one(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: Reply(text=capital_in(request.message))
    price = world.models[0].pop("price")
    world.write()
    world.sweep()
    assert world.table("partitions")["cost_usd"].to_list() == [None]

    world.models[0]["price"] = price
    world.write()
    world.sweep()

    assert cost(world) > 0


def test_tokens_that_were_cached_keep_their_own_price(world: World, server: ScriptedServer) -> None:
    usage = Usage(prompt_tokens=1000, completion_tokens=10, cached_tokens=800)
    server.script = lambda request: Reply(text=capital_in(request.message), usage=usage)
    world.models[0]["price"] = {"input": 10.0, "output": 0.0, "cached_input": 1.0}
    world.write()
    world.sweep()
    assert cost(world) == pytest.approx(5 * (200 * 10 + 800 * 1) / 1e6)

    world.models[0]["price"] = {"input": 20.0, "output": 0.0, "cached_input": 1.0}
    world.write()
    world.sweep()

    assert cost(world) == pytest.approx(5 * (200 * 20 + 800 * 1) / 1e6)


def test_an_unchanged_price_is_no_reason(swept: World) -> None:
    assert swept.sweep().rows.is_empty()
