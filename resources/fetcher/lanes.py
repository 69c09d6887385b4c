"""Politeness: a host has one lane, with one request in it at a time and a pause after each."""

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from resources.fetcher.clock import Clock
from resources.fetcher.problems import LATER, Stopped, refused

_NAP_S = 0.5  # so that closing the fetcher does not wait for a long pause


class Lane:
    """The way to one host."""

    def __init__(self, host: str, clock: Clock, pause_s: float, stop: threading.Event) -> None:
        self.pause_s = pause_s
        self._host = host
        self._clock = clock
        self._stop = stop
        self._taken = threading.Lock()
        self._free_at = -math.inf
        self._closed_until = -math.inf
        self._closed_because = ""
        self._unanswered = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The lane for one request, as soon as it is free and the pause is over.

        Raises:
            NotFetched: it is closed.
            Stopped: the fetcher is.
        """
        with self._taken:
            self._wait()
            try:
                yield
            finally:
                self.rest(self.pause_s)

    def rest(self, seconds: float) -> None:
        """Nobody is let in for at least so long."""
        self._free_at = max(self._free_at, self._clock.monotonic() + seconds)

    def close(self, reason: str, seconds: float = math.inf) -> None:
        """Nobody is let in and nobody waits; for good, or for some seconds."""
        self._closed_until = self._clock.monotonic() + seconds
        self._closed_because = reason

    def answered(self) -> None:
        self._unanswered = 0

    def unanswered(self, give_up_after: int) -> None:
        """A document got no answer for all its retries; as many as `give_up_after` in a row close the lane."""
        self._unanswered += 1
        if self._unanswered >= give_up_after:
            self.close(f"{self._host} gave no answer to {self._unanswered} documents in a row")

    def _wait(self) -> None:
        while True:
            if self._stop.is_set():
                raise Stopped
            if self._clock.monotonic() < self._closed_until:
                raise refused(self._closed_because, LATER)
            left = self._free_at - self._clock.monotonic()
            if left <= 0:
                return
            self._clock.sleep(min(left, _NAP_S))


class Lanes:
    """The lanes of all hosts."""

    def __init__(self, clock: Clock, pause_s: float, stop: threading.Event) -> None:
        self._clock = clock
        self._pause_s = pause_s
        self._stop = stop
        self._lanes: dict[str, Lane] = {}
        self._lock = threading.Lock()

    def to(self, host: str) -> Lane:
        with self._lock:
            if host not in self._lanes:
                self._lanes[host] = Lane(host, self._clock, self._pause_s, self._stop)
            return self._lanes[host]
