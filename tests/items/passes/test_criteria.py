"""Each criterion of the passes' prompts is what finds its fault: without it the bad item gets through.

The scripted verifier answers by what it is asked, as a model does; so these tests show that the others would notice
a criterion that is lost from a prompt.
"""

import pytest

from assets.items.passes.draft import Verdict
from tests.support.catalogue import (
    CRANE,
    DREDGING,
    ENGINEER,
    FERRY,
    GUILDS,
    ISLAND,
    LAPSE,
    MASTER_UNDATED,
    MOLE,
    PAGE,
    PUBLISHER,
    QUAY,
    SECTION,
    TIDE,
    TOLL,
)
from tests.support.facts import Fact, draft_of
from tests.support.workshop import Workshop

FORMAT = """2. The question states the format in which the answer is wanted, so that two people who know it would write it alike: which parts of a name or date, which unit, how many digits, how a version or a section is written.
"""  # noqa: E501
SHORT = "; no sentence, no list, no explanation"
ELSEWHERE = (
    " What you know from elsewhere does not count: where the evidence does not state the answer, or states it for "
    "another year, version, place or thing than the question asks about, say that it is not stated."
)
CONTEXT = """- its year, version, edition, jurisdiction, unit or place is missing and the answer depends on it;
"""
COUNTING = """- the answer can be counted or measured in several ways, or authorities differ on it;
"""
DOCUMENT = (
    " It is about the document when it asks for or leans on who published it and when, its title, edition or "
    'identifier, its pages, chapters, tables, figures and exercises, "the example", "the author", "this text", or on '
    "how one document happens to word or number things."
)
PROVISIONS = """{% if provisions %}
In this field provisions of law and of standards are the subject: articles, sections and paragraphs with their numbers may be asked for and named.
{% endif %}
"""  # noqa: E501
MONTH = "the first month (YYYY-MM) in which somebody could have known the answer"
STABILITY = (
    '"changing" when a later event could make another answer right (who holds an office, what is the latest or the '
    "largest, a rate, a count, a rule in force)."
)
DATED = (
    "- A changing fact is fit only when the question carries the date as of which it is asked "
    '("as of March 2024"). Where it does not and the evidence gives that date, revise the question so that it does; '
    "where the evidence gives none, drop it.\n"
)
REWRITTEN, FAIL, PASS = Verdict.REWRITTEN, Verdict.FAIL, Verdict.PASS

CRITERIA = [
    ("form", FORMAT, MOLE, REWRITTEN, PASS),
    ("form", SHORT, ENGINEER, REWRITTEN, PASS),
    ("form", SHORT, GUILDS, FAIL, PASS),
    ("entailment", ELSEWHERE, DREDGING, FAIL, PASS),
    ("ambiguity", CONTEXT, LAPSE, REWRITTEN, PASS),
    ("ambiguity", CONTEXT, TOLL, REWRITTEN, PASS),
    ("ambiguity", COUNTING, ISLAND, FAIL, PASS),
    ("reliance", DOCUMENT, PUBLISHER, FAIL, PASS),
    ("reliance", DOCUMENT, PAGE, FAIL, PASS),
    ("reliance", DOCUMENT, TIDE, REWRITTEN, PASS),
    ("reliance", PROVISIONS, SECTION, PASS, FAIL),
    ("temporal", DATED, MASTER_UNDATED, REWRITTEN, FAIL),  # the rule in code is there all the same
    ("temporal", STABILITY, QUAY, PASS, FAIL),  # what nobody calls stable is taken for changing
]


def verdict(workshop: Workshop, name: str, fact: Fact) -> Verdict | None:
    workshop.domain["provisions"] = fact is SECTION
    workshop.write()
    workshop.author.facts = (fact,)
    return workshop.ruling(name, draft_of(fact)).verdict


@pytest.mark.parametrize(("name", "criterion", "fact", "found", "missed"), CRITERIA)
def test_a_criterion_finds_its_fault(
    workshop: Workshop, name: str, criterion: str, fact: Fact, found: Verdict, missed: Verdict
) -> None:
    assert verdict(workshop, name, fact) is found

    workshop.without_criterion(name, criterion)

    assert verdict(workshop, name, fact) is missed


def test_without_asking_for_the_month_there_is_none(workshop: Workshop) -> None:
    workshop.author.facts = (FERRY,)
    workshop.without_criterion("temporal", MONTH)

    assert workshop.ruling("temporal", draft_of(FERRY)).draft.answerable_from is None


def test_another_answer_in_the_evidence_is_found_by_the_grades_and_not_by_the_prompt(workshop: Workshop) -> None:
    workshop.without_criterion("entailment", ELSEWHERE)

    assert verdict(workshop, "entailment", CRANE) is FAIL
