"""The stage between a domain's sources and its items: how many cards are wanted, and making them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import polars as pl

from assets.authoring.cast import Cast
from assets.authoring.desk import Desk
from assets.evidence_cards.making import CardMaker, MadeCards, Wanted, source_chunks, surviving
from assets.items.standing_lines import read_standing
from checks.bank_contracts import EVIDENCE_CARDS, TOPIC_BALANCE
from resources.installation import Installation
from resources.registries import Bank, Domain


@dataclass(frozen=True)
class CardStage:
    """What a build of the cards came to: rows of the table `evidence_cards`, and how reading went."""

    cards: pl.DataFrame
    made: MadeCards


def wanted_cards(bank: Bank, domain: Domain, balance: pl.DataFrame) -> Wanted:
    """Cards by topic: so many for each item that is missing, beside those that were used already.

    Args:
        balance: table `topic_balance` as the last build left it.
    """
    rate = bank.spec.build.cards_per_item
    former = {row["topic"]: row for row in balance.iter_rows(named=True)}
    lines = read_standing(bank, domain, ()).lines.values()
    here = Counter(line.topic for line in lines if line.status == "active")
    used = Counter(line.topic for line in lines if line.card_id is not None)
    wanted = {}
    for topic, target in domain.spec.targets.items():
        missing = max(target - here[topic], 0)
        row = former.get(topic)
        used_up = row is not None and row["short"] > 0 and row["waiting"] == 0
        held = max(used[topic], row["cards"] if row and used_up else 0)
        wanted[topic] = ceil(held + missing * rate) if missing else 0
    return Wanted(wanted)


def make_cards(installation: Installation, bank: Bank, domain: Domain, cast: Cast, desk: Desk) -> CardStage:
    """Makes the cards that the domain wants and writes the tables `evidence_cards` and `topic_balance`.

    Without a generator nothing new is read; what is there stays as far as its sources still state it.
    """
    lake, key = installation.lake, domain.key
    targets = domain.spec.targets
    chunks = source_chunks(lake.read("sources", domain=key), list(targets))
    earlier = lake.read("evidence_cards", domain=key)
    if cast.generators:
        maker = card_maker(bank, domain, cast, desk)
        wanted = wanted_cards(bank, domain, lake.read("topic_balance", domain=key))
        made = maker.make(chunks, wanted, earlier)
    else:
        made = MadeCards(rows=surviving(earlier, chunks), unread=chunks)
    frame = EVIDENCE_CARDS.frame(made.rows)
    unread = {topic: sum(topic in chunk.topics for chunk in made.unread) for topic in targets}
    lake.write("evidence_cards", frame, domain=key)
    lake.write("topic_balance", cards_balance(bank.name, key, targets, frame, unread), domain=key)
    return CardStage(frame, made)


def card_maker(bank: Bank, domain: Domain, cast: Cast, desk: Desk) -> CardMaker:
    """Reads passages for the domain with the bank's prompt `cards`."""
    return CardMaker(
        bank.name,
        domain.key,
        domain.spec.title,
        bank.prompt("cards"),
        cast.generators,
        desk,
        provisions=domain.spec.provisions,
    )


def cards_balance(
    bank: str, domain: str, targets: dict[str, int], cards: pl.DataFrame, unread: Mapping[str, int]
) -> pl.DataFrame:
    """What is known of each topic once its cards are made (contract `topic_balance`).

    Args:
        cards: table `evidence_cards` of the domain.
        unread: passages by topic.
    """
    kept = Counter(cards.filter(pl.col("status") == "kept")["topic"].to_list())
    return TOPIC_BALANCE.frame(
        {
            "bank": bank,
            "domain": domain,
            "topic": topic,
            "target": target,
            "unread": unread.get(topic, 0),
            "cards": kept[topic],
            **dict.fromkeys(("active", "drafts", "dropped", "waiting", "short"), 0),
        }
        for topic, target in targets.items()
    )
