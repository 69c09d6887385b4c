"""What a night asks and buys: a sample that stays, each item once, within the budgets, and nothing for a sweep."""

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from resources.types import ConfigurationError
from tests.drift.conftest import ITEMS, Provider, Watch
from tests.support.replies import Reply, quota_exhausted
from tests.support.scripted_server import ScriptedServer


def test_a_failed_night_is_made_good_by_a_later_run_of_the_same_night(
    nights: Watch, provider: Provider, server: ScriptedServer
) -> None:
    provider.fault = quota_exhausted()
    nights.run()
    provider.fault = None

    nights.again()

    assert (nights.row()["state"], nights.row()["answered"]) == ("learning", ITEMS)


def test_a_night_over_its_budget_buys_within_it_and_is_nothing(nights: Watch, server: ScriptedServer) -> None:
    before = server.stats.received
    nights.world.drift = {"items": ITEMS, "budget_usd": 0.0005}
    nights.world.write()

    result = nights.run()
    bought = server.stats.received - before
    nights.again()

    assert result.over_budget and 0 < bought < ITEMS / 2
    assert (nights.row()["state"], nights.row()["alarm"]) == ("nothing", False)
    assert "the budget is reached" in nights.row()["note"]
    spent = nights.world.open().ledger.spent(f"sweep:drift-{nights.date}")
    assert 0 < spent <= 0.0005


def test_the_budget_of_the_day_holds_too(nights: Watch, server: ScriptedServer) -> None:
    installation = nights.world.open()
    file = nights.world.root / "models.yaml"
    installation.ledger.close()
    file.write_text(file.read_text() + "budget: {per_day: 0.0000001}\n")
    before = server.stats.received

    nights.run()

    assert server.stats.received == before
    assert nights.row()["state"] == "nothing"


@pytest.mark.parametrize("cap", ["drift", "day"])
def test_under_a_cap_a_model_without_a_price_is_left_out_and_the_others_are_watched(
    nights: Watch, server: ScriptedServer, cap: str
) -> None:
    nights.world.models.append(nights.world.model("free", server.url, price=None))
    nights.world.write()
    nights.world.sweep()
    nights.world.drift = {"items": ITEMS} | ({"budget_usd": 1.0} if cap == "drift" else {})
    nights.world.write()
    if cap == "day":
        file = nights.world.root / "models.yaml"
        file.write_text(file.read_text() + "budget: {per_day: 1.0}\n")

    nights.run()

    row = nights.row("free")
    assert (row["state"], row["items"]) == ("nothing", 0)
    assert row["note"].startswith("nobody states its price, and a budget needs one; add `price:")
    assert (nights.row("m")["state"], nights.row("m")["answered"]) == ("learning", ITEMS)


def test_a_judge_without_a_price_keeps_what_it_judges_out_under_a_cap(nights: Watch, server: ScriptedServer) -> None:
    nights.world.models.append(nights.world.model("judge", server.url, price=None) | {"banks": []})
    nights.world.bank["roles"] = {"judge": "judge"}
    nights.world.drift = {"items": ITEMS, "budget_usd": 1.0}
    nights.world.write()
    before = server.stats.received

    nights.run()

    assert server.stats.received == before
    assert "the judge judge: nobody states its price" in nights.row()["note"]


def test_without_a_cap_an_unknown_price_keeps_no_model_out(nights: Watch) -> None:
    nights.world.models[0]["price"] = None
    nights.world.write()
    nights.world.sweep()

    nights.run()

    assert nights.row()["answered"] == ITEMS


def test_each_item_is_asked_once_a_night_however_often_the_job_runs(nights: Watch, server: ScriptedServer) -> None:
    for _ in range(3):
        nights.run()
        nights.again()
        nights.again()

    # Once by the sweep, and three nights for the 24 items of the sample.
    assert Counter(server.asked.values()) == {4: ITEMS, 1: 6}


def test_two_runs_at_once_ask_once(nights: Watch, server: ScriptedServer) -> None:
    nights.night = 0

    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda _: nights.again(), range(2)))

    assert Counter(server.asked.values()) == {2: ITEMS, 1: 6}
    assert (nights.row()["answered"], len(nights.rows())) == (ITEMS, 1)


def test_a_night_that_was_interrupted_is_completed_by_the_next_run(
    nights: Watch, provider: Provider, server: ScriptedServer
) -> None:
    began = server.stats.received

    def interrupting(request):
        if server.stats.received == began + 5:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply(text="42", latency_s=0.05)

    server.script = interrupting
    with pytest.raises(KeyboardInterrupt):
        nights.run()
    interrupted_after = server.stats.received - began
    assert nights.world.table("drift").is_empty()

    server.script = provider
    nights.again()

    assert interrupted_after < ITEMS
    assert Counter(server.asked.values()) == {2: ITEMS, 1: 6}
    assert nights.row()["answered"] == ITEMS


def test_nothing_of_it_reaches_responses_grades_or_a_sweep(nights: Watch, server: ScriptedServer) -> None:
    tables = ("responses", "grades", "partitions", "sweeps")
    before = {name: nights.world.table(name) for name in tables}

    nights.run(3)

    assert all(nights.world.table(name).equals(before[name]) for name in tables)
    received = server.stats.received
    nights.world.sweep()
    assert server.stats.received == received
    nights.world.sweep(again=True)
    assert server.stats.received == received + 30


def test_the_sample_stays_when_the_bank_grows(nights: Watch) -> None:
    nights.run()
    before = nights.sample
    nights.world.ask_sums(60)
    nights.world.sweep()

    nights.run()

    assert nights.sample == before


def test_a_retired_item_is_replaced_by_another(nights: Watch) -> None:
    nights.run()
    before = nights.sample
    nights.world.items = [item for item in nights.world.items if item["id"] != f"i{before[0]}"]
    nights.world.write()

    nights.run()

    assert nights.sample[:-1] == before[1:] and len(nights.sample) == ITEMS


def test_a_model_that_has_answered_nothing_is_told_to_be_swept(nights: Watch, server: ScriptedServer) -> None:
    nights.world.models.append(nights.world.model("new", server.url))
    nights.world.write()

    nights.run()

    row = nights.row("new")
    assert (row["state"], row["items"], row["note"]) == (
        "nothing",
        0,
        "it has answered no active item yet; sweep it first",
    )


def test_baselines_are_not_watched(nights: Watch) -> None:
    nights.world.baselines = ("abstain", "guess")
    nights.world.write()
    nights.world.sweep()

    nights.run()

    assert set(nights.world.table("drift")["model"]) == {"m"}


def test_without_its_section_nothing_is_watched(nights: Watch) -> None:
    nights.world.drift = None
    nights.world.write()

    with pytest.raises(ConfigurationError, match="add `drift:"):
        nights.run()
