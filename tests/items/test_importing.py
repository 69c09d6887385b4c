import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from assets.items.bank_files import read_items
from assets.items.importing import AnswerKind, ImportReport, ImportRequest, import_items
from resources.registries import load_banks
from resources.types import ConfigurationError

Import = Callable[..., ImportReport]
LETTERED = "q,A,B,C,D,answer\nCapital?,Sydney,Canberra,Perth,Hobart,B\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "banks"
    folder.mkdir()
    return folder


@pytest.fixture
def take(tmp_path: Path, root: Path) -> Import:
    """Import `content` as `<name>` into own.law, columns q and a unless told otherwise."""

    def run(content: str | pl.DataFrame, name: str = "in.csv", **changes: Any) -> ImportReport:
        file = tmp_path / name
        if isinstance(content, pl.DataFrame):
            content.write_parquet(file)
        else:
            file.write_text(content, encoding="utf-8")
        request = {"bank": "own", "domain": "law", "question": "q", "answer": "a", "roots": [root]} | changes
        return import_items(ImportRequest(file=str(file), **request))

    return run


def items(root: Path, key: str = "own.law") -> pl.DataFrame:
    banks = load_banks([root])
    assert banks.problems == ()
    read = read_items(*banks.domains[key])
    assert read.refused == ()
    return read.frame


def test_rows_become_items_of_a_new_bank_and_domain(root: Path, take: Import) -> None:
    report = take("q,a,t,n\nWho?,Ann,People,7\nWhere?,Rome,Places,8\n", topic="t", item_id="n")
    assert (report.domain, report.taken, report.duplicates, report.refused) == ("own.law", 2, 0, ())
    assert items(root).select("item_id", "topic", "question", "answer").rows() == [
        ("7", "People", "Who?", "Ann"),
        ("8", "Places", "Where?", "Rome"),
    ]
    assert yaml.safe_load((root / "own/bank.yaml").read_text()) == {"title": "Own", "format": "short_answer"}
    assert yaml.safe_load((root / "own/domains/law.yaml").read_text()) == {
        "title": "Law",
        "topics": [{"name": "People"}, {"name": "Places"}],
    }


def test_imported_items_are_private(root: Path, take: Import) -> None:
    take("q,a\nWho?,Ann\n")
    assert items(root)["split"].to_list() == ["private"]


def test_the_same_file_again_gives_nothing_new(root: Path, take: Import) -> None:
    take("q,a\nWho?,Ann\nWhere?,Rome\n")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    report = take("q,a\nWho?,Ann\nWhere?,Rome\n")
    assert (report.taken, report.duplicates, report.changed) == (0, 2, 0)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_later_rows_stand_after_those_that_were_there(root: Path, take: Import) -> None:
    take("q,a\nWho?,Ann\n")
    assert take("q,a\nWhere?,Rome\nWho?,Ann\n").taken == 1
    assert items(root)["question"].to_list() == ["Who?", "Where?"]


def test_a_duplicate_is_the_same_id_or_the_same_question_and_answer(take: Import) -> None:
    content = "n,q,a\n1,Who?,Ann\n1,Where?,Rome\n2,who? ,ANN\n3,Who?,Bob\n"
    report = take(content, item_id="n")
    assert (report.taken, report.duplicates, report.changed, report.refused) == (2, 2, 1, ())


def test_an_id_is_derived_from_question_and_answer_and_stays(root: Path, tmp_path: Path, take: Import) -> None:
    take("q,a\nWho?,Ann\n")
    take("q,a\nWhere?,Rome\nWho?,Ann\n", bank="other")
    first = items(root)["item_id"].to_list()
    assert first[0] in items(root, "other.law")["item_id"].to_list()
    assert len(first[0]) == 16


