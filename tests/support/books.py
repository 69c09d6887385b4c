"""What a scripted provider has been asked, has answered and would bill; written by its thread, read by any."""

import threading
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.support.replies import Reply, Request, usage_of

LOGGED_REQUESTS = 1000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cached_input: float


@dataclass
class Stats:
    """Totals since the start: requests received, answers sent whole, work billed, and the most at one time."""

    received: int = 0
    completed: int = 0
    billed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0
    peak_concurrency: int = 0


class Books:
    """Counts requests. Whatever is not an error is billed; models without a price cost nothing."""

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = prices
        self._lock = threading.Lock()
        self._stats = Stats()
        self._in_flight = 0
        self._asked: Counter[tuple[str, str]] = Counter()
        self._log: deque[Request] = deque(maxlen=LOGGED_REQUESTS)

    @property
    def stats(self) -> Stats:
        """The totals of this moment."""
        with self._lock:
            return replace(self._stats)

    @property
    def asked(self) -> Counter[tuple[str, str]]:
        """How often each (model, last user message) was received."""
        with self._lock:
            return Counter(self._asked)

    @property
    def log(self) -> list[Request]:
        """The last requests, oldest first, at most LOGGED_REQUESTS."""
        with self._lock:
            return list(self._log)

    def received(self, request: Request) -> None:
        """Logs `request` and fills in its count."""
        key = request.model, request.message
        with self._lock:
            self._asked[key] += 1
            request.count = self._asked[key]
            self._log.append(request)
            self._in_flight += 1
            self._stats.received += 1
            self._stats.peak_concurrency = max(self._stats.peak_concurrency, self._in_flight)

    def worked(self, request: Request, reply: Reply) -> None:
        """The work behind `reply` is done, whether or not it will reach anyone."""
        with self._lock:
            self._in_flight -= 1
            if reply.status >= 400:
                return
            usage = usage_of(reply, request.message)
            price = self._prices.get(request.model, Price(0, 0, 0))
            self._stats.billed += 1
            self._stats.prompt_tokens += usage.prompt_tokens
            self._stats.completion_tokens += usage.completion_tokens
            self._stats.dollars += (
                (usage.prompt_tokens - usage.cached_tokens) * price.input
                + usage.cached_tokens * price.cached_input
                + usage.completion_tokens * price.output
            ) / 1e6

    def sent(self, reply: Reply) -> None:
        """`reply` was handed over whole."""
        if reply.status < 400:
            with self._lock:
                self._stats.completed += 1
