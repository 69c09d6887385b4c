"""What a robots.txt file says, by RFC 9309."""

import time

import pytest

from resources.fetcher.robots import read_robots

LINES = {
    "the longest pattern counts": ("Allow: /\nDisallow: /private", "/private/page", False),
    "also when it allows": ("Disallow: /\nAllow: /docs", "/docs/page", True),
    "of two as long the one that allows": ("Disallow: /page\nAllow: /page", "/page", True),
    "a star is anything": ("Disallow: /*/print", "/law/print", False),
    "a star between": ("Disallow: /a*b*c", "/axxbxxc/d", False),
    "a star that does not fit": ("Disallow: /a*b*c", "/axxcxxb", True),
    "a query": ("Disallow: /*?", "/page?print=1", False),
    "an end": ("Disallow: /*.php$", "/a.php", False),
    "an end that is none": ("Disallow: /*.php$", "/a.php?x", True),
    "an end without a star": ("Disallow: /page$", "/page/2", True),
    "case counts": ("Disallow: /Page", "/page", True),
    "escapes are alike": ("Disallow: /a%3cd%7Ee/ü", "/a%3Cd~e/%C3%BC", False),
    "an escaped slash is another": ("Disallow: /a%2Fb", "/a/b", True),
    "an empty rule forbids nothing": ("Disallow:", "/page", True),
    "a comment": ("Disallow: /private # not yet", "/private", False),
    "an empty line": ("\nDisallow: /", "/page", False),
    "a sitemap between": ("Sitemap: https://docs.test/map.xml\nDisallow: /", "/page", False),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "path", "allowed"), LINES.values(), ids=LINES.keys())
def test_the_rules_for_all_robots(lines: str, path: str, allowed: bool) -> None:
    assert read_robots(f"User-agent: *\n{lines}".encode(), "factsweep/0.1").allows(path) is allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: *\nDisallow: /\n\nUser-agent: FactSweep\nDisallow: /private", True),
        ("User-agent: factsweep/2.0\nDisallow: /", False),
        ("User-agent: other\nUser-agent: factsweep\nDisallow: /", False),
        ("User-agent: factsweep\nDisallow: /a\n\nUser-agent: factsweep\nDisallow: /page", False),
        ("User-agent: sweep\nDisallow: /", True),
        ("Disallow: /", True),
        ("", True),
        ("\ufeffUser-agent: *\r\nDisallow: /\r\n", False),
        ("USER-AGENT : *\rDISALLOW : /", False),
    ],
)
def test_whom_a_group_is_for(text: str, allowed: bool) -> None:
    assert read_robots(text.encode(), "factsweep/0.1").allows("/page") is allowed


def test_the_longest_crawl_delay_counts() -> None:
    text = b"User-agent: *\nCrawl-delay: 2\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 5"

    assert read_robots(text, "factsweep").crawl_delay_s == 5.0


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    robots = read_robots(b"User-agent: *\nDisallow: /" + b"*a" * 5000 + b"$", "factsweep")
    started = time.monotonic()

    robots.allows("/" + "a" * 4999 + "b")

    assert time.monotonic() - started < 1
