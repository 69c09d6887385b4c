"""Which items become public, and that nothing else in a bank's files changes."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from assets.items.line_edits import with_values
from assets.items.splitting import DomainSplit, plan_split, public_ids, split_bank
from resources.registries import Bank, load_banks
from resources.types import ConfigurationError

SCHEMA = {"domain": pl.String, "topic": pl.String, "item_id": pl.String, "split": pl.String, "status": pl.String}


def frame(sizes: dict[tuple[str, str], int], split: str = "private", status: str = "active") -> pl.DataFrame:
    """So many items by domain and topic."""
    rows = [
        (domain, topic, f"{topic}-{number}", split, status)
        for (domain, topic), size in sizes.items()
        for number in range(size)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def with_public(items: pl.DataFrame, keys: set[tuple[str, str]]) -> pl.DataFrame:
    chosen = pl.DataFrame(sorted(keys), schema={"domain": pl.String, "item_id": pl.String}, orient="row")
    marked = items.join(chosen.with_columns(mark=True), on=["domain", "item_id"], how="left", maintain_order="left")
    return marked.with_columns(split=pl.when("mark").then(pl.lit("public")).otherwise("split")).drop("mark")


def random_sizes(seed: int) -> dict[tuple[str, str], int]:
    draw = random.Random(seed)
    return {
        (f"d{domain}", f"d{domain}t{topic}"): draw.randint(1, 30)
        for domain in range(draw.randint(1, 6))
        for topic in range(draw.randint(1, 8))
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.05, 0.1, 0.33, 0.5, 0.9])
def test_each_domain_and_topic_is_less_than_one_item_from_its_quota(seed: int, share: float) -> None:
    sizes = random_sizes(seed)
    items = frame(sizes)

    chosen = public_ids(items, share, "seed")

    total = sum(sizes.values())
    assert len(chosen) == round(share * total)
    of_topic = Counter((domain, item.rsplit("-", 1)[0]) for domain, item in chosen)
    of_domain = Counter(domain for domain, _ in chosen)
    for key, size in sizes.items():
        assert abs(of_topic[key] - len(chosen) * size / total) < 1
    for domain in {domain for domain, _ in sizes}:
        size = sum(size for key, size in sizes.items() if key[0] == domain)
        assert abs(of_domain[domain] - len(chosen) * size / total) < 1


@pytest.mark.parametrize("seed", range(6))
def test_a_larger_share_keeps_what_is_public(seed: int) -> None:
    items = frame(random_sizes(seed))
    public: set[tuple[str, str]] = set()

    for share in (0.1, 0.15, 0.4, 0.2, 0.9):
        grown = public_ids(with_public(items, public), share, "seed")
        assert public <= grown
        assert len(grown) == max(len(public), round(share * items.height))
        public = grown


def test_a_split_anew_adds_nothing() -> None:
    items = frame({("law", "Tort"): 17, ("law", "Tax"): 4, ("health", "Drugs"): 9})
    public = public_ids(items, 0.3, "seed")

    assert public_ids(with_public(items, public), 0.3, "seed") == public


def test_new_items_are_drawn_where_the_public_part_is_behind() -> None:
    law = frame({("law", "Tort"): 20})
    public = public_ids(law, 0.2, "seed")
    grown = pl.concat([with_public(law, public), frame({("health", "Drugs"): 10, ("health", "Anatomy"): 10})])

    added = public_ids(grown, 0.2, "seed") - public

    assert Counter(item.split("-")[0] for _, item in added) == {"Drugs": 2, "Anatomy": 2}


def test_a_retired_public_item_stays_and_does_not_count() -> None:
    retired = frame({("law", "Old"): 3}, split="public", status="retired")
    items = pl.concat([frame({("law", "Tort"): 10}), retired])

    chosen = public_ids(items, 0.2, "seed")

    assert {("law", "Old-0"), ("law", "Old-1"), ("law", "Old-2")} < chosen
    assert len(chosen) == 3 + 2


def test_items_that_are_not_active_are_not_drawn() -> None:
    items = pl.concat([frame({("law", "Tort"): 2}), frame({("law", "Tax"): 9}, status="disputed")])

    assert public_ids(items, 1, "seed") == {("law", "Tort-0"), ("law", "Tort-1")}


def test_the_order_of_rows_says_nothing() -> None:
    items = frame(random_sizes(3))

    assert public_ids(items.reverse(), 0.3, "seed") == public_ids(items, 0.3, "seed")
    assert public_ids(items.sample(fraction=1, shuffle=True, seed=1), 0.3, "seed") == public_ids(items, 0.3, "seed")


def test_another_seed_draws_another_sample() -> None:
    items = frame({("law", "Tort"): 100})

    assert public_ids(items, 0.3, "one") != public_ids(items, 0.3, "other")


@pytest.mark.parametrize(("share", "count"), [(0, 0), (1, 30), (0.1, 3)])
def test_the_ends_of_the_share(share: float, count: int) -> None:
    assert len(public_ids(frame({("law", "Tort"): 20, ("law", "Tax"): 10}), share, "seed")) == count


@pytest.mark.parametrize(("share", "chosen"), [(0.4, set()), (0.6, {("law", "Tort-0")})])
def test_one_item(share: float, chosen: set[tuple[str, str]]) -> None:
    assert public_ids(frame({("law", "Tort"): 1}), share, "seed") == chosen


def test_an_empty_bank() -> None:
    assert public_ids(frame({}), 0.5, "seed") == set()


# --- the files


def item(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "topic": "Tort", "question": f"What is {id}?", "answer": id} | more


def bank_of(root: Path, spec: dict[str, Any] | None = None, **files: bytes | list[dict[str, Any]]) -> Bank:
    """The bank `facts` with these items files by domain."""
    folder = root / "facts"
    (folder / "domains").mkdir(parents=True, exist_ok=True)
    (folder / "items").mkdir(exist_ok=True)
    (folder / "bank.yaml").write_text(yaml.safe_dump({"title": "Facts", "format": "short_answer"} | (spec or {})))
    for domain, content in files.items():
        (folder / "domains" / f"{domain}.yaml").write_text(f"title: {domain}\n")
        if not isinstance(content, bytes):
            content = "".join(json.dumps(line) + "\n" for line in content).encode()
        (folder / "items" / f"{domain}.jsonl").write_bytes(content)
    return load_banks([root]).banks["facts"]


def content_of(bank: Bank, domain: str) -> bytes:
    return (bank.folder / "items" / f"{domain}.jsonl").read_bytes()


def splits_of(bank: Bank, domain: str) -> dict[str, str]:
    lines = [json.loads(line) for line in content_of(bank, domain).splitlines()]
    return {line["id"]: line.get("split", "private") for line in lines}


def test_counts_by_domain(tmp_path: Path) -> None:
    bank = bank_of(
        tmp_path,
        law=[item(f"l{number}", split="public" if number < 1 else "private") for number in range(10)],
        health=[*(item(f"h{number}") for number in range(5)), item("gone", status="retired", split="public")],
    )

    report = split_bank(bank, 0.4)

    assert report.domains == (DomainSplit("facts.health", 5, 0, 2), DomainSplit("facts.law", 10, 1, 4))
    assert Counter(splits_of(bank, "law").values()) == {"public": 4, "private": 6}
    assert splits_of(bank, "health")["gone"] == "public"


def test_lines_that_do_not_change_stay_byte_for_byte(tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, blank and broken lines, odd spacing and no newline at the end."""
    private = json.dumps(item("private", status="dropped")).encode()
    content = (
        b"\xef\xbb\xbf"
        + b'{"id":"a","topic":"Tort","question":"A?","answer":"1.0","split":"private","difficulty":0.50}\r\n'
        + b"\r\n"
        + b"  "
        + private
        + b"\n{broken\n\xff\xfe\n"
        + b'{ "split" : "public", "answer": "x\\u00e9",  "id": "b", "topic": "Tort", "question": "B?" }\n'
        + b'{"id": "c", "topic": "Tort", "question": "C?", "answer": "c", "evidence": {"split": "private"} }'
    )
    bank = bank_of(tmp_path, law=content)

    split_bank(bank, 1)

    expected = content.replace(b'"answer":"1.0","split":"private"', b'"answer":"1.0","split":"public"')
    expected = expected.removesuffix(b" }") + b', "split": "public" }'
    assert content_of(bank, "law") == expected


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ('{"id": "a", "split": "private"}', '{"id": "a", "split": "public"}'),
        ('{"split":null,"id":"a"}', '{"split":"public","id":"a"}'),
        ('{"id": "a"}', '{"id": "a", "split": "public"}'),
        ('\t{"id" :"a" , "n": 1e6 } \r', '\t{"id" :"a" , "n": 1e6, "split": "public" } \r'),
        (
            '{"question": "\\"split\\": \\"private\\"?", "evidence": {"split": "private"}, "split": "private"}',
            '{"question": "\\"split\\": \\"private\\"?", "evidence": {"split": "private"}, "split": "public"}',
        ),
        ('{"split": "private", "split": "private"}', '{"split": "private", "split": "public"}'),
        ('{"s\\u0070lit": "private"}', '{"s\\u0070lit": "public"}'),
    ],
)
def test_only_the_split_of_a_line_changes(line: str, changed: str) -> None:
    assert with_values(line, {"split": "public"}) == changed


