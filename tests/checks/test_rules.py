"""Each rule holds on a sound lake and is broken by a lake made to break it."""

from dataclasses import dataclass

import duckdb
import pytest

from checks.grade_rules import GRADE_RULES
from checks.item_rules import ITEM_RULES
from checks.response_rules import RESPONSE_RULES
from checks.results import Finding, Severity
from checks.rules import Rule, evaluate
from checks.score_rules import SCORE_RULES
from tests.checks.lakes import EMPTY, FakeLake, choice, grade, item, partition, ranked, response, score

RULES = {rule.name: rule for rule in (*ITEM_RULES, *RESPONSE_RULES, *GRADE_RULES, *SCORE_RULES)}


@dataclass(frozen=True)
class Breach:
    """A lake that must break a rule, with the number of rows at fault."""

    rule: str
    what: str
    lake: FakeLake
    failing: int = 1


def _items(*rows: dict[str, object]) -> FakeLake:
    return FakeLake(items=[item("q1"), item("q2"), *rows])


def _rows(count: int, **changes: object) -> FakeLake:
    """One partition recorded with `changes` in its counts."""
    return FakeLake(partitions=[partition(items=count, asked=count, **changes)])


BREACHES = (
    Breach("answers_not_empty", "answer of space", _items(item("q3", answer="\u00a0 "))),
    Breach("answers_not_empty", "blank alias", _items(item("q3", aliases=["promise", " "]))),
    Breach("options_sound", "one option", _items(choice(options=["Volt"], answer="A"))),
    Breach("options_sound", "no options", _items(choice(options=None))),
    Breach("options_sound", "equal but for case and space", _items(choice(options=["Ohm", " ohm ", "Watt"]))),
    Breach("options_sound", "an empty option", _items(choice(options=["Ohm", "", "Watt"]))),
    Breach("options_sound", "a null option", _items(choice(options=["Ohm", None, "Watt"]))),
    Breach("options_sound", "letter past the options", _items(choice(answer="D"))),
    Breach("options_sound", "small letter", _items(choice(answer="b"))),
    Breach("options_sound", "text in place of the letter", _items(choice(answer="Volt"))),
    Breach("options_sound", "options on a short answer", _items(item("q3", options=["a", "b"]))),
    Breach("questions_distinct", "same but for case", _items(item("q3", question="what does  SECTION q1 name?")), 2),
    Breach("items_sound", "asked with a blank answer", FakeLake(items=[item("q1", answer=" "), item("q2")])),
    Breach("items_sound", "asked and stands twice", _items(item("q1"))),
    Breach("items_sound", "asked with equal options", FakeLake(items=[choice(item_id="q1", options=["x", "x"])])),
    Breach("answered_once", "the same sample twice", FakeLake(responses=[response(), response()])),
    Breach("questions_current", "edited since", FakeLake(items=[item("q1", question_version="asked-2"), item("q2")])),
    Breach("questions_current", "removed since", FakeLake(items=[item("q1")])),
    Breach(
        "questions_current",
        "of a model that is not retired, though another is",
        FakeLake(items=[item("q1")], leaderboard=[ranked(), ranked(model="old", retired=True)]),
    ),
    Breach("partitions_recorded", "record never written", FakeLake(partitions=[])),
    Breach("truncated_share", "3 of 100", _rows(100, answered=97, truncated=3)),
    Breach("failed_share", "3 of 100", _rows(100, answered=97, failed=3)),
    Breach("graded_or_reason", "answered without a row", FakeLake(grades=[grade("q1")])),
    Breach("graded_or_reason", "two rows", FakeLake(grades=[grade("q1"), grade("q1"), grade("q2")])),
    Breach(
        "graded_or_reason", "no grade, no reason", FakeLake(grades=[grade("q1"), grade("q2", grade=None, reason=" ")])
    ),
    Breach(
        "graded_or_reason",
        "a cut-off answer graded",
        FakeLake(responses=[response("q1"), response("q2", outcome="truncated", text=None)]),
    ),
    Breach("graded_or_reason", "a grade without response", FakeLake(responses=[response("q1")])),
    Breach(
        "graded_or_reason",
        "a grade of an earlier epoch",
        FakeLake(responses=[response("q1", epoch=1), response("q2")]),
        failing=2,
    ),
    Breach("counts_add_up", "a response lost", FakeLake(responses=[response("q1")]), failing=2),
    Breach("counts_add_up", "a grade lost", FakeLake(grades=[grade("q1"), grade("q2", grade=None)])),
    Breach("counts_add_up", "all rows lost", FakeLake(responses=[], grades=[]), failing=3),
    Breach("counts_add_up", "outcomes under asked", FakeLake(partitions=[partition(answered=1)]), failing=2),
    Breach("counts_add_up", "more asked than items", FakeLake(partitions=[partition(items=1)])),
    Breach(
        "counts_add_up",
        "a sample number too high",
        FakeLake(responses=[response("q1"), response("q2", sample=1)]),
    ),
    Breach("golds_current", "edited since", FakeLake(items=[item("q1", answer_version="gold-2"), item("q2")])),
    Breach("coverage", "half graded", FakeLake(partitions=[partition(graded=1, coverage=0.5, note="1 failed")])),
    Breach("judge_failures", "one of two", FakeLake(partitions=[partition(graded=1, coverage=0.5)])),
    Breach("unreadable_share", "6 of 100", _rows(100, answered=100, unreadable=6)),
    Breach("index_identity", "index off by one", FakeLake(scores=[score("all", "omniscience", index=1.0)])),
    Breach("index_identity", "no index", FakeLake(scores=[score("all", "omniscience", index=None)])),
    Breach("index_identity", "not a number", FakeLake(scores=[score("all", "omniscience", index=float("nan"))])),
    Breach(
        "index_identity",
        "a rate missing with misses",
        FakeLake(scores=[score("all", "omniscience", hallucination_rate=None)]),
    ),
    Breach("scores_add_up", "a grade lost", FakeLake(scores=[score("domain", "omniscience.law", incorrect=0)])),
    Breach(
        "scores_add_up", "a grade invented", FakeLake(grades=[grade("q1")], scores=[score("domain", "omniscience.law")])
    ),
    Breach(
        "scores_add_up",
        "topics over their domain",
        FakeLake(
            scores=[
                score("domain", "omniscience.law"),
                score("topic", "omniscience.law/Torts"),
                score("topic", "omniscience.law/Trusts/Estates"),
            ]
        ),
    ),
    Breach(
        "scores_add_up",
        "bank under its domains",
        FakeLake(scores=[score("all", "omniscience", correct=0), score("domain", "omniscience.law")]),
    ),
)


