"""The graph on an ephemeral instance: the job, one partition by hand, retired partitions, blocking checks."""

import duckdb
import polars as pl
from dagster import AssetKey, DagsterInstance, ExecuteInProcessResult

from orchestration.definitions import build_definitions
from orchestration.partitions import joint_key
from tests.support.scripted_server import ScriptedServer
from tests.support.world import DOMAIN, World


def run_job(instance: DagsterInstance, **config: object) -> ExecuteInProcessResult:
    job = build_definitions().resolve_job_def("sweep")
    return job.execute_in_process(
        instance=instance, run_config={"ops": {"sweeps": {"config": config}}}, raise_on_error=False
    )


def run_partition(instance: DagsterInstance, *assets: str, key: str) -> ExecuteInProcessResult:
    job = build_definitions().resolve_implicit_global_asset_job_def()
    return job.execute_in_process(
        instance=instance, partition_key=key, asset_selection=[AssetKey(name) for name in assets], raise_on_error=False
    )


def steps(result: ExecuteInProcessResult) -> set[str]:
    return {event.step_key or "" for event in result.all_events if event.is_step_success}


def test_a_sweep_records_its_partitions_in_the_history_of_their_assets(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    result = run_job(instance)

    assert result.success
    for asset in ("responses", "grades"):
        assert instance.get_materialized_partitions(AssetKey(asset)) == {str(joint_key(DOMAIN, "m"))}
    [record] = instance.fetch_materializations(AssetKey("responses"), limit=1).records
    metadata = record.asset_materialization.metadata if record.asset_materialization else {}
    assert metadata["dagster/row_count"].value == 5
    assert metadata["coverage"].value == 1.0
    assert record.run_id == result.run_id


def test_a_sweep_publishes_all_tables(world: World, instance: DagsterInstance) -> None:
    assert run_job(instance).success

    with duckdb.connect(str(world.open().home.benchmark), read_only=True) as connection:
        board = connection.execute("select model, index, coverage, method from leaderboard").fetchall()
        calls = connection.execute("select count(*) from calls where state = 'completed'").fetchall()
        history = connection.execute("select count(*) from score_history").fetchall()
    assert board == [("m", 100.0, 1.0, "match")]
    assert calls == [(5,)]
    assert history[0][0] > 0


def test_a_sweep_with_nothing_to_do_skips_what_follows(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    run_job(instance)
    again = run_job(instance)

    assert again.success
    assert steps(again) == {"sweeps"}
    assert server.stats.received == 5


def test_the_launchpad_config_narrows_a_sweep(world: World, instance: DagsterInstance, server: ScriptedServer) -> None:
    assert run_job(instance, items=["france"]).success

    assert server.stats.received == 1


def test_a_wrong_config_fails_with_the_remedy_and_buys_nothing(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    result = run_job(instance, models=["nobody"])

    assert not result.success
    [failure] = [event for event in result.all_events if event.is_step_failure]
    assert "model 'nobody' is not registered; known: m" in str(failure.step_failure_data.error)
    assert server.stats.received == 0


def test_one_partition_by_hand_buys_what_it_misses_and_no_more(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    key = joint_key(DOMAIN, "m")
    assert run_partition(instance, "responses", "grades", key=key).success
    assert server.stats.received == 5

    assert run_partition(instance, "responses", "grades", key=key).success
    assert server.stats.received == 5
    assert world.grades()["france"] == "correct"


def test_items_by_hand_read_the_file_of_record(world: World, instance: DagsterInstance) -> None:
    assert run_partition(instance, "items", key=DOMAIN).success

    assert world.table("items").height == 5


def test_a_retired_model_buys_nothing_and_says_so(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    world.models = [world.model("other", server.url)]
    world.write()

    result = run_partition(instance, "responses", "grades", key=joint_key(DOMAIN, "m"))

    assert result.success
    assert server.stats.received == 0


def test_a_model_without_its_key_fails_by_hand_and_names_the_variable(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    world.models[0]["api_key_env"] = "MISSING_KEY"
    world.write()

    result = run_partition(instance, "responses", "grades", key=joint_key(DOMAIN, "m"))

    [failure] = [event for event in result.all_events if event.is_step_failure]
    assert "MISSING_KEY is not set" in str(failure.step_failure_data.error)


def test_a_table_whose_file_is_cut_is_whole_after_the_next_sweep(
    world: World, instance: DagsterInstance, server: ScriptedServer
) -> None:
    assert run_job(instance).success
    lake = world.open().lake
    for table in ("items", "responses", "grades", "partitions", "scores", "leaderboard"):
        before = lake.read(table).height
        [file] = lake.files(table)
        file.write_bytes(file.read_bytes()[:200])

        assert run_job(instance).success, table

        assert lake.damaged(table) == [], table
        assert lake.read(table).height == before > 0, table
    assert server.stats.received == 5


def test_a_failed_blocking_check_stops_scores_and_what_follows(world: World, instance: DagsterInstance) -> None:
    run_job(instance)
    lake = world.open().lake
    partition = lake.read("partitions", domain=DOMAIN, model="m").with_columns(answered=pl.lit(4, pl.Int64))
    lake.write("partitions", partition, domain=DOMAIN, model="m")
    world.open().home.published.unlink()

    result = run_job(instance)

    failed = {check.check_name for check in result.get_asset_check_evaluations() if not check.passed}
    assert not result.success
    assert "counts_add_up" in failed
    assert not steps(result) & {"scores", "leaderboard", "benchmark_db"}
