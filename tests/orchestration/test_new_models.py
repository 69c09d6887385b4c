"""The sensor `new_models`: a sweep for each new model, once; what fails or vanishes; ticks that come twice or die."""

import runpy
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from dagster import DagsterInstance, RunRequest, SensorResult, SkipReason, build_sensor_context
from dagster._core.storage.tags import RUN_KEY_TAG
from dagster._core.test_utils import create_run_for_test

from orchestration import model_sensor
from orchestration.model_sensor import discover, fetch_listings, introduction, new_models_sensor, unswept
from orchestration.resources import InstallationResource
from resources.registries import ModelSpec, Price
from resources.registries.discovery import read_discovered
from resources.types import FactsweepError
from tests.support.catalog import Catalog
from tests.support.scripted_server import ScriptedServer
from tests.support.world import World, capital_in


@pytest.fixture
def catalog() -> Iterator[Catalog]:
    with Catalog(["gpt-a"]) as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> World:
    return with_rule(World.make(tmp_path, monkeypatch, "http://127.0.0.1:9/v1"), catalog.origin + "/x")


def with_rule(world: World, base: str, **more: object) -> World:
    """The world with one discovery rule."""
    world.discovery = [{"provider": "hosted_vllm", "api_base": base, "include": ["gpt-*"], "at_most_per_day": 2} | more]
    world.write()
    return world


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def tick(instance: DagsterInstance) -> list[RunRequest]:
    """What one tick requests; the daemon makes runs of it."""
    result = new_models_sensor(build_sensor_context(instance=instance), installation=InstallationResource())
    return list(result.run_requests or []) if isinstance(result, SensorResult) else []


def said(instance: DagsterInstance) -> str:
    result = new_models_sensor(build_sensor_context(instance=instance), installation=InstallationResource())
    assert isinstance(result, SkipReason)
    return result.skip_message or ""


def launched(instance: DagsterInstance, requests: Sequence[RunRequest]) -> None:
    for request in requests:
        create_run_for_test(instance, tags={RUN_KEY_TAG: str(request.run_key)})


def swept(requests: Sequence[RunRequest]) -> list[str]:
    return [request.run_config["ops"]["sweeps"]["config"]["models"][0] for request in requests]


def test_a_new_model_is_a_model_of_the_installation_and_its_sweep_is_requested_once(
    world: World, instance: DagsterInstance, catalog: Catalog
) -> None:
    first = tick(instance)
    launched(instance, first)

    assert swept(first) == ["hosted_vllm/gpt-a"]
    assert "hosted_vllm/gpt-a" in world.open().models.ids
    assert tick(instance) == []

    catalog.names = ["gpt-a", "gpt-b", "tts-1"]
    assert swept(tick(instance)) == ["hosted_vllm/gpt-b"]


def test_a_model_of_that_name_on_another_server_stands_in_nobodys_way(world: World, instance: DagsterInstance) -> None:
    world.models = [world.model("gpt-a", "http://127.0.0.1:9/other")]
    world.write()

    assert swept(tick(instance)) == ["hosted_vllm/gpt-a"]
    assert list(world.open().models.specs) == ["gpt-a", "hosted_vllm/gpt-a"]


def test_a_discovered_model_that_models_yaml_names_from_now_on_is_the_files(
    world: World, instance: DagsterInstance, catalog: Catalog
) -> None:
    tick(instance)
    world.models = [world.model("mine", catalog.origin + "/x/", model="hosted_vllm/gpt-a")]
    world.write()

    assert tick(instance) == []
    assert list(world.open().models.specs) == ["mine"]


def test_the_budget_of_the_night_holds_for_it_too(world: World, instance: DagsterInstance) -> None:
    world.nightly = {"budget_usd": 2.5}
    world.discovery[0]["price"] = {"input": 1, "output": 2}
    world.write()

    [request] = tick(instance)

    assert request.run_config["ops"]["sweeps"]["config"]["budget_usd"] == 2.5


def test_under_a_cap_a_model_without_a_price_waits_for_it(world: World, instance: DagsterInstance) -> None:
    world.nightly = {"budget_usd": 2.5}
    world.write()
    assert tick(instance) == []

    world.discovery[0]["price"] = {"input": 1, "output": 2}
    world.write()
    assert swept(tick(instance)) == ["hosted_vllm/gpt-a"]


def test_nothing_is_discovered_while_models_yaml_has_a_fault(
    world: World, instance: DagsterInstance, catalog: Catalog
) -> None:
    world.models.append({"id": "mine", "model": "hosted_vllm/gpt-a", "api_base": catalog.origin, "price": "cheap"})
    world.write()

    assert "Nothing is discovered until models.yaml is mended" in said(instance)
    assert read_discovered(world.open().home.discovered).models == {}


def test_a_tick_that_died_before_it_requested_is_made_up_for(world: World, instance: DagsterInstance) -> None:
    opened = world.open()
    discover(opened, fetch_listings(opened.models.discovery))  # and then the daemon is killed

    assert swept(tick(instance)) == ["hosted_vllm/gpt-a"]


def test_two_ticks_at_once_register_each_model_once_and_no_more_than_the_day_may_have(
    world: World, instance: DagsterInstance, catalog: Catalog
) -> None:
    catalog.names = [f"gpt-{number}" for number in range(5)]
    opened = world.open()
    listings = fetch_listings(opened.models.discovery)
    registered: list[str] = []
    both = [threading.Thread(target=lambda: registered.extend(discover(opened, listings).registered)) for _ in range(2)]

    for thread in both:
        thread.start()
    for thread in both:
        thread.join()

    assert sorted(registered) == ["hosted_vllm/gpt-0", "hosted_vllm/gpt-1"]


