"""A domain of web pages and files, gathered again and again; each time goes on from the last."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from assets.sources.gathering import gather
from checks.bank_contracts import SOURCES
from resources.registries import Bank, Domain
from resources.registries.banks import BankSpec, DomainSpec
from resources.types import Format
from tests.support.web import HOST, OTHER_HOST, Page, Web

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
HTML = {"Content-Type": "text/html; charset=utf-8"}
LAW = b"<title>Fees</title><h1>Fees</h1><p>The fee is 12 dollars.</p>"


class Gathered:
    """Args:
    folder: the bank's.
    web: where URLs lead.
    spec: keys of the domain file; both names of the web are its private hosts, and the first is among its hosts.
    """

    def __init__(self, folder: Path, web: Web, **spec: Any) -> None:
        self.bank = Bank("own", folder, BankSpec(title="Own", format=Format.SHORT_ANSWER))
        self.web = web
        self.spec: dict[str, Any] = {
            "title": "Law",
            "topics": [{"name": "Tax"}, {"name": "Fees"}],
            "hosts": {HOST: 2},
            "private_hosts": [HOST, OTHER_HOST],
        } | spec
        self.now = NOW
        self.frame = SOURCES.empty()
        self.progress: list[tuple[int, int]] = []

    def again(self, after_days: int = 1, **spec: Any) -> "Gathered":
        """Gathers some days later, with what of the domain file has changed."""
        self.spec |= spec
        self.now += timedelta(days=after_days)
        domain = Domain("own.law", self.bank.folder / "domains" / "law.yaml", DomainSpec.model_validate(self.spec))
        self.progress = []
        self.frame = SOURCES.validate(
            gather(
                self.bank,
                domain,
                self.frame,
                self.now,
                self.web.fetcher,
                lambda done, total: self.progress.append((done, total)),
            )
        )
        return self

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.frame.iter_rows(named=True)}

    @property
    def row(self) -> dict[str, Any]:
        [row] = self.frame.iter_rows(named=True)
        return row

    def statuses(self) -> dict[str, str]:
        return dict(self.frame.select("name", "status").iter_rows())

    def texts(self) -> list[str]:
        return self.frame.explode("sections").select(pl.col("sections").struct.field("text")).to_series().to_list()


def law(body: bytes = LAW, etag: str = '"1"', **headers: str) -> Any:
    """A page with a validator, which answers 304 to it."""

    def script(request: Any) -> Page:
        sent = {**HTML, "ETag": etag, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if request.headers.get("if-none-match") == etag:
            return Page(status=304, headers=sent)
        return Page(body, headers=sent)

    return script
