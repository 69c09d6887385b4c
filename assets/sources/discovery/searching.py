"""What a search brought, sifted: only usable addresses on the domain's hosts that nobody has named yet."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from assets.sources.discovery.planning import Query
from resources.registries.hosts import HostRule, UrlFault, checked_url, rule_for
from resources.registries.partial_dates import read_date

_LONGEST_TITLE = 200
# What providers take: most take a list of hosts; these take one, none, or queries so short that hosts have no room.
_MOST_HOSTS = {"google_pse": 1, "dataforseo": 0, "deepseek": 0}
_USUAL_MOST_HOSTS = 20


@dataclass(frozen=True)
class Page:
    """A page that may become a source.

    Attributes:
        tier: that of its host.
        date: as the search provider states it, where that is a date.
    """

    url: str
    tier: int
    topic: str
    title: str
    date: str | None
    query: str


@dataclass
class Sifted:
    """What came of the pages that were found.

    Attributes:
        new: to be proposed.
        strange_hosts: pages left out by host, since no rule admits it.
        unusable: addresses left out, with the reason.
        known: addresses that a source or a candidate names already.
    """

    new: list[Page] = field(default_factory=list)
    strange_hosts: Counter[str] = field(default_factory=Counter)
    unusable: dict[str, str] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)


def host_filter(provider: str, hosts: Mapping[str, HostRule]) -> list[str]:
    """The hosts to which the provider is told to keep; none where it cannot take them all.

    It only makes a search better: what comes back is sifted in any case.
    """
    names = sorted({name.removeprefix("*.") for name in hosts})
    return names if len(names) <= _MOST_HOSTS.get(provider, _USUAL_MOST_HOSTS) else []


def sift(found: Sequence[tuple[Query, str]], hosts: Mapping[str, HostRule], named: Collection[str]) -> Sifted:
    """What may be proposed of the pages that were found, each address once, for the topic that found it first.

    Args:
        found: queries with what the ledger keeps of the pages that each brought.
        hosts: the domain's hosts.
        named: addresses that are known, in their normal form.
    """
    sifted = Sifted()
    seen: set[str] = set()
    for query, pages in found:
        for page in json.loads(pages):
            written = page.get("url", "")
            try:
                url = checked_url(written)
            except UrlFault as fault:
                sifted.unusable[shown(written)] = str(fault)
                continue
            if url in seen:
                continue
            seen.add(url)
            try:
                tier = rule_for(url, hosts).tier
            except UrlFault:
                sifted.strange_hosts[urlsplit(url).hostname or ""] += 1
                continue
            if url in named:
                sifted.known.add(url)
                continue
            date = read_date(page.get("date", ""))
            title = shown(page.get("title", ""))
            sifted.new.append(Page(url, tier, query.topic, title, str(date) if date else None, query.text))
    return sifted


def normal_forms(urls: Sequence[str]) -> set[str]:
    """The addresses in the form in which equal ones are equal; what is none is left out."""
    forms = set()
    for url in urls:
        try:
            forms.add(checked_url(url))
        except UrlFault:
            continue
    return forms


def shown(text: str) -> str:
    """A stranger's text on one line, without what a terminal would obey."""
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1] + "…"
