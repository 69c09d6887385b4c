"""`factsweep discover`: queries of a planner, pages of a search, and only those of trusted hosts are proposed."""

import json
from pathlib import Path

import pytest
import yaml

from assets.sources.discovery.searching import host_filter
from resources.registries.hosts import HostRule
from tests.sources.discovered import ACT, HARBOURS, KEY, LAW, REGISTER, Scene, plan
from tests.support.replies import Page


def test_what_is_found_waits_for_a_person(scene: Scene) -> None:
    result = scene.run()

    assert result.exit_code == 0, result.output
    assert scene.entries() == [
        {
            "url": REGISTER.url,
            "tier": 2,
            "topic": "Harbours",
            "title": "Register of harbours",
            "query": HARBOURS,
            "accept": False,
        },
        {"url": ACT.url, "tier": 1, "topic": "Law", "title": "Port Act", "query": LAW, "accept": False},
    ]
    assert yaml.safe_load(scene.domain_file.read_text())["sources"] == scene.workshop.domain["sources"]


def test_the_file_says_what_to_do_with_it(scene: Scene) -> None:
    scene.run()

    comments = [line for line in scene.file.read_text().splitlines() if line.startswith("#")]
    assert "factsweep discover --domain land.ports --accept-marked" in "\n".join(comments)


def test_it_prints_the_pages_by_topic_the_cost_and_the_next_step(scene: Scene) -> None:
    output = scene.run().output

    assert "Harbours: 1 new pages by 1 searches\n  https://ports.gov.example/register  (tier 2) Register of" in output
    assert "Law: 1 new pages by 1 searches\n  https://law.example/port-act  (tier 1) Port Act" in output
    assert "3 calls bought for $0.02" in output
    assert "factsweep discover --domain land.ports --accept-marked" in output


def test_the_planner_knows_topics_hosts_and_sources(scene: Scene) -> None:
    scene.workshop.domain["sources"].append({"url": "https://law.example/known"})
    scene.workshop.write()

    scene.run("--queries", "7")

    [prompt] = scene.prompts()
    for told in (
        "Ports of Varnland",
        "- Harbours: 1 wanted, 1 missing",
        "- law.example (tier 1)",
        "- *.gov.example (tier 2)",
        "- https://law.example/known",
        "Write 7 queries at most.",
    ):
        assert told in prompt


def test_items_that_are_there_are_not_missing(scene: Scene) -> None:
    line = {"id": "a", "topic": "Law", "question": "When did the Port Act of Varnland begin?", "answer": "1903"}
    scene.workshop.items_file.write_text(json.dumps(line) + "\n")

    scene.run()

    [prompt] = scene.prompts()
    assert "- Law: 1 wanted, 0 missing" in prompt


def test_the_search_is_kept_to_the_hosts(scene: Scene) -> None:
    scene.run()

    assert [request.body["include_domains"] for request in scene.searches()] == [["gov.example", "law.example"]] * 2


@pytest.mark.parametrize(
    ("provider", "hosts", "sent"),
    [
        ("tavily", ["b.example", "*.a.example", "a.example"], ["a.example", "b.example"]),
        ("google_pse", ["a.example"], ["a.example"]),
        ("google_pse", ["a.example", "b.example"], []),  # it would take the first alone
        ("deepseek", ["a.example"], []),
        ("tavily", [f"{number}.example" for number in range(21)], []),
    ],
)
def test_a_provider_is_sent_the_hosts_that_it_can_take(provider: str, hosts: list[str], sent: list[str]) -> None:
    assert host_filter(provider, {host: HostRule(tier=1) for host in hosts}) == sent


STRANGE = {
    "another host": "https://evil.example/port-act",
    "a host that begins alike": "https://law.example.evil.example/",
    "a host that ends alike": "https://badlaw.example/",
    "a host above": "https://gov.example/",
    "an address in a query": "https://evil.example/url?q=https://law.example/port-act",
    "an address in a path": "https://evil.example/https://law.example/port-act",
    "a cache": "https://cache.evil.example/law.example/port-act",
}


@pytest.mark.parametrize("url", STRANGE.values(), ids=STRANGE)
def test_a_page_of_another_host_is_left_out_and_its_host_counted(scene: Scene, url: str) -> None:
    scene.pages[LAW] = (Page(url), ACT)

    result = scene.run()

    assert scene.urls() == [REGISTER.url, ACT.url]
    host = url.split("/")[2]
    assert f"1 pages of hosts that are not among the domain's: {host} 1; add one to hosts: to take it" in result.output


UNUSABLE = {
    "a user name": "https://law.example@evil.example/",
    "a backslash": "https://evil.example\\@law.example/",
    "a blank": "https://law.example/ evil",
    "a script": "javascript:alert(1)",
    "a file": "file:///etc/passwd",
    "an address of numbers": "http://127.0.0.1/",
    "nothing": "",
    "a port that is none": "https://law.example:port/",
}