def test_a_gold_mended_in_the_bank_is_not_imported_again(root: Path, take: Import) -> None:
    file = take("q,a\nWho?,Ann\n").items_file
    file.write_text(file.read_text().replace("Ann", "Anna"))
    assert take("q,a\nWho?,Ann\n").duplicates == 1
    assert items(root)["answer"].to_list() == ["Anna"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",Ann", "question is missing; add it"),
        ("Who?, ", "answer is missing; add it"),
        ("Who?,Ann,Bob", "has 3 cells and the header 2; mend its commas and quotes"),
    ],
)
def test_a_bad_row_is_refused_by_number_and_the_rest_taken(take: Import, row: str, reason: str) -> None:
    report = take(f"q,a\nWhere?,Rome\n{row}\nWhen?,1901\n")
    assert report.taken == 2
    assert report.refused == ((2, reason),)


def test_refusals_stand_in_row_order_whatever_refused_them(take: Import) -> None:
    report = take("q,a\n,x\none\n,y\nWho?,Ann\n")
    assert [refusal.row for refusal in report.refused] == [1, 2, 3]


def test_nothing_is_made_where_no_row_is_taken(root: Path, take: Import) -> None:
    assert take("q,a\n,x\n").taken == 0
    assert list(root.iterdir()) == []


def test_json_lines_that_all_fail_are_refused(take: Import) -> None:
    assert take("nonsense\n", "in.jsonl").refused[0].row == 1


def test_a_wrong_column_is_an_error_that_lists_the_files_own(take: Import) -> None:
    with pytest.raises(ConfigurationError, match=r"--question quest: .* no such column; its columns are q, a, t$"):
        take("q,a,t\nx,y,z\n", question="quest")


def test_two_columns_of_the_asked_name_are_an_error(take: Import) -> None:
    with pytest.raises(ConfigurationError, match="has two columns 'a'"):
        take("q,a,a\nx,y,z\n")


def test_an_emoji_and_a_line_break_survive(root: Path, take: Import) -> None:
    take('q,a\n"Who\nis 😀?","a ""b"", c"\n')
    assert items(root).select("question", "answer").row(0) == ("Who\nis 😀?", 'a "b", c')


def test_a_domain_may_be_named_with_its_bank(root: Path, take: Import) -> None:
    assert take("q,a\nWho?,Ann\n", domain="own.law").items_file == root / "own/items/law.jsonl"


# topics and paths


@pytest.mark.parametrize(
    "metadata",
    ["\"{'topic': 'Art', 'urls': ['x', None]}\"", '"{""topic"": ""Art"", ""urls"": null}"'],
    ids=["python", "json"],
)
def test_a_path_reads_inside_the_text_of_a_mapping(root: Path, take: Import, metadata: str) -> None:
    take(f"q,a,metadata\nWho?,Ann,{metadata}\n", topic="metadata.topic")
    assert items(root)["topic"].to_list() == ["Art"]


def test_a_path_reads_inside_a_json_object(root: Path, take: Import) -> None:
    content = {"data": {"q": "Who?", "deep": {"a": 12.50}}, "m": {"topic": "Art"}}
    take(
        json.dumps(content).replace("12.5", "12.50"),
        "in.jsonl",
        question="data.q",
        answer="data.deep.a",
        topic="m.topic",
    )
    assert items(root).select("question", "answer", "topic").row(0) == ("Who?", "12.50", "Art")


def test_a_path_reads_inside_a_parquet_struct(root: Path, take: Import) -> None:
    frame = pl.DataFrame({"q": ["Who?"], "a": [1947], "metadata": [{"topic": "Art", "n": 1}]})
    take(frame, "in.parquet", topic="metadata.topic")
    assert items(root).select("answer", "topic").row(0) == ("1947", "Art")


def test_a_column_whose_name_holds_the_dot_comes_before_a_path(root: Path, take: Import) -> None:
    take("q,a,m.topic,m\nWho?,Ann,Art,x\n", topic="m.topic")
    assert items(root)["topic"].to_list() == ["Art"]


