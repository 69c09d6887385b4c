"""The registry sensor registers what the files name and requests nothing; dead runs are marked failed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster import (
    AddDynamicPartitionsRequest,
    DagsterInstance,
    DagsterRunStatus,
    SensorResult,
    SkipReason,
    build_sensor_context,
)
from dagster._core.test_utils import create_run_for_test

from orchestration.partitions import missing_keys
from orchestration.resources import InstallationResource
from orchestration.runs import PROCESS_TAG, bury_dead_runs
from orchestration.sensors import registry_sensor
from resources.ledger import Owner
from tests.support.world import DOMAIN, World

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World.make(tmp_path, monkeypatch, NOWHERE)


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


def tick(instance: DagsterInstance) -> SensorResult | SkipReason:
    context = build_sensor_context(instance=instance)
    return registry_sensor(context, installation=InstallationResource())  # type: ignore[return-value]


def test_new_domains_and_models_become_partitions(world: World, instance: DagsterInstance) -> None:
    result = tick(instance)

    assert isinstance(result, SensorResult)
    added = {
        request.partitions_def_name: list(request.partition_keys)
        for request in result.dynamic_partitions_requests or []
    }
    assert added == {"domains": [DOMAIN], "models": ["m"]}
    assert not result.run_requests


def test_what_is_registered_is_not_registered_again(world: World, instance: DagsterInstance) -> None:
    instance.add_dynamic_partitions("domains", [DOMAIN])
    instance.add_dynamic_partitions("models", ["m"])

    assert isinstance(tick(instance), SkipReason)


def test_a_broken_models_file_changes_nothing(world: World, instance: DagsterInstance) -> None:
    instance.add_dynamic_partitions("domains", [DOMAIN])
    instance.add_dynamic_partitions("models", ["m"])
    (world.root / "models.yaml").write_text("models: [")

    assert isinstance(tick(instance), SkipReason)
    assert instance.get_dynamic_partitions("models") == ["m"]


def test_keys_are_never_deleted(world: World, instance: DagsterInstance) -> None:
    instance.add_dynamic_partitions("models", ["gone"])

    opened = world.open()

    assert missing_keys(instance, opened.banks, opened.models)["models"] == ["m"]
    result = tick(instance)
    assert isinstance(result, SensorResult)
    requests = result.dynamic_partitions_requests or []
    assert requests and all(isinstance(request, AddDynamicPartitionsRequest) for request in requests)


def test_a_run_whose_process_is_gone_is_marked_failed(instance: DagsterInstance) -> None:
    owner = Owner.register()
    owner.retire()
    dead = Owner(owner.host, owner.boot, 2**22 + 1, owner.started, "t")
    alive = create_run_for_test(instance, status=DagsterRunStatus.STARTED, tags={PROCESS_TAG: str(owner)})
    gone = create_run_for_test(instance, status=DagsterRunStatus.STARTED, tags={PROCESS_TAG: str(dead)})

    assert bury_dead_runs(instance) == [gone.run_id]

    statuses = {run.run_id: run.status for run in instance.get_runs()}
    assert statuses == {alive.run_id: DagsterRunStatus.STARTED, gone.run_id: DagsterRunStatus.FAILURE}


def test_a_run_on_another_host_is_left_alone(instance: DagsterInstance) -> None:
    far = Owner("another-host", "boot", 1, 1.0, "t")
    create_run_for_test(instance, status=DagsterRunStatus.STARTED, tags={PROCESS_TAG: str(far)})

    assert bury_dead_runs(instance) == []
