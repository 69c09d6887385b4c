from pathlib import Path

import pytest
import yaml

from assets.items.bank_folders import add_topics, find_place, title_of
from assets.items.importing import ImportReport, ImportRequest, import_items
from resources.registries import load_banks
from resources.types import ConfigurationError

BANK = "title: Own\nformat: short_answer\n"


def write(file: Path, content: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    return file


def take(tmp_path: Path, roots: list[Path], content: str = "q,a,t\nWho?,Ann,People\n") -> ImportReport:
    file = write(tmp_path / "in.csv", content)
    request = ImportRequest(file=str(file), bank="own", domain="law", question="q", answer="a", topic="t", roots=roots)
    return import_items(request)


def test_a_new_bank_stands_in_the_first_root_that_a_user_named(tmp_path: Path) -> None:
    shipped, mine, more = (tmp_path / name for name in ("shipped", "mine", "more"))
    report = take(tmp_path, [shipped, mine, more])
    assert report.items_file == mine / "own/items/law.jsonl"


def test_a_new_bank_stands_among_the_shipped_ones_where_no_root_is_named(tmp_path: Path) -> None:
    assert take(tmp_path, [tmp_path / "shipped"]).items_file == tmp_path / "shipped/own/items/law.jsonl"


def test_a_bank_that_exists_stays_in_its_root_as_it_is(tmp_path: Path) -> None:
    bank = write(tmp_path / "shipped/own/bank.yaml", "# mine\n" + BANK)
    report = take(tmp_path, [tmp_path / "shipped", tmp_path / "mine"])
    assert report.items_file == tmp_path / "shipped/own/items/law.jsonl"
    assert bank.read_text() == "# mine\n" + BANK


@pytest.mark.parametrize(
    ("file", "content"),
    [("own/bank.yaml", "title: Own\nformat: essay\n"), ("own/domains/law.yaml", "titel: Law\n")],
)
def test_a_file_that_is_not_valid_is_never_replaced(tmp_path: Path, file: str, content: str) -> None:
    write(tmp_path / "banks/own/bank.yaml", BANK)
    bad = write(tmp_path / "banks" / file, content)
    with pytest.raises(ConfigurationError, match=f"nothing was imported, since {bad} is not valid"):
        take(tmp_path, [tmp_path / "banks"])
    assert bad.read_text() == content


def test_a_folder_of_something_else_does_not_become_a_bank(tmp_path: Path) -> None:
    write(tmp_path / "banks/own/notes.txt", "x")
    with pytest.raises(ConfigurationError, match=r"holds no bank\.yaml"):
        take(tmp_path, [tmp_path / "banks"])


@pytest.mark.parametrize("bank", ["", "a b", "../x", "a.b", "-x"])
def test_a_banks_name_is_plain(tmp_path: Path, bank: str) -> None:
    with pytest.raises(ConfigurationError, match="a bank is named in letters"):
        find_place([tmp_path], bank, "law")


@pytest.mark.parametrize("domain", ["", "a|b", "a/b", "a\\b", ".hidden", "..", "own.", " law"])
def test_a_domains_name_is_a_file_name_and_a_partition_key(tmp_path: Path, domain: str) -> None:
    with pytest.raises(ConfigurationError, match="choose another name"):
        find_place([tmp_path], "own", domain)


def test_the_full_key_of_another_banks_domain_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "other/bank.yaml", BANK)
    write(tmp_path / "other/domains/law.yaml", "title: Law\n")
    with pytest.raises(ConfigurationError, match=r"--domain other\.law is of another bank"):
        find_place([tmp_path], "own", "other.law")


@pytest.mark.parametrize(
    ("name", "title"), [("law", "Law"), ("tax-law", "Tax law"), ("SimpleQA", "SimpleQA"), ("a_b", "A b")]
)
def test_a_title_is_readable(name: str, title: str) -> None:
    assert title_of(name) == title


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: Law # the\n", "title: Law # the\ntopics:\n  - {name: New}\n"),
        ("title: Law", "title: Law\ntopics:\n  - {name: New}\n"),
        ("topics:\n- name: A # a\n  items: 2\n\n# end\ntitle: Law\n", None),
        ("title: Law\ntopics:\n  - {name: A, items: 3}  # a\n", None),
        ("title: Law\ntopics:\n  - {name: A}", None),
        ("title: Law\ntopics:\n  - name: >-\n      A\n      b\n  # more\nretired: false\n", None),
        ("title: Law # the\ntopics: []\n", "title: Law # the\ntopics: [{name: New}]\n"),
        ("topics: [{name: A}, {name: B}] # all\ntitle: Law\n", None),
        ("\ufeff# the\r\ntitle: Law\r\ntopics:\r\n- name: A\r\n", None),
    ],
)
def test_topics_are_added_and_the_rest_of_the_file_stays(tmp_path: Path, before: str, after: str | None) -> None:
    file = tmp_path / "law.yaml"
    file.write_bytes(before.encode())
    add_topics(file, ["New"])
    changed = file.read_bytes().decode()
    was, now = yaml.safe_load(before), yaml.safe_load(changed)
    assert now == was | {"topics": [*was.get("topics", []), {"name": "New"}]}
    assert changed.count("#") == before.count("#")
    assert after is None or changed == after


def test_a_layout_without_a_safe_place_is_written_anew(tmp_path: Path) -> None:
    file = write(tmp_path / "law.yaml", "{title: Law, sources: [{url: x}]}\n")
    add_topics(file, ["New"])
    assert yaml.safe_load(file.read_text()) == {
        "title": "Law",
        "sources": [{"url": "x"}],
        "topics": [{"name": "New"}],
    }


@pytest.mark.parametrize("topic", ["yes", "a: b # c", "- x", "'\"", "😀", "[a, {b}]", "1", "null", "x" * 300])
def test_any_topic_is_written_so_that_it_is_read_back(tmp_path: Path, topic: str) -> None:
    file = write(tmp_path / "law.yaml", "title: Law\n")
    add_topics(file, [topic])
    add_topics(file, ["Other"])
    assert yaml.safe_load(file.read_text())["topics"] == [{"name": topic}, {"name": "Other"}]


def test_a_domain_that_listed_no_topics_lists_those_in_use_too(tmp_path: Path) -> None:
    write(tmp_path / "banks/own/bank.yaml", BANK)
    write(tmp_path / "banks/own/domains/law.yaml", "title: Law\n")
    write(tmp_path / "banks/own/items/law.jsonl", '{"id": "1", "topic": "Old", "question": "Why?", "answer": "x"}\n')
    take(tmp_path, [tmp_path / "banks"])
    _, domain = load_banks([tmp_path / "banks"]).domains["own.law"]
    assert [topic.name for topic in domain.spec.topics] == ["Old", "People"]
