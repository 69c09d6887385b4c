"""What the fetcher makes of each kind of answer: documents as they are, and a result for everything else."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from resources.fetcher import Fetched, FetchRequest, FetchStatus
from tests.support.web import HOST, OTHER_HOST, Page, Web, in_turn, own


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


def test_a_document_with_all_that_its_server_says(web: Web) -> None:
    headers = {
        "Content-Type": "Text/HTML; Charset=UTF-8",
        "ETag": '"v1"',
        "Last-Modified": "Mon, 01 Dec 2025 00:00:00 GMT",
    }
    web.pages["/page"] = Page(b"<p>Canberra</p>", headers=headers)

    fetched = web.fetch("/page?lang=en#history")

    assert fetched == Fetched(
        requested_url=web.url("/page?lang=en#history"),
        final_url=web.url("/page?lang=en"),
        status=FetchStatus.FETCHED,
        retrieved_at=web.clock.now(),
        http_status=200,
        media_type="text/html",
        charset="utf-8",
        body=b"<p>Canberra</p>",
        etag='"v1"',
        last_modified="Mon, 01 Dec 2025 00:00:00 GMT",
    )


def test_the_request_names_the_product(web: Web) -> None:
    web.pages["/page"] = Page(b"x")

    web.fetch()

    assert all(request.headers["user-agent"].startswith("factsweep") for request in web.log)


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-16"])
def test_a_body_stays_bytes(web: Web, charset: str) -> None:
    body = "Zürich, 1 £".encode(charset)
    web.pages["/page"] = Page(body, headers={"Content-Type": f'text/plain; charset="{charset}"'})

    fetched = web.fetch()

    assert (fetched.body, fetched.charset) == (body, charset)


@pytest.mark.parametrize(
    ("content_type", "media_type"),
    [(None, None), ("", None), ("application/pdf", "application/pdf"), (";;=", None), ("nonsense", "nonsense")],
)
def test_a_wrong_content_type_costs_no_document(web: Web, content_type: str | None, media_type: str | None) -> None:
    web.pages["/page"] = Page(b"<p>", headers={} if content_type is None else {"Content-Type": content_type})

    fetched = web.fetch()

    assert (fetched.status, fetched.body, fetched.media_type) == (FetchStatus.FETCHED, b"<p>", media_type)


def test_unchanged_by_the_validators_of_the_last_fetch(web: Web) -> None:
    web.pages["/page"] = lambda request: Page(status=304 if request.headers.get("if-none-match") == '"v1"' else 200)

    fetched = web.fetch_request(FetchRequest(web.url(), '"v1"', "Mon, 01 Dec 2025 00:00:00 GMT"))

    assert (fetched.status, fetched.http_status, fetched.body) == (FetchStatus.UNCHANGED, 304, b"")
    assert (fetched.etag, fetched.last_modified) == ('"v1"', "Mon, 01 Dec 2025 00:00:00 GMT")
    assert web.log[-1].headers["if-modified-since"] == "Mon, 01 Dec 2025 00:00:00 GMT"


def test_a_304_that_nobody_asked_for_is_a_failure(web: Web) -> None:
    web.pages["/page"] = Page(status=304)

    assert web.fetch().status == FetchStatus.FAILED


@pytest.mark.parametrize("status", [202, 204, 206, 300, 400, 401, 403, 404, 410, 451])
def test_an_answer_without_a_document(web: Web, status: int) -> None:
    web.pages["/page"] = Page(status=status)

    fetched = web.fetch()

    assert (fetched.status, fetched.http_status) == (FetchStatus.FAILED, status)
    assert f"HTTP {status}" in (fetched.reason or "")


def test_a_missing_page_says_what_to_do(web: Web) -> None:
    fetched = web.fetch("/gone?token=secret")

    assert fetched.reason == "the server answers HTTP 404 (Not Found)"
    assert fetched.remedy == "correct the URL, or take the source out"


def test_half_a_body_is_asked_for_again(web: Web) -> None:
    half = Page(b"01234", headers={"Content-Length": "10"})
    web.pages["/page"] = in_turn(half, half, Page(b"0123456789"))

    assert web.fetch().body == b"0123456789"


def test_half_a_body_is_no_document(web: Web) -> None:
    web.pages["/page"] = Page(b"01234", headers={"Content-Length": "10"})

    fetched = web.fetch()

    assert (fetched.status, fetched.body) == (FetchStatus.FAILED, b"")
    assert fetched.reason == "the connection to docs.test broke off before the whole answer came, 3 times in a row"


def test_what_is_not_http(web: Web) -> None:
    web.pages["/page"] = Page([b"220 mail.example.org ESMTP\r\n\r\n"], raw=True)

    assert web.fetch().reason == "what docs.test answers is not HTTP"


def test_a_server_that_hangs_up(web: Web) -> None:
    web.pages["/page"] = Page([], raw=True)

    assert "broke off" in (web.fetch().reason or "")


def test_a_refused_connection(web: Web) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        fetched = web.fetch(f"http://{HOST}:{deaf.getsockname()[1]}/page")

    assert (fetched.status, fetched.http_status) == (FetchStatus.FAILED, None)
    assert fetched.reason == "no connection to docs.test: refused, 3 times in a row"
    assert fetched.remedy == "fetch again later"


def test_the_next_address_is_tried_where_one_does_not_answer(web: Web) -> None:
    web.addresses[HOST] = ["::1", "127.0.0.1"]  # the web listens on the second alone
    web.pages["/page"] = Page(b"x")

    assert web.fetch().status == FetchStatus.FETCHED


def test_an_unknown_host(web: Web) -> None:
    web.addresses[HOST] = []

    fetched = web.fetch()

    assert (fetched.status, fetched.reason, fetched.remedy) == (
        FetchStatus.FAILED,
        "there is no host docs.test",
        "correct the URL",
    )


def test_one_bad_document_never_costs_the_rest(web: Web) -> None:
    web.pages["/good"] = Page(b"x")
    urls = ["", "no url", web.url("/good"), web.url("/missing"), web.url("/good", OTHER_HOST), "ftp://docs.test/"]

    with web.fetcher() as fetcher:
        results = {fetched.requested_url: fetched.status for fetched in fetcher.fetch_all(map(FetchRequest, urls))}

    assert [results[url] for url in urls] == ["refused", "refused", "fetched", "failed", "fetched", "refused"]


def test_a_fault_in_the_whitelist_is_a_result(web: Web) -> None:
    def admits(host: str) -> str | None:
        raise LookupError("http://docs.test/?token=secret")

    fetched = web.fetch(policy=own(admits=admits))

    assert fetched.status == FetchStatus.FAILED
    assert (fetched.reason or "").startswith("a fault of factsweep: LookupError in test_fetcher.py:")


def test_nothing_to_fetch(web: Web) -> None:
    with web.fetcher() as fetcher:
        assert list(fetcher.fetch_all([])) == []


def test_who_leaves_early_does_not_wait_for_a_hanging_server(web: Web) -> None:
    hanging, never = threading.Event(), threading.Event()

    def hang(request: object) -> Page:
        hanging.set()
        return Page(status=200 if never.wait(5) else 500)

    web.pages |= {"/page": Page(b"x"), "/hang": hang}
    requests = [FetchRequest(web.url("/page")), FetchRequest(web.url("/hang", OTHER_HOST))]
    started = time.monotonic()

    with web.fetcher() as fetcher:
        for _ in fetcher.fetch_all(requests):
            assert hanging.wait(5)
            break

    for thread in threading.enumerate():
        if thread.name.startswith("fetcher"):
            thread.join(2)
    assert time.monotonic() - started < 2


def test_a_closed_fetcher_fetches_nothing(web: Web) -> None:
    fetcher = web.fetcher()
    fetcher.close()

    with pytest.raises(RuntimeError, match="closed"):
        list(fetcher.fetch_all([FetchRequest(web.url())]))
