import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from assets.items.bank_files import ReadItems, add_lines, read_items, replace_file
from checks.contracts import ITEMS
from resources.registries.banks import Bank, BankSpec, Domain, DomainSpec, Topic
from resources.types import ConfigurationError, Format

CAPITAL: dict[str, Any] = {"id": "q1", "topic": "Places", "question": "Capital of Australia?", "answer": "Canberra"}
CHOICE: dict[str, Any] = CAPITAL | {"options": ["Sydney", "Canberra", "Perth"], "answer": "B"}


def text(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


class Shelf:
    """A bank with one domain in a temporary folder."""

    def __init__(self, folder: Path, form: Format, topics: tuple[str, ...] = ()) -> None:
        spec = DomainSpec(title="Law", topics=tuple(Topic(name=name) for name in topics))
        self.bank = Bank("own", folder, BankSpec(title="Own", format=form))
        self.domain = Domain("own.law", folder / "domains" / "law.yaml", spec)
        self.file = self.bank.items_file(self.domain)

    def read(self, content: str | bytes) -> ReadItems:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_items(self.bank, self.domain)

    def only_fault(self, content: str | bytes) -> str:
        read = self.read(content)
        assert read.frame.height == 0
        assert len(read.refused) == 1
        return read.refused[0].message


@pytest.fixture
def short(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, Format.SHORT_ANSWER)


@pytest.fixture
def choice(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, Format.MULTIPLE_CHOICE)


def test_a_line_becomes_a_row_that_keeps_the_contract(short: Shelf) -> None:
    line = CAPITAL | {
        "aliases": ["Canberra, ACT"],
        "answer_type": "place",
        "language": "de",
        "difficulty": 0.25,
        "card_id": "c1",
        "source_url": "https://example.org/a",
        "source_date": "2024-02-29",
        "answerable_from": "1913-03",
        "split": "public",
        "status": "disputed",
        "evidence": {"text": "a note"},
    }
    frame = short.read(text(line)).frame
    assert ITEMS.violations(frame) == []
    row = frame.row(0, named=True)
    assert (row["bank"], row["domain"], row["item_id"], row["format"]) == ("own", "own.law", "q1", "short_answer")
    assert (row["aliases"], row["difficulty"], str(row["source_date"])) == (["Canberra, ACT"], 0.25, "2024-02-29")
    assert (row["answerable_from"], row["split"], row["status"]) == ("1913-03", "public", "disputed")


def test_what_is_not_said_is_english_private_and_active(short: Shelf) -> None:
    row = short.read(text(CAPITAL)).frame.row(0, named=True)
    assert (row["language"], row["split"], row["status"]) == ("en", "private", "active")
    assert row["options"] is row["aliases"] is row["difficulty"] is None


def test_a_missing_file_is_a_domain_without_items(short: Shelf) -> None:
    read = read_items(short.bank, short.domain)
    assert read.frame.equals(ITEMS.empty())
    assert read.refused == ()


def test_an_empty_file_has_no_items_and_the_digest_of_none(short: Shelf) -> None:
    missing = read_items(short.bank, short.domain)
    assert short.read("").digest == missing.digest


def test_a_file_that_cannot_be_read_is_a_problem(short: Shelf) -> None:
    short.file.mkdir(parents=True)
    read = read_items(short.bank, short.domain)
    assert "cannot be read" in read.refused[0].message


def test_one_bad_line_is_set_aside_and_the_rest_kept(short: Shelf) -> None:
    read = short.read(text(CAPITAL) + '{"id": "q2", \n' + "\n" + text(CAPITAL | {"id": "q3"}))
    assert read.frame["item_id"].to_list() == ["q1", "q3"]
    [problem] = read.refused
    assert (problem.file, problem.key) == (short.file, "line 2")
    assert problem.message.startswith("is not valid JSON at character")


@pytest.mark.parametrize("key", ["id", "topic", "question", "answer"])
def test_a_missing_or_blank_key_is_refused_by_name(short: Shelf, key: str) -> None:
    missing = {name: value for name, value in CAPITAL.items() if name != key}
    assert short.only_fault(text(missing)) == f"{key} is missing; add it"
    assert short.only_fault(text(CAPITAL | {key: None})) == f"{key} is missing; add it"
    assert short.only_fault(text(CAPITAL | {key: " \t"})) == f"{key} is empty; fill it or remove the line"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"topik": "x"}, "topik is not a known key"),
        ({"answer": True}, "answer should be a valid string"),
        ({"answer": ["a"]}, "answer should be a valid string"),
        ({"aliases": "one"}, "aliases should be a list"),
        ({"aliases": ["one", " "]}, "aliases.1 is empty"),
        ({"difficulty": 1.5}, "difficulty should be less than or equal to 1"),
        ({"difficulty": "nan"}, "difficulty should be"),
        ({"source_date": "31.12.2024"}, "source_date '31.12.2024' is not a date such as 2025-08-31"),
        ({"source_date": 1700000000}, "source_date '1700000000' is not a date"),
        ({"answerable_from": "2024-13"}, "answerable_from '2024-13' is not a month such as 2025-08"),
        ({"split": "secret"}, "split should be 'public' or 'private'"),
        ({"status": "gone"}, "status should be 'active', 'disputed', 'retired' or 'dropped'"),
        ({"id": "a\nb"}, "id holds a control character"),
        ({"options": ["a", "b"]}, "options belong to a multiple-choice bank"),
    ],
)
def test_a_wrong_value_is_refused_by_key(short: Shelf, change: dict[str, Any], reason: str) -> None:
    assert short.only_fault(text(CAPITAL | change)).startswith(reason)


