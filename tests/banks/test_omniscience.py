"""The shipped bank: each gold is what an authoritative package says, and each item is well made."""

import ast
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import combinations
from typing import Any

import pytest
import yaml

from assets.grades.match import grade_match
from checks.evidence import SHIPPED, Claim, fault_of, shipped_claims
from resources.home import PROJECT
from resources.registries.banks import load_banks
from resources.types import Grade

DOMAINS = sorted(file.stem for file in (SHIPPED / "domains").glob("*.yaml"))
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
    lines = (SHIPPED / "items" / f"{domain}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _topics(domain: str) -> dict[str, int]:
    """Each topic that the domain file names, with the number of items that it announces."""
    spec = yaml.safe_load((SHIPPED / "domains" / f"{domain}.yaml").read_text(encoding="utf-8"))
    return {topic["name"]: topic["items"] for topic in spec["topics"]}


def _rights(item: dict[str, Any]) -> list[str]:
    return [item["answer"], *item["aliases"]]


ALL = [item for domain in DOMAINS for item in _items(domain)]
ITEMS = [pytest.param(item, id=item["id"]) for item in ALL]


# What packages deprecate among themselves is not ours to mend.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("claim", [pytest.param(claim, id=claim.item_id) for claim in shipped_claims()])
def test_gold_is_what_the_package_says(claim: Claim) -> None:
    assert fault_of(claim) is None


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
    for right in _rights(item):
        assert not re.search(rf"(?<!\w){re.escape(right)}(?!\w)", item["question"], re.IGNORECASE)


@pytest.mark.parametrize("item", ITEMS)
def test_aliases_are_other_forms_than_the_gold(item: dict[str, Any]) -> None:
    assert len({form.casefold() for form in _rights(item)}) == len(_rights(item))


@pytest.mark.parametrize("item", ITEMS)
def test_the_matcher_knows_every_right_form(item: dict[str, Any]) -> None:
    for right in _rights(item):
        graded = grade_match(
            question=item["question"],
            gold=item["answer"],
            aliases=item["aliases"],
            answer=f"The answer is {right}.",
            language=item["language"],
        )
        assert graded.grade is Grade.CORRECT, right


@pytest.mark.parametrize("item", ITEMS)
def test_evidence_does_not_hold_the_gold_as_a_literal(item: dict[str, Any]) -> None:
    nodes = ast.walk(ast.parse(item["evidence"]))
    assert item["answer"] not in {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def test_evidence_imports_what_the_bank_declares() -> None:
    """A package that only comes along with another one may leave with it."""
    imported = {module for item in ALL for module in _imports(item["evidence"])} - sys.stdlib_module_names
    carriers = {module: {_normal(name) for name in names} for module, names in packages_distributions().items()}
    assert [module for module in sorted(imported) if not carriers.get(module, set()) & _declared()] == []


def _imports(evidence: str) -> Iterator[str]:
    """The top-level module of every `mod(…)`."""
    for node in ast.walk(ast.parse(evidence)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "mod":
            yield ast.literal_eval(node.args[0]).split(".")[0]


def _declared() -> set[str]:
    """The distributions that the project and its extra `bank` name."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["bank"]]
    return {_normal(re.split(r"[\s\[<>=!~;]", requirement)[0]) for requirement in requirements}


def _normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_bank_is_read_without_a_problem() -> None:
    banks = load_banks([PROJECT / "banks"])
    assert banks.problems == ()
    assert sorted(banks.banks["omniscience"].domains) == [f"omniscience.{domain}" for domain in DOMAINS]


def test_there_are_six_domains_of_seven_topics() -> None:
    assert [len(_topics(domain)) for domain in DOMAINS] == [7] * 6


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_topic_has_three_items_or_more_and_as_many_as_announced(domain: str) -> None:
    found = Counter(item["topic"] for item in _items(domain))
    assert dict(found) == _topics(domain)
    assert min(found.values()) >= 3


@pytest.mark.parametrize("domain", DOMAINS)
def test_answers_of_a_domain_are_of_several_types(domain: str) -> None:
    types = Counter(item["answer_type"] for item in _items(domain))
    assert len(types) >= 3
    assert max(types.values()) <= 0.6 * types.total()


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_answer_is_right_for_two_questions_of_a_topic(domain: str) -> None:
    rights = Counter(
        (item["topic"], right) for item in _items(domain) for right in {right.casefold() for right in _rights(item)}
    )
    assert [right for right, count in rights.items() if count > 1] == []


def test_ids_are_unique() -> None:
    assert len({item["id"] for item in ALL}) == len(ALL)


def test_no_two_questions_are_nearly_the_same() -> None:
    """Nearly the same: four fifths of the words, without the sentence on the answer's form."""
    words = [(item["id"], set(re.findall(r"\w+", item["question"].rsplit("?", 1)[0].casefold()))) for item in ALL]
    alike = [(one, other) for (one, a), (other, b) in combinations(words, 2) if len(a & b) >= 0.8 * len(a | b)]
    assert alike == []
