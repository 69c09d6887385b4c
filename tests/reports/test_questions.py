"""Items on the page: which are listed as hard, easy or dividing, and what the item list is built from."""

from pathlib import Path
from typing import Any

from assets.reports.facts import Links, Rendering
from assets.reports.questions import ItemList, item_lists, items_data
from resources.types import Outcome
from tests.reports.banks import Said, SmallBank, facts_of

HARD, EASY, DIVIDED = range(3)


def lists_of(root: Path, count: int, **grades: str) -> list[ItemList]:
    """The lists of models by their grades, a letter an item."""
    bank = SmallBank()
    bank.add_many(count)
    for who, letters in grades.items():
        bank.say(who, letters)
    return lists_in(root, bank)


def lists_in(root: Path, bank: SmallBank) -> list[ItemList]:
    facts = facts_of(root, bank)
    return item_lists(facts.tallies, facts.items, Links(items_data(facts, Rendering.INTERNAL)))


def listed(found: ItemList) -> list[tuple[str, int, int, int]]:
    """Item, and how many models got it right, wrong, or neither."""
    return [(row.href.rsplit("=", 1)[1], row.correct, row.incorrect, row.others) for row in found.rows]


def test_the_hardest_are_right_for_the_fewest_and_wrong_before_missing(tmp_path: Path) -> None:
    hard = lists_of(tmp_path, 5, a="caiic", b="caicc", c="ciiac")[HARD]

    assert listed(hard) == [("law-02", 0, 3, 0), ("law-01", 0, 1, 2), ("law-03", 1, 1, 1)]


def test_what_every_model_gets_has_no_miss(tmp_path: Path) -> None:
    easy = lists_of(tmp_path, 4, a="ccci", b="ccac", c="cxcc")[EASY]

    assert listed(easy) == [("law-00", 3, 0, 0), ("law-01", 2, 0, 0)]


def test_models_disagree_where_some_are_right_and_some_wrong_the_most_even_first(tmp_path: Path) -> None:
    divided = lists_of(tmp_path, 5, a="cccac", b="ciiac", c="cicac", d="ciiic")[DIVIDED]

    assert listed(divided) == [("law-02", 2, 2, 0), ("law-01", 1, 3, 0)]


def test_baselines_say_nothing_about_an_item(tmp_path: Path) -> None:
    hard, easy, divided = lists_of(tmp_path, 2, a="cc", b="ci", guess="ii", abstain="aa")

    assert (listed(easy), listed(hard), listed(divided)) == (
        [("law-00", 2, 0, 0)],
        [("law-01", 1, 1, 0)],
        [("law-01", 1, 1, 0)],
    )


def test_answers_without_a_grade_count_for_nothing(tmp_path: Path) -> None:
    hard, easy, _ = lists_of(tmp_path, 3, a="ccx", b="ctx", c="cux")

    assert (listed(hard), listed(easy)) == ([], [("law-00", 3, 0, 0)])
    assert hard.reading == "There is no such item."


def test_ten_are_listed_and_the_rest_is_counted(tmp_path: Path) -> None:
    _, easy, _ = lists_of(tmp_path, 13, a="c" * 13, b="c" * 13)

    assert len(easy.rows) == 10
    assert easy.reading.endswith("The first 10 of 13.")


def test_of_one_model_what_it_gets_wrong_and_right(tmp_path: Path) -> None:
    wrong, right = lists_of(tmp_path, 4, a="ciap")

    assert (wrong.title, listed(wrong)) == ("What it gets wrong", [("law-01", 0, 1, 0)])
    assert (right.title, listed(right)) == ("What it gets right", [("law-00", 1, 0, 0)])


def test_the_baselines_alone_make_no_list(tmp_path: Path) -> None:
    assert lists_of(tmp_path, 3, abstain="aaa", guess="iii") == []


