"""What is planted in the synthetic world comes out of the product's own scores, ranks and lists of items."""

from pathlib import Path

import polars as pl
import pytest

from assets.metrics.leaderboard import rank_range
from assets.reports.facts import Links, Rendering, read_facts, to_items
from assets.reports.questions import ItemList, item_lists, items_data
from benchmarks.laboratory import Laboratory, Scale
from benchmarks.measuring import report
from benchmarks.synthetic.answers import answers
from benchmarks.synthetic.items import PLANTED_DOMAINS, Plant, make_items
from benchmarks.synthetic.subjects import BARGAIN, CUT_OFF, SPECIALIST, STOPPED, SUBJECTS, TWINS
from benchmarks.synthetic.world import BANK, open_world, write_world
from resources.installation import utc_now
from resources.registries.model_specs import BASELINES
from resources.types import Outcome
from resources.warehouse import Lake

SEED = 3
ITEMS = 420
TABLES = ("items", "responses", "grades", "partitions", "scores", "leaderboard")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world."""
    folder = tmp_path_factory.mktemp("world")
    write_world(folder, seed=SEED, items=ITEMS)
    return folder


@pytest.fixture(scope="module")
def lake(root: Path) -> Lake:
    return open_world(root).lake


@pytest.fixture(scope="module")
def board(lake: Lake) -> dict[str, dict[str, object]]:
    """The leaderboard's rows by model."""
    return {row["model"]: row for row in lake.read("leaderboard").iter_rows(named=True)}


@pytest.fixture(scope="module")
def lists(root: Path) -> dict[str, ItemList]:
    """The report's lists of items by title."""
    [facts] = read_facts(open_world(root), utc_now())
    links = Links(items_data(facts, Rendering.INTERNAL))
    return {found.title: found for found in item_lists(facts.tallies, facts.items, links)}


def planted(plant: Plant) -> set[str]:
    """The links to the items in which this is planted."""
    items = [item for domain in make_items(SEED, ITEMS).values() for item in domain]
    return {to_items(domain=f"{BANK}.{item.domain}", item=item.id) for item in items if item.plant is plant}


def test_the_same_seed_writes_the_same_world(root: Path, lake: Lake, tmp_path: Path) -> None:
    write_world(tmp_path, seed=SEED, items=ITEMS)

    again = open_world(tmp_path).lake
    assert [table for table in TABLES if not again.read(table).equals(lake.read(table))] == []
    for file in (path for path in root.rglob("*") if path.suffix in (".yaml", ".jsonl")):
        assert (tmp_path / file.relative_to(root)).read_bytes() == file.read_bytes()


def test_another_seed_makes_another_world() -> None:
    one, other = (make_items(seed, ITEMS)["law"] for seed in (SEED, SEED + 1))

    assert not {item.question for item in one} & {item.question for item in other}
    assert [said.text for said in answers(1, SUBJECTS[0], one)] != [said.text for said in answers(2, SUBJECTS[0], one)]


def test_a_world_is_not_written_into_another(root: Path) -> None:
    with pytest.raises(FileExistsError):
        write_world(root, seed=SEED + 1, items=ITEMS)


def test_it_has_the_shape_of_a_large_bank(lake: Lake) -> None:
    items = lake.read("items")

    assert items.height == ITEMS
    assert items["domain"].n_unique() == 6
    assert items.select("domain", "topic").n_unique() == 42
    assert lake.read("partitions").height == 6 * (len(SUBJECTS) + len(BASELINES)) == 6 * 22


def test_documents_hold_several_items_and_some_are_private(lake: Lake) -> None:
    documents = lake.read("items").group_by("source_url").agg(pl.len(), pl.col("split").n_unique())

    assert documents["len"].max() == 6
    assert documents["split"].max() == 1
    assert set(lake.read("items")["split"]) == {"public", "private"}


def test_its_files_are_a_valid_installation(root: Path) -> None:
    assert open_world(root).problems == []


def test_models_of_equal_ability_share_their_ranks(board) -> None:
    one, other = (board[twin] for twin in TWINS)

    assert one["rank_best"] <= other["rank"] <= one["rank_worst"]
    assert other["rank_best"] <= one["rank"] <= other["rank_worst"]


