"""What a build would ask and cost, before anything is bought: an expectation, and a bound.

Which drafts a pass will drop nobody knows beforehand, so the expectation counts on half of them, and the bound on
every passage, every card and every revision there can be.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import ceil

import polars as pl

from assets.authoring.cast import Cast
from assets.evidence_cards.chunks import Chunk
from assets.evidence_cards.making import CARDS_PER_CHUNK, source_chunks, surviving
from assets.evidence_cards.stage import wanted_cards
from assets.items.passes.assembling import ROLE_OF
from assets.items.standing_lines import read_standing
from assets.reviews.records import protected_ids
from assets.sources.gathering import gather
from resources.installation import Installation
from resources.llm import PriceTable
from resources.registries import Bank, Domain, ModelSpec

_YIELD = 0.5  # of drafts that become items
_PASS_BYTES = 2_500  # prompt of a pass about one draft
_QUESTION_BYTES = 800  # prompt of a question to the panel
_CARDS_BYTES = 2_500  # prompt about a passage, without the passage
_REPLY_TOKENS = 150
_CARDS_TOKENS = 900
_ANSWER_TOKENS = 50
_VERDICT_TOKENS = 4
_ASKED_TWICE = 2  # a reply that cannot be read is asked for once more


@dataclass(frozen=True)
class _Work:
    """What there is to do, expected and at most."""

    items: int
    documents: int
    unknown: int
    chunks: int
    unread: list[Chunk]
    passages: int
    drafts: int
    most_drafts: int
    most_passages: int

    @property
    def passage_bytes(self) -> int:
        sizes = [len(chunk.text.encode()) for chunk in self.unread]
        return _CARDS_BYTES + (round(sum(sizes) / len(sizes)) if sizes else 0)


@dataclass(frozen=True)
class _Calls:
    """Calls of one kind; dollars are None when a price is unknown."""

    kind: str
    count: float
    usd: float | None
    most_usd: float | None


def forecast_build(installation: Installation, bank: Bank, domain: Domain, cast: Cast) -> Iterator[str]:
    """The forecast of a build of `domain`, a line for a person each.

    Pages that were never fetched count as unknown: a forecast asks no server.
    """
    work = _work(installation, bank, domain)
    yield (
        f"{domain.key}: {work.items} items are missing over {len(domain.spec.targets)} topics; "
        f"{work.chunks} passages in {work.documents} documents, {len(work.unread)} of them unread"
    )
    if work.unknown:
        yield f"  {work.unknown} pages are not fetched yet: what is in them is not in this forecast"
    calls = list(_calls(bank, cast, work))
    for each in calls:
        yield f"  {each.kind}: about {ceil(each.count)} calls, {_usd(each.usd)}"
    total = sum(each.count for each in calls)
    usd, most = _sum(each.usd for each in calls), _sum(each.most_usd for each in calls)
    yield f"  forecast: {ceil(total)} calls, {_usd(usd)}; what the ledger has is not asked again"
    cap = bank.spec.build.budget_usd
    held = f"; `build.budget_usd` holds it to ${cap:g}" if cap is not None else "; --budget holds it to what you say"
    yield f"  at most {_usd(most)}: every passage read, every draft revised, every reply as long as may be{held}"


def _work(installation: Installation, bank: Bank, domain: Domain) -> _Work:
    lake, targets = installation.lake, domain.spec.targets
    sources, unknown = _known_sources(installation, bank, domain)
    chunks = source_chunks(sources, list(targets))
    cards = surviving(lake.read("evidence_cards", domain=domain.key), chunks)
    kept = Counter(row["topic"] for row in cards if row["status"] == "kept")
    lines = read_standing(bank, domain, protected_ids(bank, domain)).lines.values()
    here = Counter(line.topic for line in lines if line.status == "active")
    read = {row["chunk"] for row in cards}
    unread = [chunk for chunk in chunks if chunk.digest not in read]
    short = wanted_cards(bank, domain, lake.read("topic_balance", domain=domain.key)).short(kept)
    passages = min(len(unread), ceil(sum(short.values()) / (CARDS_PER_CHUNK / 2)))
    items = sum(max(target - here[topic], 0) for topic, target in targets.items())
    drafted = sum(line.card_id is not None for line in lines)
    # Who wants nothing reads nothing and drafts nothing.
    most_passages = len(unread) if sum(short.values()) else 0
    most_drafts = max(kept.total() + most_passages * CARDS_PER_CHUNK - drafted, 0) if items else 0
    coming = max(kept.total() + passages * CARDS_PER_CHUNK // 2 - drafted, 0)
    drafts = min(ceil(items / _YIELD), coming)
    return _Work(items, sources.height, unknown, len(chunks), unread, passages, drafts, most_drafts, most_passages)


def _calls(bank: Bank, cast: Cast, work: _Work) -> Iterator[_Calls]:
    share = 1 / max(len(cast.generators), 1)
    passages, most_passages = work.passages * share, _ASKED_TWICE * work.most_passages * share
    drafts, most_drafts = work.drafts * share, _ASKED_TWICE * work.most_drafts * share
    verified = sum(ROLE_OF.get(name) == "verifier" for name in bank.spec.passes)
    most_rounds = verified * (1 + bank.spec.build.revisions)
    for spec in cast.generators:
        yield _priced(f"cards by {spec.id}", spec, passages, most_passages, work.passage_bytes, _CARDS_TOKENS)
        yield _priced(f"drafts by {spec.id}", spec, drafts, most_drafts, _PASS_BYTES, _REPLY_TOKENS)
    if cast.verifier and verified:
        most = _ASKED_TWICE * work.most_drafts * most_rounds
        kind = f"passes by {cast.verifier.id}"
        yield _priced(kind, cast.verifier, work.drafts * verified, most, _PASS_BYTES, _REPLY_TOKENS)
    if cast.judge and (verified or "difficulty" in bank.spec.passes):
        panel = len(cast.panel) if "difficulty" in bank.spec.passes else 0
        kind, count = f"verdicts of {cast.judge.id}", work.drafts * (1 + panel) * _YIELD
        most = _ASKED_TWICE * work.most_drafts * (most_rounds + panel)
        yield _priced(kind, cast.judge, count, most, _PASS_BYTES, _VERDICT_TOKENS)
    if cast.embedder and "similarity" in bank.spec.passes:
        kind, most = f"vectors of {cast.embedder.id}", 2 * work.most_drafts
        yield _priced(kind, cast.embedder, work.drafts * _YIELD, most, _QUESTION_BYTES, 0)
    if "difficulty" in bank.spec.passes:
        for spec in cast.panel:
            kind = f"answers of {spec.id}"
            yield _priced(kind, spec, work.drafts * _YIELD, work.most_drafts, _QUESTION_BYTES, _ANSWER_TOKENS)


def _priced(kind: str, spec: ModelSpec, count: float, most: float, prompt_bytes: int, tokens: int) -> _Calls:
    prices = PriceTable()
    usual, largest = prices.expected_of(spec, prompt_bytes, tokens), prices.largest_of(spec, prompt_bytes)
    return _Calls(kind, count, None if usual is None else count * usual, None if largest is None else most * largest)


def _known_sources(installation: Installation, bank: Bank, domain: Domain) -> tuple[pl.DataFrame, int]:
    """The documents as far as they are known without a network, and how many pages are not."""
    earlier = installation.lake.read("sources", domain=domain.key)
    known = set(earlier["name"])
    files = tuple(source for source in domain.spec.sources if source.path)
    pages = [source for source in domain.spec.sources if source.url and source.url not in known]
    local = replace(domain, spec=domain.spec.model_copy(update={"sources": files}))
    read = gather(bank, local, earlier, datetime.now(UTC))
    fetched = earlier.filter(~pl.col("name").is_in(read["name"].to_list()) & pl.col("url").is_not_null())
    return pl.concat([read, fetched]), len(pages)


def _sum(amounts: Iterator[float | None]) -> float | None:
    known = list(amounts)
    return None if None in known else sum(amount for amount in known if amount is not None)


def _usd(amount: float | None) -> str:
    return "at an unknown price" if amount is None else f"${amount:.4f}"
