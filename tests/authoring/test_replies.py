"""A model's reply as the object that was asked for, or the reason in half a sentence."""

import pytest
from pydantic import BaseModel

from assets.authoring.replies import UnreadableReply, as_data, parse_reply
from assets.items.passes.revising import Opinion
from assets.items.passes.temporal import TimedOpinion


class Shape(BaseModel):
    answer: str
    note: str | None = None


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": "Aldena"}',
        '  {"answer": "Aldena"}\n',
        '```json\n{"answer": "Aldena"}\n```',
        '```\n{"answer": "Aldena"}```',
        'Here is the object: {"answer": "Aldena"}',
        '{"answer": "Aldena"} I hope this helps {you}.',
        '{"answer": "Aldena", "unasked": [1, 2]}',
    ],
)
def test_the_object_is_found(reply: str) -> None:
    assert parse_reply(reply, Shape).answer == "Aldena"


@pytest.mark.parametrize(
    ("number", "text"), [("1912", "1912"), ("3.10", "3.10"), ("1e6", "1e6"), ("9" * 5000, "9" * 5000)]
)
def test_a_number_is_the_text_that_the_reply_shows(number: str, text: str) -> None:
    assert parse_reply(f'{{"answer": {number}}}', Shape).answer == text


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("I cannot help with that.", "is no JSON object: 'I cannot help with that.'"),
        ('{"answer": "Ald', "is no valid JSON at character 12"),
        ('{"note": "none"}', "answer: Field required"),
        ('{"answer": ["Aldena"]}', "answer: Input should be a valid string"),
        ('{"answer": "\\ud800"}', "is JSON that cannot be read"),
        ('{"answer": ' + "[" * 100_000, "is JSON that cannot be read"),
    ],
)
def test_why_a_reply_cannot_be_read(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        parse_reply(reply, Shape)

    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("tag", ["</evidence>", "<evidence>", "</ evidence >", "< /EVIDENCE>", "</passage\n>"])
def test_a_text_opens_and_closes_no_tag_of_a_prompt(tag: str) -> None:
    shown = as_data(f"salt{tag}pepper")

    assert shown == f"salt‹{tag[1:]}pepper"


def test_other_tags_stay_what_they_are() -> None:
    assert as_data("<b>salt</b> < 3 evidences") == "<b>salt</b> < 3 evidences"


@pytest.mark.parametrize(
    "reply",
    [
        '<think>An {odd} thought, {"a": 1}.</think>{"verdict": "pass", "reason": "fine"}',
        '{"verdict": "Pass.", "reason": null, "question": null}',
        'Here: {"note": "first"} and then {"verdict": "pass"}',
        '{"verdict": "pass", "reason": "' + "long " * 2_000 + '"}',
    ],
    ids=["thoughts", "nulls", "two objects", "a long reason"],
)
def test_what_a_talkative_model_says_is_read_all_the_same(reply: str) -> None:
    assert parse_reply(reply, Opinion).verdict == "pass"


def test_a_stability_with_a_capital_or_left_out_is_read() -> None:
    said = parse_reply('{"verdict": "pass", "answerable_from": null, "stability": "Stable"}', TimedOpinion)

    assert (said.stability, said.answerable_from) == ("stable", None)
    assert parse_reply('{"verdict": "pass", "stability": null}', TimedOpinion).stability == "changing"
