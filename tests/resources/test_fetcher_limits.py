"""Limits of size and time hold against every server, and packed documents are unpacked within them."""

import gzip
import threading
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from resources.fetcher import FetchStatus
from resources.fetcher.bodies import read_body
from resources.fetcher.problems import NotFetched
from tests.support.web import Page, Web, own

MEGABYTE = bytes(1_000_000)


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


def test_an_empty_document(web: Web) -> None:
    web.pages["/page"] = Page(b"", headers={"Content-Encoding": "gzip"})

    assert (web.fetch().status, web.fetch().body) == (FetchStatus.FETCHED, b"")


def test_a_packed_document_is_unpacked(web: Web) -> None:
    packed = gzip.compress(b"Can") + gzip.compress(b"berra") + bytes(8)
    web.pages["/page"] = Page(packed, headers={"Content-Encoding": "gzip"})

    assert web.fetch().body == b"Canberra"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("br", b"x"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"x"))),
        ("gzip", b"no gzip"),
        ("gzip", gzip.compress(b"x" * 99)[:-9]),
    ],
    ids=["unasked", "twice", "not packed", "cut"],
)
def test_a_document_that_cannot_be_unpacked_is_a_failure(web: Web, encoding: str, body: bytes) -> None:
    web.pages["/page"] = Page(body, headers={"Content-Encoding": encoding})

    assert web.fetch().status == FetchStatus.FAILED


def test_a_gzip_bomb_is_stopped(web: Web) -> None:
    web.pages["/page"] = Page(gzip.compress(50 * MEGABYTE), headers={"Content-Encoding": "gzip"})

    fetched = web.fetch()

    assert (fetched.status, fetched.reason) == (FetchStatus.REFUSED, "it is larger than 30 MB")


def test_a_gzip_bomb_takes_no_more_memory_than_the_limit() -> None:
    bomb = gzip.compress(100 * MEGABYTE)
    tracemalloc.start()

    with pytest.raises(NotFetched):
        read_body([bomb], "gzip", None, 1_000_000)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_a_document_that_is_announced_too_large_is_not_read(web: Web) -> None:
    sent: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(50):
            sent.append(number)
            yield MEGABYTE

    web.pages["/page"] = Page(chunks(), headers={"Content-Length": str(50 * len(MEGABYTE))})

    assert web.fetch().status == FetchStatus.REFUSED
    assert len(sent) < 15  # what fits into the buffers of the connection


def test_reading_stops_at_the_limit_without_a_length(web: Web) -> None:
    web.pages["/page"] = Page(MEGABYTE for _ in range(50))

    fetched = web.fetch()

    assert (fetched.status, fetched.reason) == (FetchStatus.REFUSED, "it is larger than 30 MB")


def test_a_page_that_never_ends_is_stopped(web: Web) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield MEGABYTE

    web.pages["/page"] = Page(endless())

    assert web.fetch(policy=own(max_bytes=2_000_000)).reason == "it is larger than 2 MB"


def test_a_document_of_exactly_the_limit_is_fetched(web: Web) -> None:
    web.pages["/page"] = Page(b"0123456789")

    assert web.fetch(policy=own(max_bytes=10)).body == b"0123456789"


def test_a_length_that_lies_low_ends_the_document_there(web: Web) -> None:
    web.pages["/page"] = Page([b"01234", MEGABYTE], headers={"Content-Length": "5"})

    assert web.fetch().body == b"01234"


@pytest.mark.parametrize("raw", [False, True], ids=["body", "headers"])
def test_a_byte_a_second_does_not_outlast_the_time_limit(web: Web, raw: bool) -> None:
    sent: list[int] = []

    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nX-Long: " if raw else b"x"
        while len(sent) < 1000:
            web.clock.sleep(1)
            sent.append(1)
            yield b"x"
            time.sleep(0.001)

    web.pages["/page"] = Page(drip(), raw=raw)

    fetched = web.fetch()

    assert fetched.reason == "docs.test did not send the whole document within 60 s"
    assert fetched.status == FetchStatus.FAILED
    assert web.asked == ["/page"]


def test_a_server_that_is_silent_for_too_long(web: Web) -> None:
    never = threading.Event()
    web.pages["/page"] = lambda request: Page(status=200 if never.wait(3) else 500)

    fetched = web.fetch(policy=own(read_timeout_s=0.05, retries=0))

    assert fetched.reason == "docs.test was silent for longer than the timeout"
