"""One errand: a GET with its redirects and retries, each request in its host's turn."""

from collections.abc import Callable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from resources.fetcher.clock import Clock
from resources.fetcher.exchange import Allowance, Answer, Line
from resources.fetcher.lanes import Lane, Lanes
from resources.fetcher.problems import LATER, NotFetched, OutOfTime, Trouble, failed
from resources.fetcher.records import FetchPolicy
from resources.fetcher.urls import admit, host_of, joined, parse, shown

_REDIRECTS = (301, 302, 303, 307, 308)
_OVERLOADED = (429, 502, 503, 504)

Headers = Callable[[httpx.URL], Mapping[str, str]]
Gate = Callable[[httpx.URL], None]


class Errands:
    """Runs errands by the rules of the policy."""

    def __init__(self, policy: FetchPolicy, clock: Clock, lanes: Lanes, line: Line) -> None:
        self._policy = policy
        self._clock = clock
        self._lanes = lanes
        self._line = line

    def run(self, url: str, trail: list[str], gate: Gate, headers: Headers, max_bytes: int) -> Answer:
        """The answer at the end of all redirects.

        Args:
            url: where to begin.
            trail: gets every URL that is come by, the last one last.
            gate: raises NotFetched where a further rule forbids a URL.
            headers: what to send to a URL beside the usual.
            max_bytes: of the body.

        Raises:
            NotFetched: at the last URL of `trail`.
        """
        allowance = Allowance(self._policy.time_limit_s)
        parsed = parse(url)
        while True:
            trail.append(str(parsed))
            admit(parsed, self._policy)
            gate(parsed)
            answer = self._ask(parsed, headers(parsed), allowance, max_bytes)
            location = answer.header("location")
            if answer.status not in _REDIRECTS or not location:
                return answer
            target = joined(parsed, location)
            if str(target) in trail:
                raise failed(f"{shown(parsed)} redirects in a circle, to {shown(target)}")
            if len(trail) > self._policy.max_redirects:
                raise failed(f"more than {self._policy.max_redirects} redirects, the last to {shown(target)}")
            parsed = target

    def _ask(self, url: httpx.URL, headers: Mapping[str, str], allowance: Allowance, max_bytes: int) -> Answer:
        lane = self._lanes.to(host_of(url))
        backoffs = iter([self._policy.backoff_s * 2**retry for retry in range(self._policy.retries)])
        while True:
            with lane.turn():
                try:
                    answer = self._line.get(url, headers, allowance, max_bytes)
                    self._read_request_to_come_again(url, answer)
                    lane.answered()
                    return answer
                except OutOfTime:
                    lane.unanswered(self._policy.give_up_after)
                    raise self._out_of_time(url) from None
                except Trouble as trouble:
                    self._keep_away(lane, url, trouble)
                    if (backoff_s := next(backoffs, None)) is None:
                        raise self._given_up(lane, trouble) from None
                    lane.rest(backoff_s)

    def _read_request_to_come_again(self, url: httpx.URL, answer: Answer) -> None:
        """Lets pass what is final.

        Raises:
            Trouble: the server is overloaded or at fault for now.
        """
        if answer.status == 429 or answer.status >= 500:
            raise Trouble(
                f"{host_of(url)} answers {named(answer.status)}",
                http_status=answer.status,
                retry_after_s=_seconds(answer.header("retry-after") or "", self._clock),
            )

    def _keep_away(self, lane: Lane, url: httpx.URL, trouble: Trouble) -> None:
        """As long as the host asks for; who would have to wait for too long does not wait.

        Raises:
            NotFetched: it is too long.
        """
        if trouble.retry_after_s <= self._policy.longest_retry_after_s:
            lane.rest(trouble.retry_after_s)
            return
        asked = f"{host_of(url)} asked to be left alone for {trouble.retry_after_s:.0f} s"
        lane.close(asked, trouble.retry_after_s)
        raise failed(f"{trouble.reason}: {asked}", LATER, http_status=trouble.http_status)

    def _given_up(self, lane: Lane, trouble: Trouble) -> NotFetched:
        if trouble.http_status is None or trouble.http_status in _OVERLOADED:
            lane.unanswered(self._policy.give_up_after)
        times = f", {self._policy.retries + 1} times in a row" if self._policy.retries else ""
        return failed(f"{trouble.reason}{times}", LATER, http_status=trouble.http_status, reached=trouble.reached)

    def _out_of_time(self, url: httpx.URL) -> NotFetched:
        return failed(
            f"{host_of(url)} did not send the whole document within {self._policy.time_limit_s:g} s",
            "take a smaller document, or put the file into the bank's folder",
        )


def named(status: int) -> str:
    """Such as `HTTP 404 (Not Found)`."""
    try:
        return f"HTTP {status} ({HTTPStatus(status).phrase})"
    except ValueError:
        return f"HTTP {status}"


def _seconds(retry_after: str, clock: Clock) -> float:
    """Of a Retry-After header, which is a number of seconds or a date; 0 when it is neither."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return 0.0
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - clock.now()).total_seconds())
