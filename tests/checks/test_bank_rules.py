"""Rules on what a build makes: each holds on a sound domain and is broken by a lake made to break it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from assets.items.passes.form import gold_in_question
from checks.bank_rules import BUILT_ITEM_RULES, CARD_RULES, SOURCE_RULES
from checks.response_rules import RESPONSE_RULES
from checks.results import Finding, Severity
from checks.rules import evaluate
from tests.checks.lakes import (
    EMPTY,
    FakeLake,
    Row,
    balance,
    built,
    built_lake,
    card,
    choice,
    file_source,
    item,
    response,
    source,
    verdict,
)

ITEMS_SOUND = next(rule for rule in RESPONSE_RULES if rule.name == "items_sound")
RULES = {rule.name: rule for rule in (*SOURCE_RULES, *CARD_RULES, *BUILT_ITEM_RULES, ITEMS_SOUND)}


@dataclass(frozen=True)
class Case:
    """A lake in which `failing` rows break a rule."""

    rule: str
    what: str
    lake: FakeLake
    failing: int = 1


def _web(host: str, rule: str | None, **changes: Any) -> FakeLake:
    return built_lake(sources=[source(url=f"https://{host}/s1", host=host, rule=rule, **changes)])


def _cards(*sources: Row, **counts: int) -> FakeLake:
    """So many kept cards of each source, by its id."""
    names = {row["source_id"]: row["name"] for row in sources}
    rows = [
        card(f"{id}-{number}", source_id=id, source_name=names[id]) for id, n in counts.items() for number in range(n)
    ]
    return built_lake(sources=list(sources), evidence_cards=rows)


def _typed(**counts: int) -> FakeLake:
    """So many built items of each answer type."""
    return built_lake(
        items=[built(f"{kind}{number}", answer_type=kind) for kind, n in counts.items() for number in range(n)]
    )


def _verified(*verdicts: Row, **changes: Any) -> FakeLake:
    return built_lake(items=[built(**changes)], verdicts=list(verdicts))


def _item(**changes: Any) -> FakeLake:
    return built_lake(items=[item("k1", **changes)])


OWN_LAB = (verdict("k1", 0, "draft", "acme"), verdict("k1", 1, "entailment", "acme"))
LAW, OTHER, NOTES, MORE = source("s1"), source("s2"), file_source("f1"), file_source("f2")
ELSEWHERE = source("e1", url="https://www.gov.example/e1", host="www.gov.example", rule="gov.example")
IN_WWW = source("w1", url="https://www.law.example.org/w1", host="www.law.example.org", rule="law.example.org")
GIVEAWAY = "Is it Consideration, or an offer, that section 2 names?"

BREACHES = (
    Case("whitelist_respected", "another host", _web("law.example.com", "law.example.org")),
    Case("whitelist_respected", "a host that ends alike", _web("evillaw.example.org", "law.example.org")),
    Case("whitelist_respected", "below a host without star", _web("old.law.example.org", "law.example.org")),
    Case("whitelist_respected", "the domain of a star itself", _web("gov.uk", "*.gov.uk")),
    Case("whitelist_respected", "ends as a star does, without its point", _web("evilgov.uk", "*.gov.uk")),
    Case("whitelist_respected", "a star in the middle", _web("a.gov.uk", "a.*.uk")),
    Case("whitelist_respected", "no rule", _web("law.example.org", None)),
    Case(
        "whitelist_respected",
        "a host that is not the address's",
        built_lake(sources=[source(host="a.org", rule="a.org")]),
    ),
    Case(
        "whitelist_respected",
        "a user name before the host",
        built_lake(sources=[source(url="https://evil.example:x@law.example.org/s1")]),
    ),
    Case("whitelist_respected", "no host", built_lake(sources=[source(host=None)])),
    Case("whitelist_respected", "no tier", _web("law.example.org", "law.example.org", tier=None)),
    Case("whitelist_respected", "a tier that is none", _web("law.example.org", "law.example.org", tier=4)),
    Case(
        "documents_readable",
        "one of each state",
        built_lake(
            sources=[
                source(status="read"),
                *(source(state, status=state) for state in ("unreadable", "refused", "failed")),
            ]
        ),
        failing=3,
    ),
    Case(
        "excerpts_found",
        "one character altered",
        built_lake(evidence_cards=[card(excerpt="It takes\neffect after 31 days.")]),
    ),
    Case("excerpts_found", "a capital made small", built_lake(evidence_cards=[card(excerpt="this Act may be cited")])),
    Case(
        "excerpts_found",
        "runs over two sections",
        built_lake(evidence_cards=[card(excerpt="the Barter Act.A notice is given in writing.")]),
    ),
    Case("excerpts_found", "stands in another source", built_lake(sources=[source(sections=[]), source("s2")])),
    Case("excerpts_found", "its source is gone", built_lake(sources=[])),
    Case(
        "excerpts_found",
        "another domain's source of that id",
        built_lake(sources=[source(domain="omniscience.health")]),
    ),
    Case("excerpts_found", "its source is no longer read", built_lake(sources=[source(status="failed")])),
    Case("excerpts_found", "its source has no text", built_lake(sources=[source(sections=None)])),
    Case("host_share", "11 of 20 from one host", _cards(LAW, NOTES, s1=11, f1=9)),
    Case("host_share", "11 of 20 from one file", _cards(LAW, NOTES, s1=9, f1=11)),
    Case("host_share", "two pages of one host", _cards(LAW, OTHER, NOTES, s1=6, s2=6, f1=8)),
    Case("host_share", "one host with and without www.", _cards(LAW, IN_WWW, NOTES, s1=6, w1=6, f1=8)),
    Case("host_share", "all of one of two sources", _cards(LAW, NOTES, s1=20)),
    Case("verified_by_another_lab", "its own lab", _verified(*OWN_LAB)),
    Case(
        "verified_by_another_lab",
        "its own lab had the last word",
        _verified(
            verdict("k1", 0, "draft", "acme"),
            verdict("k1", 1, "entailment", "globex"),
            verdict("k1", 2, "ambiguity", "globex", verdict="rewritten"),
            verdict("k1", 3, "entailment", "acme"),
        ),
    ),
    Case(
        "verified_by_another_lab",
        "nobody knows whose",
        _verified(verdict("k1", 0, "draft", "acme"), verdict("k1", 1, "entailment", None)),
    ),
    Case("golds_not_in_questions", "in other letters", _item(question=GIVEAWAY, answer="CONSIDERATION")),
    Case(
        "golds_not_in_questions", "an alias", _item(question=GIVEAWAY, aliases=["promise", "an offer"], answer="Duty")
    ),
    Case("topics_balanced", "one of two", built_lake(topic_balance=[balance(target=2, short=1, reason="no cards")])),
    Case("topics_balanced", "its item was dropped", built_lake(items=[built(status="dropped")])),
    Case("topics_balanced", "its item is another topic's", built_lake(items=[built(topic="Tax")])),
    Case("answer_types_mixed", "17 of 20", _typed(number=17, name=3)),
    Case("answer_types_mixed", "all", _typed(date=20)),
    Case("items_sound", "built, asked, verified by its own lab", _verified(*OWN_LAB)),
    Case(
        "items_sound",
        "built, asked, with its gold in the question",
        built_lake(items=[built(question="Is it 30 days?", answer="30 Days")]),
    ),
)

HOLDS = (
    Case("whitelist_respected", "www. before the rule's host", _web("www.law.example.org", "law.example.org")),
    Case("whitelist_respected", "the rule's host without its www.", _web("law.example.org", "www.law.example.org")),
    Case("whitelist_respected", "below a star", _web("www.legislation.gov.uk", "*.gov.uk")),
    Case(
        "whitelist_respected",
        "an address with capitals and a port",
        built_lake(sources=[source(url="http://Law.Example.org:8080?all")]),
    ),
    Case("whitelist_respected", "files need no rule", built_lake(sources=[file_source("f1")])),
    Case("whitelist_respected", "what is not read", _web("law.example.com", None, status="refused")),
    Case("documents_readable", "read, but not anew", built_lake(sources=[source(reason="could not be fetched anew")])),
    Case("excerpts_found", "a refused card", built_lake(evidence_cards=[card(excerpt="invented", status="refused")])),
    Case("host_share", "10 of 20", _cards(LAW, NOTES, s1=10, f1=10)),
    Case("host_share", "under 20 cards", _cards(LAW, NOTES, s1=19)),
    Case("host_share", "a single source", _cards(LAW, s1=20)),
    Case("host_share", "a single source that is read", _cards(LAW, NOTES | {"status": "unreadable"}, s1=20)),
    Case("host_share", "two files count apart", _cards(NOTES, MORE, ELSEWHERE, f1=10, f2=9, e1=1)),
    Case("verified_by_another_lab", "a dropped item", _verified(*OWN_LAB, status="dropped")),
    Case(
        "verified_by_another_lab",
        "another lab had the last word",
        _verified(OWN_LAB[0], OWN_LAB[1], verdict("k1", 2, "entailment", "globex")),
    ),
    Case(
        "verified_by_another_lab",
        "other passes of its own lab",
        _verified(OWN_LAB[0], verdict("k1", 1, "form", "acme")),
    ),
    Case("verified_by_another_lab", "a bank without verdicts", built_lake(verdicts=[])),
    Case("verified_by_another_lab", "another domain's item", _verified(*(row | {"domain": "a.b"} for row in OWN_LAB))),
    Case("golds_not_in_questions", "part of a word", _item(question="Who reconsiderations?", answer="consideration")),
    Case("golds_not_in_questions", "two digits", _item(question="Which of 42 and 43 is it?", answer="42")),
    Case("golds_not_in_questions", "a letter that is an option's", built_lake(items=[choice(question="A, B or C?")])),
    Case("golds_not_in_questions", "a retired item", _item(question=GIVEAWAY, status="retired")),
    Case("topics_balanced", "more than asked for", built_lake(items=[built("k1"), built("k2")])),
    Case("topics_balanced", "nothing asked for", built_lake(topic_balance=[balance(target=None)], items=[])),
    Case("answer_types_mixed", "16 of 20", _typed(number=16, name=4)),
    Case("answer_types_mixed", "under 20 items", _typed(number=19)),
    Case(
        "answer_types_mixed",
        "items that nobody built",
        FakeLake(items=[item(str(i), answer_type="name") for i in range(20)]),
    ),
    Case("items_sound", "built, and nobody was asked", _verified(*OWN_LAB, item_id="k2")),
    Case("items_sound", "imported, with its gold in the question", _item(question=GIVEAWAY)),
    Case("items_sound", "imported, with verdicts of one lab", _verified(*OWN_LAB, card_id=None)),
)


def _finding(case: Case) -> Finding:
    with case.lake.connect() as connection:
        return evaluate(RULES[case.rule], connection).findings[0]


@pytest.mark.parametrize("case", BREACHES, ids=lambda case: f"{case.rule}: {case.what}")
def test_rule_is_broken(case: Case) -> None:
    finding = _finding(case)
    assert (finding.passed, finding.failing, finding.error) == (False, case.failing, None)
    assert finding.severity is RULES[case.rule].severity


@pytest.mark.parametrize("case", HOLDS, ids=lambda case: f"{case.rule}: {case.what}")
def test_rule_is_not_broken(case: Case) -> None:
    finding = _finding(case)
    assert finding.passed, finding.error or finding.sample


def test_every_rule_has_a_lake_that_breaks_it() -> None:
    assert {case.rule for case in BREACHES} == set(RULES)


@pytest.mark.parametrize("lake", [built_lake(), EMPTY], ids=["sound", "empty"])
@pytest.mark.parametrize("rule", RULES)
def test_rule_holds(rule: str, lake: FakeLake) -> None:
    finding = _finding(Case(rule, "", lake))
    assert finding.passed, finding.error or finding.sample


def test_only_what_nothing_may_be_made_of_blocks() -> None:
    blocking = {rule.name: rule.severity for rule in RULES.values() if rule.blocking}
    assert blocking == dict.fromkeys(("whitelist_respected", "excerpts_found", "items_sound"), Severity.ERROR)


def test_a_short_topic_says_what_the_last_build_said() -> None:
    lake = built_lake(topic_balance=[balance(target=3, short=2, reason="no cards, no passage is left unread")])
    sample = _finding(Case("topics_balanced", "", lake)).sample
    assert sample.row(0) == ("omniscience.law", "Contract law", "3", "1", "no cards, no passage is left unread")


def test_an_altered_excerpt_names_card_source_and_fault() -> None:
    lake = built_lake(evidence_cards=[card(excerpt="It takes\neffect after 31 days.")])
    [row] = _finding(Case("excerpts_found", "", lake)).sample.rows(named=True)
    assert (row["card_id"], row["source_name"]) == ("k1", "https://law.example.org/s1")
    assert row["problem"] == "no section of its source holds the excerpt"


@pytest.mark.parametrize(
    ("question", "golds"),
    [
        ("Which year, 1848 or 1849?", ["1848"]),
        ("Which year was 1848-49?", ["1848–49"]),
        ("Wie heißt Zürich?", ["ZÜRICH"]),
        ("Wie heißt Zürichsee?", ["Zürich"]),
        ("Что такое Москва-река?", ["москва"]),
        ("東京はどこですか", ["東京"]),
        ("Is it C or C++?", ["C++"]),
        ("Which snake_case name?", ["snake"]),
        ("Is it the  Court of\nAppeal?", ["court of appeal"]),
        ("Is it π or pi?", ["π"]),
        ("Is it 1.21.3?", ["1.21"]),
        ("Is it (a)?", ["?!", "..."]),
        ("Is it x² or y?", ["x²"]),
        ("Is it cafe\u0301?", ["cafe"]),
    ],
)
def test_a_gold_in_its_question_is_what_the_pass_calls_one(question: str, golds: Sequence[str]) -> None:
    lake = built_lake(items=[built(question=question, answer=golds[0], aliases=list(golds[1:]))])
    assert _finding(Case("golds_not_in_questions", "", lake)).failing == gold_in_question(question, golds)


def test_asked_items_at_fault_say_why() -> None:
    lake = built_lake(
        items=[built("k1"), built("k2", question="Are 30 days the term?")],
        responses=[response("k1"), response("k2")],
        verdicts=list(OWN_LAB),
    )
    sample = _finding(Case("items_sound", "", lake)).sample
    assert dict(sample.select("item_id", "problem").iter_rows()) == {
        "k1": "built, and verified by the lab that drafted it",
        "k2": "built, and its question holds its gold",
    }