def test_of_several_samples_the_majority_counts(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add_many(2)
    for sample, grades in enumerate(("cc", "ci", "ii")):
        bank.say("a", grades, sample=sample)
        bank.say("b", "cc", sample=sample)

    hard, easy, divided = lists_in(tmp_path, bank)

    assert (listed(easy), listed(hard), listed(divided)) == (
        [("law-00", 2, 0, 0)],
        [("law-01", 1, 1, 0)],
        [("law-01", 1, 1, 0)],
    )


def test_partly_right_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    hard = lists_of(tmp_path, 2, a="pc", b="pc")[HARD]

    assert listed(hard) == [("law-00", 0, 0, 2)]


def test_two_models_that_answered_different_items_are_not_one_model(tmp_path: Path) -> None:
    found = lists_of(tmp_path, 4, a="ci--", b="--ci")

    assert [one.title for one in found if "it gets" in one.title] == []


def test_a_long_question_is_cut_in_the_lists(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("long", question="Which? " * 100)
    bank.say("a", "i")
    bank.say("b", "i")

    [row] = lists_in(tmp_path, bank)[HARD].rows

    assert 100 < len(row.question) <= 160 and row.question.endswith("…")


def data_of(root: Path, bank: SmallBank) -> dict[str, Any]:
    return items_data(facts_of(root, bank), Rendering.INTERNAL)


def answers_in(data: dict[str, Any], place: int = 0) -> list[tuple[str, str, str, str, int]]:
    """Model, grade, answer, reason and sample of an item's answers."""
    return [
        (data["models"][who], data["grades"][grade][1], text, data["reasons"][reason], sample)
        for who, grade, text, reason, sample in data["items"][place]["a"]
    ]


def test_each_answer_has_its_grade_and_the_reason(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("one")
    bank.answers = [
        Said("a", "one", text="Right.", reason="names the gold"),
        Said("b", "one", None, text="Odd.", reason="the judge gave no label"),
        Said("c", "one", None, outcome=Outcome.FAILED, finish_reason="503: overloaded"),
        Said("d", "one", None, outcome=Outcome.TRUNCATED, finish_reason="length"),
        Said("e", "one", "not_attempted", text="I don't know.", reason="abstains", sample=1),
    ]

    assert sorted(answers_in(data_of(tmp_path, bank))) == [
        ("a", "correct", "Right.", "names the gold", 0),
        ("b", "not graded", "Odd.", "the judge gave no label", 0),
        ("c", "failed", "", "503: overloaded", 0),
        ("d", "truncated", "", "length", 0),
        ("e", "not attempted", "I don't know.", "abstains", 1),
    ]


def test_an_answer_to_an_earlier_question_is_not_shown(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("one", question_version="q2")
    bank.add("two")
    bank.say("a", "cc")

    data = data_of(tmp_path, bank)

    assert (answers_in(data, 0), len(answers_in(data, 1))) == ([], 1)


def test_a_grade_against_an_earlier_gold_is_no_grade(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("one", answer_version="a2")
    bank.say("a", "c")

    [(_, grade, text, reason, _)] = answers_in(data_of(tmp_path, bank))

    assert (grade, text) == ("not graded", "An answer.")
    assert "gold" not in reason


def test_items_that_are_not_asked_are_not_listed(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("asked")
    bank.say("a", "c")
    bank.add("disputed", status="disputed")

    assert [item["i"] for item in data_of(tmp_path, bank)["items"]] == ["asked"]


def test_a_multiple_choice_item_has_its_options(tmp_path: Path) -> None:
    bank = SmallBank(spec={"title": "Exam", "format": "multiple_choice"})
    bank.add("one", options=["Ohm", "Volt"], answer="B")
    bank.say("a", "c", text="B")

    [item] = data_of(tmp_path, bank)["items"]

    assert (item["o"], item["g"]) == (["Ohm", "Volt"], "B")


def test_one_long_answer_is_cut(tmp_path: Path) -> None:
    bank = SmallBank()
    bank.add("one")
    bank.say("a", "c", text="word " * 1_000)

    [(_, _, text, _, _)] = answers_in(data_of(tmp_path, bank))

    assert 500 < len(text) <= 600 and text.endswith("…")


def test_of_a_file_of_this_machine_the_name_alone_is_shown(tmp_path: Path) -> None:
    bank = SmallBank()
    for source in ("/home/ann/tax/fees.pdf", "https://example.org/a/fees.html"):
        bank.add(f"i{len(source)}", source_url=source)
    bank.say("m", "cc")
    facts = facts_of(tmp_path, bank)

    shown = {item["s"] for item in items_data(facts, Rendering.SHAREABLE)["items"]}

    assert shown == {"fees.pdf", "https://example.org/a/fees.html"}
