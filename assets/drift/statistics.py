"""Whether a model still answers as it did: an exact permutation test of later nights against its baseline.

Knows no tables and no models: outcomes in, chances out.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

NIGHTS_A_YEAR = 365
WEEK = 7
# An alarm each night with at most this chance: 365 × (0.002 + 0.0007) = 0.99 false alarms a model and year. They are
# shared out so that, after a baseline of seven nights, three steady items that change in one night are an alarm
# (8^-3 = 0.00195), and so is one steady item that stays changed for a week (2 / C(14, 7) = 0.00058).
NIGHT_LEVEL = 0.002
WEEK_LEVEL = 0.0007
_POWER = 0.8
_STEPS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)

Pattern = tuple[tuple[int, ...], ...]


class Given(NamedTuple):
    """What a model gave for an item on one night: its grade (or that it was truncated or filtered), and its words."""

    grade: str
    text: str


@dataclass(frozen=True)
class Series:
    """One item's nights: those of the baseline, the later ones of the last week, and tonight where it was answered."""

    baseline: tuple[Given, ...]
    before: tuple[Given, ...]
    tonight: Given | None


@dataclass(frozen=True)
class Evidence:
    """The chance that a model that did not change differs so much from its baseline: tonight, and over the week."""

    p_night: float
    p_week: float

    @property
    def alarm(self) -> bool:
        return self.p_night <= NIGHT_LEVEL or self.p_week <= WEEK_LEVEL


def evidence(items: Sequence[Series]) -> Evidence:
    """Tests tonight and the last week against the baseline.

    Each of the two p-values is valid on every night by itself, whatever the items' own instability, and counts that the
    baseline is an estimate. By the linearity of expectation false alarms in a year of 365 nights are at most
    365 × (NIGHT_LEVEL + WEEK_LEVEL) < 1, although all nights share one baseline and weeks overlap. Assumed is that an
    unchanged model's answers to an item are exchangeable between nights, and those to different items independent.
    """
    tonight = [(item.tonight,) if item.tonight else () for item in items]
    return Evidence(
        permutation_p([(item.baseline, now) for item, now in zip(items, tonight, strict=True)]),
        permutation_p([(item.baseline, (*item.before, *now)) for item, now in zip(items, tonight, strict=True)]),
    )


def permutation_p(items: Sequence[tuple[Sequence[Given], Sequence[Given]]]) -> float:
    """The chance of so many differences between earlier and later nights if the nights could be exchanged.

    The statistic adds up, over all pairs of an earlier and a later night of an item, 2 where the grades differ and 1
    where the words alone do. Its distribution is exact: within each item every choice of nights to be the later ones
    is as likely as any other (a permutation test stratified by item; P. Good, Permutation, Parametric and Bootstrap
    Tests of Hypotheses, 3rd ed. 2005). An item that gives other words each night weighs by its grades alone, and one
    that gives other grades too weighs little.

    Args:
        items: (earlier, later) of each item; where either is empty the item says nothing.
    """
    chances, over_lowest = np.ones(1), 0
    for earlier, later in items:
        if not earlier or not later or len({*earlier, *later}) == 1:
            continue
        lowest, own = _chances(_pattern([*earlier, *later]), len(later))
        over_lowest += _differences(earlier, later) - lowest
        if own.size > 1:
            chances = np.convolve(chances, own)
    return min(1.0, float(chances[over_lowest:].sum()))


def rate(nights: Sequence[Sequence[str]]) -> float | None:
    """How often two nights of the same item differ, over all items; None where no item has two nights."""
    pairs = sum(comb(len(own), 2) for own in nights)
    alike = sum(comb(times, 2) for own in nights for times in Counter(own).values())
    return None if not pairs else 1 - alike / pairs


@lru_cache(maxsize=1024)
def power(changed: int, nights: int, *, items: int, flip_rate: float, baseline_nights: int, draws: int = 200) -> float:
    """The chance that a lasting change is an alarm within so many nights, by seeded simulation.

    Every item has one usual grade, and another one on some nights, so often that two nights differ with `flip_rate`;
    from the change on, `changed` items have another usual grade. A fall of accuracy by `changed / items` is such a
    change, and so is a swap for a model that gives as many right answers to other items. Words are taken to say no more
    than grades do: a model that repeats itself to the letter is watched more sharply.

    Args:
        changed: items whose usual grade changes.
        nights: after the change, at most a week; before it a week passed without one.
    """
    unusual = (1 - sqrt(max(0.0, 1 - 2 * flip_rate))) / 2
    chance = np.random.default_rng(0)
    quiet = baseline_nights + WEEK - 1
    found = 0
    for _ in range(draws):
        other = chance.random((quiet + nights, items)) < unusual
        other[quiet:, :changed] ^= True
        told = [[_GIVEN[flag] for flag in column] for column in other.T]
        for night in range(quiet, quiet + nights):
            before = slice(max(baseline_nights, night + 1 - WEEK), night)
            series = [Series(tuple(own[:baseline_nights]), tuple(own[before]), own[night]) for own in told]
            if evidence(series).alarm:
                found += 1
                break
    return found / draws


def smallest_found(nights: int, *, items: int, flip_rate: float, baseline_nights: int) -> int | None:
    """How many items must change to be found within so many nights with 80 % probability; None: all are too few."""

    def found(changed: int) -> bool:
        return power(changed, nights, items=items, flip_rate=flip_rate, baseline_nights=baseline_nights) >= _POWER

    smallest = 1 + bisect_left(range(1, items + 1), True, key=found)
    return smallest if smallest <= items else None


def rounded_up(flip_rate: float) -> float:
    """The next of a few rates, so that `smallest_found` is reckoned for few of them."""
    return next((step for step in _STEPS if flip_rate <= step), _STEPS[-1])


_GIVEN = {False: Given("usual", "usual"), True: Given("other", "other")}


def _differences(earlier: Sequence[Given], later: Sequence[Given]) -> int:
    return sum(2 if one.grade != other.grade else int(one.text != other.text) for one in earlier for other in later)


def _pattern(nights: Sequence[Given]) -> Pattern:
    """How often each wording came within each grade: all that the distribution depends on."""
    by_grade: dict[str, Counter[str]] = {}
    for given in nights:
        by_grade.setdefault(given.grade, Counter())[given.text] += 1
    return tuple(sorted(tuple(sorted(words.values())) for words in by_grade.values()))


@lru_cache(maxsize=8192)
def _chances(pattern: Pattern, later: int) -> tuple[int, np.ndarray]:
    """The smallest number of differences, and the chance of each number from there on."""
    cells = [(grade, word) for grade, words in enumerate(pattern) for word, n in enumerate(words) for _ in range(n)]
    grades, words = (np.array(codes) for codes in zip(*cells, strict=True))
    apart = np.where(grades[:, None] != grades, 2, words[:, None] != words)
    chosen = _choices(len(cells), later)
    differences = ((chosen @ apart) * (1 - chosen)).sum(axis=1)
    counts = np.bincount(differences - differences.min())
    return int(differences.min()), counts / counts.sum()


@lru_cache(maxsize=64)
def _choices(nights: int, later: int) -> np.ndarray:
    """Every choice of later nights, one a row, as 0 and 1."""
    rows = np.zeros((comb(nights, later), nights), dtype=np.int64)
    for row, chosen in enumerate(combinations(range(nights), later)):
        rows[row, list(chosen)] = 1
    return rows
