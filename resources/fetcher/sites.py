"""What each site's robots.txt asks for, fetched once a site by the same rules as a document."""

import threading
from dataclasses import dataclass, field

import httpx

from resources.fetcher.errand import Errands, named
from resources.fetcher.lanes import Lanes
from resources.fetcher.problems import LATER, NotFetched, refused
from resources.fetcher.records import FetchPolicy
from resources.fetcher.robots import Robots, Rule, read_robots
from resources.fetcher.urls import host_of, shown

_MAX_BYTES = 1_000_000  # RFC 9309 wants half of it read at least
_NOTHING = Robots((Rule("/", allows=False),))


@dataclass
class _Site:
    """One origin: scheme, host and port."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    robots: Robots | NotFetched | None = None


class Sites:
    """The robots.txt files of all origins."""

    def __init__(self, policy: FetchPolicy, lanes: Lanes, errands: Errands) -> None:
        self._policy = policy
        self._lanes = lanes
        self._errands = errands
        self._sites: dict[str, _Site] = {}
        self._lock = threading.Lock()

    def check(self, url: httpx.URL) -> None:
        """Lets pass what the site wants or leaves to be fetched.

        Raises:
            NotFetched: it does not want `url` fetched, or cannot be asked.
        """
        robots = self._robots(url)
        if isinstance(robots, NotFetched):
            raise robots.with_traceback(None)
        if not robots.allows(url.raw_path.decode("ascii")):
            raise refused(
                f"robots.txt of {host_of(url)} does not allow {shown(url)}",
                "take another source, or ask the site's owner",
            )

    def _robots(self, url: httpx.URL) -> Robots | NotFetched:
        origin = f"{url.scheme}://{url.netloc.decode('ascii')}"
        with self._lock:
            site = self._sites.setdefault(origin, _Site())
        with site.lock:
            if site.robots is None:
                site.robots = self._fetched(origin, host_of(url))
            return site.robots

    def _fetched(self, origin: str, host: str) -> Robots | NotFetched:
        trail: list[str] = []
        try:
            answer = self._errands.run(f"{origin}/robots.txt", trail, lambda url: None, lambda url: {}, _MAX_BYTES)
        except NotFetched as error:
            # Where no connection was made, a document would have fared alike.
            return error if not error.reached else self._unread(host, error.reason)
        if answer.status in (401, 403):
            return _NOTHING
        if 400 <= answer.status < 500:
            return Robots()
        if not 200 <= answer.status < 300:
            return self._unread(host, f"it answers {named(answer.status)}")
        robots = read_robots(answer.body, self._policy.user_agent)
        if robots.crawl_delay_s is not None:
            lane = self._lanes.to(host)
            lane.pause_s = max(lane.pause_s, min(robots.crawl_delay_s, self._policy.longest_pause_s))
        return robots

    def _unread(self, host: str, reason: str) -> NotFetched:
        return refused(f"robots.txt of {host} cannot be read, so nothing is fetched there for now: {reason}", LATER)
