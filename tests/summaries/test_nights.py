"""Which sweeps were published, and what a person calls them."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from assets.summaries.nights import Night, find_night, last_night, night_of, published_nights, two_nights
from resources.types import ConfigurationError
from resources.warehouse import Lake
from tests.summaries.published import FIRST, night, publish, score

NIGHTS = [night(0), night(1), night(2)]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(tmp_path / "lake")
    for each in NIGHTS:
        publish(lake, each, score("m", 10.0))
    return lake


def test_nights_are_listed_from_the_oldest(lake: Lake) -> None:
    assert published_nights(lake) == NIGHTS


def test_the_last_night_before_another(lake: Lake) -> None:
    assert last_night(lake) == NIGHTS[2]
    assert last_night(lake, before=NIGHTS[2].published_at) == NIGHTS[1]
    assert last_night(lake, before=NIGHTS[0].published_at) is None


def test_files_whose_times_follow_those_of_their_nights_need_not_all_be_read(lake: Lake) -> None:
    for each, file in zip(NIGHTS, lake.files("score_history"), strict=True):
        written = (each.published_at + timedelta(seconds=1)).timestamp()
        os.utime(file, (written, written))
    oldest = lake.files("score_history")[0]
    oldest.write_bytes(b"PAR1" + b"0" * 20 + b"PAR1")  # whole to look at, and cannot be read

    assert last_night(lake) == NIGHTS[2]


def test_a_sweep_that_scored_nothing_published_no_night(lake: Lake) -> None:
    publish(lake, night(3))

    assert night_of(lake, night(3).sweep_id) is None
    assert last_night(lake) == NIGHTS[2]
    assert published_nights(lake) == NIGHTS


@pytest.mark.parametrize("name", [NIGHTS[1].sweep_id, "1aaa", "2026-11-30"], ids=["id", "beginning", "date"])
def test_a_night_is_found_by(name: str) -> None:
    assert find_night(NIGHTS, name) == NIGHTS[1]


def test_a_date_means_the_last_night_of_that_day() -> None:
    evening = Night("later", FIRST + timedelta(hours=20))

    assert find_night([NIGHTS[0], evening, NIGHTS[1]], "2026-11-29") == evening


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "begins 3 sweeps' ids"),
        ("nobody", "no published sweep is called 'nobody'"),
        ("2020-01-01", "no published sweep is called '2020-01-01'"),
    ],
)
def test_what_names_no_single_night_is_refused(name: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        find_night(NIGHTS, name)


def test_without_names_the_last_two_are_compared() -> None:
    assert two_nights(NIGHTS, None, None) == (NIGHTS[1], NIGHTS[2])


def test_one_name_is_compared_with_the_last() -> None:
    assert two_nights(NIGHTS, "0aaa", None) == (NIGHTS[0], NIGHTS[2])


def test_one_night_alone_or_with_itself_is_no_comparison() -> None:
    with pytest.raises(ConfigurationError, match="two published sweeps are compared, and there are 1"):
        two_nights(NIGHTS[:1], None, None)
    with pytest.raises(ConfigurationError, match="both are the sweep of"):
        two_nights(NIGHTS, "2aaa", None)