def test_every_fault_of_a_line_is_told(short: Shelf) -> None:
    assert short.only_fault('{"id": "q", "topic": "t"}') == "question is missing; add it; answer is missing; add it"


@pytest.mark.parametrize("line", ["[1]", "7", "null", '"text"'])
def test_a_line_that_is_no_object_is_refused(short: Shelf, line: str) -> None:
    assert short.only_fault(line) == "is not a JSON object; write one {…} a line"


def test_a_line_of_brackets_without_end_is_refused(short: Shelf) -> None:
    assert "nested too deeply" in short.only_fault("[" * 100_000)


def test_half_a_character_is_refused(short: Shelf) -> None:
    assert "half of a character" in short.only_fault(json.dumps(CAPITAL | {"answer": "\ud83d"}))


def test_an_escaped_emoji_is_a_whole_character(short: Shelf) -> None:
    assert short.read(json.dumps(CAPITAL | {"answer": "😀"})).frame["answer"][0] == "😀"


def test_a_line_that_is_not_utf8_is_set_aside(short: Shelf) -> None:
    latin = json.dumps(CAPITAL | {"id": "q2", "answer": "Orléans"}, ensure_ascii=False).encode("latin-1")
    read = short.read(text(CAPITAL).encode() + latin + b"\n")
    assert read.frame.height == 1
    assert "is not UTF-8" in read.refused[0].message


def test_a_byte_order_mark_and_windows_line_ends_are_no_content(short: Shelf) -> None:
    plain = short.read(text(CAPITAL)).digest
    assert short.read(b"\xef\xbb\xbf" + text(CAPITAL).replace("\n", "\r\n").encode()).digest == plain


def test_a_line_separator_within_text_does_not_end_the_line(short: Shelf) -> None:
    assert short.read(text(CAPITAL | {"question": "a\u2028b"})).frame["question"][0] == "a\u2028b"


def test_a_number_is_the_text_that_the_file_shows(short: Shelf) -> None:
    line = text(CAPITAL).replace('"Canberra"', "3.10").replace('"q1"', "7")
    row = short.read(line).frame.row(0, named=True)
    assert (row["answer"], row["item_id"]) == ("3.10", "7")


@pytest.mark.parametrize("item_id", ["a/b:c@d e", "…", "Ünï", "..", "a|b"])
def test_ids_may_hold_what_no_path_may(short: Shelf, item_id: str) -> None:
    assert short.read(text(CAPITAL | {"id": item_id})).frame["item_id"][0] == item_id


def test_the_second_of_two_equal_ids_is_refused(short: Shelf) -> None:
    read = short.read(text(CAPITAL, CAPITAL | {"question": "Another?"}))
    assert read.frame["question"].to_list() == ["Capital of Australia?"]
    assert read.refused[0].key == "line 2"
    assert "'q1' stands in line 1" in read.refused[0].message


def test_a_topic_that_the_domain_does_not_list_is_refused_with_those_it_does(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, Format.SHORT_ANSWER, topics=("Tax", "Torts"))
    assert shelf.only_fault(text(CAPITAL)).endswith("add it there or use Tax, Torts")


def test_options_stay_in_order(choice: Shelf) -> None:
    row = choice.read(text(CHOICE)).frame.row(0, named=True)
    assert (row["options"], row["answer"]) == (["Sydney", "Canberra", "Perth"], "B")


