"""A built domain for the tests of reviews: sources, cards, items and verdicts in our own words, without a build."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from assets.evidence_cards.card import card_id_of
from assets.items.bank_files import read_items
from assets.items.passes.draft import Verdict
from assets.reviews.applying import Applied, apply_decisions
from checks.bank_contracts import EVIDENCE_CARDS, SOURCES, TOPIC_BALANCE, VERDICT_ROWS
from resources.home import Home
from resources.installation import Installation
from resources.registries import Bank, Domain, load_banks, load_models

Row = dict[str, Any]

KEY = "port.harbours"
BUILT_AT = datetime(2026, 6, 1, 3, 0, tzinfo=UTC)
SAVED_AT = datetime(2026, 6, 2, 9, 30, tzinfo=UTC)
NOW = datetime(2026, 6, 2, 12, 0, tzinfo=UTC)
PILOTS = "https://harbour.example/rules/pilots"
EXCERPT = "Pilotage is compulsory for vessels of more than 85 metres, whatever they carry."
ODD_LINE = '{"id":"berth-9" , "topic": "Berths","question":"How deep is berth 9?",  "answer": 1e1, "evidence": [1.50]}'
_PAGE = (
    "The harbour master publishes these rules each spring. They hold for all berths on the north quay. "
    f"{EXCERPT} A master who holds a local certificate may apply for an exemption, which lasts two years."
)


@dataclass
class Harbours:
    """A bank with one domain on disk and in the lake."""

    installation: Installation
    bank: Bank
    domain: Domain

    @property
    def items_file(self) -> Path:
        return self.bank.items_file(self.domain)

    @property
    def reviews_file(self) -> Path:
        return self.bank.folder / "reviews" / "harbours.jsonl"

    def versions(self, item_id: str) -> Row:
        """Question and gold of an item as a page shows them now."""
        rows = {row["item_id"]: row for row in read_items(self.bank, self.domain).frame.to_dicts()}
        return {name: rows[item_id][name] for name in ("question_version", "answer_version")}

    def entry(self, item_id: str, decision: str, **more: Any) -> Row:
        """A decision as the page saves it."""
        return {"item_id": item_id, "decision": decision} | self.versions(item_id) | more

    def status(self, item_id: str) -> str:
        return self.line(item_id)["status"]

    def line(self, item_id: str) -> Row:
        lines = [json.loads(line) for line in self.items_file.read_text("utf-8").splitlines() if line.startswith("{")]
        return next({"status": "active"} | line for line in lines if line["id"] == item_id)


def decisions_file(folder: Path, *entries: Mapping[str, Any], saved_at: datetime | str = SAVED_AT, **more: Any) -> Path:
    """A file of decisions about `KEY` by Ann."""
    content = {
        "format": "factsweep-review-1",
        "domain": KEY,
        "saved_at": str(saved_at),
        "reviewer": "Ann",
        "decisions": list(entries),
    }
    file = folder / "decisions.json"
    file.write_text(json.dumps(content | more), encoding="utf-8")
    return file


def apply(harbours: Harbours, *entries: dict[str, Any], **more: Any) -> Applied:
    file = decisions_file(harbours.bank.folder.parent, *entries, **more)
    return apply_decisions(harbours.installation, file, NOW)


def item_line(number: int, **changes: Any) -> Row:
    """Item `berth-<number>`."""
    return {
        "id": f"berth-{number}",
        "topic": "Berths",
        "question": f"How many metres long is berth {number} of the invented harbour?",
        "answer": f"{100 + number}",
        "answer_type": "number",
    } | changes


def installed(root: Path, *lines: Row | str) -> Harbours:
    """The bank with these lines in its items file; a text is a line as it stands."""
    folder = root / "banks" / "port"
    for part in ("domains", "items"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "bank.yaml").write_text(yaml.safe_dump({"title": "Port", "format": "short_answer"}))
    topics = [{"name": "Pilots", "items": 3}, {"name": "Berths"}]
    (folder / "domains" / "harbours.yaml").write_text(yaml.safe_dump({"title": "Harbours", "topics": topics}))
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    (folder / "items" / "harbours.jsonl").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    (root / "models.yaml").write_text("models: []")
    installation = Installation(Home(root / "home"), load_banks([root / "banks"]), load_models(root / "models.yaml"))
    assert installation.problems == []
    return Harbours(installation, *installation.banks.domains[KEY])


def built(root: Path, *lines: Row, texts: Row | None = None) -> Harbours:
    """The bank with two items that a build made of one page, one kept and one dropped, before `lines`.

    Args:
        texts: other words for parts of the kept item: question, answer, fact, reason, page, excerpt, url, title.
    """
    said = {
        "question": "Above which length must a vessel take a pilot in the invented harbour, in metres?",
        "answer": "85",
        "fact": "Vessels longer than 85 metres must take a pilot.",
        "reason": "the question can be read in one way only now",
        "page": _PAGE,
        "excerpt": EXCERPT,
        "url": PILOTS,
        "title": "Rules of the harbour",
    } | (texts or {})
    kept = card_id_of(KEY, said["url"], said["excerpt"])
    dropped = card_id_of(KEY, said["url"], "An exemption lasts two years.")
    common = {"topic": "Pilots", "source_url": said["url"], "source_date": "2025-04-01", "answer_type": "number"}
    made = installed(
        root,
        {"id": kept, "card_id": kept, "question": said["question"], "answer": said["answer"], "difficulty": 0.75}
        | common
        | {"answerable_from": "2025-04", "aliases": ["85 metres"]},
        {"id": dropped, "card_id": dropped, "question": "How long is it valid?", "answer": "two years"}
        | common
        | {"status": "dropped"},
        *lines,
    )
    lake, key = made.installation.lake, {"bank": "port", "domain": KEY}
    lake.write("sources", SOURCES.frame([key | _source(said)]), domain=KEY)
    cards = [_card(said, kept, said["excerpt"]), _card(said, dropped, "An exemption lasts two years.")]
    lake.write("evidence_cards", EVIDENCE_CARDS.frame(key | card for card in cards), domain=KEY)
    lake.write("verdicts", VERDICT_ROWS.frame(key | row for row in _verdicts(said, kept, dropped)), domain=KEY)
    balance = {
        "topic": "Pilots",
        "target": 3,
        "active": 1,
        "cards": 2,
        "drafts": 2,
        "dropped": 1,
        "waiting": 0,
        "unread": 0,
    }
    short = {"short": 2, "reason": "1 about a document; no passage is left unread; add sources"}
    lake.write("topic_balance", TOPIC_BALANCE.frame([key | balance | short]), domain=KEY)
    return made


def large(root: Path, count: int) -> Harbours:
    """`count` built items of the usual length: an excerpt of 300 characters, and seven verdicts with their reasons."""
    excerpts = [f"Berth {number} " + "takes vessels of a stated length and depth " * 7 for number in range(count)]
    ids = [card_id_of(KEY, PILOTS, excerpt) for excerpt in excerpts]
    made = installed(root, *(item_line(number, id=id, topic="Pilots", card_id=id) for number, id in enumerate(ids)))
    lake, key = made.installation.lake, {"bank": "port", "domain": KEY}
    said = {"url": PILOTS, "title": "Rules of the harbour", "page": " ".join(excerpts), "fact": "A berth has a length."}
    lake.write("sources", SOURCES.frame([key | _source(said)]), domain=KEY)
    cards = (key | _card(said, id, excerpt) for id, excerpt in zip(ids, excerpts, strict=True))
    lake.write("evidence_cards", EVIDENCE_CARDS.frame(cards), domain=KEY)
    reason = "the sentences state the length, and no other reading of the question has another answer " * 2
    rows = (key | _verdict(id, step, f"pass{step}", Verdict.PASS, reason) for id in ids for step in range(7))
    lake.write("verdicts", VERDICT_ROWS.frame(rows), domain=KEY)
    return made


def _source(said: Row) -> Row:
    return {
        "source_id": "s1",
        "name": said["url"],
        "url": said["url"],
        "tier": 1,
        "status": "read",
        "title": said["title"],
        "published": date(2025, 4, 1),
        "published_precision": "month",
        "published_basis": "metadata",
        "published_origin": "dc.date",
        "characters": len(said["page"]),
        "sections": [{"path": ["Harbour", "Pilots"], "text": said["page"]}],
        "fetched_at": BUILT_AT,
    }


def _card(said: Row, card_id: str, excerpt: str) -> Row:
    return {
        "card_id": card_id,
        "source_id": "s1",
        "source_name": said["url"],
        "topic": "Pilots",
        "excerpt": excerpt,
        "fact": said["fact"],
        "about": "pilotage",
        "quality": 4,
        "section": "Harbour › Pilots",
        "chunk": "c1",
        "generator": "writer",
        "status": "kept",
    }


def _verdicts(said: Row, kept: str, dropped: str) -> list[Row]:
    question, gold = said["question"], said["answer"]
    return [
        _verdict(kept, 0, "draft", Verdict.PASS, "drafted from its card", after=("Above which length?", gold)),
        _verdict(
            kept, 1, "ambiguity", Verdict.REWRITTEN, said["reason"], ("Above which length?", gold), (question, gold)
        ),
        _verdict(kept, 2, "entailment", Verdict.PASS, "the excerpt says so", (question, gold), (question, gold)),
        _verdict(
            dropped, 0, "draft", Verdict.PASS, "drafted from its card", after=("How long is it valid?", "two years")
        ),
        _verdict(dropped, 1, "reliance", Verdict.FAIL, "asks about 'it'", ("How long is it valid?", "two years")),
    ]


def _verdict(
    item_id: str,
    step: int,
    name: str,
    verdict: Verdict,
    reason: str,
    before: tuple[str, str] | None = None,
    after: tuple[str, str] | None = None,
) -> Row:
    return {
        "item_id": item_id,
        "step": step,
        "pass": name,
        "verdict": str(verdict),
        "reason": reason,
        "question_before": before[0] if before else None,
        "answer_before": before[1] if before else None,
        "question_after": after[0] if after else None,
        "answer_after": after[1] if after else None,
        "model": "writer" if name == "draft" else "checker",
        "cost_usd": None if name == "entailment" else 0.0012,
        "decided_at": BUILT_AT,
    }
