"""The two baselines that stand beside every model: always abstaining, and guessing."""

import random

from assets.items.item import Item

BASELINE_VERSION = "1"
ABSTENTION = "I don't know."


def baseline_answer(baseline: str, item: Item, items: list[Item], sample: int) -> str:
    """What `abstain` or `guess` says to `item`.

    `guess` gives another item's gold of the same topic and answer type (of the same topic, then of
    the same domain, where there is none), or a random option. It is seeded by item and sample.

    Args:
        items: all active items of the domain.
    """
    if baseline == "abstain":
        return ABSTENTION
    chance = random.Random(f"guess:{item.item_id}:{sample}")
    if item.options:
        return chance.choice(item.letters)
    others = [other for other in items if other.item_id != item.item_id]
    same_topic = [other for other in others if other.topic == item.topic]
    same_type = [other for other in same_topic if other.answer_type == item.answer_type]
    pool = same_type or same_topic or others
    return chance.choice(pool).answer if pool else ABSTENTION
