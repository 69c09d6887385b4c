"""Published question sets as they come, from `../shared/data/questions`; skipped where that is absent."""

from pathlib import Path
from typing import Any

import polars as pl

from assets.items.bank_files import read_items
from assets.items.importing import ImportReport, ImportRequest, import_items
from assets.items.presets import import_aa_omniscience_public
from checks.contracts import ITEMS
from resources.registries import load_banks
from tests.support.needs import shared_data


def take(tmp_path: Path, name: str, **columns: Any) -> ImportReport:
    request = ImportRequest(
        file=str(shared_data(f"questions/{name}")), bank="real", domain="all", roots=[tmp_path], **columns
    )
    return import_items(request)


def items(tmp_path: Path, key: str) -> pl.DataFrame:
    read = read_items(*load_banks([tmp_path]).domains[key])
    assert read.refused == ()
    return ITEMS.validate(read.frame)


def test_all_finance_items_of_aa_omniscience(tmp_path: Path) -> None:
    [report] = import_aa_omniscience_public(
        "aa", [tmp_path], str(shared_data("questions/aa_omniscience_public_finance100.csv"))
    )
    assert (report.domain, report.taken, report.duplicates, report.refused) == ("aa.finance", 100, 0, ())
    frame = items(tmp_path, "aa.finance")
    assert frame["item_id"].to_list() == [str(number) for number in range(1, 101)]
    assert dict(frame.group_by("topic").len().iter_rows()) == {
        **{"Accounting": 20, "Corporate & Markets": 20, "Economics": 20},
        **{"Financial Institutions": 15, "Investments": 15, "Business & Management": 10},
    }


def test_all_items_of_simpleqa_with_topic_and_type_from_the_python_dict(tmp_path: Path) -> None:
    columns = {
        **{"question": "problem", "answer": "answer"},
        **{"topic": "metadata.topic", "answer_type": "metadata.answer_type"},
    }
    report = take(tmp_path, "simpleqa_test_set.csv", **columns)
    assert (report.taken, report.duplicates, report.refused) == (4326, 0, ())
    frame = items(tmp_path, "real.all")
    assert frame["topic"].value_counts().sort("count", descending=True).rows()[:2] == [
        ("Science and technology", 858),
        ("Politics", 709),
    ]
    assert dict(frame.group_by("answer_type").len().iter_rows()) == {
        **{"date": 1418, "name": 1041, "other": 777},
        **{"number": 663, "place": 427},
    }
    again = take(tmp_path, "simpleqa_test_set.csv", **columns)
    assert (again.taken, again.duplicates) == (0, 4326)


def test_all_six_option_items_of_mmlu_pro(tmp_path: Path) -> None:
    report = take(
        tmp_path,
        "mmlu_pro_exactly6options.csv",
        **{"question": "question", "answer": "answer", "topic": "category"},
        **{"item_id": "question_id", "options": tuple("ABCDEF")},
    )
    assert (report.taken, report.duplicates, report.refused) == (92, 0, ())
    frame = items(tmp_path, "real.all")
    assert frame["options"].list.len().unique().to_list() == [6]
    assert dict(frame.group_by("answer").len().iter_rows()) == {"A": 17, "B": 13, "C": 11, "D": 15, "E": 20, "F": 16}
    assert frame.filter(item_id="193")["options"].to_list() == [
        ["Integrity", "Adaptability", "Accountability", "Openness", "Dependability", "Acceptability"]
    ]