def test_of_two_lines_with_one_id_the_item_becomes_public(tmp_path: Path) -> None:
    """The first is refused for its topic, the third as a second line of the same id."""
    bank = bank_of(tmp_path, law=[item("a", topic="Unknown"), item("a"), item("a", question="Other?")])
    (bank.folder / "domains" / "law.yaml").write_text("title: Law\ntopics: [{name: Tort}]\n")
    bank = load_banks([tmp_path]).banks["facts"]

    report = split_bank(bank, 1)

    lines = [json.loads(line) for line in content_of(bank, "law").splitlines()]
    assert [line.get("split") for line in lines] == [None, "public", None]
    assert len(report.refused) == 2


def test_a_plan_writes_nothing(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, law=[item("a"), item("b")])
    before = content_of(bank, "law")

    report = plan_split(bank, 0.5)

    assert report.domains == (DomainSplit("facts.law", 2, 0, 1),)
    assert content_of(bank, "law") == before


def test_a_file_without_a_change_is_not_written(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, law=[item("a", split="public")], health=[item("b")])
    before = (bank.folder / "items" / "law.jsonl").stat().st_ino

    split_bank(bank, 1)

    assert (bank.folder / "items" / "law.jsonl").stat().st_ino == before
    assert splits_of(bank, "health") == {"b": "public"}


