"""Redirects are followed by hand, and every hop is checked as if it were the first."""

from collections.abc import Iterator

import pytest

from resources.fetcher import FetchRequest, FetchStatus
from tests.support.web import HOST, OTHER_HOST, Page, Web, own, redirect, robots


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(web: Web, status: int) -> None:
    web.pages |= {"/page": redirect("new?lang=en#top", status), "/new": Page(b"x")}

    fetched = web.fetch()

    assert (fetched.requested_url, fetched.final_url) == (web.url("/page"), web.url("/new?lang=en"))
    assert fetched.body == b"x"


def test_to_another_host(web: Web) -> None:
    web.pages |= {"/page": redirect(web.url("/new", OTHER_HOST)), "/new": Page(b"x")}

    fetched = web.fetch()

    assert fetched.final_url == web.url("/new", OTHER_HOST)
    assert [(request.host, request.path) for request in web.log] == [
        (HOST, "/robots.txt"),
        (HOST, "/page"),
        (OTHER_HOST, "/robots.txt"),
        (OTHER_HOST, "/new"),
    ]


def test_the_whitelist_is_asked_at_every_hop(web: Web) -> None:
    web.pages |= {"/page": redirect(web.url("/new", OTHER_HOST)), "/new": Page(b"x")}

    fetched = web.fetch(policy=own(admits=lambda host: None if host == HOST else f"{host} is no source of law"))

    assert (fetched.status, fetched.reason) == (FetchStatus.REFUSED, "other.test is no source of law")
    assert fetched.final_url == web.url("/new", OTHER_HOST)
    assert {request.host for request in web.log} == {HOST}


def test_the_whitelist_is_asked_before_the_first_request(web: Web) -> None:
    assert web.fetch(policy=own(admits=lambda host: "no")).reason == "no"
    assert web.log == []


def test_to_a_private_address(web: Web) -> None:
    web.pages["/page"] = redirect("http://169.254.169.254/latest/meta-data")
    web.addresses["169.254.169.254"] = ["169.254.169.254"]

    fetched = web.fetch()

    assert fetched.status == FetchStatus.REFUSED
    assert fetched.reason == "169.254.169.254 has the address 169.254.169.254, which is link-local"
    assert web.asked == ["/page"]


def test_to_what_another_hosts_robots_forbid(web: Web) -> None:
    web.pages |= {
        "/page": redirect(web.url("/private/new", OTHER_HOST)),
        "/robots.txt": lambda request: robots(
            "User-agent: *\nDisallow: /private" if request.host == OTHER_HOST else ""
        ),
    }

    assert web.fetch().status == FetchStatus.REFUSED
    assert web.asked == ["/page"]


@pytest.mark.parametrize(
    ("location", "because"),
    [
        ("ftp://docs.test/page", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http://[oops/", "names no host"),
        ("http://alice:hunter2@docs.test/", "holds credentials"),
    ],
)
def test_to_what_is_not_fetched(web: Web, location: str, because: str) -> None:
    web.pages["/page"] = redirect(location)

    fetched = web.fetch()

    assert fetched.status == FetchStatus.REFUSED
    assert because in (fetched.reason or "")


def test_to_no_url(web: Web) -> None:
    web.pages["/page"] = redirect("http://docs.test:port/")

    assert web.fetch().reason == f"{web.url('/page')} redirects to what is not a URL"


@pytest.mark.parametrize("location", ["/page", "/page#again", "/other"])
def test_in_a_circle(web: Web, location: str) -> None:
    web.pages |= {"/page": redirect(location), "/other": redirect("/page")}

    fetched = web.fetch()

    assert fetched.status == FetchStatus.FAILED
    assert "in a circle" in (fetched.reason or "")


@pytest.mark.parametrize(("hops", "status"), [(5, FetchStatus.FETCHED), (6, FetchStatus.FAILED)])
def test_at_most_five(web: Web, hops: int, status: FetchStatus) -> None:
    web.pages |= {f"/{hop}": redirect(f"/{hop + 1}") for hop in range(hops)}
    web.pages[f"/{hops}"] = Page(b"x")

    assert web.fetch("/0").status == status
    assert len(web.asked) == 6


def test_without_a_target_it_is_a_failure(web: Web) -> None:
    web.pages["/page"] = Page(status=302)

    assert web.fetch().reason == "the server answers HTTP 302 (Found)"


def test_no_cookie_is_kept(web: Web) -> None:
    cookie = {"Set-Cookie": "session=1; Path=/"}
    web.pages |= {"/page": Page(status=302, headers={"Location": "/new", **cookie}), "/new": Page(b"x", headers=cookie)}

    with web.fetcher() as fetcher:
        list(fetcher.fetch_all([FetchRequest(web.url()), FetchRequest(web.url("/new"))]))

    assert all("cookie" not in request.headers for request in web.log)


def test_validators_go_to_every_hop_when_nobody_knows_whose_they_are(web: Web) -> None:
    web.pages |= {"/page": redirect("/new"), "/new": Page(status=304)}

    fetched = web.fetch_request(FetchRequest(web.url(), etag='"v1"'))

    assert (fetched.status, fetched.final_url) == (FetchStatus.UNCHANGED, web.url("/new"))


def test_validators_of_another_document_are_not_sent(web: Web) -> None:
    web.pages |= {
        "/latest": redirect("/2026"),
        "/2026": lambda request: Page(b"new", status=304 if "if-none-match" in request.headers else 200),
    }

    fetched = web.fetch_request(FetchRequest(web.url("/latest"), etag='"v1"', final_url=web.url("/2025")))

    assert (fetched.status, fetched.body) == (FetchStatus.FETCHED, b"new")


def test_validators_are_sent_to_where_they_came_from(web: Web) -> None:
    web.pages |= {"/latest": redirect("/2025"), "/2025": Page(status=304)}

    fetched = web.fetch_request(FetchRequest(web.url("/latest"), etag='"v1"', final_url=web.url("/2025")))

    assert fetched.status == FetchStatus.UNCHANGED
    assert ["if-none-match" in request.headers for request in web.log] == [False, False, True]
