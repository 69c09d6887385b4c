"""Balance: how many items each topic wanted and has, and why some are missing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assets.evidence_cards.card import Card
from assets.items.building import Built
from assets.items.standing_lines import Standing
from checks.bank_contracts import TOPIC_BALANCE

_NAMED = {
    "draft": "made no question",
    "form": "had no short exact answer",
    "entailment": "not stated by their card",
    "ambiguity": "ambiguous",
    "reliance": "about a document",
    "temporal": "bound to change",
    "similarity": "duplicates",
    "difficulty": "known to all of the panel",
}


def items_balance(
    balance: pl.DataFrame, cards: Sequence[Card], standing: Standing, built: Built, nobody: str | None = None
) -> pl.DataFrame:
    """`balance` with what became of the items.

    Args:
        nobody: why nobody could draft, where that is so.
    """
    rows = [row | _items(row, cards, standing, built) for row in balance.iter_rows(named=True)]
    if nobody is not None:
        rows = [row | {"reason": f"nobody drafts: {nobody}"} if row["short"] else row for row in rows]
    return TOPIC_BALANCE.frame(rows)


def _items(row: Mapping[str, Any], cards: Sequence[Card], standing: Standing, built: Built) -> dict[str, Any]:
    topic = row["topic"]
    dropped = Counter(name for draft, name in built.dropped.values() if draft.card.topic == topic)
    waiting = Counter(f"{name}: {why}" for card, name, why in built.waiting.values() if card.topic == topic)
    kept = sum(draft.card.topic == topic for draft in built.kept.values())
    decided = built.kept.keys() | built.dropped.keys() | set(built.retired)
    undecided = sum(  # a build's own that wait, or that nobody could look at, stay what they are
        id in standing.mine and line.topic == topic and line.status == "active" and id not in decided
        for id, line in standing.lines.items()
    )
    active = standing.active(topic) + kept + undecided
    short = max(row["target"] - active, 0)
    used = sum(card.topic == topic for card in cards)
    return {
        "active": active,
        "drafts": kept + dropped.total() + waiting.total(),
        "dropped": dropped.total(),
        "waiting": waiting.total(),
        "short": short,
        "reason": _reason(used, dropped, waiting, row["unread"]) if short else None,
    }


def _reason(cards: int, dropped: Counter[str], waiting: Counter[str], unread: int) -> str:
    parts = [f"{count} {_NAMED.get(name, name)}" for name, count in dropped.most_common()]
    parts += [f"{count} wait for {why}" for why, count in waiting.most_common(2)]
    if not waiting:
        more = f"{unread} passages are unread: build again" if unread else "no passage is left unread: add sources"
        parts.append(f"all of its {cards} cards are used, {more}" if cards else f"no cards, {more}")
    return "; ".join(parts)
