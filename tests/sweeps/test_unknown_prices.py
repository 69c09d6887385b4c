"""A model without a known price under a cap: it is left out and says why, the others are asked."""

import pytest

from assets.sweeps.plan import make_plan
from assets.sweeps.request import Request
from assets.sweeps.targets import UNPRICED
from assets.watch.open_partitions import open_partitions
from resources.installation import utc_now
from resources.types import ConfigurationError
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World


@pytest.fixture
def unpriced(world: World, server: ScriptedServer) -> World:
    """The model `m`, and `free` whose price nobody states."""
    world.models.append(world.model("free", server.url, price=None))
    world.write()
    return world


def test_the_others_are_swept_and_the_plan_says_why_it_is_not(unpriced: World, server: ScriptedServer) -> None:
    unpriced.sweep(budget_usd=1.0)

    assert server.stats.received == 5
    assert unpriced.table("partitions")["model"].to_list() == ["m"]
    plan = make_plan(unpriced.open(), Request(budget_usd=1.0))
    assert [(each.target.model, each.reason) for each in plan.blocked] == [("free", f"skipped: {UNPRICED}")]


def test_where_it_is_named_the_sweep_is_refused_before_anything_is_bought(
    unpriced: World, server: ScriptedServer
) -> None:
    for again in (False, True):
        with pytest.raises(ConfigurationError, match="free: nobody states its price"):
            unpriced.sweep(models=("m", "free"), budget_usd=1.0, again=again)

    assert server.stats.received == 0
    assert unpriced.open().ledger.epochs() == {}


def test_a_judge_without_a_price_stops_its_bank(unpriced: World, server: ScriptedServer) -> None:
    unpriced.bank["roles"] = {"judge": "free"}
    unpriced.write()

    unpriced.sweep(budget_usd=1.0)

    assert server.stats.received == 0
    plan = make_plan(unpriced.open(), Request(budget_usd=1.0))
    assert {each.target.bank_fault for each in plan.blocked} == {f"the judge free: {UNPRICED}"}


def test_without_a_cap_it_is_asked_at_an_unknown_cost(unpriced: World, server: ScriptedServer) -> None:
    unpriced.sweep()

    assert server.stats.received == 10


def test_the_nights_budget_is_a_reason_on_record(unpriced: World) -> None:
    unpriced.nightly = {"budget_usd": 1.0}
    unpriced.write()
    unpriced.sweep(budget_usd=1.0)

    open_ones = open_partitions(unpriced.open(), utc_now())

    assert dict(open_ones.select("model", "excuse").iter_rows()) == {"free": UNPRICED}


def test_a_bank_that_cannot_be_graded_stops_no_sweep_that_names_a_model_alone(
    unpriced: World, server: ScriptedServer
) -> None:
    other = unpriced.root / "banks" / "sums"
    for name in ("domains", "items"):
        (other / name).mkdir(parents=True)
    (other / "bank.yaml").write_text("title: Sums\nformat: short_answer\nroles: {judge: free}\n")
    (other / "domains" / "small.yaml").write_text("title: Small\n")
    line = '{"id": "two", "topic": "Sums", "question": "What is 1 plus 1? Give a number.", "answer": "2"}\n'
    (other / "items" / "small.jsonl").write_text(line)

    unpriced.sweep(models=("m",), budget_usd=1.0)

    assert unpriced.table("partitions")["bank"].to_list() == ["capitals"]
    with pytest.raises(ConfigurationError, match="the judge free: nobody states its price"):
        unpriced.sweep(banks=("sums",), budget_usd=1.0)
