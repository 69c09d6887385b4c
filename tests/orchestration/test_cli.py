"""The command line: exit statuses, messages and output that scripts rely on."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from orchestration.cli import main
from tests.support.replies import Reply, quota_exhausted, rate_limited
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World, capital_in


def factsweep(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_sweep_ends_with_0_and_a_leaderboard(world: World) -> None:
    result = factsweep("sweep")

    assert result.exit_code == 0, result.output
    assert "100.0" in result.stdout and "match" in result.stdout


def test_a_second_sweep_says_that_there_is_nothing_to_do(world: World, server: ScriptedServer) -> None:
    factsweep("sweep")
    result = factsweep("sweep")

    assert result.exit_code == 0
    assert "Nothing to do" in result.stdout
    assert server.stats.received == 5


def test_a_domain_is_named_beside_its_bank(world: World) -> None:
    assert factsweep("sweep", "--bank", BANK, "--domain", "europe", "--dry-run").exit_code == 0


def test_a_dry_run_forecasts_and_buys_nothing(world: World, server: ScriptedServer) -> None:
    result = factsweep("sweep", "--dry-run")

    assert result.exit_code == 0
    assert "forecast: 5 calls, $" in result.stdout
    assert server.stats.received == 0


def test_a_dry_run_of_again_forecasts_all_anew_and_leaves_the_epochs(world: World, server: ScriptedServer) -> None:
    factsweep("sweep")

    result = factsweep("sweep", "--again", "--model", "m", "--dry-run")

    assert "forecast: 5 calls" in result.stdout
    assert factsweep("sweep").stdout.startswith("Nothing to do")
    assert server.stats.received == 5


def test_a_dry_run_without_a_price_says_at_least(world: World) -> None:
    world.models[0]["price"] = None
    world.write()

    assert "at least $0.0000 (a price is unknown)" in factsweep("sweep", "--dry-run").stdout


def test_a_failed_call_ends_with_3_and_coverage_stands_beside_the_score(world: World, server: ScriptedServer) -> None:
    def script(request):
        return rate_limited() if "France" in request.message else Reply(text=capital_in(request.message))

    server.script = script

    result = factsweep("sweep")

    assert result.exit_code == 3
    assert "80.0 % incomplete" in result.stdout


def test_the_budget_ends_with_4_and_what_was_bought_is_graded(world: World) -> None:
    result = factsweep("sweep", "--budget", "0.00045")

    assert result.exit_code == 4
    assert "the budget is reached" in result.output
    grades = world.table("grades")
    assert 0 < grades.height < 5
    assert grades["grade"].null_count() == 0


def test_an_exhausted_quota_is_one_clear_error_and_the_other_model_goes_on(
    world: World, server: ScriptedServer
) -> None:
    world.models.append(world.model("other", server.url))
    world.write()

    def script(request):
        return quota_exhausted() if request.model == "m" else Reply(text=capital_in(request.message))

    server.script = script

    result = factsweep("sweep")

    assert result.exit_code == 3
    assert result.output.count("m was stopped") == 1
    assert world.coverage("other") == 1.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sweep", "--model", "nobody"), "model 'nobody' is not registered; known: m"),
        (("sweep", "--bank", "nothing"), "bank 'nothing' is not registered"),
        (("sweep", "--item", "nothing"), "no active item is called nothing"),
        (("sweep", "--limit", "0"), "--limit is 0; it must be over 0"),
        (("show", "nothing"), "no item is called 'nothing'"),
    ],
)
def test_wrong_use_ends_with_2_and_a_remedy(world: World, arguments: tuple[str, ...], said: str) -> None:
    result = factsweep(*arguments)

    assert result.exit_code == 2
    assert said in result.output


def test_a_named_model_without_its_key_ends_with_2(world: World) -> None:
    world.models[0]["api_key_env"] = "MISSING_KEY"
    world.write()

    result = factsweep("sweep", "--model", "m")

    assert result.exit_code == 2
    assert "MISSING_KEY is not set" in result.output


def test_status_as_json_is_a_list_of_partitions(world: World) -> None:
    factsweep("sweep")

    rows = json.loads(factsweep("status", "--json").stdout)

    assert rows == [
        {
            "bank": BANK,
            "domain": DOMAIN,
            "model": "m",
            "state": "fresh",
            "coverage": 1.0,
            "due": False,
            "reason": "",
        }
    ]


def test_status_before_the_first_sweep_says_missing(world: World) -> None:
    assert json.loads(factsweep("status", "--json").stdout)[0]["state"] == "missing"


def test_an_empty_table_is_exported_with_its_header(world: World) -> None:
    result = factsweep("export", "grades")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith("bank,domain,model,item_id")


def test_tables_are_exported_in_each_format_and_calls_are_one_too(world: World, tmp_path: Path) -> None:
    factsweep("sweep")

    read = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}
    for form in read:
        out = tmp_path / f"responses.{form}"
        assert factsweep("export", "responses", "--out", str(out)).exit_code == 0
        assert read[form](out).height == 5
    lines = factsweep("export", "calls", "--format", "jsonl").stdout.splitlines()
    assert {json.loads(line)["state"] for line in lines} == {"completed"}


def test_doctor_asks_for_no_cutoff_of_a_model_that_answers_no_bank(world: World) -> None:
    world.models.append(world.model("roles-only", "http://127.0.0.1:9", banks=[]))
    world.write()

    told = [line for line in factsweep("doctor").stdout.splitlines() if "no knowledge_cutoff" in line]

    assert len(told) == 1 and "model m" in told[0]


def test_doctor_finds_what_must_be_mended(world: World) -> None:
    world.models.append({"id": "bad", "model": "no-provider"})
    world.write()

    result = factsweep("doctor")

    assert result.exit_code == 2
    assert "models.bad" in result.stdout


@pytest.mark.parametrize(
    ("night", "level", "said"),
    [({"budget_usd": 5}, "mend", "nightly.budget_usd leaves it out"), ({}, "note", "a budget would leave it out")],
)
def test_doctor_tells_of_a_model_without_a_price(world: World, night: dict, level: str, said: str) -> None:
    world.models[0]["price"] = None
    world.nightly = night
    world.write()

    result = factsweep("doctor")

    [line] = [line for line in result.stdout.splitlines() if "nobody states a price" in line]
    assert line.split()[0] == level and said in line
    assert result.exit_code == (2 if night else 0)


@pytest.mark.parametrize(("price", "told"), [(None, 1), ({"input": 1, "output": 2}, 0)])
def test_doctor_tells_of_a_rule_whose_models_a_cap_would_leave_out(world: World, price: dict | None, told: int) -> None:
    world.nightly = {"budget_usd": 5}
    world.discovery = [{"provider": "hosted_vllm", "api_base": "http://127.0.0.1:9/v1", "price": price}]
    world.write()

    said = factsweep("doctor").stdout

    assert said.count("nightly.budget_usd leaves its models out") == told


def test_where_nothing_can_be_asked_it_is_not_called_fresh(world: World, server: ScriptedServer) -> None:
    factsweep("sweep")
    world.models.append(world.model("n", server.url, price=None))
    world.write()

    result = factsweep("sweep", "--budget", "1")

    assert "Nothing to do: all that can be asked is fresh." in result.stdout
    assert "capitals.europe | n: skipped: nobody states its price" in result.stderr


def test_doctor_pings_each_model_once(world: World, server: ScriptedServer) -> None:
    result = factsweep("doctor", "--ping")

    assert result.exit_code == 0, result.output
    assert server.stats.received == 1
    assert "ping m: answered" in result.stdout


def test_a_ping_that_fails_tells_the_providers_words(world: World, server: ScriptedServer) -> None:
    server.script = lambda request: quota_exhausted()

    result = factsweep("doctor", "--ping")

    assert result.exit_code == 2
    assert "quota" in result.stdout


def test_show_prints_the_item_with_each_answer(world: World) -> None:
    factsweep("sweep")

    shown = factsweep("show", "france").stdout

    assert "Which city is the capital of France?" in shown
    assert "answer     Paris" in shown
    assert "correct by match" in shown


def test_the_key_of_an_echoing_server_is_nowhere(
    world: World, server: ScriptedServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-very-secret-0123456789"
    monkeypatch.setenv("SOME_KEY", secret)
    world.models[0]["api_key_env"] = "SOME_KEY"
    world.write()

    def script(request):
        if "France" in request.message:
            return Reply(text=f"You sent {request.headers.get('authorization')}")
        from tests.support.replies import wrong_key

        return wrong_key(request)

    server.script = script

    result = factsweep("sweep")

    assert secret not in result.output
    # What the server echoed did arrive, and is kept without the key.
    [answer] = world.table("responses").filter(pl.col("item_id") == "france")["text"]
    assert answer == "You sent [redacted]"
    errors = world.open().ledger.frame()["error"].drop_nulls()
    assert len(errors) and all("[redacted]" in error for error in errors)
    for table in ("responses", "grades", "partitions", "sweeps"):
        assert secret not in str(world.table(table).to_dicts())
    for file in home.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file
