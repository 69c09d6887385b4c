"""What goes into the fetcher and what comes out of it: policy, request, result."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version


class FetchStatus(StrEnum):
    """What became of one document."""

    FETCHED = "fetched"
    UNCHANGED = "unchanged"
    REFUSED = "refused"  # a rule forbids it: the policy's, the site's robots.txt, or a host's "not before"
    FAILED = "failed"  # it was asked for and did not come


def product() -> str:
    """Such as `factsweep/0.1.0`; what stands before the slash is the name that robots.txt files may address."""
    try:
        return f"factsweep/{version('factsweep')}"
    except PackageNotFoundError:
        return "factsweep"


@dataclass(frozen=True)
class FetchPolicy:
    """The rules of one round of fetching. Hosts are in ASCII and lower case everywhere (`xn--mnchen-3ya.de`).

    Attributes:
        user_agent: some sites want a contact in it: `factsweep/0.1.0 (+https://example.org; mail@example.org)`.
        admits: called with a host before the first request and at every redirect; the reason of a refusal, or None.
        private_hosts: hosts of one's own, which may have any address. All others must be on the public internet.
        max_bytes: of one document, unpacked.
        time_limit_s: for one document over all its redirects and retries, without the waiting for its turn.
        read_timeout_s: how long a server may be silent.
        pause_s: between the end of a host's request and the start of its next.
        longest_pause_s: up to this a site's Crawl-delay replaces `pause_s`.
        longest_retry_after_s: a host that asks for more is left alone until then.
        retries: after 429, 5xx or a broken connection, with `backoff_s` before the first and twice as much each time.
        give_up_after: documents in a row to which a host gave no answer, or only that it is overloaded.
        parallel_hosts: how many hosts are asked at once; each has one request in flight.
        trust_env: take proxies and certificate authorities from the environment. A proxy connects by itself, so
            that an address can be checked only where this machine knows it too.
    """

    user_agent: str = field(default_factory=product)
    admits: Callable[[str], str | None] = lambda host: None
    private_hosts: frozenset[str] = frozenset()
    max_bytes: int = 30_000_000
    time_limit_s: float = 60.0
    connect_timeout_s: float = 10.0
    read_timeout_s: float = 20.0
    pause_s: float = 1.0
    longest_pause_s: float = 30.0
    longest_retry_after_s: float = 120.0
    retries: int = 2
    backoff_s: float = 2.0
    give_up_after: int = 10
    max_redirects: int = 5
    parallel_hosts: int = 8
    trust_env: bool = False


@dataclass(frozen=True)
class FetchRequest:
    """One document, with what the last fetch said of it.

    Attributes:
        final_url: where the last fetch ended. The validators are sent there only, since a redirect that leads
            elsewhere now would call another document unchanged. Without it they are sent at every redirect.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None
    final_url: str | None = None


@dataclass(frozen=True)
class Fetched:
    """What became of one request.

    Attributes:
        final_url: after redirects, without a fragment; the place of the refusal or failure where there was one.
        reason: for a person, when there is no document; holds neither credentials nor the query of a URL.
        remedy: what to do about it, where there is something.
        http_status: of the answer that decided; None when none did.
        media_type: in lower case, as the server says; None when it does not.
        charset: likewise. Nothing is decoded by it.
        body: unpacked; empty unless fetched.
        etag: of this answer; the request's own where an unchanged document's answer has none.
    """

    requested_url: str
    final_url: str
    status: FetchStatus
    retrieved_at: datetime
    reason: str | None = None
    remedy: str | None = None
    http_status: int | None = None
    media_type: str | None = None
    charset: str | None = None
    body: bytes = field(default=b"", repr=False)
    etag: str | None = None
    last_modified: str | None = None