def test_a_path_that_no_row_has_is_an_error_that_shows_what_stands_there(take: Import) -> None:
    with pytest.raises(ConfigurationError, match=r"--topic m\.topc: no row .* the first holds .*topic"):
        take('{"q": "Who?", "a": "Ann", "m": {"topic": "Art"}}', "in.jsonl", topic="m.topc")


def test_a_row_whose_cell_is_no_mapping_is_refused(take: Import) -> None:
    report = take("q,a,m\nWho?,Ann,{'topic': 'Art'}\nWhere?,Rome,__import__('os')\n", topic="m.topic")
    assert report.refused == ((2, "m holds \"__import__('os')\", which has no 'topic' inside"),)


def test_half_a_character_inside_a_python_dict_is_refused(take: Import) -> None:
    report = take("q,a,m\nWho?,Ann,{'topic': '\\ud83d'}\n", topic="m.topic")
    assert report.refused[0].reason.startswith("topic ")


def test_a_list_is_no_question(take: Import) -> None:
    report = take('{"q": ["x"], "a": "y"}', "in.jsonl")
    assert report.refused[0].reason.startswith("q holds ['x'], which is not text")


def test_a_row_without_a_topic_takes_the_domains_title(root: Path, take: Import) -> None:
    take("q,a,t\nWho?,Ann,\nWhere?,Rome,Places\n", topic="t", domain="tax-law")
    assert items(root, "own.tax-law")["topic"].to_list() == ["Tax law", "Places"]


def test_answer_types_are_named_our_way(root: Path, take: Import) -> None:
    rows = zip("abcdefg", ["Number", "Date", "Person", "Place", "Other", "Spell", ""], strict=True)
    take("q,a,k\n" + "".join(f"{q},x,{kind}\n" for q, kind in rows), answer_type="k")
    assert items(root)["answer_type"].to_list() == ["number", "date", "name", "place", "other", "other", None]


def test_languages_come_from_their_column(root: Path, take: Import) -> None:
    take("q,a,l\nKdo?,Anna,cs\nWho?,Ann,\n", language="l")
    assert items(root)["language"].to_list() == ["cs", "en"]


# multiple choice


def test_an_answer_is_a_letter_and_the_options_keep_their_order(root: Path, take: Import) -> None:
    take(LETTERED, options=tuple("ABCD"), answer="answer")
    assert items(root).select("format", "options", "answer").row(0) == (
        "multiple_choice",
        ["Sydney", "Canberra", "Perth", "Hobart"],
        "B",
    )


@pytest.mark.parametrize(
    "cell",
    ['"[""Sydney"", ""Canberra""]"', "\"['Sydney', 'Canberra']\""],
    ids=["json", "python"],
)
def test_options_may_be_a_list_in_one_column(root: Path, take: Import, cell: str) -> None:
    take(f"q,o,a\nCapital?,{cell},B\n", options=("o",))
    assert items(root)["options"].to_list() == [["Sydney", "Canberra"]]


def test_options_may_be_a_parquet_list_with_an_index(root: Path, take: Import) -> None:
    frame = pl.DataFrame({"q": ["Capital?"], "o": [["Sydney", "Canberra"]], "a": [1.0]})
    take(frame, "in.parquet", options=("o",), answer_kind=AnswerKind.INDEX)
    assert items(root).select("options", "answer").row(0) == (["Sydney", "Canberra"], "B")


def test_numbers_may_be_options(root: Path, take: Import) -> None:
    take('{"q": "2+2?", "o": [3, 4.0], "a": "4.0"}', "in.jsonl", options=("o",), answer_kind=AnswerKind.TEXT)
    assert items(root).select("options", "answer").row(0) == (["3", "4.0"], "B")


