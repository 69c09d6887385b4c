"""Old runs go, but none by which the UI knows the state of a partition."""

import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from dagster import (
    AssetCheckKey,
    AssetCheckResult,
    AssetKey,
    AssetsDefinition,
    DagsterInstance,
    DynamicPartitionsDefinition,
    MaterializeResult,
    asset,
    asset_check,
    materialize,
)
from dagster._core.test_utils import create_run_for_test

from orchestration.cli import main
from orchestration.definitions import build_definitions
from orchestration.instance import prepare_dagster_home
from orchestration.tidying import runs_in_use, tidy
from resources.home import current_home
from resources.warehouse import replacing

SOON = timedelta(minutes=1)
HELD: list[AbstractContextManager[Path]] = []  # a replacement that is let go of would tidy up after itself
KEYS = DynamicPartitionsDefinition(name="keys")


@asset(partitions_def=KEYS)
def partitioned() -> MaterializeResult:
    return MaterializeResult(metadata={"text": "x" * 20_000})


@asset(partitions_def=KEYS)
def failing() -> None:
    raise ValueError("no")


@asset
def whole() -> None: ...


@asset_check(asset=whole)
def sound() -> AssetCheckResult:
    return AssetCheckResult(passed=True)


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[DagsterInstance]:
    folder = tmp_path / "dagster"
    folder.mkdir()
    with DagsterInstance.local_temp(str(folder)) as made:
        made.add_dynamic_partitions("keys", ["a", "b"])
        yield made


def run(instance: DagsterInstance, *what: AssetsDefinition, key: str | None = None) -> str:
    return materialize([*what], instance=instance, partition_key=key, raise_on_error=False).run_id


def now() -> datetime:
    return datetime.now(UTC) + SOON


def left(instance: DagsterInstance) -> set[str]:
    return {run.run_id for run in instance.get_runs()}


def test_the_last_materialization_of_each_partition_keeps_its_run(instance: DagsterInstance) -> None:
    run(instance, partitioned, key="a")
    last = {run(instance, partitioned, key="b"), run(instance, partitioned, key="a")}

    done = tidy(instance, now())

    assert (len(done.deleted), done.kept) == (1, 2)
    assert left(instance) == last
    assert instance.get_materialized_partitions(AssetKey("partitioned")) == {"a", "b"}


def test_a_partition_that_failed_stays_failed(instance: DagsterInstance) -> None:
    run(instance, failing, key="a")
    last = run(instance, failing, key="a")

    tidy(instance, now())

    assert left(instance) == {last}


def test_an_asset_without_partitions_keeps_its_last_run(instance: DagsterInstance) -> None:
    run(instance, whole)
    last = run(instance, whole)

    tidy(instance, now())

    assert left(instance) == {last}
    event = instance.get_latest_materialization_event(AssetKey("whole"))
    assert event is not None and event.run_id == last


def test_a_check_keeps_its_last_result(instance: DagsterInstance) -> None:
    materialize([whole, sound], instance=instance)
    run(instance, whole)

    assert len(tidy(instance, now()).deleted) == 1

    record = instance.get_latest_asset_check_evaluation_record(AssetCheckKey(AssetKey("whole"), "sound"))
    assert record is not None and record.event is not None


def test_what_is_young_or_under_way_stays(instance: DagsterInstance) -> None:
    run(instance, whole)
    run(instance, whole)
    create_run_for_test(instance)

    assert tidy(instance, now() - timedelta(days=1)).deleted == ()
    tidy(instance, now())

    assert len(left(instance)) == 2


def test_a_dry_run_deletes_nothing(instance: DagsterInstance) -> None:
    run(instance, whole)
    run(instance, whole)

    assert len(tidy(instance, now(), dry_run=True).deleted) == 1
    assert len(left(instance)) == 2


def test_the_space_is_given_back(instance: DagsterInstance) -> None:
    for _ in range(4):
        run(instance, partitioned, key="a")
    logs = Path(instance.root_directory) / "history" / "runs"
    before = len(list(logs.glob("*-*.db")))

    done = tidy(instance, now())

    assert (before, len(list(logs.glob("*-*.db")))) == (4, 1)
    assert done.freed > 3 * 100_000


def test_many_partitions_are_all_found(instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orchestration.tidying._AT_ONCE", 2)
    instance.add_dynamic_partitions("keys", [f"k{number}" for number in range(5)])
    made = {run(instance, partitioned, key=f"k{number}") for number in range(5)}

    assert runs_in_use(instance) == made


def test_the_command_says_what_goes_and_what_stays() -> None:
    prepare_dagster_home()
    with DagsterInstance.get() as made:
        run(made, whole)

    result = CliRunner().invoke(main, ["tidy", "--older-than", "1", "--dry-run"])

    assert (result.exit_code, result.stdout) == (0, "0 runs would be deleted.\n")


def test_the_job_does_the_same(instance: DagsterInstance) -> None:
    job = build_definitions().resolve_job_def("housekeeping")
    old = half_written(days=2)

    assert job.execute_in_process(instance=instance).success
    assert not old.exists()


def half_written(days: float) -> Path:
    """What a process leaves that is killed while it replaces a file, so long ago."""
    replacement = replacing(current_home().benchmark)
    file = replacement.__enter__()
    file.write_bytes(b"x" * 1_500_000)
    ago = time.time() - days * 86_400
    os.utime(file, (ago, ago))
    HELD.append(replacement)
    return file


def test_files_that_a_killed_process_left_half_written_go_after_a_day() -> None:
    old, young, whole_file = half_written(days=2), half_written(days=0.5), current_home().root / "kept"
    whole_file.write_text("kept")
    (current_home().root / ".half-folder").mkdir()
    os.utime(whole_file, (0, 0))

    dry = CliRunner().invoke(main, ["tidy", "--dry-run"])
    assert "1 half-written file would be deleted, 1.5 MB." in dry.stdout and old.exists()

    result = CliRunner().invoke(main, ["tidy"])

    assert result.exit_code == 0 and "1 half-written file deleted, 1.5 MB." in result.stdout
    assert (old.exists(), young.exists(), whole_file.exists()) == (False, True, True)
