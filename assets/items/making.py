"""Making a domain's items: everything between the cards and the bank's file of record."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from assets.authoring.cast import Cast
from assets.authoring.desk import Desk
from assets.evidence_cards.card import Card, kept_cards
from assets.items.balance import items_balance
from assets.items.building import Built, Line, build_items
from assets.items.drafting import Drafter
from assets.items.item_lines import ItemLine
from assets.items.passes.assembling import assemble_passes
from assets.items.passes.draft import Draft
from assets.items.recorded_items import read_domain_items
from assets.items.seals import excerpt_of, sealed_line
from assets.items.similarity import Posed
from assets.items.standing_lines import Standing, read_standing, write_lines
from checks.bank_contracts import VERDICT_ROWS
from resources.installation import Installation
from resources.locks import bank_files
from resources.registries import Bank, Domain
from resources.types import Format


@dataclass(frozen=True)
class MadeItems:
    """What a build of a domain's items came to.

    Attributes:
        changed: lines of the file that differ now.
        balance: table `topic_balance`.
    """

    built: Built
    changed: int
    balance: pl.DataFrame

    @property
    def short(self) -> pl.DataFrame:
        """Topics that lack items: topic, target, active, reason."""
        return self.balance.filter(pl.col("short") > 0).select("topic", "target", "active", "reason")


def make_items(
    installation: Installation,
    bank: Bank,
    domain: Domain,
    cast: Cast,
    desk: Desk,
    now: datetime,
    reviewed: Callable[[], Collection[str]],
    on_wave: Callable[[Built], None] = lambda built: None,
) -> MadeItems:
    """Builds the items of `domain`, writes the tables `verdicts` and `topic_balance`, and then its file.

    The file comes last: an item whose verdicts are recorded and which stands in no file is made again, out of the
    ledger. What a person reviewed or edited while the build ran stays theirs.

    Args:
        reviewed: ids of items that a person has reviewed, as they are when it is called.
    """
    lake, key = installation.lake, domain.key
    verdicts, sources = lake.read("verdicts", domain=key), lake.read("sources", domain=key)
    cards = kept_cards(lake.read("evidence_cards", domain=key), sources)
    standing = read_standing(bank, domain, reviewed())
    standing = standing.adopting(_built_elsewhere(standing, domain, cards, sources, verdicts))
    incumbents = {id: standing.lines[id].question for id in standing.mine if standing.lines[id].status == "active"}
    passes = assemble_passes(
        installation, bank, domain, cast, desk, now.date(), _others(installation, domain, standing), incumbents
    )
    drafter = Drafter(domain.spec.title, bank.prompt("draft"), cast.generators, desk) if cast.generators else None
    line = Line(drafter, passes, bank.spec.build.revisions)
    built = build_items(line, cards, domain.spec.targets, standing, verdicts, now, on_wave)
    rows = [{"bank": bank.name, "domain": key} | row for row in built.rows]
    done = {row["item_id"] for row in rows}
    table = pl.concat([verdicts.filter(~pl.col("item_id").is_in(list(done))), VERDICT_ROWS.frame(rows)])
    nobody = None if drafter else cast.why_vacant("generator")
    balance = items_balance(lake.read("topic_balance", domain=key), cards, standing, built, nobody)
    lake.write("verdicts", table, domain=key)
    lake.write("topic_balance", balance, domain=key)
    with bank_files(bank.folder):
        present = read_standing(bank, domain, reviewed())
        untouched = {id for id in present.lines if standing.lines.get(id) == present.lines[id] and id in present.mine}
        lines = _changed(built, standing)
        changed = write_lines(
            bank, domain, {id: text for id, text in lines.items() if id in untouched or not present.holds(id)}
        )
    return MadeItems(built, changed, balance)


def _others(installation: Installation, domain: Domain, standing: Standing) -> list[Posed]:
    """Every short-answer item that drafts must not repeat: of this domain, of the others, of other banks."""
    found = [Posed(line.id, line.question, line.answer, line.aliases or ()) for line in standing.questions()]
    for key, (bank, other) in installation.banks.domains.items():
        if key == domain.key or bank.spec.format is not Format.SHORT_ANSWER or other.spec.retired:
            continue
        asked = read_domain_items(installation, bank, other).frame.filter(
            pl.col("status").is_in(["active", "disputed"])
        )
        found += [
            Posed(f"{key}/{id}", question, answer, tuple(aliases or ()))
            for id, question, answer, aliases in asked.select("item_id", "question", "answer", "aliases").iter_rows()
        ]
    return found


def _built_elsewhere(
    standing: Standing, domain: Domain, cards: Sequence[Card], sources: pl.DataFrame, verdicts: pl.DataFrame
) -> Collection[str]:
    """Items that stay as they are, since they were built where other tables were.

    The items file travels with the bank; cards, verdicts and the ledger do not. On another machine, or without a
    lake, nothing says that the source of an item has changed, and a draft from the same card could be worded anew.
    """
    decided, known = set(verdicts["item_id"]), {card.card_id for card in cards}
    elsewhere = {id for id in standing.mine if id not in decided and standing.lines[id].status != "retired"}
    lost = [standing.lines[id] for id in standing.mine - known if standing.lines[id].topic in domain.spec.targets]
    read = sources.filter(pl.col("status") == "read")
    texts = [section["text"] for sections in read["sections"].to_list() for section in sections] if lost else []
    stated = {line.id for line in lost if any(excerpt_of(line) in text for text in texts)}
    return stated | (elsewhere & known)


def _changed(built: Built, standing: Standing) -> dict[str, str]:
    """The lines that the file shall hold, by id."""
    lines = {id: _line(draft, "active", standing) for id, draft in built.kept.items()}
    lines |= {id: _line(draft, "dropped", standing) for id, (draft, _) in built.dropped.items() if draft.question}
    lines |= {id: _retired(standing.lines[id]) for id in built.retired}
    return {id: text for id, text in lines.items() if text is not None}


def _line(draft: Draft, status: str, standing: Standing) -> str | None:
    former = standing.lines.get(draft.item_id)
    card: Card = draft.card
    content: dict[str, Any] = {
        "id": draft.item_id,
        "topic": card.topic,
        "question": draft.question,
        "answer": draft.answer,
        "aliases": list(draft.aliases) or None,
        "answer_type": draft.answer_type,
        "language": card.language,
        "difficulty": None if draft.difficulty is None else round(draft.difficulty, 4),
        "card_id": card.card_id,
        "source_url": card.source_url,
        "source_date": card.published_day.isoformat() if card.published_day else None,
        "answerable_from": draft.answerable_from,
        "split": former.split if former else "private",
        "status": status,
    }
    return sealed_line(content, card.excerpt)


def _retired(line: ItemLine) -> str | None:
    return sealed_line(line.model_dump(mode="json") | {"status": "retired"}, excerpt_of(line))