@pytest.mark.parametrize(
    ("kind", "answer", "letter"),
    [("letter", "c", "C"), ("index", "0", "A"), ("index", "3", "D"), ("text", "perth ", "C")],
)
def test_an_answer_is_read_as_told(root: Path, take: Import, kind: str, answer: str, letter: str) -> None:
    take(LETTERED.replace(",B\n", f",{answer}\n"), options=tuple("ABCD"), answer="answer", answer_kind=AnswerKind(kind))
    assert items(root)["answer"].to_list() == [letter]


@pytest.mark.parametrize(
    ("kind", "answer", "reason"),
    [
        ("letter", "F", "answer 'F' is not one of the letters A to D"),
        ("letter", "2", "is not one of the letters A to D; say --answer-kind index or text"),
        ("letter", "Perth", "is not one of the letters A to D; say --answer-kind index or text"),
        ("letter", "", "answer is missing; add it"),
        ("index", "4", "answer '4' is not a place from 0 to 3"),
        ("index", "9" * 5000, "is not a place from 0 to 3"),
        ("index", "-1", "answer '-1' is not a place from 0 to 3"),
        ("index", "1.5", "answer '1.5' is not a place from 0 to 3"),
        ("text", "Darwin", "answer 'Darwin' is not the text of an option"),
    ],
)
def test_a_key_that_is_not_among_the_options_is_refused(take: Import, kind: str, answer: str, reason: str) -> None:
    content = LETTERED.replace(",B\n", f",{answer}\n")
    report = take(content, options=tuple("ABCD"), answer="answer", answer_kind=AnswerKind(kind))
    assert report.taken == 0
    assert report.refused[0].reason.endswith(reason)


def test_blank_options_at_the_end_are_not_options(root: Path, take: Import) -> None:
    report = take(LETTERED.replace("Hobart", "") + "Which?,x,y,z,,D\n", options=tuple("ABCD"), answer="answer")
    assert items(root)["options"].to_list() == [["Sydney", "Canberra", "Perth"]]
    assert report.refused == ((2, "answer 'D' is not one of the letters A to C"),)


def test_a_blank_option_before_another_is_refused(take: Import) -> None:
    report = take(LETTERED.replace("Sydney", ""), options=tuple("ABCD"), answer="answer")
    assert report.refused[0].reason == "option A is blank and a later one is not; fill it"


def test_equal_options_are_refused(take: Import) -> None:
    report = take(LETTERED.replace("Hobart", "perth"), options=tuple("ABCD"), answer="answer")
    assert report.refused[0].reason == "options C and D are equal ('perth'); change one"


def test_a_single_option_is_refused(take: Import) -> None:
    report = take("q,o,a\nCapital?,['Canberra'],A\n", options=("o",))
    assert report.refused[0].reason == "has 1 options; multiple choice needs 2 to 26"


def test_text_is_no_list_of_options(take: Import) -> None:
    assert "which is not a list" in take("q,o,a\nCapital?,Canberra,A\n", options=("o",)).refused[0].reason


def test_equal_stems_with_other_golds_are_two_items_though_the_letter_is_the_same(take: Import) -> None:
    content = LETTERED + LETTERED.split("\n", 1)[1].replace("Canberra", "Ottawa")
    assert take(content, options=tuple("ABCD"), answer="answer").taken == 2


def test_an_answer_kind_without_options_is_an_error(take: Import) -> None:
    with pytest.raises(ConfigurationError, match="--answer-kind index needs --options"):
        take("q,a\nWho?,1\n", answer_kind=AnswerKind.INDEX)


def test_options_do_not_enter_a_bank_of_short_answers(take: Import) -> None:
    take("q,a\nWho?,Ann\n")
    with pytest.raises(ConfigurationError, match=r"bank own is short_answer .* leave --options out"):
        take(LETTERED, options=tuple("ABCD"), answer="answer")


def test_short_answers_do_not_enter_a_bank_of_choices(take: Import) -> None:
    take(LETTERED, options=tuple("ABCD"), answer="answer")
    with pytest.raises(ConfigurationError, match=r"bank own is multiple_choice .* name --options"):
        take("q,a\nWho?,Ann\n")
