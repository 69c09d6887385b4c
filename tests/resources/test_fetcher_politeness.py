"""How often a host is asked, how long it is left alone, and that robots.txt files are kept to. Nothing waits."""

import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from resources.fetcher import Fetched, FetchPolicy, FetchRequest, FetchStatus
from tests.support.web import HOST, OTHER_HOST, Page, Web, WebRequest, in_turn, own, redirect, robots

DOCUMENT = Page(b"x")


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        running.pages["/page"] = DOCUMENT
        yield running


def fetch_all(web: Web, *urls: str, policy: FetchPolicy | None = None) -> list[Fetched]:
    with web.fetcher(policy) as fetcher:
        return list(fetcher.fetch_all(map(FetchRequest, urls)))


def gaps(web: Web, host: str = HOST) -> list[float]:
    """Seconds between the requests to a host."""
    return [later.at - earlier.at for earlier, later in pairwise(each for each in web.log if each.host == host)]


def test_a_second_between_the_requests_to_a_host(web: Web) -> None:
    fetch_all(web, *(web.url(f"/page?{number}") for number in range(3)))

    assert web.asked == ["/page?0", "/page?1", "/page?2"]
    assert gaps(web) == [1.0, 1.0, 1.0]


def test_the_pause_is_the_policys(web: Web) -> None:
    fetch_all(web, web.url(), policy=own(pause_s=5.0))

    assert gaps(web) == [5.0]


def test_a_redirect_waits_for_its_turn(web: Web) -> None:
    web.pages["/old"] = redirect("/page")

    fetch_all(web, web.url("/old"))

    assert gaps(web) == [1.0, 1.0]


def test_hosts_are_asked_side_by_side_and_each_politely(web: Web) -> None:
    together = threading.Barrier(2)
    first = {HOST, OTHER_HOST}

    def meet(request: WebRequest) -> Page:
        if request.host in first:
            first.discard(request.host)
            together.wait(5)  # breaks, and the page with it, unless both hosts are being asked
        return DOCUMENT

    web.pages["/page"] = meet

    results = fetch_all(web, *(web.url(f"/page?{number}", host) for number in range(3) for host in (HOST, OTHER_HOST)))

    assert [fetched.status for fetched in results] == [FetchStatus.FETCHED] * 6
    assert not together.broken
    assert min(gaps(web, HOST) + gaps(web, OTHER_HOST)) >= 1.0


def test_redirects_from_many_hosts_ask_one_host_one_at_a_time(web: Web) -> None:
    under_way: list[WebRequest] = []
    most: list[int] = []

    def page(request: WebRequest) -> Page:
        under_way.append(request)
        most.append(len(under_way))
        time.sleep(0.03)
        under_way.remove(request)
        return DOCUMENT

    web.pages |= {"/page": page, "/old": redirect(web.url("/page"))}
    hosts = [f"{number}.test" for number in range(4)]

    results = fetch_all(
        web,
        *(web.url("/old", host) for host in hosts),
        policy=own(private_hosts=frozenset({HOST, *hosts}), pause_s=0.0),
    )

    assert [fetched.status for fetched in results] == [FetchStatus.FETCHED] * 4
    assert max(most) == 1


def test_a_passing_error_is_asked_again(web: Web) -> None:
    web.pages["/page"] = in_turn(Page(status=500), Page(status=503), DOCUMENT)

    (fetched,) = fetch_all(web, web.url())

    assert fetched.status == FetchStatus.FETCHED
    assert gaps(web) == [1.0, 2.0, 4.0]


def test_three_times_and_never_more(web: Web) -> None:
    web.pages["/page"] = Page(status=500)

    (fetched,) = fetch_all(web, web.url())

    assert fetched.reason == "docs.test answers HTTP 500 (Internal Server Error), 3 times in a row"
    assert (fetched.status, fetched.http_status, len(web.asked)) == (FetchStatus.FAILED, 500, 3)


@pytest.mark.parametrize("retry_after", ["30", "Mon, 05 Jan 2026 12:00:31 GMT"])
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_kept_to(web: Web, status: int, retry_after: str) -> None:
    web.pages["/page"] = in_turn(Page(status=status, headers={"Retry-After": retry_after}), DOCUMENT)

    (fetched,) = fetch_all(web, web.url())

    assert fetched.status == FetchStatus.FETCHED
    assert gaps(web) == [1.0, 30.0]


def test_retry_after_holds_for_the_next_document_too(web: Web) -> None:
    web.pages["/busy"] = Page(status=429, headers={"Retry-After": "30"})

    fetch_all(web, web.url("/busy"), web.url())

    assert gaps(web) == [1.0, 30.0, 30.0, 30.0]