def _finding(rule: Rule, lake: FakeLake) -> Finding:
    with lake.connect() as connection:
        return evaluate(rule, connection).findings[0]


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: f"{breach.rule}: {breach.what}")
def test_rule_is_broken(breach: Breach) -> None:
    finding = _finding(RULES[breach.rule], breach.lake)
    assert (finding.passed, finding.failing, finding.error) == (False, breach.failing, None)
    assert finding.severity is RULES[breach.rule].severity
    assert finding.sample.height == breach.failing


def test_every_rule_has_a_lake_that_breaks_it() -> None:
    assert {breach.rule for breach in BREACHES} == set(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_rule_holds_on_a_sound_lake(rule: Rule) -> None:
    with FakeLake().connect() as connection:
        findings = evaluate(rule, connection)
    assert findings.passed, findings.failed[0].sample
    assert findings.rows > 0


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_rule_holds_on_an_empty_lake(rule: Rule) -> None:
    with EMPTY.connect() as connection:
        findings = evaluate(rule, connection)
    assert (findings.passed, findings.rows) == (True, 0)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_a_missing_table_is_an_error_even_for_a_warning(rule: Rule) -> None:
    items = responses = grades = partitions = scores = FakeLake().read("scores")  # DuckDB reads frames by their name
    with duckdb.connect() as connection:
        finding = evaluate(rule, connection).findings[0]
    assert (finding.passed, finding.severity) == (False, Severity.ERROR)
    assert finding.error is not None and finding.error.startswith("could not be evaluated")
    del items, responses, grades, partitions, scores


HOLDS = (
    Breach("answers_not_empty", "a dropped item may be blank", _items(item("q3", answer=" ", status="dropped"))),
    Breach("options_sound", "sound options", _items(choice())),
    Breach("options_sound", "a retired item is not asked", _items(choice(options=["x", "x"], status="retired"))),
    Breach(
        "questions_distinct",
        "other options ask something else",
        _items(choice(), choice(item_id="c2", options=["a", "b"])),
    ),
    Breach("questions_distinct", "another bank", _items(item("q1", bank="mine", domain="mine.law"))),
    Breach("questions_distinct", "only one is active", _items(item("q1", status="retired"))),
    Breach("items_sound", "a broken item that nobody was asked", _items(item("q3", answer=" "))),
    Breach(
        "questions_current",
        "what a retired model was asked stays",
        FakeLake(items=[item("q1"), item("q2", question_version="asked-2")], leaderboard=[ranked(retired=True)]),
    ),
    Breach(
        "questions_current",
        "a domain that is retired is not asked",
        FakeLake(items=[item("q1", status="retired"), item("q2", question_version="asked-2", status="retired")]),
    ),
    Breach("answered_once", "two samples", FakeLake(responses=[response(), response(sample=1)])),
    Breach("truncated_share", "2 of 100", _rows(100, answered=98, truncated=2)),
    Breach("failed_share", "2 of 100", _rows(100, answered=98, failed=2)),
    Breach("unreadable_share", "5 of 100", _rows(100, answered=100, unreadable=5)),
    Breach(
        "graded_or_reason",
        "ungraded with a reason",
        FakeLake(grades=[grade("q1"), grade("q2", grade=None, reason="judge failed")]),
    ),
    Breach("graded_or_reason", "a partition not yet recorded", FakeLake(grades=[], partitions=[])),
    Breach(
        "counts_add_up",
        "less asked than items",
        FakeLake(responses=[response()], grades=[grade()], partitions=[partition(asked=1, answered=1, graded=1)]),
    ),
    Breach(
        "index_identity", "another penalty", FakeLake(scores=[score("all", "omniscience", index=25.0, penalty=0.5)])
    ),
    Breach(
        "index_identity",
        "all correct, rate undefined",
        FakeLake(scores=[score("all", "omniscience", index=100.0, accuracy=1.0, hallucination_rate=None)]),
    ),
    Breach(
        "index_identity",
        "nothing graded",
        FakeLake(scores=[score("all", "omniscience", index=None, accuracy=None, hallucination_rate=None)]),
    ),
    Breach(
        "scores_add_up",
        "a grade against an earlier gold does not count",
        FakeLake(
            items=[item("q1"), item("q2", answer_version="gold-2")],
            scores=[score("domain", "omniscience.law", incorrect=0)],
        ),
    ),
    Breach(
        "scores_add_up",
        "a grade beyond its own partition's samples does not count, however many another model has",
        FakeLake(
            responses=[response("q1"), response("q2"), response("q2", sample=1)],
            grades=[grade("q1"), grade("q2", grade="incorrect"), grade("q2", sample=1)],
            partitions=[partition(), partition(model="large", samples=3)],
            scores=[score("domain", "omniscience.law")],
        ),
    ),
    Breach(
        "scores_add_up",
        "a domain without its record has as many samples as the model's other partitions",
        FakeLake(
            responses=[response("q1"), response("q2"), response("q2", sample=1), response("q2", sample=2)],
            grades=[grade("q1"), *(grade("q2", sample=sample, grade="incorrect") for sample in range(3))],
            partitions=[partition(domain="omniscience.health", samples=2), partition(model="large", samples=3)],
            scores=[score("domain", "omniscience.law", incorrect=2)],
        ),
    ),
    Breach(
        "scores_add_up",
        "methods are counted apart",
        FakeLake(
            grades=[grade("q1"), grade("q2", method="judge", judge="large")],
            scores=[
                score("domain", "omniscience.law", incorrect=0),
                score("domain", "omniscience.law", correct=0, method="judge", judge="large"),
            ],
        ),
    ),
)


@pytest.mark.parametrize("case", HOLDS, ids=lambda case: f"{case.rule}: {case.what}")
def test_rule_is_not_broken(case: Breach) -> None:
    finding = _finding(RULES[case.rule], case.lake)
    assert finding.passed, finding.sample


def test_only_errors_block() -> None:
    assert {rule.name for rule in RULES.values() if rule.blocking} == {
        "items_sound",
        "answered_once",
        "graded_or_reason",
        "counts_add_up",
        "index_identity",
        "scores_add_up",
    }
    assert all(rule.severity is Severity.ERROR for rule in RULES.values() if rule.blocking)


def test_sample_shows_twenty_rows_and_counts_all() -> None:
    lake = FakeLake(items=[item(f"q{number}", answer="") for number in range(50)])
    finding = _finding(RULES["answers_not_empty"], lake)
    assert (finding.failing, finding.sample.height) == (50, 20)


def test_sample_names_the_rows_and_the_fault() -> None:
    lake = FakeLake(items=[choice(answer="D")])
    finding = _finding(RULES["options_sound"], lake)
    assert finding.sample.row(0) == (
        "omniscience.law",
        "c1",
        "the answer is not the letter of an option",
        "D",
        "[Ohm, Volt, Watt]",
    )


def test_long_text_is_cut_in_the_sample() -> None:
    lake = _items(item("q1", question="x" * 1_000_000), item("q2", question="x" * 1_000_000))
    finding = _finding(RULES["questions_distinct"], lake)
    assert len(finding.sample["question"][0]) == 60


def test_judge_failures_name_the_commonest_reason() -> None:
    lake = FakeLake(
        grades=[
            grade("q1", grade=None, reason="judge answered 400"),
            grade("q2", grade=None, reason="judge answered 400"),
        ],
        partitions=[partition(graded=0, coverage=0.0)],
    )
    finding = _finding(RULES["judge_failures"], lake)
    assert finding.sample.select("ungraded", "share", "commonest_reason").row(0) == ("2", "1.0", "judge answered 400")
