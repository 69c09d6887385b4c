from pathlib import Path

import pytest

from assets.items.bank_files import read_items
from assets.items.presets import import_aa_omniscience_public
from resources.registries import load_banks
from resources.types import ConfigurationError

HEADER = "domain,topic,subtopic,question_id,question,answer\n"
LAW = "Law,Tax,Duties,1,Which act?,The Act\n"
SCIENCE = '"Science, Engineering and Mathematics",Physics,,2,Which law?,Ohm\n'


def published(tmp_path: Path, content: str) -> str:
    file = tmp_path / "set.csv"
    file.write_text(HEADER + content)
    return str(file)


def test_each_domain_of_the_set_becomes_one_of_the_bank(tmp_path: Path) -> None:
    reports = import_aa_omniscience_public("aa", [tmp_path / "banks"], published(tmp_path, LAW + SCIENCE))
    assert [report.domain for report in reports] == ["aa.law", "aa.science-engineering-and-mathematics"]
    banks = load_banks([tmp_path / "banks"])
    bank, domain = banks.domains["aa.science-engineering-and-mathematics"]
    assert domain.spec.title == "Science, Engineering and Mathematics"
    frame = read_items(bank, domain).frame
    assert frame.select("item_id", "topic", "question", "answer", "split").row(0) == (
        *("2", "Physics", "Which law?", "Ohm"),
        "public",
    )


def test_the_bank_says_that_results_per_domain_are_not_reliable(tmp_path: Path) -> None:
    import_aa_omniscience_public("aa", [tmp_path / "banks"], published(tmp_path, LAW))
    spec = load_banks([tmp_path / "banks"]).banks["aa"].spec
    assert spec.note == "small public set: results per domain or topic are not reliable"


def test_the_set_again_gives_nothing_new(tmp_path: Path) -> None:
    file = published(tmp_path, LAW + SCIENCE)
    import_aa_omniscience_public("aa", [tmp_path / "banks"], file)
    again = import_aa_omniscience_public("aa", [tmp_path / "banks"], file)
    assert [(report.taken, report.duplicates) for report in again] == [(0, 1), (0, 1)]


def test_a_row_without_a_domain_is_refused_once(tmp_path: Path) -> None:
    content = LAW + ",Tax,,3,Who?,Ann\n" + SCIENCE
    reports = import_aa_omniscience_public("aa", [tmp_path / "banks"], published(tmp_path, content))
    assert [report.refused for report in reports] == [((2, "domain is missing; add it"),), ()]


def test_a_bank_without_the_warning_does_not_take_the_set(tmp_path: Path) -> None:
    (tmp_path / "banks/own").mkdir(parents=True)
    (tmp_path / "banks/own/bank.yaml").write_text("title: Own\nformat: short_answer\n")
    with pytest.raises(ConfigurationError, match="exists without a note"):
        import_aa_omniscience_public("own", [tmp_path / "banks"], published(tmp_path, LAW))


def test_another_file_is_an_error_that_lists_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("q,a\nx,y\n")
    with pytest.raises(ConfigurationError, match="its columns are q, a"):
        import_aa_omniscience_public("aa", [tmp_path / "banks"], str(file))


def test_out_of_reach_says_where_it_stands_and_how_to_import_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(ConfigurationError) as caught:
        import_aa_omniscience_public("aa", [tmp_path / "banks"])
    assert "https://huggingface.co/datasets/ArtificialAnalysis/AA-Omniscience-Public" in str(caught.value)
    assert "factsweep import aa-omniscience-public --bank aa AA-Omniscience_dataset_public.csv" in str(caught.value)
    assert not (tmp_path / "banks").exists()
