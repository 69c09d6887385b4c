"""The URLs of a domain over the network: by which rules they are asked for, and from where an answer is taken."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from assets.sources.dates import Basis
from assets.sources.documents import SourceDocument
from assets.sources.source_rows import Place, Row
from resources.fetcher import Fetched, FetchPolicy, FetchRequest, FetchStatus
from resources.fetcher.problems import LATER
from resources.registries.banks import DomainSpec
from resources.registries.hosts import HostRule, UrlFault, checked_url, rule_for
from resources.registries.source_specs import SourceSpec

_GONE = (404, 410, 451)


def policy_of(spec: DomainSpec) -> FetchPolicy:
    """Only hosts that a rule of the domain admits are asked, at every redirect too; proxies are the environment's."""

    def admits(host: str) -> str | None:
        try:
            rule_for(f"https://{host}/", spec.hosts)
        except UrlFault as fault:
            return str(fault)
        return None

    return FetchPolicy(admits=admits, private_hosts=frozenset(spec.private_hosts), trust_env=True)


def request_of(document: SourceDocument, earlier: Row | None) -> FetchRequest:
    """What to ask for. `earlier` is the row of last time, if it had a text; then it may be enough that it is unchanged.

    It is not enough where that row's date was stated and is no longer: what the document itself says is not kept.
    """
    if earlier is None or (earlier["published_basis"] == Basis.STATED and document.stated is None):
        return FetchRequest(document.name)
    return FetchRequest(document.name, earlier["etag"], earlier["last_modified"], earlier["url"])


def stated_tiers(specs: Sequence[SourceSpec]) -> dict[str, int]:
    """The tiers that entries state of a URL themselves, which count wherever its redirects end."""
    tiers: dict[str, int] = {}
    for spec in specs:
        if spec.url and spec.tier:
            try:
                tiers.setdefault(checked_url(spec.url), spec.tier)
            except UrlFault:
                continue
    return tiers


def place_of(
    url: str,
    hosts: Mapping[str, HostRule],
    stated_tier: int | None,
    *,
    etag: str | None = None,
    last_modified: str | None = None,
) -> Place:
    """What the domain file says of the address that answered.

    Raises:
        UrlFault: no rule admits it.
    """
    rule = rule_for(url, hosts)
    name = next(name for name, each in hosts.items() if each is rule)
    return Place(stated_tier or rule.tier, url, name, rule.date, etag, last_modified)


def is_outage(fetched: Fetched) -> bool:
    """Whether the document may be there still: it was not taken away, and no rule forbids it."""
    if fetched.status is FetchStatus.REFUSED:
        return fetched.remedy == LATER
    return fetched.status is FetchStatus.FAILED and fetched.http_status not in _GONE


def why(fetched: Fetched) -> str:
    """Why there is no document, with the remedy; a refusal of another host than was asked for says so."""
    asked, answered = urlsplit(fetched.requested_url).hostname, urlsplit(fetched.final_url).hostname
    elsewhere = f"redirects to {answered}: " if answered != asked else ""
    return elsewhere + "; ".join(filter(None, (fetched.reason, fetched.remedy)))