def test_the_abler_of_two_models_is_right_more_often(board) -> None:
    plain = sorted((one for one in SUBJECTS if one.id != SPECIALIST), key=lambda subject: subject.ability)
    pairs = [(low, high) for low in plain for high in plain if high.ability >= low.ability + 0.5]

    assert [(low.id, high.id) for low, high in pairs if board[low.id]["accuracy"] >= board[high.id]["accuracy"]] == []


def test_who_tends_to_abstain_states_less_that_is_wrong(board) -> None:
    rates = {one.id: (board[one.id]["hallucination_rate"], 1 - one.abstains) for one in SUBJECTS}

    assert {name: pair for name, pair in rates.items() if abs(pair[0] - pair[1]) > 0.12} == {}


def test_the_specialist_leads_its_domain_alone(lake: Lake, board) -> None:
    domains = lake.read("scores").filter(pl.col("level") == "domain")
    leaders = domains.sort("index", descending=True).group_by("key").first()

    assert leaders.filter(pl.col("model") == SPECIALIST)["key"].to_list() == [f"{BANK}.law"]
    assert board[SPECIALIST]["index"] < 0


def test_the_bargain_is_as_good_as_what_costs_a_hundred_times_as_much(board) -> None:
    costs = [row["cost_usd"] for row in board.values() if row["cost_usd"]]
    bargain, dear = board[BARGAIN], max(costs)

    assert bargain["rank"] <= 6
    assert bargain["cost_usd"] < dear / 100


def test_coverage_is_as_planted(board) -> None:
    incomplete = {model for model, row in board.items() if row["incomplete"]}

    assert incomplete == {CUT_OFF, STOPPED}


def test_truncated_and_filtered_answers_are_as_many_as_planted(board) -> None:
    row, drawn = board[CUT_OFF], ITEMS - len(PLANTED_DOMAINS) * len(Plant)

    assert row["truncated"] == pytest.approx(0.08 * drawn, abs=18)
    assert row["filtered"] == pytest.approx(0.03 * drawn, abs=11)
    assert row["coverage"] == 1 - (row["truncated"] + row["filtered"]) / ITEMS
    assert row["index_worst"] < row["index"] < row["index_best"]


def test_the_stopped_model_was_asked_a_third_of_the_last_domain(lake: Lake, board) -> None:
    last = lake.read("partitions").filter(pl.col("model") == STOPPED).row(by_predicate=pl.col("asked") < 70, named=True)
    failed = lake.read("responses").filter(model=STOPPED, outcome=Outcome.FAILED)

    assert (last["domain"], last["asked"], last["items"]) == (f"{BANK}.software", 23, 70)
    assert "47 of 70 not asked; stopped" in last["note"]
    assert set(failed["domain"]) == {f"{BANK}.science"}
    assert board[STOPPED]["coverage"] == 1 - (47 + failed.height) / ITEMS


def test_what_nobody_gets_is_listed_as_hardest(lists) -> None:
    rows = [row for row in lists["The 10 hardest"].rows if row.href in planted(Plant.NOBODY)]

    assert [(row.correct, row.incorrect, row.others) for row in rows] == [(0, 20, 0)] * len(PLANTED_DOMAINS)


def test_what_everyone_gets_is_listed(lists) -> None:
    rows = [row for row in lists["What every model gets"].rows if row.href in planted(Plant.EVERYONE)]

    assert [(row.correct, row.incorrect, row.others) for row in rows] == [(20, 0, 0)] * len(PLANTED_DOMAINS)


def test_what_divides_the_models_is_listed_first(lists) -> None:
    rows = [row for row in lists["Where models disagree"].rows if row.href in planted(Plant.DIVIDES)]

    assert [(row.correct, row.incorrect, row.others) for row in rows] == [(10, 10, 0)] * len(PLANTED_DOMAINS)


def test_baselines_stand_where_they_must(board) -> None:
    assert board["abstain"]["index"] == 0
    assert rank_range(board["guess"]) == "22"


def test_the_figures_of_a_report_are_numbers(tmp_path: Path) -> None:
    figures = report(Laboratory(Scale(small=1, large=1, huge=1, reported=42, rounds=1), "", tmp_path))

    assert [figure.unit for figure in figures] == ["s", "s", "MB", "s"]
    assert all(figure.measured > 0 for figure in figures)