def test_a_provider_that_fails_or_lists_nothing_changes_nothing_and_says_so(
    world: World, instance: DagsterInstance, catalog: Catalog
) -> None:
    launched(instance, tick(instance))
    before = read_discovered(world.open().home.discovered)

    catalog.status = 500
    assert "answers with status 500; nothing is changed" in said(instance)
    catalog.status, catalog.names = 200, []
    told = said(instance)
    assert "lists 0 of the 1 models that it listed before; nothing is changed" in told
    assert f"delete its models from {world.open().home.discovered}." in told
    assert read_discovered(world.open().home.discovered) == before


def test_a_model_that_vanished_is_no_model_any_more(world: World, instance: DagsterInstance, catalog: Catalog) -> None:
    catalog.names = ["gpt-a", "gpt-b"]
    launched(instance, tick(instance))
    catalog.names = ["gpt-a"]

    tick(instance)
    tick(instance)

    assert "hosted_vllm/gpt-b" not in world.open().models.ids


def test_ten_thousand_models_are_one_short_tick(world: World, instance: DagsterInstance, catalog: Catalog) -> None:
    catalog.names = [f"embed-{number}" for number in range(9_990)] + [f"gpt-{number}" for number in range(10)]

    assert swept(tick(instance)) == ["hosted_vllm/gpt-0", "hosted_vllm/gpt-1"]


def test_what_a_sweep_has_recorded_is_not_requested_though_its_run_is_tidied_away(
    world: World, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    tick(instance)
    opened = world.open()
    monkeypatch.setattr(type(opened.lake), "read", lambda *_, **__: {"model": ["hosted_vllm/gpt-a"]})

    assert unswept(opened, instance) == []


def test_a_damaged_file_is_told_and_not_written_over(world: World, instance: DagsterInstance) -> None:
    file = world.open().home.discovered
    file.write_text("{half")

    with pytest.raises(FactsweepError, match="restore it, or delete it to have all models listed anew"):
        tick(instance)

    assert file.read_text() == "{half"


def test_without_rules_nobody_is_asked(world: World, instance: DagsterInstance, catalog: Catalog) -> None:
    world.discovery = []
    world.write()

    assert said(instance) == "models.yaml names no `discovery:` rules."
    assert catalog.asked == []


def test_a_discovered_model_is_swept_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instance: DagsterInstance, catalog: Catalog
) -> None:
    with ScriptedServer() as server:
        server.script = lambda request: _reply(request.message)
        world = with_rule(World.make(tmp_path, monkeypatch, server.url), server.url, models=["gpt-a"], include=["*"])
        [request] = tick(instance)

        world.sweep(models=tuple(request.run_config["ops"]["sweeps"]["config"]["models"]))

    assert world.coverage("hosted_vllm/gpt-a") == 1.0
    assert unswept(world.open(), instance) == []


def _reply(message: str):
    from tests.support.replies import Reply

    return Reply(text=capital_in(message))


def test_two_rules_for_one_server_have_it_asked_once(world: World, instance: DagsterInstance, catalog: Catalog) -> None:
    catalog.names = ["gpt-a", "o-9"]
    small, large = ({"params": {"max_tokens": number}} for number in (5, 50))
    base = {"provider": "hosted_vllm", "api_base": catalog.origin + "/x"}
    world.discovery = [base | small | {"include": ["gpt-*"]}, base | large | {"include": ["o-*"]}]
    world.write()

    assert swept(tick(instance)) == ["hosted_vllm/gpt-a", "hosted_vllm/o-9"]
    assert len(catalog.asked) == 1
    assert [world.open().models.specs[f"hosted_vllm/{name}"].max_tokens for name in catalog.names] == [5, 50]


def test_it_asks_all_providers_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = threading.Barrier(2, timeout=10)
    monkeypatch.setattr("resources.listings.list_models", lambda rules: meeting.wait() and [])
    world.discovery = [{"provider": "hosted_vllm", "api_base": f"http://{name}"} for name in ("one", "two")]
    world.write()

    assert model_sensor.fetch_listings(world.open().models.discovery).keys() == {
        "hosted_vllm at http://one",
        "hosted_vllm at http://two",
    }


@pytest.mark.parametrize(("stated", "seconds"), [("60", 60), ("15m", 900), ("0", 900)])
def test_an_interval_that_is_no_number_is_told_at_each_tick_and_takes_no_definition_down(
    stated: str,
    seconds: int,
    world: World,
    instance: DagsterInstance,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FACTSWEEP_LISTING_SECONDS", stated)
    sensor = runpy.run_path(str(model_sensor.__file__))["new_models_sensor"]

    sensor(build_sensor_context(instance=instance), installation=InstallationResource())

    assert sensor.minimum_interval_seconds == seconds
    told = f"FACTSWEEP_LISTING_SECONDS is '{stated}'; expected a whole number above 0, such as 900; until it is mended"
    assert (told in capfd.readouterr().err) == (seconds == 900)


def test_what_is_known_of_a_new_model_is_told(
    world: World, instance: DagsterInstance, catalog: Catalog, capfd: pytest.CaptureFixture[str]
) -> None:
    catalog.context = 32_768

    tick(instance)

    assert (
        "hosted_vllm/gpt-a is new: released 2026-05-28, price unknown, context of 32,768 tokens."
        in capfd.readouterr().err
    )


def test_a_model_of_which_little_is_known_is_introduced_so() -> None:
    priced = ModelSpec(id="a", model="openai/a", price=Price(input=0.25, output=2))

    assert introduction(priced) == (
        "a is new: release date unknown, $0.25 in and $2 out per million tokens, context unknown."
    )
