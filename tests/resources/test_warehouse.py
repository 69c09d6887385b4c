"""The lake: files replaced whole, damaged ones told, a published database that readers may have open."""

import errno
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from checks.contract import ContractViolation
from checks.contracts import CALLS, CONTRACTS, PARTITIONS
from resources.warehouse import DiskFull, Lake, publish

ODD = "a/b:c@d é"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def partition(domain: str = "bank.law", model: str = "m", coverage: float = 1.0) -> pl.DataFrame:
    counts = dict.fromkeys(
        ("items", "asked", "answered", "truncated", "filtered", "failed", "graded", "unreadable", "retryable"), 1
    )
    row = counts | {
        "bank": "bank",
        "domain": domain,
        "model": model,
        "fingerprint": "items=1",
        "method": "match",
        "epoch": 0,
        "samples": 1,
        "coverage": coverage,
        "sweep_id": "s",
        "recorded_at": datetime(2026, 11, 30, tzinfo=UTC),
    }
    return PARTITIONS.frame([row])


def test_what_is_written_is_read_back(lake: Lake) -> None:
    lake.write("partitions", partition(), domain="bank.law", model="m")

    assert lake.read("partitions", domain="bank.law", model="m").equals(partition())


def test_keys_with_slashes_colons_at_signs_spaces_and_accents_are_kept_apart(lake: Lake) -> None:
    for model in (ODD, "a__b", "a%2Fb", "..", "A"):
        lake.write("partitions", partition(model=model), domain="bank.law", model=model)

    assert set(lake.read("partitions")["model"]) == {ODD, "a__b", "a%2Fb", "..", "A"}


def test_views_of_one_domain_leave_out_other_domains_and_keep_tables_that_are_not_kept_by_domain(lake: Lake) -> None:
    for domain in ("bank.law", "bank.law/tax", "bank.health"):
        lake.write("partitions", partition(domain=domain), domain=domain, model="m")
    lake.write("leaderboard", CONTRACTS["leaderboard"].empty())

    with duckdb.connect() as connection:
        lake.create_views(connection, domain="bank.law")
        assert connection.execute("select domain from partitions").fetchall() == [("bank.law",)]
    assert lake.files("leaderboard", "bank.law") == lake.files("leaderboard") != []


def test_an_empty_table_has_its_columns(lake: Lake) -> None:
    assert lake.read("grades").schema == CONTRACTS["grades"].schema


def test_a_frame_that_breaks_its_contract_replaces_nothing(lake: Lake) -> None:
    lake.write("partitions", partition(), domain="bank.law", model="m")

    with pytest.raises(ContractViolation, match=r"coverage is 2\.0, over 1"):
        lake.write("partitions", partition(coverage=2.0), domain="bank.law", model="m")

    assert lake.read("partitions")["coverage"].to_list() == [1.0]


def test_a_file_cut_in_half_counts_as_absent_and_is_told(lake: Lake) -> None:
    lake.write("partitions", partition(), domain="bank.law", model="m")
    lake.write("partitions", partition(model="other"), domain="bank.law", model="other")
    [file] = [file for file in lake.files("partitions") if "model=m" in str(file)]
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    assert lake.read("partitions")["model"].to_list() == ["other"]
    assert lake.damaged("partitions") == [{"domain": "bank.law", "model": "m"}]
    assert not lake.holds("partitions", domain="bank.law", model="m")


def test_a_full_disk_leaves_the_former_file_and_says_what_to_do(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.write("partitions", partition(), domain="bank.law", model="m")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(DiskFull, match="free some space and sweep again"):
        lake.write("partitions", partition(coverage=0.5), domain="bank.law", model="m")
    monkeypatch.undo()

    assert lake.read("partitions")["coverage"].to_list() == [1.0]
    assert [file.name for file in lake.root.rglob("*") if file.is_file()] == ["part.parquet"]


def test_views_show_every_table(lake: Lake) -> None:
    lake.write("partitions", partition(), domain="bank.law", model="m")

    with lake.connect() as connection:
        assert connection.execute("select model from partitions").fetchall() == [("m",)]
        assert connection.execute("select count(*) from grades").fetchall() == [(0,)]


def test_publishing_swaps_the_database_under_an_open_reader(lake: Lake, tmp_path: Path) -> None:
    target = tmp_path / "benchmark.duckdb"
    publish(lake, [CALLS.empty()], target)
    reader = duckdb.connect(str(target), read_only=True)
    lake.write("partitions", partition(), domain="bank.law", model="m")

    publish(lake, [CALLS.empty()], target)

    assert reader.execute("select count(*) from partitions").fetchall() == [(0,)]
    reader.close()
    with duckdb.connect(str(target), read_only=True) as fresh:
        assert fresh.execute("select count(*) from partitions").fetchall() == [(1,)]


def test_calls_are_published_part_after_part(lake: Lake, tmp_path: Path) -> None:
    target = tmp_path / "benchmark.duckdb"
    parts = [CALLS.frame([dict.fromkeys(CALLS.schema) | {"call_id": name}]) for name in ("one", "two")]

    publish(lake, iter(parts), target)

    with duckdb.connect(str(target), read_only=True) as fresh:
        assert fresh.execute("select call_id from calls order by all").fetchall() == [("one",), ("two",)]


def test_the_published_database_explains_its_columns(lake: Lake, tmp_path: Path) -> None:
    publish(lake, [CALLS.empty()], tmp_path / "benchmark.duckdb")

    with duckdb.connect(str(tmp_path / "benchmark.duckdb"), read_only=True) as connection:
        query = "select comment from duckdb_columns() where table_name = 'grades' and column_name = 'grade'"
        assert connection.execute(query).fetchall() == [("One of four grades, or null: ungraded.",)]


def test_a_file_from_before_a_table_grew_is_read_with_nulls(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    lake.write("partitions", PARTITIONS.empty())
    file = tmp_path / "partitions" / "part.parquet"
    pl.read_parquet(file).drop("note").write_parquet(file)

    assert lake.read("partitions").schema == PARTITIONS.schema
