"""Gathering the sources of a domain: every document that its file names becomes a row, with its text or the reason.

How a document is fetched and read is decided elsewhere; here is what is kept of the last time.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Semaphore

import polars as pl

from assets.sources.absences import out_of_reach
from assets.sources.document import Document, Extracted, Unreadable
from assets.sources.documents import Expansion, Refusal, SourceDocument, expand
from assets.sources.extract import extract
from assets.sources.fetching import is_outage, place_of, policy_of, request_of, stated_tiers, why
from assets.sources.reading import LARGEST_MB
from assets.sources.source_rows import LOWEST_TIER, Place, Row, RowMaker
from checks.bank_contracts import SOURCES
from resources.fetcher import Fetched, Fetcher, FetchPolicy, FetchStatus
from resources.registries import Bank, Domain
from resources.registries.banks import DomainSpec
from resources.registries.hosts import UrlFault

_AT_ONCE = min(os.cpu_count() or 1, 8)  # a reader may take 3 GB
_DIGESTED = ("source_id", "status", "content_hash", "tier", "topics", "published", "published_precision")

OpenFetcher = Callable[[FetchPolicy], Fetcher]
OnProgress = Callable[[int, int], None]


def gather(
    bank: Bank,
    domain: Domain,
    earlier: pl.DataFrame,
    now: datetime,
    open_fetcher: OpenFetcher = Fetcher,
    on_progress: OnProgress = lambda done, total: None,
) -> pl.DataFrame:
    """The domain's table `sources`, sorted by name. Whatever a document holds or a server does is a row.

    A document that had a text last time and cannot be had now keeps that text, with the reason, so that an outage does
    not retire a bank's items. A page does not where the server says that it is gone (HTTP 404, 410, 451), where a rule
    of the domain, of the site or of the fetcher forbids it, or where what came cannot be read. A file does not where it
    was removed from a folder that is there; one that has become empty or unreadable keeps its text.

    Of two documents that end at one address or have the same text one is kept: the one that had a text last time,
    else the one that is named first. It serves the topics of both.

    Args:
        bank: the bank.
        domain: one of its domains.
        earlier: the table as the last time left it.
        now: the moment of the run.
        open_fetcher: makes a fetcher that keeps to the domain's rules.
        on_progress: called with the documents that are done and all there are, in the thread that calls.
    """
    spec = domain.spec
    expansion = _expanded(spec, bank.folder)
    last_time = earlier.filter(domain=domain.key, status="read")
    known: dict[str, Row] = {row["name"]: row for row in last_time.iter_rows(named=True)}
    maker = RowMaker(bank.name, domain.key, now)
    documents = {document.name: document for document in expansion.documents}
    made = _all_rows(documents, _Reader(domain, maker, known), open_fetcher, on_progress)
    absent = [name for name, row in known.items() if row["url"] is None and name not in documents]
    for document, reason in out_of_reach(spec.sources, bank.folder, absent):
        place = Place(document.tier)
        made[document.name] = maker.through_outage(document, place, known[document.name], reason)
    in_order = [made[name] for name in sorted(made, key=lambda name: name not in known)]
    tiers = {entry.name: entry.tier for entry in spec.sources if entry.tier}
    refused = [
        maker.refused(refusal.source, refusal.reason, Place(tiers.get(refusal.source, LOWEST_TIER)))
        for refusal in expansion.refused
    ]
    # One name may be refused twice, or by one entry and not by another.
    unique = {row["source_id"]: row for row in [*refused, *_without_copies(in_order, maker)]}
    return SOURCES.frame(sorted(unique.values(), key=lambda row: row["name"]))


def sources_digest(frame: pl.DataFrame) -> str:
    """Changes with what is made out of the sources, not with when they were asked for."""
    rows = frame.sort("source_id").select(_DIGESTED).iter_rows()
    return sha256(json.dumps(list(rows), default=str).encode()).hexdigest()


def due_for_refresh(frame: pl.DataFrame, now: datetime, days: int) -> bool:
    """Whether some document was last asked for over the network more than `days` ago."""
    oldest = frame.filter(pl.col("url").is_not_null())["fetched_at"].min()
    return isinstance(oldest, datetime) and now - oldest > timedelta(days=days)


def _expanded(spec: DomainSpec, folder: Path) -> Expansion:
    """What the sources name; a path that the system does not even look up is refused."""
    try:
        return expand(spec.sources, spec.hosts, folder)
    except OSError:
        sound, refused = [], []
    for entry in spec.sources:
        try:
            expand([entry], spec.hosts, folder)
            sound.append(entry)
        except OSError as error:
            reason = f"cannot be looked up ({error.strerror}); mend the path or its permissions"
            refused.append(Refusal(entry.name, reason))
    expansion = expand(sound, spec.hosts, folder)
    return Expansion(expansion.documents, (*expansion.refused, *refused))


class _Reader:
    """Turns documents into rows; its methods run in several threads."""

    def __init__(self, domain: Domain, maker: RowMaker, known: Mapping[str, Row]) -> None:
        self.spec = domain.spec
        self.known = known
        self._maker = maker
        self._tiers = stated_tiers(domain.spec.sources)

    def of_file(self, document: SourceDocument) -> Row:
        row = self._file_anew(document)
        earlier = self.known.get(document.name)
        if earlier is None or row["status"] == "read":
            return row
        return self._maker.through_outage(document, Place(document.tier), earlier, row["reason"])

    def _file_anew(self, document: SourceDocument) -> Row:
        assert document.file is not None
        place = Place(document.tier)
        try:
            size = document.file.stat().st_size
            if size > LARGEST_MB * 1_000_000:  # told before it is all in memory
                told = f"is {size // 1_000_000} MB large, and {LARGEST_MB} MB at most are read"
                return self._maker.unreadable(document, place, Unreadable(told, "split it"))
            content = document.file.read_bytes()
        except OSError as error:
            told = f"cannot be read ({error.strerror}); mend its permissions, or take it out of the sources"
            return self._maker.failed(document, place, told)
        return self._read(document, place, Document(content, name=document.file.name))

    def of_answer(self, document: SourceDocument, fetched: Fetched) -> Row:
        earlier = self.known.get(document.name)
        try:
            place = self._place(document, fetched.final_url, fetched.etag, fetched.last_modified)
        except UrlFault as fault:
            reason = why(fetched) if fetched.reason else f"redirects to where nothing is taken from: {fault}"
            return self._without_text(document, Place(document.tier, fetched.final_url), fetched, reason)
        if fetched.status is FetchStatus.FETCHED:
            charset = f"; charset={fetched.charset}" if fetched.charset else ""
            content = Document(fetched.body, f"{fetched.media_type or ''}{charset}", fetched.final_url)
            return self._read(document, place, content)
        if fetched.status is FetchStatus.UNCHANGED and earlier is not None:
            return self._maker.unchanged(document, place, earlier)
        if earlier is not None and is_outage(fetched):
            try:
                place = self._place(document, earlier["url"], earlier["etag"], earlier["last_modified"])
            except UrlFault as fault:
                reason = f"redirected to {earlier['host']} when it was last fetched: {fault}"
                return self._maker.refused(document.name, reason, Place(document.tier), document.topics)
            return self._maker.through_outage(document, place, earlier, why(fetched))
        return self._without_text(document, place, fetched, why(fetched))

    def _place(self, document: SourceDocument, url: str, etag: str | None, last_modified: str | None) -> Place:
        stated = self._tiers.get(document.name)
        return place_of(url, self.spec.hosts, stated, etag=etag, last_modified=last_modified)

    def _without_text(self, document: SourceDocument, place: Place, fetched: Fetched, reason: str) -> Row:
        if fetched.status is FetchStatus.FAILED:
            return self._maker.failed(document, place, reason)
        return self._maker.refused(document.name, reason, place, document.topics)

    def _read(self, document: SourceDocument, place: Place, content: Document) -> Row:
        try:
            result = extract(content)
        except (OSError, ValueError) as error:  # no process could be started, or what it wrote is no answer
            result = Unreadable(f"broke its reader ({type(error).__name__})", "try again, or give it in another format")
        if isinstance(result, Extracted):
            return self._maker.read(document, place, result, self.known.get(document.name))
        return self._maker.unreadable(document, place, result)


def _all_rows(
    documents: Mapping[str, SourceDocument], reader: _Reader, open_fetcher: OpenFetcher, on_progress: OnProgress
) -> dict[str, Row]:
    """The row of each document by its name. Files are read while others are fetched."""
    futures: dict[Future[Row], str] = {}
    pages = [document for document in documents.values() if document.file is None]

    def report() -> None:
        on_progress(sum(map(Future.done, futures)), len(documents))

    pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="reader")
    waiting = Semaphore(2 * _AT_ONCE)  # fetched documents that stand in memory
    try:
        for document in documents.values():
            if document.file is not None:
                futures[pool.submit(reader.of_file, document)] = document.name
        if pages:
            requests = [request_of(page, reader.known.get(page.name)) for page in pages]
            with open_fetcher(policy_of(reader.spec)) as fetcher:
                for fetched in fetcher.fetch_all(requests):
                    waiting.acquire()
                    future = pool.submit(reader.of_answer, documents[fetched.requested_url], fetched)
                    future.add_done_callback(lambda _: waiting.release())
                    futures[future] = fetched.requested_url
                    report()
        for _ in as_completed(futures):
            report()
        return {name: future.result() for future, name in futures.items()}
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _without_copies(rows: Iterable[Row], maker: RowMaker) -> list[Row]:
    """The rows, of which later ones with the address or the text of an earlier one lose theirs."""
    kept: list[Row] = []
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        marks = [(key, row[key]) for key in ("url", "content_hash") if row["status"] == "read" and row.get(key)]
        original = next((first[mark] for mark in marks if mark in first), None)
        if original is None:
            first |= dict.fromkeys(marks, row)
            kept.append(row)
            continue
        if original["topics"] and row["topics"]:
            original["topics"] = list(dict.fromkeys([*original["topics"], *row["topics"]]))
        else:
            original["topics"] = None
        kept.append(maker.copy_of(original, row))
    return kept
