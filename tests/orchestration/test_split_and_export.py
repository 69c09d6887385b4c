"""`factsweep split`, and which items `factsweep export` lets out."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import polars as pl
import pytest
from click.testing import CliRunner, Result

from assets.items.leaving import canary
from checks.bank_contracts import BANK_CONTRACTS
from checks.contract import Contract
from orchestration.cli import main
from tests.support.replies import Reply
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK, DOMAIN, World, capital_in

SPLITS = ("public", "private", "private", "private", "public")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Five active items, two of them public; the last, a public one, is retired."""
    world = World.make(tmp_path, monkeypatch, "http://127.0.0.1:9")
    for item, split in zip(world.items, SPLITS, strict=True):
        item["split"] = split
    world.items[-1]["status"] = "retired"
    world.write()
    return world


def recorded(world: World) -> World:
    """The items as a sweep records them."""
    from assets.items.bank_files import read_items

    opened = world.open()
    content = read_items(*opened.banks.domains[DOMAIN])
    opened.lake.write("items", content.frame, domain=DOMAIN)
    return world


def factsweep(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def items_file(world: World) -> Path:
    return world.root / "banks" / BANK / "items" / "europe.jsonl"


def public_in(world: World) -> set[str]:
    lines = map(json.loads, items_file(world).read_text().splitlines())
    return {line["id"] for line in lines if line["split"] == "public"}


def test_a_split_prints_its_counts_and_what_stays(world: World) -> None:
    result = factsweep("split", "--bank", BANK, "--share", "0.75")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "domain           active  public before  public after",
        "capitals.europe       4              1             3",
        "all                   4              1             3",
        "An item that is public stays public: what was published once is known.",
        "Tables, report and export follow with the next `factsweep sweep`, which asks nothing anew for it.",
    ]
    assert len(public_in(world)) == 4 and {"france", "poland"} < public_in(world)


def test_a_dry_run_writes_nothing(world: World) -> None:
    before = items_file(world).read_bytes()

    result = factsweep("split", "--bank", BANK, "--share", "0.75", "--dry-run")

    assert "capitals.europe       4              1             3" in result.stdout
    assert result.stdout.endswith("Dry run: nothing was written.\n")
    assert items_file(world).read_bytes() == before


def test_the_share_is_that_of_the_banks_file(world: World) -> None:
    world.bank["build"] = {"public_share": 0.5}
    world.write()

    assert factsweep("split", "--bank", BANK).exit_code == 0
    assert len(public_in(world)) == 3


def test_a_smaller_share_takes_nothing_back(world: World) -> None:
    before = items_file(world).read_bytes()

    assert factsweep("split", "--bank", BANK, "--share", "0").exit_code == 0
    assert items_file(world).read_bytes() == before


def test_a_line_that_is_no_item_is_told(world: World) -> None:
    with items_file(world).open("a") as file:
        file.write("{broken\n")

    assert "line 6" in factsweep("split", "--bank", BANK).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bank", "nothing"), "bank 'nothing' is not registered; known: capitals"),
        (("--bank", BANK, "--share", "10"), "--share 10 is no share; give a number from 0 to 1"),
        (("--bank", BANK, "--share", "nan"), "--share nan is no share"),
        ((), "Missing option '--bank'"),
    ],
)
def test_wrong_use_of_split_ends_with_2_and_a_remedy(world: World, arguments: tuple[str, ...], said: str) -> None:
    result = factsweep("split", *arguments)

    assert result.exit_code == 2
    assert said in result.stderr


def test_a_private_bank_is_not_split(world: World) -> None:
    world.bank["private"] = True
    world.write()
    before = items_file(world).read_bytes()

    named, unnamed = factsweep("split", "--bank", BANK, "--share", "0.5"), factsweep("split", "--bank", BANK)

    assert named.exit_code == 2 and "is private, so nothing of it becomes public; leave --share out" in named.stderr
    assert unnamed.exit_code == 0 and "is private: nothing of it becomes public" in unnamed.stdout
    assert items_file(world).read_bytes() == before


def test_a_split_reaches_the_tables_and_asks_nothing_anew(world: World) -> None:
    with ScriptedServer(lambda request: Reply(text=capital_in(request.message))) as server:
        world.models = [world.model("m", server.url)]
        world.write()
        factsweep("sweep")
        asked = server.stats.received
        factsweep("split", "--bank", BANK, "--share", "0.5")

        assert factsweep("sweep").exit_code == 0
        assert server.stats.received == asked == 4
    assert set(world.table("items").filter(split="public")["item_id"]) == public_in(world)


# --- export

READERS = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}