def test_a_host_that_asks_for_too_long_is_left_alone(web: Web) -> None:
    web.pages["/busy"] = Page(status=429, headers={"Retry-After": "3600"})

    busy, next_one = fetch_all(web, web.url("/busy"), web.url())

    assert busy.status == FetchStatus.FAILED
    assert busy.reason == "docs.test answers HTTP 429 (Too Many Requests): docs.test asked to be left alone for 3600 s"
    assert (next_one.status, next_one.remedy) == (FetchStatus.REFUSED, "fetch again later")
    assert web.asked == ["/busy"]


@pytest.mark.parametrize("retry_after", ["soon", "-5", "", "Mon, 99 Jan 2026", "Mon, 05 Jan 2020 12:00:00 GMT"])
def test_a_retry_after_that_says_nothing(web: Web, retry_after: str) -> None:
    web.pages["/page"] = in_turn(Page(status=429, headers={"Retry-After": retry_after}), DOCUMENT)

    fetch_all(web, web.url())

    assert gaps(web) == [1.0, 2.0]


def test_a_host_that_answers_nobody_is_given_up(web: Web) -> None:
    web.pages["/down"] = Page([], raw=True)

    results = fetch_all(web, *[web.url("/down")] * 3, policy=own(give_up_after=2, retries=0))

    assert [fetched.status for fetched in results] == [FetchStatus.FAILED, FetchStatus.FAILED, FetchStatus.REFUSED]
    assert results[-1].reason == "docs.test gave no answer to 2 documents in a row"
    assert len(web.asked) == 2


def test_bad_pages_between_good_ones_give_no_host_up(web: Web) -> None:
    web.pages |= {"/down": Page([], raw=True), "/bad": Page(status=500)}
    paths = ["/down", "/page", "/down", "/bad", "/bad", "/page"]

    results = fetch_all(web, *map(web.url, paths), policy=own(give_up_after=2, retries=0))

    assert [fetched.status for fetched in results] == ["failed", "fetched", "failed", "failed", "failed", "fetched"]


def test_robots_are_fetched_once_and_kept_to(web: Web) -> None:
    web.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /private\n")

    allowed, denied = fetch_all(web, web.url(), web.url("/private/page"))

    assert allowed.status == FetchStatus.FETCHED
    assert denied.status == FetchStatus.REFUSED
    assert denied.reason == f"robots.txt of docs.test does not allow {web.url('/private/page')}"
    assert [request.path for request in web.log] == ["/robots.txt", "/page"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Page(status=404), FetchStatus.FETCHED),
        (Page(status=410), FetchStatus.FETCHED),
        (Page(b"<html>", headers={"Content-Type": "text/html"}), FetchStatus.FETCHED),
        (Page(b"\xff\xfe\x00", headers={"Content-Type": "image/png"}), FetchStatus.FETCHED),
        (Page(status=401), FetchStatus.REFUSED),
        (Page(status=403), FetchStatus.REFUSED),
        (Page(status=429), FetchStatus.REFUSED),
        (Page(status=500), FetchStatus.REFUSED),
        (Page(status=503, headers={"Retry-After": "3600"}), FetchStatus.REFUSED),
        (Page([], raw=True), FetchStatus.REFUSED),
        (redirect("/robots.txt"), FetchStatus.REFUSED),
        (redirect("ftp://docs.test/robots.txt"), FetchStatus.REFUSED),
        (Page(bytes(2_000_000)), FetchStatus.REFUSED),
    ],
)
def test_what_a_site_without_readable_robots_allows(web: Web, answer: Page, status: FetchStatus) -> None:
    web.pages["/robots.txt"] = answer

    assert web.fetch().status == status


def test_robots_that_cannot_be_read_say_so(web: Web) -> None:
    web.pages["/robots.txt"] = Page(status=500)

    fetched = web.fetch()

    assert fetched.reason == (
        "robots.txt of docs.test cannot be read, so nothing is fetched there for now: "
        "docs.test answers HTTP 500 (Internal Server Error), 3 times in a row"
    )
    assert fetched.remedy == "fetch again later"
    assert web.asked == []


def test_robots_elsewhere(web: Web) -> None:
    web.pages |= {"/robots.txt": redirect("/en/robots"), "/en/robots": robots("User-agent: factsweep\nDisallow: /")}

    assert web.fetch().status == FetchStatus.REFUSED


@pytest.mark.parametrize(("delay", "gap"), [("7", 7.0), ("2.5", 2.5), ("0", 1.0), ("3600", 30.0), ("x", 1.0)])
def test_a_crawl_delay_is_kept_to_within_bounds(web: Web, delay: str, gap: float) -> None:
    web.pages["/robots.txt"] = robots(f"User-agent: *\nCrawl-delay: {delay}\n")

    fetch_all(web, web.url(), web.url())

    assert gaps(web)[1:] == [gap]