@pytest.mark.parametrize("url", UNUSABLE.values(), ids=UNUSABLE)
def test_an_address_that_programs_read_differently_is_left_out(scene: Scene, url: str) -> None:
    scene.pages[LAW] = (Page(url), ACT)

    result = scene.run()

    assert result.exit_code == 0
    assert scene.urls() == [REGISTER.url, ACT.url]
    assert f"left out: {url!r} " in result.output


def test_one_page_is_proposed_once(scene: Scene) -> None:
    scene.pages[HARBOURS] = (REGISTER, REGISTER)
    scene.pages[LAW] = (Page("https://PORTS.gov.example:443/register#top"), ACT)

    scene.run()

    assert [(entry["url"], entry["topic"]) for entry in scene.entries()] == [
        (REGISTER.url, "Harbours"),
        (ACT.url, "Law"),
    ]


def test_a_source_is_not_proposed(scene: Scene) -> None:
    scene.workshop.domain["sources"].append({"url": "https://LAW.example/port-act#part-2"})
    scene.workshop.write()

    result = scene.run()

    assert scene.urls() == [REGISTER.url]
    assert "left out: 1 pages that a source or a candidate names already" in result.output


def test_a_strangers_title_cannot_drive_the_terminal(scene: Scene) -> None:
    scene.pages[LAW] = (Page(ACT.url, "Port\x1b[2J\nAct\u202e: 'a' # \"b\""),)

    result = scene.run()

    assert scene.entries()[1]["title"] == "Port [2J Act : 'a' # \"b\""
    assert "\x1b" not in result.output


def test_a_second_run_buys_nothing_and_changes_nothing(scene: Scene) -> None:
    scene.run()
    before, requests = scene.file.read_bytes(), scene.requests

    result = scene.run()

    assert result.exit_code == 0
    assert scene.requests == requests
    assert scene.file.read_bytes() == before
    assert "0 calls bought for $0.0000" in result.output
    assert "Nothing new was found." in result.output


def test_what_a_person_wrote_stays_and_what_is_new_comes_below(scene: Scene) -> None:
    scene.run()
    mine = scene.file.read_text().replace("accept: false", "accept: no  # a scan", 1) + "# seen to here\n"
    scene.file.write_bytes(mine.replace("\n", "\r\n").encode())
    scene.pages[LAW] = (ACT, REGISTER, Page("https://law.example/harbour-act"))

    scene.run("--queries", "5")

    written = scene.file.read_bytes().decode()
    assert written.startswith(mine.replace("\n", "\r\n"))
    assert "\n" not in written.replace("\r\n", "")
    assert scene.urls() == [REGISTER.url, ACT.url]  # the same queries are the same calls

    scene.plans = [plan({"queries": [{"topic": "Law", "query": "harbour act"}]})]
    scene.pages["harbour act"] = (REGISTER, ACT, Page("https://law.example/harbour-act"))
    scene.planned = 0
    scene.run("--queries", "6")

    assert scene.urls() == [REGISTER.url, ACT.url, "https://law.example/harbour-act"]
    assert scene.entries()[0]["accept"] is False


def test_a_list_that_is_indented_is_gone_on_with(scene: Scene) -> None:
    scene.file.parent.mkdir()
    scene.file.write_text("  - url: https://law.example/mine\n    note: read it\n    accept: true")

    scene.run()

    assert scene.urls() == ["https://law.example/mine", REGISTER.url, ACT.url]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("- url: [", "is not valid YAML"),
        ("[]", "must hold a list, each entry on lines of its own"),
        ("url: https://law.example/", "must hold a list"),
        ("- url: https://law.example/\n  accept: perhaps\n", "'perhaps' is no answer; write true or false"),
        ("- tier: 1\n", "is missing; add it"),
    ],
)
def test_a_candidates_file_that_cannot_be_used_is_told_before_anything_is_bought(
    scene: Scene, content: str, fault: str
) -> None:
    scene.file.parent.mkdir()
    scene.file.write_text(content)

    result = scene.run()

    assert result.exit_code == 2
    assert fault in result.output and "candidates/ports.yaml" in result.output
    assert (scene.requests, scene.file.read_text()) == (0, content)


def test_a_domain_without_topics_is_one_topic(scene: Scene) -> None:
    del scene.workshop.domain["topics"]
    scene.workshop.write()
    scene.plans = [plan({"queries": [{"topic": "Ports of Varnland", "query": LAW}]})]

    assert scene.run().exit_code == 0
    assert [(entry["url"], entry["topic"]) for entry in scene.entries()] == [(ACT.url, "Ports of Varnland")]


def test_the_key_is_in_no_file(scene: Scene, home: Path) -> None:
    scene.pages[LAW] = (Page(f"{ACT.url}?key={KEY}", KEY),)

    scene.run()

    files = [file for folder in (home, scene.workshop.root) for file in folder.rglob("*") if file.is_file()]
    assert [str(file) for file in files if KEY.encode() in file.read_bytes()] == []
