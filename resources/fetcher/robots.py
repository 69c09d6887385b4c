"""Reads robots.txt files as RFC 9309 says.

urllib's parser (of Python 3.11) does not: it takes the first rule that matches where the longest counts, takes a `*` in
a path literally, knows only the first group of a name, and drops a group with an empty line after its name. Each of
these lets the fetcher in where a site keeps it out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


@dataclass(frozen=True)
class Rule:
    """A path pattern: `*` is anything, `$` at its end is the path's end."""

    pattern: str
    allows: bool

    def applies_to(self, path: str) -> bool:
        """Takes each part where it is first found, which is enough for `*` and never takes long."""
        pattern, anchored = (self.pattern[:-1], True) if self.pattern.endswith("$") else (self.pattern, False)
        first, *others = pattern.split("*")
        if not path.startswith(first):
            return False
        if not others:
            return len(path) == len(first) or not anchored
        end = len(first)
        for part in others[:-1]:
            found = path.find(part, end)
            if found < 0:
                return False
            end = found + len(part)
        last = others[-1]
        return path.endswith(last) and len(path) - len(last) >= end if anchored else path.find(last, end) >= 0


@dataclass(frozen=True)
class Robots:
    """What a site asks of one robot."""

    rules: tuple[Rule, ...] = ()
    crawl_delay_s: float | None = None

    def allows(self, path: str) -> bool:
        """Whether a path with its query may be fetched. The longest pattern counts; of two, the one that allows."""
        path = _normal(path)
        matching = [rule for rule in self.rules if rule.applies_to(path)]
        return max(((len(rule.pattern), rule.allows) for rule in matching), default=(0, True))[1]


def read_robots(body: bytes, robot: str) -> Robots:
    """The rules for `robot` (a product name without version), else those for all robots."""
    groups: dict[str, tuple[list[Rule], list[float]]] = {}
    named: list[str] = []
    within = False
    for key, value in _lines(body):
        if key == "user-agent":
            if within:
                named, within = [], False
            named.append(_product(value))
            groups.setdefault(named[-1], ([], []))
        elif key in ("allow", "disallow", "crawl-delay"):
            within = True
            for name in named:
                rules, delays = groups[name]
                if key == "crawl-delay":
                    delays += [float(value)] if re.fullmatch(r"\d{1,9}(\.\d+)?", value) else []
                elif value:
                    rules.append(Rule(_normal(value), key == "allow"))
    rules, delays = groups.get(_product(robot)) or groups.get("*") or ([], [])
    return Robots(tuple(rules), max(delays, default=None))


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    for line in re.split(r"[\r\n]+", body.decode("utf-8-sig", "replace")):
        key, _, value = line.partition("#")[0].partition(":")
        yield key.strip().lower(), value.strip()


def _product(user_agent: str) -> str:
    name = re.match(r"[A-Za-z_-]+", user_agent)
    return name.group().lower() if name else user_agent[:1]


def _normal(path: str) -> str:
    """Percent-encoded alike on both sides of a comparison: what needs no encoding has none."""
    encoded = quote(path, safe="!#$%&'()*+,/:;=?@[]~")
    return re.sub("%([0-9A-Fa-f]{2})", _decoded, encoded)


def _decoded(escape: re.Match[str]) -> str:
    mark = chr(int(escape[1], 16))
    return mark if _UNRESERVED.match(mark) else escape[0].upper()
