"""URLs: which are fetched at all, and how one is shown to a person."""

import re

import httpx

from resources.fetcher.problems import NotFetched, failed, refused
from resources.fetcher.records import FetchPolicy

_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")


def parse(url: str) -> httpx.URL:
    """The URL as it is asked for: its host in ASCII without a final dot, no fragment.

    Raises:
        NotFetched: it is none that may be fetched.
    """
    try:
        parsed = httpx.URL(url).copy_with(fragment=None)
        host = host_of(parsed)
        if host.endswith("."):
            parsed = parsed.copy_with(host=host.rstrip("."))
    except (httpx.InvalidURL, UnicodeError, TypeError, ValueError):
        raise refused("it is not a URL", "correct the URL") from None
    return _fetchable(parsed)


def joined(base: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect of `base` leads.

    Raises:
        NotFetched: it leads to nowhere that may be fetched.
    """
    try:
        target = str(base.join(location))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise failed(f"{shown(base)} redirects to what is not a URL") from None
    try:
        return parse(target)
    except NotFetched as problem:
        raise refused(f"{shown(base)} redirects to where nothing is fetched: {problem.reason}") from None


def _fetchable(url: httpx.URL) -> httpx.URL:
    if url.scheme not in ("http", "https"):
        raise refused(f"only http and https are fetched, not {url.scheme or 'a URL without a scheme'}")
    if url.userinfo:
        raise refused(
            f"the URL at {host_of(url)} holds credentials", "take the part before the @ out; documents must be public"
        )
    if not _HOST.fullmatch(host_of(url)) or not 0 < (url.port or 80) < 65536:
        raise refused("the URL names no host that can be, or no such port", "correct the URL")
    return url


def admit(url: httpx.URL, policy: FetchPolicy) -> None:
    """Asks the policy's whitelist.

    Raises:
        NotFetched: it does not admit the host.
    """
    if (reason := policy.admits(host_of(url))) is not None:
        raise refused(reason)


def host_of(url: httpx.URL) -> str:
    return url.raw_host.decode("ascii")


def shown(url: httpx.URL) -> str:
    """Without query and credentials, which may be secrets."""
    path, _, _ = url.raw_path.partition(b"?")
    return f"{url.scheme}://{(url.netloc + path).decode('ascii')}"
