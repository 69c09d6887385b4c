"""What becomes of a text of last time when its page is out of reach, gone, forbidden or somewhere else."""

from datetime import date

import pytest

from assets.sources.gathering import sources_digest
from tests.sources.gathered import Gathered, law
from tests.support.web import HOST, OTHER_HOST, Page, Web, redirect, robots


def test_an_outage_keeps_the_text_of_last_time(domain: Gathered, web: Web) -> None:
    first = domain.again().row
    digest = sources_digest(domain.frame)
    web.pages["/law"] = Page(status=503)
    row = domain.again(after_days=2).row

    assert row == first | {"fetched_at": domain.now, "reason": row["reason"]}
    assert row["reason"] == (
        "could not be fetched anew on 2026-01-08: docs.test answers HTTP 503 (Service Unavailable), "
        "3 times in a row; fetch again later"
    )
    assert sources_digest(domain.frame) == digest


def test_after_an_outage_nothing_tells_of_it(domain: Gathered, web: Web) -> None:
    domain.again()
    web.pages["/law"] = Page(status=503)
    domain.again()
    domain.again()
    web.pages["/law"] = law()
    assert domain.again().row["reason"] is None
    assert web.log[-1].headers["if-none-match"] == '"1"'


def test_an_outage_of_robots_txt_is_an_outage(domain: Gathered, web: Web) -> None:
    domain.again()
    web.pages["/robots.txt"] = Page(status=500)
    row = domain.again().row
    assert (row["status"], row["characters"] > 0) == ("read", True)
    assert "robots.txt of docs.test cannot be read" in row["reason"]


def test_an_outage_at_first_leaves_no_text(domain: Gathered, web: Web) -> None:
    web.pages["/law"] = Page(status=503)
    row = domain.again().row
    assert (row["status"], row["characters"], row["sections"], row["changed_at"]) == ("failed", 0, None, None)
    assert row["reason"].endswith("3 times in a row; fetch again later")


@pytest.mark.parametrize("status", [404, 410, 451])
def test_what_is_gone_is_not_kept(domain: Gathered, web: Web, status: int) -> None:
    domain.again()
    web.pages["/law"] = Page(status=status)
    row = domain.again().row
    assert (row["status"], row["sections"]) == ("failed", None)
    assert f"HTTP {status}" in row["reason"]

    web.pages["/law"] = law()
    row = domain.again().row
    assert "if-none-match" not in web.log[-1].headers
    assert (row["status"], row["changed_at"]) == ("read", domain.now)


def test_a_missing_page_says_what_to_do(domain: Gathered, web: Web) -> None:
    del web.pages["/law"]
    assert domain.again().row["reason"] == (
        "the server answers HTTP 404 (Not Found); correct the URL, or take the source out"
    )


def test_what_robots_txt_forbids_is_not_kept(domain: Gathered, web: Web) -> None:
    domain.again()
    web.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /law")
    row = domain.again().row
    assert (row["status"], row["sections"]) == ("refused", None)
    assert row["reason"].startswith("robots.txt of docs.test does not allow")


def test_a_host_without_a_rule_is_refused_and_never_asked(domain: Gathered, web: Web) -> None:
    domain.again()
    asked = len(web.log)
    row = domain.again(hosts={}).row

    assert (row["status"], row["tier"], row["url"], row["sections"]) == ("refused", 3, None, None)
    assert row["reason"].startswith("host docs.test is not among the domain's hosts; add `docs.test: 1`")
    assert len(web.log) == asked


def test_a_private_host_must_be_named(domain: Gathered) -> None:
    row = domain.again(private_hosts=[]).row
    assert row["status"] == "refused"
    assert "docs.test has the address 127.0.0.1, which is a loopback address" in row["reason"]


def test_a_private_host_may_be_written_in_any_case(domain: Gathered) -> None:
    assert domain.again(private_hosts=["Docs.Test"]).row["status"] == "read"


# Redirects


@pytest.fixture
def moved(domain: Gathered, web: Web) -> Gathered:
    """A page that is at another host now."""
    web.pages |= {"/law": redirect(web.url("/new", OTHER_HOST)), "/new": law()}
    return domain


def test_a_redirect_within_the_hosts_takes_the_rule_of_its_end(moved: Gathered, web: Web) -> None:
    hosts = {HOST: 1, OTHER_HOST: {"tier": 3, "date": 2020}}
    for _ in range(2):
        row = moved.again(hosts=hosts).row
        assert (row["status"], row["name"], row["url"]) == ("read", web.url("/law"), web.url("/new", OTHER_HOST))
        assert (row["host"], row["rule"], row["tier"], row["published"]) == (
            OTHER_HOST,
            OTHER_HOST,
            3,
            date(2020, 1, 1),
        )
    assert [request.headers.get("if-none-match") for request in web.log if request.path == "/new"] == [None, '"1"']


def test_a_stated_tier_counts_wherever_redirects_end(moved: Gathered, web: Web) -> None:
    sources = [{"url": f"{web.url('/law')}#top", "tier": 1}]
    row = moved.again(hosts={HOST: 2, "*.test": 3}, sources=sources).row
    assert (row["tier"], row["rule"]) == (1, "*.test")


def test_a_redirect_to_a_host_without_a_rule_is_refused(moved: Gathered, web: Web) -> None:
    row = moved.again().row
    assert (row["status"], row["host"], row["rule"], row["sections"]) == ("refused", OTHER_HOST, None, None)
    assert row["reason"] == (
        "redirects to other.test: host other.test is not among the domain's hosts; "
        "add `other.test: 1` (or 2, 3) to them or leave it out"
    )
    assert web.asked == ["/law"]


def test_no_text_outlives_the_rule_of_the_host_it_came_from(moved: Gathered, web: Web) -> None:
    moved.again(hosts={HOST: 2, OTHER_HOST: 2})
    web.pages["/law"] = Page(status=503)
    row = moved.again(hosts={HOST: 2}).row
    assert (row["status"], row["sections"]) == ("refused", None)
    assert row["reason"].startswith("redirected to other.test when it was last fetched: host other.test is not among")