def test_a_small_letter_is_the_same_option(choice: Shelf) -> None:
    assert choice.read(text(CHOICE | {"answer": " b "})).frame["answer"][0] == "B"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": "D"}, "answer 'D' is not one of the letters A to C"),
        ({"answer": "AB"}, "answer 'AB' is not one of the letters A to C"),
        ({"answer": "Canberra"}, "answer 'Canberra' is not one of the letters A to C"),
        ({"options": ["one"]}, "options hold 1; multiple choice needs 2 to 26"),
        ({"options": None}, "options hold 0; multiple choice needs 2 to 26"),
        ({"options": [str(number) for number in range(27)]}, "options hold 27; multiple choice needs 2 to 26"),
        ({"options": ["Perth", "Sydney", "PERTH "]}, "options A and C are equal ('PERTH'); change one"),
        ({"options": ["New  York", "new york"]}, "options A and B are equal ('new york'); change one"),
        ({"options": ["Perth", ""]}, "options.1 is empty; fill it or remove the line"),
    ],
)
def test_options_that_are_not_sound_are_refused(choice: Shelf, change: dict[str, Any], reason: str) -> None:
    assert choice.only_fault(text(CHOICE | change)) == reason


def versions(shelf: Shelf, line: dict[str, Any]) -> tuple[str, str]:
    return shelf.read(text(line)).frame.select("question_version", "answer_version").row(0)


def test_an_edited_gold_or_alias_changes_the_answers_version_alone(short: Shelf) -> None:
    question, answer = versions(short, CAPITAL)
    for change in ({"answer": "Canberra ACT"}, {"aliases": ["ACT"]}):
        new_question, new_answer = versions(short, CAPITAL | change)
        assert new_question == question
        assert new_answer != answer


def test_an_edited_question_changes_the_questions_version_alone(short: Shelf) -> None:
    question, answer = versions(short, CAPITAL)
    new_question, new_answer = versions(short, CAPITAL | {"question": "Capital of Australia in 2024?"})
    assert new_question != question
    assert new_answer == answer


def test_an_edited_or_moved_option_changes_the_questions_version(choice: Shelf) -> None:
    seen = {
        versions(choice, CHOICE | {"options": options})[0]
        for options in (["a", "bc", "d"], ["ab", "c", "d"], ["bc", "a", "d"], ["a", "bc", "d", "e"])
    }
    assert len(seen) == 4


def test_topic_source_status_and_evidence_change_no_version(short: Shelf) -> None:
    other = {"topic": "Maps", "source_url": "https://example.org", "status": "disputed", "evidence": "x"}
    assert versions(short, CAPITAL | other) == versions(short, CAPITAL)


def test_the_digest_is_of_the_content_and_not_of_its_layout(short: Shelf) -> None:
    second = CAPITAL | {"id": "q2"}
    plain = short.read(text(CAPITAL, second)).digest
    turned = dict(reversed(CAPITAL.items())) | {"evidence": "a note", "aliases": None}
    assert (
        short.read("\n" + json.dumps(second, indent=None, separators=(" ,", " : ")) + "\n\n" + text(turned)).digest
        == plain
    )


@pytest.mark.parametrize("change", [{"answer": "x"}, {"topic": "x"}, {"status": "retired"}, {"aliases": ["x"]}])
def test_the_digest_changes_with_the_content(short: Shelf, change: dict[str, Any]) -> None:
    assert short.read(text(CAPITAL | change)).digest != short.read(text(CAPITAL)).digest


def test_added_lines_leave_those_that_stand_as_they_are(short: Shelf) -> None:
    standing = '{"id":"q0",  "broken\n' + text(CAPITAL).rstrip("\n")
    short.read(standing)
    add_lines(short.file, ["{}"])
    assert short.file.read_text() == standing + "\n{}\n"


def test_a_failed_write_leaves_the_file_and_no_other(short: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    short.read(text(CAPITAL))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        add_lines(short.file, ["{}"])
    assert [path.name for path in short.file.parent.iterdir()] == ["law.jsonl"]
    assert short.file.read_text() == text(CAPITAL)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_folder_that_nothing_may_be_written_to_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    file = tmp_path / "items" / "law.jsonl"
    replace_file(file, b"kept")

    def refused(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "replace", refused)

    with pytest.raises(ConfigurationError) as raised:
        replace_file(file, b"new")

    assert str(raised.value) == f"{file} cannot be written ({os.strerror(code)}); restore its permissions"
    assert [(each.name, each.read_bytes()) for each in file.parent.iterdir()] == [("law.jsonl", b"kept")]


def test_a_file_where_the_folder_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "items").write_text("")

    with pytest.raises(ConfigurationError, match=r"law\.jsonl cannot be written \(.*\); restore its permissions"):
        replace_file(tmp_path / "items" / "law.jsonl", b"new")
