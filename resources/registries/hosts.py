"""Which hosts a domain trusts, and how far: `hosts:` in its file. No URL is taken without a rule.

hosts:
  ecfr.gov: 1                       # this host, with or without www.
  "*.gov.uk": 2                     # every host below it
  archive.example.org: {tier: 3, date: 2019}
"""

import re
from collections.abc import Mapping
from datetime import date as calendar_date
from typing import Annotated, Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, model_validator

from resources.registries.partial_dates import EARLIEST_YEAR, PartialDate, read_date

_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_USUAL_PORTS = {"http": 80, "https": 443}
_NEVER_IN_URL = re.compile(r"[\s\\\x00-\x20\x7f]")


class UrlFault(Exception):
    """A URL that may not be taken; its text says why and what to do."""


def _as_tier(value: object) -> object:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 3):
        return value
    raise ValueError(f"tier {value!r} is none; write 1, 2 or 3, 1 being the most authoritative")


def _as_partial_date(value: object) -> object:
    """A date as YAML gives it: a day, a year as a number, or text such as `2024-05`."""
    if value is None or isinstance(value, PartialDate):
        return value
    if isinstance(value, calendar_date):
        return PartialDate(value.year, value.month, value.day)
    found = read_date(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if found is None or found.year < EARLIEST_YEAR:
        raise ValueError(f"{value!r} is no date since {EARLIEST_YEAR}; write 2024, 2024-05 or 2024-05-01")
    return found


Tier = Annotated[int, BeforeValidator(_as_tier)]
StatedDate = Annotated[PartialDate | None, BeforeValidator(_as_partial_date)]


class HostRule(BaseModel):
    """What is known of all documents of a host.

    Attributes:
        tier: authority, from 1 (the law itself, a standard, an agency's own figures) to 3.
        date: when its documents were published, where nothing else tells.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    tier: Tier
    date: StatedDate = None

    @model_validator(mode="before")
    @classmethod
    def _from_tier(cls, value: Any) -> Any:
        return value if isinstance(value, dict | HostRule) else {"tier": value}


def _with_checked_names(rules: dict[str, HostRule]) -> dict[str, HostRule]:
    checked: dict[str, HostRule] = {}
    for written, rule in rules.items():
        star = "*." if written.startswith("*.") else ""
        host = in_ascii(written.removeprefix("*."))
        if host is None:
            raise ValueError(f"{written!r} is no host; write a name such as ecfr.gov, or *.gov.uk for all below it")
        if checked.setdefault(star + host, rule) != rule:
            raise ValueError(f"{written!r} stands twice; keep one of them")
    return checked


def _with_checked_hosts(written: tuple[str, ...]) -> tuple[str, ...]:
    checked = []
    for each in written:
        host = in_ascii(each)
        if host is None:
            raise ValueError(f"{each!r} is no host; write a name such as wiki.example.org, without https:// and port")
        checked.append(host)
    return tuple(checked)


PrivateHosts = Annotated[tuple[str, ...], AfterValidator(_with_checked_hosts)]
"""The `private_hosts:` of a domain file."""

Hosts = Annotated[dict[str, HostRule], AfterValidator(_with_checked_names)]
"""The `hosts:` of a domain file, by host or `*.` and what the hosts end in."""


def checked_url(url: str) -> str:
    """`url` in the one form in which two of the same are equal: without its fragment, its host in ASCII.

    Raises:
        UrlFault: when it is no web address, or one that different programs read differently.
    """
    if _NEVER_IN_URL.search(url):
        raise UrlFault("holds a blank or another character that no address may hold; percent-encode it")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UrlFault("is no web address; mend it") from None
    if parts.scheme not in _USUAL_PORTS or not parts.hostname:
        raise UrlFault("is no web address; write one that starts with https:// or http://")
    if "@" in parts.netloc:
        raise UrlFault("carries a user name; remove what stands before the @")
    host = in_ascii(parts.hostname)
    if host is None:
        raise UrlFault(f"names {parts.hostname!r}, which can be no host; mend it")
    place = host if port in (None, _USUAL_PORTS[parts.scheme]) else f"{host}:{port}"
    return urlunsplit((parts.scheme, place, parts.path or "/", parts.query, ""))


def rule_for(url: str, hosts: Mapping[str, HostRule]) -> HostRule:
    """The rule for the host of `url`: its own, else the `*.` rule that says most of it.

    A redirect to another host needs a rule of its own: call this again with the address that answered.

    Raises:
        UrlFault: when no rule admits the host.
    """
    host = urlsplit(checked_url(url)).hostname or ""
    for name in (host, host.removeprefix("www."), f"www.{host}"):
        if name in hosts:
            return hosts[name]
    labels = host.split(".")
    for start in range(1, len(labels)):
        if rule := hosts.get("*." + ".".join(labels[start:])):
            return rule
    raise UrlFault(f"host {host} is not among the domain's hosts; add `{host}: 1` (or 2, 3) to them or leave it out")


def in_ascii(host: str) -> str | None:
    """A host's name in lower case and IDNA; None when it can be none. Numeric addresses are none."""
    try:
        name = host.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    return name if _HOST.fullmatch(name) and not name.rpartition(".")[2].isdecimal() else None