def test_of_a_private_bank_nothing_becomes_public(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, {"private": True}, law=[item("a"), item("b")])

    assert split_bank(bank, 1).domains == (DomainSplit("facts.law", 2, 0, 0),)
    assert set(splits_of(bank, "law").values()) == {"private"}


def test_a_retired_domain_is_left_out(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, law=[item("a")], health=[item("b")])
    (bank.folder / "domains" / "law.yaml").write_text("title: Law\nretired: true\n")
    bank = load_banks([tmp_path]).banks["facts"]

    assert split_bank(bank, 1).domains == (DomainSplit("facts.health", 1, 0, 1),)
    assert splits_of(bank, "law") == {"a": "private"}


def test_a_bank_without_items_has_nothing_to_split(tmp_path: Path) -> None:
    bank = bank_of(tmp_path, law=b"")
    bank.items_file(bank.domains["facts.law"]).unlink()

    assert split_bank(bank, 1).domains == (DomainSplit("facts.law", 0, 0, 0),)


def test_a_bank_without_domains_has_nothing_to_split(tmp_path: Path) -> None:
    assert split_bank(bank_of(tmp_path), 1).domains == ()


def test_a_file_that_cannot_be_rewritten_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = bank_of(tmp_path, law=[item("a")])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assets.items.splitting.replace_file", full)

    with pytest.raises(ConfigurationError, match=r"law\.jsonl cannot be rewritten \(No space left on device\)"):
        split_bank(bank, 1)
