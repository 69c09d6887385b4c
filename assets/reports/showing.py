"""One item as text: what was asked, what is right, what each model said, and why it was graded so.

Where it comes from and how it was built is `provenance.py`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from assets.reports.provenance import built_item, provenance_lines
from resources.installation import Installation
from resources.types import ConfigurationError


def show_item(installation: Installation, item_id: str, model: str | None) -> Iterator[str]:
    """Lines for a person.

    Args:
        item_id: an item's id; the same id in several domains shows them all.
        model: only this one, with the requests and replies whole.

    Raises:
        ConfigurationError: when no recorded item has this id, or the model has no answer to it.
    """
    lake = installation.lake
    found = lake.read("items").filter(pl.col("item_id") == item_id)
    drafts = [each for each in built_item(lake, item_id) if each[0]["domain"] not in found["domain"].to_list()]
    for last, topic in drafts:
        yield from _draft_lines(last, topic)
        yield from map(_visible, provenance_lines(lake, last["domain"], item_id, None))
    if found.is_empty() and not drafts:
        raise ConfigurationError(f"no item is called {item_id!r}; `factsweep export items` lists them after a sweep")
    for item in found.iter_rows(named=True):
        yield from _item_lines(item)
        yield from map(_visible, provenance_lines(lake, item["domain"], item_id, item["card_id"]))
        mine = (pl.col("domain") == item["domain"]) & (pl.col("item_id") == item_id)
        responses = lake.read("responses").filter(mine)
        if model is not None:
            responses = responses.filter(pl.col("model") == model)
            if responses.is_empty():
                raise ConfigurationError(f"{model!r} has no recorded answer to {item_id}; `factsweep status` says why")
        grades = lake.read("grades").filter(mine)
        graded = {(row["model"], row["sample"]): row for row in grades.iter_rows(named=True)}
        for response in responses.sort("model", "sample").iter_rows(named=True):
            yield ""
            grade = graded.get((response["model"], response["sample"]))
            yield from _response_lines(installation, response, grade, whole=model is not None)


def _item_lines(item: dict) -> Iterator[str]:
    yield f"{item['item_id']}   {item['domain']} / {item['topic']}   {item['status']}, {item['split']}"
    yield f"question   {_visible(item['question'])}"
    for place, option in enumerate(item["options"] or []):
        yield f"       {chr(ord('A') + place)}   {_visible(option)}"
    yield f"gold       {_visible(item['answer'])}"
    if item["aliases"]:
        yield f"also right {_visible('; '.join(item['aliases']))}"
    yield f"source     {_visible(item['source_url'] or 'none given')}"
    if item["answerable_from"]:
        yield f"since      {item['answerable_from']}"


def _draft_lines(last: Mapping[str, Any], topic: str) -> Iterator[str]:
    """A draft that is no item, by its last verdict."""
    state = f"dropped by {last['pass']}" if last["verdict"] == "fail" else "not in the items that were swept last"
    yield f"{last['item_id']}   {last['domain']} / {_visible(topic)}   {state}"
    yield f"question   {_visible(last['question_after'] or last['question_before'] or 'none was drafted')}"
    yield f"gold       {_visible(last['answer_after'] or last['answer_before'] or 'none was drafted')}"


def _response_lines(installation: Installation, response: dict, grade: dict | None, *, whole: bool) -> Iterator[str]:
    cost = "price unknown" if response["cost_usd"] is None else f"${response['cost_usd']:.6f}"
    sample = f", sample {response['sample']}" if response["sample"] else ""
    epoch = f", epoch {response['epoch']}" if response["epoch"] else ""
    tokens = f"{response['output_tokens'] or 0} tokens"
    yield f"── {response['model']}{sample}{epoch}: {response['outcome']}, {tokens}, {cost}"
    if response["outcome"] == "failed":
        yield f"failed     {_visible(response['finish_reason'] or 'no reason given')}"
    else:
        yield f"answer     {_visible(response['text'] or '')}"
    if grade is not None:
        judge = f" {grade['judge']}" if grade["judge"] else ""
        yield f"grade      {grade['grade'] or 'none'} by {grade['method']}{judge}: {_visible(grade['reason'])}"
    if whole:
        yield from _exchange_lines(installation, "call", response["call_id"])
        if grade is not None:
            yield from _exchange_lines(installation, "judge", grade["judge_call_id"])


def _exchange_lines(installation: Installation, name: str, call_id: str | None) -> Iterator[str]:
    """The request and the reply as they are in the ledger."""
    if call_id is None:
        return
    exchange = installation.ledger.exchange(call_id)
    yield f"{name}       {call_id}"
    if exchange is None:
        yield "           not in this ledger"
        return
    request, reply = exchange
    sent = json.loads(request)
    for message in sent["messages"]:
        yield f"  asked as {message['role']}:"
        yield from (f"    {_visible(line)}" for line in message["content"].splitlines())
    yield f"  parameters {json.dumps(sent['params'], ensure_ascii=False)}"
    yield f"  reply    {_visible(reply or 'none')}"


def _visible(text: str) -> str:
    """Control and direction characters as escapes: text from elsewhere must not steer a terminal."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\u{ord(char):04x}" for char in text)