def test_all_items_leave_without_a_split_and_the_private_ones_are_told(world: World) -> None:
    recorded(world)

    result = factsweep("export", "items")

    table = pl.read_csv(io.StringIO(result.stdout))
    assert table.columns == world.table("items").columns
    assert table.height == 5
    assert result.stderr == "private items among these: 3; `--split public` leaves them out\n"


def test_where_nothing_is_private_nothing_is_told(world: World) -> None:
    for item in world.items:
        item["split"] = "public"
    world.write()
    recorded(world)

    assert factsweep("export", "items").stderr == ""


@pytest.mark.parametrize("form", list(READERS))
def test_public_items_carry_the_canary_in_each_row(world: World, tmp_path: Path, form: str) -> None:
    world.items[1]["split"] = "public"
    world.write()
    recorded(world)
    out = tmp_path / f"items.{form}"

    result = factsweep("export", "items", "--split", "public", "--out", str(out))

    table = READERS[form](out)
    assert table.columns == [*world.table("items").columns, "canary"]
    assert dict(table.select("item_id", "canary").iter_rows()) == {"france": canary(BANK), "italy": canary(BANK)}
    assert result.stderr == f"2 rows of items in {out}\n"


def test_private_items_leave_when_asked_for(world: World) -> None:
    recorded(world)

    table = pl.read_csv(io.StringIO(factsweep("export", "items", "--split", "private").stdout))

    assert set(table["item_id"]) == {"italy", "spain", "austria"}
    assert "canary" not in table.columns


@pytest.mark.parametrize("gone", [False, True], ids=["private", "folder gone"])
def test_of_a_private_bank_nothing_leaves_as_public(world: World, gone: bool) -> None:
    """Whether a bank is private stands in its folder."""
    recorded(world)
    world.bank["private"] = True
    world.write()
    if gone:
        (world.root / "banks" / BANK / "bank.yaml").unlink()

    public, whole = factsweep("export", "items", "--split", "public"), factsweep("export", "items")

    assert public.exit_code == 0
    assert public.stdout.splitlines() == [",".join([*world.table("items").columns, "canary"])]
    assert "private items among these: 5" in whole.stderr


def test_an_empty_table_of_public_items_has_its_header(world: World) -> None:
    result = factsweep("export", "items", "--split", "public")

    assert result.stdout.rstrip().endswith(",split,status,canary")


def test_a_split_belongs_to_items(world: World) -> None:
    result = factsweep("export", "scores", "--split", "public")

    assert result.exit_code == 2
    assert "--split public is for items, and scores has no such parts; leave it out" in result.stderr


def test_the_canary_is_the_banks_own_and_stays() -> None:
    guid = canary(BANK).rsplit(" ", 1)[1]

    assert UUID(guid).version == 5
    assert guid == "88c8a319-7f7b-5395-9e13-78108c5debe4"
    assert canary("other") != canary(BANK)


def filled(contract: Contract) -> pl.DataFrame:
    """One row with something in every column."""
    values = {
        pl.String: 'a, "b"',
        pl.Int64: 1,
        pl.Float64: 0.5,
        pl.Date: datetime(2026, 6, 30).date(),
        pl.List(pl.String): ["a", "b"],
        pl.List(pl.Struct({"path": pl.List(pl.String), "text": pl.String})): [{"path": ["§ 1"], "text": "Text."}],
    }
    row = {
        column.name: column.values[0] if column.values else values.get(column.dtype, datetime(2026, 6, 30, tzinfo=UTC))
        for column in contract.columns
    }
    return contract.frame([row])


@pytest.mark.parametrize("form", list(READERS))
@pytest.mark.parametrize("contract", BANK_CONTRACTS, ids=lambda contract: contract.table)
def test_the_tables_of_building_are_exported_by_name(
    world: World, tmp_path: Path, contract: Contract, form: str
) -> None:
    out = tmp_path / f"table.{form}"
    world.open().lake.write(contract.table, filled(contract), domain=DOMAIN)

    assert factsweep("export", contract.table, "--out", str(out)).exit_code == 0

    table = READERS[form](out)
    assert (table.columns, table.height) == (list(contract.schema), 1)


def test_sections_of_a_source_are_json_in_csv(world: World) -> None:
    [sources] = [contract for contract in BANK_CONTRACTS if contract.table == "sources"]
    world.open().lake.write("sources", filled(sources), domain=DOMAIN)

    table = pl.read_csv(io.StringIO(factsweep("export", "sources").stdout))

    assert json.loads(table["sections"].item()) == [{"path": ["§ 1"], "text": "Text."}]


def test_public_scores_are_exported(world: World) -> None:
    result = factsweep("export", "public_scores")

    assert result.exit_code == 0
    assert result.stdout.startswith("bank,method,judge,model,items_public")
