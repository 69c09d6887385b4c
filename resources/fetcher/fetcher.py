"""Fetches documents: several hosts at once, one polite queue a host, a result for each and never an exception."""

import contextlib
import queue
import threading
import traceback
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

import httpx

from resources.fetcher.addresses import Resolve, look_up
from resources.fetcher.clock import Clock, SystemClock
from resources.fetcher.connections import Connections, Patience
from resources.fetcher.errand import Errands
from resources.fetcher.exchange import Line
from resources.fetcher.lanes import Lanes
from resources.fetcher.outcomes import document, problem
from resources.fetcher.problems import NotFetched, Stopped, failed
from resources.fetcher.records import Fetched, FetchPolicy, FetchRequest
from resources.fetcher.sites import Sites
from resources.fetcher.urls import host_of, parse


class Fetcher:
    """Fetches by one policy, and remembers its hosts' robots.txt files and wishes until the `with` block ends.

    Args:
        policy: the rules.
        clock: for tests.
        resolve: the addresses of a host; for tests.
    """

    def __init__(
        self, policy: FetchPolicy | None = None, *, clock: Clock | None = None, resolve: Resolve = look_up
    ) -> None:
        self._policy = policy or FetchPolicy()
        self._clock = clock or SystemClock()
        self._stop = threading.Event()
        patience = Patience(self._clock, self._stop)
        self._connections = Connections(self._policy, resolve, patience)
        lanes = Lanes(self._clock, self._policy.pause_s, self._stop)
        line = Line(self._policy, self._clock, self._connections, patience)
        self._errands = Errands(self._policy, self._clock, lanes, line)
        self._sites = Sites(self._policy, lanes, self._errands)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what is under way."""
        self._stop.set()
        self._connections.close()

    def fetch_all(self, requests: Iterable[FetchRequest]) -> Iterator[Fetched]:
        """One result for each request, as they come; those of a host come in the order of its requests.

        At most `parallel_hosts` documents and one more are held in memory: who takes the results slowly is waited for.
        Leaving the iteration early closes the fetcher.

        Raises:
            RuntimeError: the fetcher is closed.
        """
        if self._stop.is_set():
            raise Stopped
        queues = _by_host(requests)
        waiting: queue.SimpleQueue[list[FetchRequest]] = queue.SimpleQueue()
        for each in queues:
            waiting.put(each)
        results: queue.Queue[Fetched] = queue.Queue(maxsize=1)
        for number in range(min(self._policy.parallel_hosts, len(queues))):
            threading.Thread(target=self._work, args=(waiting, results), name=f"fetcher {number}", daemon=True).start()
        try:
            for _ in range(sum(map(len, queues))):
                yield results.get()
        except BaseException:
            self.close()
            raise

    def fetch(self, request: FetchRequest) -> Fetched:
        """The result of one request, in the thread that calls.

        Raises:
            RuntimeError: the fetcher is closed.
        """
        trail: list[str] = []
        try:
            answer = self._errands.run(
                request.url,
                trail,
                self._sites.check,
                lambda url: _validators(request, url),
                self._policy.max_bytes,
            )
            return document(request, trail[-1], answer, self._clock.now())
        except NotFetched as error:
            return problem(request, trail, error, self._clock.now())
        except Stopped:
            raise
        except Exception as error:
            return problem(request, trail, _fault(error), self._clock.now())

    def _work(self, waiting: "queue.SimpleQueue[list[FetchRequest]]", results: "queue.Queue[Fetched]") -> None:
        """Takes one host after the other until none is left."""
        with contextlib.suppress(queue.Empty, Stopped):
            while True:
                for request in waiting.get_nowait():
                    self._hand_over(self.fetch(request), results)

    def _hand_over(self, fetched: Fetched, results: "queue.Queue[Fetched]") -> None:
        while not self._stop.is_set():
            with contextlib.suppress(queue.Full):
                results.put(fetched, timeout=0.5)
                return
        raise Stopped


def _by_host(requests: Iterable[FetchRequest]) -> list[list[FetchRequest]]:
    """The requests of each host; the longest queue first, so that it does not run alone at the end."""
    queues: dict[str, list[FetchRequest]] = defaultdict(list)
    for request in requests:
        try:
            queues[host_of(parse(request.url))].append(request)
        except NotFetched:
            queues[""].append(request)
    return sorted(queues.values(), key=len, reverse=True)


def _validators(request: FetchRequest, url: httpx.URL) -> dict[str, str]:
    if request.final_url is not None and request.final_url != str(url):
        return {}
    headers = {"If-None-Match": request.etag, "If-Modified-Since": request.last_modified}
    return {name: value for name, value in headers.items() if value}


def _fault(error: Exception) -> NotFetched:
    """Names the place and not the message, which may hold the URL."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return failed(f"a fault of factsweep: {type(error).__name__} in {Path(place.filename).name}:{place.lineno}")
