"""Nights of the watch over a scripted provider: what is an alarm, and what is none."""

import json

import pytest

from tests.drift.conftest import ITEMS, Provider, Watch
from tests.support.replies import Reply, quota_exhausted, rate_limited
from tests.support.scripted_server import ScriptedServer
from tests.support.world import BANK

BASELINE = 7


def on_sums_from(*first: int):
    """A wrong answer to these sums."""
    return lambda message: "41" if any(f"What is {number} plus" in message for number in first) else None


def test_the_first_nights_are_learnt(nights: Watch) -> None:
    nights.run(3)

    assert [row["state"] for row in nights.rows()] == ["learning"] * 3
    assert [row["baseline_nights"] for row in nights.rows()] == [1, 2, 3]


def test_a_model_that_repeats_itself_never_alarms(nights: Watch) -> None:
    nights.run(BASELINE + 14)

    rows = nights.rows()
    assert [row["state"] for row in rows[BASELINE:]] == ["watching"] * 14
    assert not any(row["alarm"] for row in rows)
    assert (rows[-1]["compared"], rows[-1]["p_night"], rows[-1]["grade_rate"]) == (ITEMS, 1.0, 0.0)


def test_three_changed_items_of_a_steady_model_alarm_the_same_night(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE + 1)
    provider.answer = on_sums_from(*nights.sample[:3])

    nights.run()

    row = nights.row()
    assert (row["state"], row["changed_grades"], row["changed_texts"]) == ("alarmed", 3, 3)
    assert row["p_night"] == pytest.approx(8.0**-3)
    assert (
        "3 of 24 grades" in row["alarm_reason"]
        and "accuracy 88%, in the baseline of 7 nights 100%" in row["alarm_reason"]
    )


def test_one_changed_item_of_a_steady_model_alarms_within_a_week(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE)
    provider.answer = on_sums_from(nights.sample[0])

    nights.run(7)

    assert [row["state"] for row in nights.rows()[BASELINE:]] == ["watching"] * 5 + ["alarmed"] * 2


def test_a_swap_for_an_equally_good_model_in_other_words_alarms(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE)
    provider.answer = lambda message: "42."

    nights.run()

    row = nights.row()
    assert (row["state"], row["changed_grades"], row["changed_texts"]) == ("alarmed", 0, ITEMS)


def test_the_alarm_stands_while_the_change_does(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE)
    provider.answer = on_sums_from(*nights.sample[:12])

    nights.run(10)

    assert [row["state"] for row in nights.rows()[BASELINE:]] == ["alarmed"] * 10


@pytest.mark.parametrize("learnt", [1, BASELINE + 1])
def test_another_served_name_alarms_at_once(nights: Watch, provider: Provider, learnt: int) -> None:
    nights.run(learnt)
    provider.served_model = "m-2020-06"

    nights.run()

    row = nights.row()
    assert (row["state"], row["changed_texts"]) == ("alarmed", 0 if learnt > BASELINE else None)
    assert row["alarm_reason"] == "served as m-2020-06; the baseline was served as m-2020-01"


def test_an_edited_prompt_starts_anew(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE + 1)
    provider.answer = lambda message: "41" if "Pray tell" in message else None
    prompts = nights.world.root / "banks" / BANK / "prompts"
    prompts.mkdir()
    (prompts / "answer.md").write_text("Pray tell: {{ question }}\n")

    nights.run()

    assert (nights.row()["state"], nights.row()["baseline_nights"]) == ("learning", 1)


def test_asking_anew_ends_the_alarm_with_a_new_baseline(nights: Watch, provider: Provider) -> None:
    nights.run(BASELINE)
    provider.answer, provider.served_model = on_sums_from(*nights.sample[:12]), "m-2020-06"
    nights.run()
    assert nights.row()["state"] == "alarmed"

    nights.world.sweep(again=True, models=("m",))
    nights.run(BASELINE + 1)

    states = [row["state"] for row in nights.rows()[BASELINE + 1 :]]
    assert states == ["learning"] * BASELINE + ["watching"]


def test_an_edited_item_is_learnt_alone(nights: Watch) -> None:
    nights.run(BASELINE + 1)
    first = nights.sample[0]
    nights.world.items[first]["question"] += " Only the number."
    nights.world.write()
    nights.world.sweep()

    nights.run()

    assert (nights.row()["state"], nights.row()["items"], nights.row()["compared"]) == ("watching", ITEMS, ITEMS - 1)


@pytest.mark.parametrize("fault", [rate_limited(), quota_exhausted()], ids=["429", "quota"])
def test_a_failed_night_is_nothing_and_no_change(nights: Watch, provider: Provider, fault: Reply) -> None:
    nights.world.models[0]["retries"] = {"attempts": 1, "seconds": 1}
    nights.world.write()
    nights.run(3)
    provider.fault = fault
    nights.run()
    provider.fault = None

    nights.run(BASELINE - 3 + 1)

    failed = nights.rows()[3]
    assert (failed["state"], failed["alarm"], failed["answered"]) == ("nothing", False, 0)
    assert failed["note"].startswith("24 of 24 came to nothing")
    assert (nights.row()["state"], nights.row()["baseline_nights"]) == ("watching", BASELINE)


def test_a_new_backend_is_told_and_no_alarm(nights: Watch, server: ScriptedServer) -> None:
    server.script = lambda request: backend("fp_1")
    nights.run(2)
    server.script = lambda request: backend("fp_2")

    nights.run()

    assert (nights.row()["alarm"], nights.row()["note"]) == (False, "new backend: fp_2")


def test_a_new_backend_is_part_of_what_changed(nights: Watch, server: ScriptedServer) -> None:
    server.script = lambda request: backend("fp_1")
    nights.run(BASELINE)
    server.script = lambda request: backend("fp_2", "41")

    nights.run()

    assert nights.row()["alarm_reason"].endswith("; new backend: fp_2")
    assert nights.row()["note"] is None


def backend(fingerprint: str, answer: str = "42") -> Reply:
    """An answer as OpenAI sends it, with its system_fingerprint."""
    message = {"role": "assistant", "content": answer}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "system_fingerprint": fingerprint,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
    }
    return Reply(body=json.dumps(body).encode())
