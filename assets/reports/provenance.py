"""Where a built item comes from, as text: its source, its card, what each pass decided and what people did."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from assets.reports.facts import moment
from resources.warehouse import Lake

Row = Mapping[str, Any]

SOURCE_COLUMNS = (
    "source_id",
    "name",
    "url",
    "title",
    "tier",
    "published",
    "published_precision",
    "published_basis",
    "published_origin",
)
_LENGTH = {"year": 4, "month": 7, "day": 10}
_BASIS = {
    "stated": "as the domain file states",
    "metadata": "as the document declares",
    "last_modified": "as its server says",
    "url": "as its address says",
    "host": "as its host's entry states",
}


def published(source: Row) -> str:
    """When a source was published and who says so, such as `2024-05, as its address says (2024/05)`."""
    if source["published"] is None:
        return "on an unknown date"
    day = source["published"].isoformat()[: _LENGTH[source["published_precision"] or "day"]]
    origin = f" ({source['published_origin']})" if source["published_origin"] else ""
    return f"{day}, {_BASIS.get(source['published_basis'], 'on an unknown basis')}{origin}"


def decided_by(verdict: Row) -> str:
    """Who decided in a pass and at what cost."""
    if verdict["model"] is None:
        return "a rule"
    cost = "price unknown" if verdict["cost_usd"] is None else f"${verdict['cost_usd']:.6f}"
    return f"{verdict['model']}, {cost}"


def built_item(lake: Lake, item_id: str) -> Iterator[tuple[Row, str]]:
    """Items of this id that went through a build and stand in no items file, each with its card's topic.

    That is a draft which a pass dropped before it was a line: the last words that it had are in its verdicts.
    """
    verdicts = lake.read("verdicts").filter(pl.col("item_id") == item_id).sort("domain", "step")
    cards = lake.read("evidence_cards", ["domain", "card_id", "topic"]).filter(pl.col("card_id") == item_id)
    topics = dict(cards.select("domain", "topic").iter_rows())
    for rows in verdicts.partition_by("domain", maintain_order=True):
        yield rows.row(-1, named=True), topics.get(rows["domain"][0], "unknown topic")


def provenance_lines(lake: Lake, domain: str, item_id: str, card_id: str | None) -> Iterator[str]:
    """Source, card, verdicts and reviews of an item, as far as they are recorded."""
    cards = lake.read("evidence_cards", domain=domain).filter(pl.col("card_id") == (card_id or item_id))
    for card in cards.iter_rows(named=True):
        yield from _source_lines(lake, domain, card)
        yield f"card       {card['excerpt']}"
        yield f"section    {card['section'] or 'none'}"
        yield f"fact       {card['fact']}"
    mine = pl.col("item_id") == item_id
    for verdict in lake.read("verdicts", domain=domain).filter(mine).sort("step").iter_rows(named=True):
        yield f"pass       {verdict['step']} {verdict['pass']}: {verdict['verdict']} by {decided_by(verdict)}"
        yield f"           {verdict['reason']}"
        if verdict["verdict"] == "rewritten":
            yield from _change_lines(verdict)
    for review in lake.read("reviews", domain=domain).filter(mine).sort("decided_at").iter_rows(named=True):
        who = review["reviewer"] or "somebody"
        yield f"review     {review['decision']} by {who}, {moment(review['decided_at'])}"
        if review["note"]:
            yield f"           {review['note']}"
        yield from _change_lines(review)


def _source_lines(lake: Lake, domain: str, card: Row) -> Iterator[str]:
    sources = lake.read("sources", SOURCE_COLUMNS, domain=domain).filter(pl.col("source_id") == card["source_id"])
    if sources.is_empty():
        yield f"document   {card['source_name']} (no longer among the domain's sources)"
    for source in sources.iter_rows(named=True):
        title = f" ({source['title']})" if source["title"] else ""
        yield f"document   {source['name']}{title}"
        if source["url"] and source["url"] != source["name"]:
            yield f"           found at {source['url']}"
        yield f"           tier {source['tier']}, published {published(source)}"


def _change_lines(row: Row) -> Iterator[str]:
    """The question and the gold before and after, where these differ."""
    for name in ("question", "answer"):
        before, after = row[f"{name}_before"], row[f"{name}_after"]
        if after and after != before:
            yield f"           {name} was  {before}"
            yield f"           {name} now  {after}"
