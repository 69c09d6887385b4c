"""Building a domain's items from its cards: drafted, sent through the passes, until each topic has what it wants.

What a person reviewed or edited is never touched. What is bought is in the ledger, so that a build that was killed
goes on where it was, and a build with nothing new buys nothing.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from assets.evidence_cards.card import Card
from assets.items.drafting import DRAFT, Drafter
from assets.items.passes.draft import Draft, Pass, Ruling, Verdict
from assets.items.passes.running import run_passes, verdict_row
from assets.items.standing_lines import Standing

SOURCE = "source"  # the pass that retires what its source no longer states


@dataclass
class Built:
    """What a build made.

    Attributes:
        kept: drafts that passed everything.
        dropped: with the name of the pass.
        waiting: could not be decided, with the name of the pass and the reason.
        rows: verdicts of all items that went through this build, without bank and domain.
        retired: ids whose source no longer states them.
    """

    kept: dict[str, Draft] = field(default_factory=dict)
    dropped: dict[str, tuple[Draft, str]] = field(default_factory=dict)
    waiting: dict[str, tuple[Card, str, str]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)

    @property
    def dropped_by_pass(self) -> dict[str, int]:
        return dict(Counter(name for _, name in self.dropped.values()).most_common())


@dataclass(frozen=True)
class Line:
    """What a build needs: who drafts, the passes in their order, how often a draft may be rewritten.

    Attributes:
        drafter: None where nobody can draft; then only what its source no longer states is retired.
    """

    drafter: Drafter | None
    passes: Sequence[Pass]
    revisions: int


def build_items(
    line: Line,
    cards: Sequence[Card],
    targets: dict[str, int],
    standing: Standing,
    verdicts: pl.DataFrame,
    now: datetime,
    on_wave: Callable[[Built], None] = lambda built: None,
) -> Built:
    """The items of a domain.

    First what earlier builds made goes through again, which buys nothing where nothing changed; then new cards, the
    best first, as long as a topic is short. A draft that waits counts as one that will come, so that an outage of
    the verifier does not draft every card there is.

    Args:
        targets: items wanted by topic.
        verdicts: the table as the last build left it.
    """
    built = Built()
    by_id = {card.card_id: card for card in cards}
    generators = _generators(verdicts)
    if line.drafter is not None:
        ours = [by_id[id] for id in standing.lines if id in standing.mine and id in by_id]
        _wave(line, line.drafter, ours, generators, built)
        on_wave(built)
        fresh = _ranked(card for card in cards if not standing.holds(card.card_id))
        while batch := _short_of(fresh, targets, standing, built):
            fresh = [card for card in fresh if card not in batch]
            _wave(line, line.drafter, batch, generators, built)
            on_wave(built)
    _retire(standing, by_id, verdicts, built, now)
    return built


def counted(topic: str, standing: Standing, built: Built) -> int:
    """Items that a topic has or will have."""
    made = sum(draft.card.topic == topic for draft in built.kept.values())
    coming = sum(card.topic == topic for card, _, _ in built.waiting.values())
    return standing.active(topic) + made + coming


def _ranked(cards) -> list[Card]:
    """The best first; among equals the order is that of their hashes, which no document decides."""
    return sorted(cards, key=lambda card: (-card.quality, card.card_id))


def _short_of(fresh: Sequence[Card], targets: dict[str, int], standing: Standing, built: Built) -> list[Card]:
    """The next cards: as many of each topic as it is short of."""
    batch: list[Card] = []
    for topic, target in targets.items():
        short = max(target - counted(topic, standing, built), 0)
        batch += [card for card in fresh if card.topic == topic][:short]
    return batch


def _wave(line: Line, drafter: Drafter, cards: Sequence[Card], generators: dict[str, str], built: Built) -> None:
    drafts: list[Draft] = []
    for card, ruling in zip(cards, drafter.draft(cards, generators), strict=True):
        if ruling.verdict is None:
            built.waiting[card.card_id] = (card, DRAFT, ruling.reason)
            continue
        built.rows.append(verdict_row(None, ruling, DRAFT, 0))
        if ruling.verdict is Verdict.FAIL:
            built.dropped[card.card_id] = (ruling.draft, DRAFT)
        else:
            drafts.append(ruling.draft)
    ran = run_passes(drafts, line.passes, line.revisions)
    built.rows += ran.rows
    built.kept |= {draft.item_id: draft for draft in ran.kept}
    built.dropped |= {draft.item_id: (draft, name) for draft, name in ran.dropped}
    built.waiting |= {draft.item_id: (draft.card, name, reason) for draft, name, reason in ran.waiting}


def _retire(standing: Standing, by_id: dict[str, Card], verdicts: pl.DataFrame, built: Built, now: datetime) -> None:
    """Items of cards that are gone: their source changed, or is no longer a source."""
    steps = dict(verdicts.group_by("item_id").agg(pl.col("step").max()).iter_rows())
    for id in standing.lines:
        line = standing.lines[id]
        if id not in standing.mine or id in by_id or line.status == "retired":
            continue
        gone = Draft(_no_card(line, id), line.question, line.answer)
        reason = "its source no longer states it, or is no longer among the domain's sources"
        ruling = Ruling(gone, Verdict.FAIL, reason, decided_at=now)
        built.rows += _history(verdicts, id)
        built.rows.append(verdict_row(gone, ruling, SOURCE, steps.get(id, -1) + 1))
        built.retired.append(id)


def _history(verdicts: pl.DataFrame, item_id: str) -> list[dict[str, Any]]:
    return verdicts.filter(pl.col("item_id") == item_id).drop("bank", "domain").to_dicts()


def _generators(verdicts: pl.DataFrame) -> dict[str, str]:
    """Who drafted each item before: a generator that joins the rotation does not draft old cards anew."""
    return dict(verdicts.filter(pl.col("pass") == DRAFT).select("item_id", "model").iter_rows())


def _no_card(line, id: str) -> Card:
    return Card(id, "", line.topic, "", "", "", 1, "", "", line.language, None, None, line.source_url or "")
