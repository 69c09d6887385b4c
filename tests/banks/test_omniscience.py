"""The shipped bank: each gold is what an authoritative package says, and each item is well made."""

import json
import re
from collections import Counter
from typing import Any

import pytest
import yaml

from assets.grades.match import grade_match
from resources.home import PROJECT
from resources.registries.banks import load_banks
from resources.types import Grade
from tests.banks.evidence import evaluate

BANK = PROJECT / "banks" / "omniscience"
DOMAINS = sorted(file.stem for file in (BANK / "domains").glob("*.yaml"))
FIELDS = {
    "id",
    "topic",
    "question",
    "answer",
    "aliases",
    "answer_type",
    "language",
    "source_url",
    "answerable_from",
    "split",
    "evidence",
}
ANSWER_TYPES = {"number", "date", "name", "place", "version", "provision", "other"}


def _items(domain: str) -> list[dict[str, Any]]:
    lines = (BANK / "items" / f"{domain}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _topics(domain: str) -> list[str]:
    spec = yaml.safe_load((BANK / "domains" / f"{domain}.yaml").read_text(encoding="utf-8"))
    return [topic["name"] for topic in spec["topics"]]


ITEMS = [pytest.param(item, id=item["id"]) for domain in DOMAINS for item in _items(domain)]


@pytest.mark.parametrize("item", ITEMS)
def test_gold_is_what_the_package_says(item: dict[str, Any]) -> None:
    assert evaluate(item["evidence"]) == item["answer"]


@pytest.mark.parametrize("item", ITEMS)
def test_item_has_every_field(item: dict[str, Any]) -> None:
    assert item.keys() - {"source_date"} == FIELDS
    assert item["answer_type"] in ANSWER_TYPES
    assert re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", item["answerable_from"])
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", item.get("source_date", "2000-01-01"))
    assert re.match(r"https?://", item["source_url"])
    assert (item["language"], item["split"]) == ("en", "public")


@pytest.mark.parametrize("item", ITEMS)
def test_question_ends_with_the_form_of_the_answer(item: dict[str, Any]) -> None:
    assert re.search(r"\? Answer (with|in) [^?]+\.$", item["question"])


@pytest.mark.parametrize("item", ITEMS)
def test_gold_does_not_stand_in_the_question(item: dict[str, Any]) -> None:
    for right in [item["answer"], *item["aliases"]]:
        assert not re.search(rf"(?<!\w){re.escape(right)}(?!\w)", item["question"], re.IGNORECASE)


@pytest.mark.parametrize("item", ITEMS)
def test_aliases_are_other_forms_than_the_gold(item: dict[str, Any]) -> None:
    forms = [item["answer"], *item["aliases"]]
    assert len({form.casefold() for form in forms}) == len(forms)


@pytest.mark.parametrize("item", ITEMS)
def test_the_matcher_knows_every_right_form(item: dict[str, Any]) -> None:
    for right in [item["answer"], *item["aliases"]]:
        graded = grade_match(
            question=item["question"],
            gold=item["answer"],
            aliases=item["aliases"],
            answer=f"The answer is {right}.",
            language=item["language"],
        )
        assert graded.grade is Grade.CORRECT, right


def test_bank_is_read_without_a_problem() -> None:
    banks = load_banks([PROJECT / "banks"])
    assert banks.problems == ()
    assert sorted(banks.banks["omniscience"].domains) == [f"omniscience.{domain}" for domain in DOMAINS]


def test_there_are_six_domains_of_seven_topics() -> None:
    assert [len(set(_topics(domain))) for domain in DOMAINS] == [7] * 6


@pytest.mark.parametrize("domain", DOMAINS)
def test_domain_has_five_items_in_three_of_its_topics_or_more(domain: str) -> None:
    topics = Counter(item["topic"] for item in _items(domain))
    assert topics.total() == 5
    assert len(topics) >= 3
    assert topics.keys() <= set(_topics(domain))


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_answer_is_right_for_two_questions_of_a_topic(domain: str) -> None:
    golds = Counter((item["topic"], item["answer"].casefold()) for item in _items(domain))
    assert [gold for gold, count in golds.items() if count > 1] == []


def test_ids_and_questions_are_unique() -> None:
    items = [item for domain in DOMAINS for item in _items(domain)]
    assert len({item["id"] for item in items}) == len({item["question"] for item in items}) == len(items)
