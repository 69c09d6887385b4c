"""The summary of a sweep in a small world: every number by hand, and nothing private in it."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from assets.items.bank_files import read_items
from assets.metrics.scores import score_table
from assets.summaries.markdown import summary_markdown
from assets.summaries.nights import Night
from assets.summaries.slack import summary_notice
from assets.summaries.summary import Cost, FailedCheck, Ran, Summary, own_words, reason_told, summarize
from assets.summaries.wording import check_text, headline, incomplete_text
from checks.contract import TIMESTAMP
from checks.contracts import SCORE_HISTORY
from resources.installation import utc_now
from tests.support.replies import Reply, Request, failing, rate_limited
from tests.support.scripted_server import ScriptedServer
from tests.support.world import COUNTRIES, DOMAIN, World, capital_in

LINK = "https://dagster.example/runs/sweep-1"


def right(request: Request) -> Reply:
    return Reply(text=capital_in(request.message))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(right) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> World:
    world = World.make(tmp_path, monkeypatch, server.url)
    world.baselines = ("abstain",)
    world.write()
    return world


def publish(world: World, sweep_id: str) -> Night:
    """The scores as the asset `scores` publishes them."""
    lake, at = world.open().lake, utc_now()
    tables = (lake.read(name) for name in ("items", "responses", "grades", "partitions"))
    frame = score_table(*tables, penalty={}, notes={})
    own = {"sweep_id": pl.lit(sweep_id), "published_at": pl.lit(at).cast(TIMESTAMP)}
    lake.write("score_history", frame.with_columns(**own).select(list(SCORE_HISTORY.schema)), sweep=sweep_id)
    return Night(sweep_id, at)


def swept(world: World, *checks: FailedCheck, **request) -> Summary:
    """A sweep, published and summarized."""
    result = world.sweep(**request)
    return summarize(world.open(), publish(world, result.sweep_id), checks)


def test_the_first_sweep(world: World) -> None:
    summary = swept(world)

    assert summary.first
    assert summary.ran == (Ran("new", 2, (DOMAIN,), ("abstain", "m")),)
    assert summary.new_models == ("m",)
    assert summary.new_domains == (DOMAIN,)
    assert summary.troubles == summary.left == ()
    assert summary.cost.calls == summary.cost.forecast_calls == 5
    assert summary.cost.usd == pytest.approx(world.open().ledger.frame()["cost_usd"].sum())
    assert headline(summary).startswith("capitals: m leads (index 100); 1 model is new; $0.00")


def test_partitions_are_told_by_why_they_ran(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: rate_limited() if "France" in request.message else right(request)
    swept(world)
    server.script = right
    world.models.append(world.model("n", server.url))
    world.write()

    summary = swept(world)

    assert {ran.reason: ran.models for ran in summary.ran} == {"new": ("n",), "incomplete before, tried again": ("m",)}
    assert summary.new_models == ("n",)
    assert summary.new_domains == ()
    assert summary.cost.calls == 6


@pytest.mark.parametrize(
    ("status", "reason", "told"),
    [
        ("missing", "never swept", "new"),
        ("missing", "a file is damaged; it is rebuilt from the ledger", "a damaged file was rebuilt"),
        ("stale", "changed: items, prompt", "stale: items, prompt changed"),
        ("stale", "changed: epoch", "asked anew"),
        ("stale", "changed: epoch, items", "stale: items changed, asked anew"),
        ("failed", "5 failed; stopped: HTTP 401: key sk-1", "failed before, tried again"),
        ("incomplete", "1 failed", "incomplete before, tried again"),
        ("fresh", "asked for", "asked for"),
    ],
)
def test_reasons_are_told_in_our_words(status: str, reason: str, told: str) -> None:
    assert reason_told(status, reason) == told


def test_a_model_that_moved_beyond_its_interval_is_told(world: World, server: ScriptedServer) -> None:
    swept(world)
    server.script = lambda request: Reply(text="London")

    summary = swept(world, again=True)

    [(board, model)] = summary.moved
    assert (board.bank, model.model, model.moved) == ("capitals", "m", ("index", "accuracy"))
    assert model.unlike == ()
    # All five were right, so at most a share 1 − 0.025^(1/5) = 52.2 % of documents departs: index 100 − 2 × 52.2.
    shown = summary_markdown(summary, None)
    assert "- m on capitals: index 100 (−4.4 to 100) → −100, accuracy 100.0 % (47.8 % to 100.0 %) → 0.0 %\n" in shown
    assert "Moved means: the new value lies outside the earlier 95 % interval." in shown
    assert "- m on capitals: 1 → 2\n" in shown
    assert headline(summary).startswith("capitals: m leads (index −100); 1 model moved; $0.00")


def test_failures_are_counted_with_our_reasons(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: rate_limited() if "Fra" in request.message else right(request)

    summary = swept(world)

    [trouble] = summary.troubles
    assert (trouble.domain, trouble.model, trouble.coverage) == (DOMAIN, "m", 0.8)
    assert incomplete_text(trouble) == "80.0 % graded: 1 failed (HTTP 429 × 1)"
    assert "1 partition incomplete" in headline(summary)


def test_a_partition_left_incomplete_by_an_earlier_sweep_is_still_told(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: rate_limited() if "Fra" in request.message else right(request)
    swept(world)
    world.models.append(world.model("n", server.url))
    world.write()
    server.script = right

    summary = swept(world, models=("n",))

    assert summary.troubles == ()
    assert [(each.model, incomplete_text(each)) for each in summary.left] == [("m", "80.0 % graded: 1 failed")]


def test_a_budget_stop_is_told(world: World) -> None:
    summary = swept(world, budget_usd=0.00045)

    assert summary.over_budget
    [trouble] = summary.troubles
    assert trouble.stopped == "the budget is reached"
    assert "not asked" in trouble.missing
    assert "the budget stopped it" in headline(summary)


def test_a_model_without_its_key_is_told(world: World, server: ScriptedServer) -> None:
    world.models.append(world.model("n", server.url, api_key_env="MISSING_KEY"))
    world.write()

    assert swept(world).not_asked == (("n", "MISSING_KEY is not set"),)


def test_an_unknown_price_makes_the_cost_at_least(world: World) -> None:
    world.models[0]["price"] = None
    world.write()

    summary = swept(world)

    assert summary.cost == Cost(5, 5, 0.0, 0.0, price_unknown=True, forecast_unknown=True)
    assert headline(summary).endswith("at least $0.00 of at least $0.00 forecast")


def test_a_run_that_took_up_another_says_that_its_cost_is_not_all(world: World) -> None:
    result = world.sweep()

    summary = summarize(world.open(), publish(world, result.sweep_id), (), takes_up_another=True)

    told = " forecast for the rest of an earlier run, whose own calls are not counted"
    assert headline(summary).endswith(told)
    assert f"{told}; 5 calls of 5 forecast" in summary_markdown(summary, None)


def test_checks_that_fail_are_told_with_their_rows(world: World) -> None:
    check = FailedCheck("items: topics_are_balanced", blocking=False, warning=True, failing=3)
    broken = FailedCheck("grades: contract", blocking=True, warning=False, failing=None)

    summary = swept(world, check, broken)

    assert check_text(check) == "items: topics_are_balanced (warning): 3 failing rows"
    assert check_text(broken) == "grades: contract (blocking): could not be evaluated"
    assert "2 checks fail" in headline(summary)
    assert "- items: topics\\_are\\_balanced (warning): 3 failing rows" in summary_markdown(summary, None)


def test_scores_that_are_published_anew_without_a_sweep_say_so(world: World) -> None:
    swept(world)
    again = publish(world, "sweep-x")

    assert "no partition was due, the scores are published anew" in headline(summarize(world.open(), again, ()))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("stopped: HTTP 429: You asked: Which city is …; raise its limit", "stopped: HTTP 429"),
        ("the judge stopped: HTTP 401: bad key", "the judge stopped: HTTP 401"),
        (
            "stopped: 10 calls failed one after the other, the last with: HTTP 400: Which city",
            "stopped: 10 calls failed one after the other, the last with: HTTP 400",
        ),
        ("the budget is reached", "the budget is reached"),
        ("no answer within the timeout", "no answer within the timeout"),
    ],
)
def test_what_a_provider_said_is_left_out(reason: str, told: str) -> None:
    assert own_words(reason) == told


def test_nothing_private_stands_in_it(world: World, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither questions, golds, answers nor keys, although the provider's errors repeat what they were asked."""
    monkeypatch.setenv("SOME_KEY", "sk-very-secret-0123456789")
    world.models[0]["api_key_env"] = "SOME_KEY"
    for item in world.items:
        item["split"] = "private"
    world.items.append(world.items[0] | {"id": "slip", "answerable_from": "Which city is it"})
    world.write()

    def script(request: Request) -> Reply:
        if "Italy" in request.message:
            return right(request)
        return failing(
            400, f"cannot answer {request.message}: {request.headers.get('authorization')}", "invalid_request"
        )

    server.script = script

    summary = swept(world)
    notice = summary_notice(summary, LINK)

    assert "Which city" in str(world.open().ledger.frame()["error"].to_list())
    assert "Which city is it" in str(read_items(*world.open().banks.domains[DOMAIN]).refused) and summary.faults
    told = f"{summary} {summary_markdown(summary, LINK)} {notice}"
    for word in (*COUNTRIES, *COUNTRIES.values(), "Which city", "sk-very-secret-0123456789"):
        assert word not in told


def test_slack_is_short_and_its_first_line_says_it_all(world: World) -> None:
    summary = swept(world)

    notice = summary_notice(summary, LINK)

    lines = notice.text.splitlines()
    assert lines[0] == f"*{headline(summary)}*"
    assert lines[1:] == [
        "2 partitions swept: 2 new",
        "New models: m",
        f"New domains: {DOMAIN}",
        f"<{LINK}|The run>",
    ]
    assert notice.kind == "summary"
    assert notice.fields["run_id"] == "sweep-1"
    assert notice.fields["leaders"] == [{"bank": "capitals", "graded_by": "match", "model": "m", "index": 100.0}]


def test_markdown_shows_names_as_they_are(world: World, server: ScriptedServer) -> None:
    world.models.append(world.model("a|b*c_", server.url) | {"id": "a*b_c"})
    world.write()

    shown = summary_markdown(swept(world), LINK)

    assert "| a\\*b\\_c |" in shown
    assert f"[Run sweep-1]({LINK})" in shown
