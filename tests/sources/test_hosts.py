from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from assets.sources.fetching import policy_of
from resources.registries.banks import DomainSpec
from resources.registries.hosts import HostRule, Hosts, UrlFault, checked_url, rule_for
from resources.registries.partial_dates import PartialDate
from resources.registries.problems import RegistryFault, validate

HOSTS = TypeAdapter(Hosts)
RULES = HOSTS.validate_python(
    {"ecfr.gov": 1, "*.gov.uk": 2, "*.service.gov.uk": 3, "a.example": {"tier": 3, "date": 2019}}
)


def fault(rules: Any) -> str:
    with pytest.raises(ValidationError) as raised:
        HOSTS.validate_python(rules)
    return str(raised.value)


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        ("https://ecfr.gov/title-26", 1),
        ("https://www.ecfr.gov", 1),
        ("http://ECFR.gov.:80/", 1),
        ("https://www.legislation.gov.uk/ukpga", 2),
        ("https://www.gov.uk/", 2),
        ("https://tax.service.gov.uk/x", 3),
    ],
)
def test_the_rule_that_says_most_counts(url: str, tier: int) -> None:
    assert rule_for(url, RULES).tier == tier


@pytest.mark.parametrize(
    "url",
    [
        "https://gov.uk/",
        "https://evilecfr.gov/",
        "https://ecfr.gov.evil.example/",
        "https://sub.ecfr.gov/",
        "https://evil.example/ecfr.gov",
        "https://evil.example/?https://ecfr.gov/",
        "https://evil.example#@ecfr.gov/",
    ],
)
def test_a_host_without_a_rule_is_refused_with_what_to_add(url: str) -> None:
    with pytest.raises(UrlFault, match=r"host [\w.]+ is not among the domain's hosts; add `[\w.]+: 1`"):
        rule_for(url, RULES)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://ecfr.gov@evil.example/", "carries a user name"),
        ("https://evil.example\\@ecfr.gov/", "another character that no address may hold"),
        ("https://ecfr.gov/a b", "another character that no address may hold"),
        ("https://ecfr.gov/\n", "another character that no address may hold"),
        ("file:///etc/passwd", "is no web address"),
        ("ecfr.gov/title-26", "is no web address"),
        ("https:///x", "is no web address"),
        ("https://ecfr.gov:99999/", "is no web address"),
        ("https://[::1", "is no web address"),
        ("https://127.0.0.1/", "can be no host"),
        ("https://2130706433/", "can be no host"),
        ("https://[::1]/", "can be no host"),
        ("https://a..b/", "can be no host"),
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str, reason: str) -> None:
    with pytest.raises(UrlFault, match=reason):
        checked_url(url)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://WWW.Ecfr.GOV:443#part", "https://www.ecfr.gov/"),
        ("https://ecfr.gov/A?b=1#c", "https://ecfr.gov/A?b=1"),
        ("https://ecfr.gov:8080/", "https://ecfr.gov:8080/"),
        ("https://Bücher.example/ä", "https://xn--bcher-kva.example/ä"),
    ],
)
def test_one_form_of_a_url(url: str, same: str) -> None:
    assert checked_url(url) == same


def test_a_rule_may_state_a_date() -> None:
    assert rule_for("https://a.example/", RULES) == HostRule(tier=3, date=PartialDate(2019))


@pytest.mark.parametrize(
    "name", ["https://ecfr.gov", "ecfr.gov/title", "*", "*.", "a.*.gov", "ecfr.gov:443", "", "10.0.0.1"]
)
def test_a_rule_for_what_is_no_host_is_told(name: str) -> None:
    assert "is no host; write a name such as ecfr.gov, or *.gov.uk" in fault({name: 1})


@pytest.mark.parametrize("tier", [0, 4, "1", True, 1.5])
def test_a_tier_is_1_2_or_3(tier: object) -> None:
    assert "is none; write 1, 2 or 3, 1 being the most authoritative" in fault({"ecfr.gov": tier})


def test_a_host_that_stands_twice_with_two_tiers_is_told() -> None:
    assert "stands twice; keep one of them" in fault({"ecfr.gov": 1, "ECFR.gov": 2})


def test_private_hosts_are_kept_in_ascii() -> None:
    spec = DomainSpec.model_validate({"title": "Law", "private_hosts": ["Wiki.Example.org.", "münchen.de"]})
    assert spec.private_hosts == ("wiki.example.org", "xn--mnchen-3ya.de")


@pytest.mark.parametrize("written", ["https://wiki.example.org", "wiki.example.org:8080", "10.0.0.1", "", "*.lan"])
def test_a_private_host_that_is_none_is_told(written: str, tmp_path: Path) -> None:
    file = tmp_path / "law.yaml"
    with pytest.raises(RegistryFault) as raised:
        validate(DomainSpec, {"title": "Law", "private_hosts": [written]}, file)
    [problem] = raised.value.problems
    assert (problem.file, problem.key) == (file, "private_hosts")
    assert (
        f"{written!r} is no host; write a name such as wiki.example.org, without https:// and port" in problem.message
    )


def test_proxies_and_authorities_of_the_environment_count() -> None:
    assert policy_of(DomainSpec(title="Law")).trust_env
