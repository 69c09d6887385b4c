"""What the UI shows of each definition: nothing stands there without a group, an owner, a kind and a description."""

import re

import pytest
from dagster import Definitions

from orchestration.definitions import build_definitions
from orchestration.pools import PROVIDERS

# In the order of the flow, which is how the UI sorts them.
GROUP = re.compile(r"g\d_[a-z]+")


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    return build_definitions()


def test_every_asset_says_what_it_is_and_whose(definitions: Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    bare = [
        key.to_user_string()
        for key in graph.materializable_asset_keys
        if not (
            GROUP.fullmatch(graph.get(key).group_name or "")
            and graph.get(key).kinds
            and graph.get(key).owners
            and graph.get(key).description
        )
    ]

    assert bare == []


def test_every_check_says_what_it_looks_at(definitions: Definitions) -> None:
    graph = definitions.resolve_asset_graph()

    assert [key for key in graph.asset_check_keys if not graph.get_check_spec(key).description] == []


def test_every_job_schedule_and_sensor_says_what_it_does(definitions: Definitions) -> None:
    repository = definitions.get_repository_def()
    shown = [
        *(job for job in repository.get_all_jobs() if not job.name.startswith("__")),
        *repository.schedule_defs,
        *(sensor for sensor in repository.sensor_defs if sensor.name != "default_automation_condition_sensor"),
    ]

    assert len(shown) > 5
    assert [each.name for each in shown if not each.description] == []


def test_what_asks_providers_is_in_their_pool(definitions: Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    asking = [key for key in graph.materializable_asset_keys if "litellm" in graph.get(key).kinds]

    assert {"evidence_cards", "items", "sweeps", "responses"} <= {key.to_user_string() for key in asking}
    assert {graph.assets_def_for_key(key).op.pool for key in asking} == {PROVIDERS}
