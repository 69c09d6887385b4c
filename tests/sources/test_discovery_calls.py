"""A discovery's calls: plans and searches that fail, budgets, an interrupt; what was bought is never lost."""

import os
import signal

import pytest

from tests.sources.discovered import ACT, HARBOURS, KEY, LAW, PLAN, REGISTER, Scene, plan
from tests.support.replies import Reply, Request, failing, rate_limited, server_error

BAD_PLANS = {
    "a refusal": (Reply(text="I cannot help with that."), "is no JSON object"),
    "half an object": (Reply(text='{"queries": [{"topic"'), "is no valid JSON"),
    "nothing": (Reply(text=""), "is empty"),
    "no queries": (plan({"queries": []}), "there is no query"),
    "another object": (plan({"plan": "search"}), "Field required"),
    "cut off": (Reply(text="", finish_reason="length"), "is truncated"),
}


@pytest.mark.parametrize("case", BAD_PLANS)
def test_a_plan_that_cannot_be_read_twice_leaves_the_discovery_incomplete(scene: Scene, case: str) -> None:
    reply, reason = BAD_PLANS[case]
    scene.plans = [reply]

    result = scene.run()

    assert result.exit_code == 3
    assert (
        f"no plan: its reply, asked twice, {reason}" in result.output
        or f"asked twice, queries: {reason}" in result.output
    )
    assert scene.requests == 2
    assert not scene.file.exists()


def test_a_plan_that_can_be_read_the_second_time_is_taken(scene: Scene) -> None:
    scene.plans = [Reply(text="Let me think."), plan(PLAN)]

    assert scene.run().exit_code == 0
    assert scene.urls() == [REGISTER.url, ACT.url]


def test_queries_for_no_topic_too_many_and_twice_are_not_searched(scene: Scene) -> None:
    asked = [("Cooking", "soup"), ("law", LAW), ("Law", LAW.upper()), ("Harbours", HARBOURS), ("Law", "more")]
    scene.plans = [plan({"queries": [{"topic": topic, "query": query} for topic, query in asked]})]

    result = scene.run("--queries", "2")

    assert sorted(request.message for request in scene.searches()) == sorted([LAW, HARBOURS])
    assert "not searched: 1 queries for what is no topic of the domain" in result.output
    assert "not searched: 1 queries more than were asked for" in result.output
    assert result.exit_code == 0


def test_a_plan_for_other_topics_alone_is_no_plan(scene: Scene) -> None:
    scene.plans = [plan({"queries": [{"topic": "Cooking", "query": "soup"}]})]

    result = scene.run()

    assert result.exit_code == 3
    assert "no plan: no query of it is for a topic of the domain" in result.output


def test_a_search_that_fails_is_named_the_others_are_kept_and_a_later_run_asks_it_again(scene: Scene) -> None:
    scene.troubles[HARBOURS] = server_error(503)

    first = scene.run()

    assert first.exit_code == 3
    assert f"no answer to {HARBOURS!r}: HTTP 503" in first.output
    assert scene.urls() == [ACT.url]
    scene.troubles.clear()
    requests = scene.requests

    assert scene.run().exit_code == 0
    assert scene.requests == requests + 1
    assert scene.urls() == [ACT.url, REGISTER.url]


def test_a_search_that_is_told_to_wait_is_tried_again(scene: Scene) -> None:
    finder = scene.workshop.server
    troubled: list[str] = []

    def script(request: Request) -> Reply:
        if request.message == LAW and not troubled:
            troubled.append(LAW)
            return rate_limited(retry_after="0")
        return scene(request)

    finder.script = script

    assert scene.run().exit_code == 0
    assert scene.urls() == [REGISTER.url, ACT.url]


def test_a_refused_key_is_told_with_its_variable(scene: Scene) -> None:
    trouble = failing(401, f"Unauthorized: {KEY}", "auth")
    scene.troubles = {HARBOURS: trouble, LAW: trouble}

    result = scene.run()

    assert result.exit_code == 3
    assert "check FINDER_KEY" in result.output
    assert KEY not in result.output


def test_the_budget_stops_it_and_what_was_found_is_kept(scene: Scene) -> None:
    result = scene.run("--budget", "0.015")

    assert result.exit_code == 4
    assert "stopped by the budget" in result.output
    assert len(scene.urls()) == 1
    requests = scene.requests

    assert scene.run("--budget", "0.015").exit_code == 0
    assert scene.requests == requests + 1
    assert sorted(scene.urls()) == sorted([REGISTER.url, ACT.url])


def test_the_banks_budget_holds_where_none_is_given(scene: Scene) -> None:
    scene.workshop.bank["build"] = {"budget_usd": 0.0001}
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 4
    assert scene.requests == 0


def test_a_budget_needs_every_price(scene: Scene) -> None:
    scene.workshop.models[1]["params"] = {"search_depth": "advanced"}
    del scene.workshop.models[1]["price"]
    scene.workshop.write()

    result = scene.run("--budget", "1")

    assert result.exit_code == 2
    assert "nobody states one for finder" in result.output
    assert scene.requests == 0
    assert "an unknown sum, since a price is" in scene.run().output


def test_a_dry_run_says_what_it_would_cost_and_buys_nothing(scene: Scene) -> None:
    result = scene.run("--dry-run", "--queries", "3")

    assert result.exit_code == 0
    assert "planner plans at most 3 searches, which finder makes" in result.output
    assert "At most $0.03" in result.output
    assert scene.requests == 0
    assert not scene.file.exists()


def test_ctrl_c_keeps_what_was_bought(scene: Scene) -> None:
    def script(request: Request) -> Reply:
        if request.message == LAW:
            os.kill(os.getpid(), signal.SIGINT)
            return Reply(latency_s=30)
        return scene(request)

    scene.workshop.server.script = script

    result = scene.run()

    assert result.exit_code == 130
    assert "cancelled; what was bought is on record" in result.output
    requests = scene.requests
    scene.workshop.server.script = scene

    assert scene.run().exit_code == 0
    assert scene.requests == requests + 1
