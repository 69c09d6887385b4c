"""`match` beside people: human labels of five systems' answers, and a four-way graded set. Skips without the data."""

import csv
import json
import re
import unicodedata

import pytest

from resources.types import Grade
from tests.grades.grading import CORRECT, INCORRECT, NOT_ATTEMPTED, grade
from tests.support.needs import shared_data

LABELLED = "graded/evouna_TQ.json"
FINANCE = "graded/aa_omniscience_finance100_claude_sonnet_graded.csv"
FINANCE_QUESTIONS = "questions/aa_omniscience_public_finance100.csv"
SIMPLEQA = "questions/simpleqa_test_set.csv"


def folded(text: str) -> str:
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(mark))
    words = re.sub(r"\b(?:a|an|the)\b", " ", re.sub(r"[^\w\s]", " ", plain)).split()
    return f" {' '.join(words)} "


@pytest.mark.parametrize("system", ["fid", "gpt35", "chatgpt", "gpt4", "newbing"])
def test_it_agrees_with_people_as_containment_does_and_praises_no_more_wrong_answers(system: str):
    rows = [row for row in json.loads(shared_data(LABELLED).read_text(encoding="utf-8")) if not row["improper"]]
    agreed = contained = false_positives = contained_wrongly = 0
    for row in rows:
        golds = [gold for gold in row["golden_answer"].split("/") if gold.strip()]
        answer, human = row[f"answer_{system}"], row[f"judge_{system}"]
        ours = grade(row["question"], golds[0], answer, *golds[1:]) is CORRECT
        plain = any(folded(gold) in folded(answer) for gold in golds if folded(gold).strip())
        agreed += ours == human
        contained += plain == human
        false_positives += ours and not human
        contained_wrongly += plain and not human

    assert 100 * (contained - agreed) / len(rows) <= 0.5
    assert false_positives <= contained_wrongly


def test_on_the_four_way_graded_set_it_praises_nothing_wrong_and_finds_every_abstention():
    with shared_data(FINANCE_QUESTIONS).open(encoding="utf-8", newline="") as file:
        questions = {row["question_id"]: row["question"] for row in csv.DictReader(file)}
    with shared_data(FINANCE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = [(row["grade"], grade(questions[row["question_id"]], row["gold"], row["model_response"])) for row in rows]

    def count(theirs: str, ours: Grade) -> int:
        return pairs.count((theirs, ours))

    assert (count("INCORRECT", CORRECT), count("PARTIALLY_CORRECT", CORRECT)) == (0, 0)
    assert count("NOT_ATTEMPTED", NOT_ATTEMPTED) == 12
    assert count("INCORRECT", INCORRECT) == 47
    assert count("CORRECT", CORRECT) >= 27


@pytest.mark.parametrize("form", ["{}", "The answer is {}."])
def test_a_gold_is_a_right_answer_to_its_own_question(form: str):
    with shared_data(SIMPLEQA).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[::8]

    wrong = [
        row["answer"] for row in rows if grade(row["problem"], row["answer"], form.format(row["answer"])) is not CORRECT
    ]

    assert wrong == []
