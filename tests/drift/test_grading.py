"""How the answers of a night are graded: as in a sweep, by judge, match or letter."""

import pytest

from tests.drift.conftest import ITEMS, Provider, Watch
from tests.support.replies import Reply, server_error
from tests.support.scripted_server import ScriptedServer


@pytest.fixture
def judged(nights: Watch, server: ScriptedServer) -> Watch:
    world = nights.world
    world.models.append(world.model("judge", server.url, banks=[], retries={"attempts": 1, "seconds": 1}))
    world.bank |= {"roles": {"judge": "judge"}}
    world.write()
    world.sweep(models=("m",))
    return nights


def verdicts(server: ScriptedServer) -> int:
    return sum(times for (model, _), times in server.asked.items() if model == "judge")


def test_a_verdict_on_the_same_words_is_not_bought_again(judged: Watch, server: ScriptedServer) -> None:
    before = verdicts(server)

    judged.run(3)

    assert verdicts(server) == before
    assert set(judged.world.table("drift_answers")["grade"]) == {"correct"}


def test_a_verdict_on_new_words_is_bought_and_its_cost_is_the_nights(judged: Watch, provider: Provider) -> None:
    judged.run()
    plain = judged.row()["cost_usd"]
    provider.answer = lambda message: "41"
    provider.verdict = Reply(text="B")

    judged.run()

    answers = judged.world.table("drift_answers").filter(night=judged.date)
    assert set(answers["grade"]) == {"incorrect"}
    assert judged.row()["cost_usd"] > plain


def test_a_reply_that_is_no_label_is_asked_for_once_more(
    judged: Watch, provider: Provider, server: ScriptedServer
) -> None:
    before = verdicts(server)
    provider.answer, provider.verdict = lambda message: "41", Reply(text="Wrong, I would say")

    judged.run()

    assert verdicts(server) == before + 2 * ITEMS
    assert judged.row()["state"] == "nothing"


def test_where_the_judge_fails_there_is_no_grade_and_no_change(judged: Watch, provider: Provider) -> None:
    provider.answer, provider.verdict = lambda message: "41", server_error()

    judged.run()

    answers = judged.world.table("drift_answers")
    assert (answers["grade"].null_count(), set(answers["outcome"])) == (ITEMS, {"answered"})
    assert judged.row()["state"] == "nothing"
    assert "no verdict" in judged.row()["note"]


def test_multiple_choice_is_graded_by_the_letter(nights: Watch, provider: Provider) -> None:
    world = nights.world
    world.bank = {"title": "Sums", "format": "multiple_choice"}
    world.items = [item | {"options": ["41", "42", "43"], "answer": "B"} for item in world.items]
    world.write()
    provider.answer = lambda message: "B"
    world.sweep()

    nights.run()

    assert set(world.table("drift_answers")["grade"]) == {"correct"}


def test_a_withheld_answer_is_a_change_like_a_grade(nights: Watch, provider: Provider, server: ScriptedServer) -> None:
    nights.run(7)
    server.script = lambda request: Reply(text="", finish_reason="content_filter", served_model=provider.served_model)

    nights.run()

    assert (nights.row()["state"], nights.row()["changed_grades"]) == ("alarmed", ITEMS)
