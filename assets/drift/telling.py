"""Telling whether a model still answers as it did: the row of `drift` that a night's answers and the earlier ones give.

Reads and writes no files.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import polars as pl

from assets.drift.statistics import NIGHT_LEVEL, WEEK, Evidence, Given, Series, evidence, rate
from resources.registries import Drift
from resources.types import Grade, Outcome

SEEN = (
    "night",
    "model",
    "domain",
    "item_id",
    "asking",
    "outcome",
    "text",
    "grade",
    "served_model",
    "system_fingerprint",
)
_MIN_SHARE = 0.5  # a night with fewer of its items answered counts neither as a baseline's nor as a watched one


class _Key(NamedTuple):
    domain: str
    item_id: str
    asking: str


@dataclass(frozen=True)
class _Seen:
    """One item as it is asked tonight: the baseline's nights, and later ones by night."""

    baseline: tuple[Given, ...]
    later: dict[str, Given]


def tell(drift: Drift, model: str, night: str, answers: pl.DataFrame, reason: str | None, now: datetime) -> dict:
    """The model's row of `drift` for `night`.

    Args:
        answers: the model's rows of `drift_answers` up to this night, tonight's among them.
        reason: why it was asked nothing, where it was.
    """
    tonight = answers.filter(night=night)
    rows = list(tonight.iter_rows(named=True))
    given = [each for each in rows if _given(each) is not None]
    row = {
        "night": night,
        "model": model,
        "state": "nothing",
        "items": len(rows),
        "answered": len(given),
        "compared": 0,
        "baseline_nights": 0,
        "alarm": False,
        "served_model": ", ".join(_names(tonight)) or None,
        "note": reason or _note(rows, given),
        "cost_usd": 0.0 if not rows else None if tonight["cost_usd"].null_count() else float(tonight["cost_usd"].sum()),
        "recorded_at": now,
    }
    counting = _counting_nights(answers)
    if night not in counting:
        return row
    history = answers.filter(pl.col("night").is_in(counting)).join(
        tonight.select("domain", "item_id", "asking"), on=["domain", "item_id", "asking"], how="semi"
    )
    seen = _seen(history, drift.baseline_nights)
    told = _numbers(seen, night, counting[-WEEK:])
    renamed = _renamed(history, night)
    reasons = [*([renamed] if renamed else []), *_changed(told)]
    state = "alarmed" if reasons else "watching" if told["compared"] else "learning"
    backend = _new_backend(history, night)
    if reasons and backend:
        reasons.append(backend)
    notes = [text for text in (row["note"], None if reasons else backend) if text]
    return (
        row
        | told
        | {"state": state, "alarm": bool(reasons), "alarm_reason": "; ".join(reasons) or None}
        | {"note": "; ".join(notes) or None}
    )


def _given(row: dict) -> Given | None:
    """What the model gave; None where nothing came, or no judge said what it is worth."""
    text = (row["text"] or "").strip()
    if row["outcome"] == Outcome.ANSWERED:
        return Given(row["grade"], text) if row["grade"] else None
    return None if row["outcome"] == Outcome.FAILED else Given(row["outcome"], text)


def _note(rows: Sequence[dict], given: Sequence[dict]) -> str | None:
    if len(given) == len(rows):
        return None
    missing = next(row for row in rows if _given(row) is None)
    return f"{len(rows) - len(given)} of {len(rows)} came to nothing, such as {missing['item_id']}: {missing['reason']}"


def _counting_nights(answers: pl.DataFrame) -> list[str]:
    """Nights on which enough came, in order."""
    came = (
        pl.when(pl.col("outcome") == Outcome.ANSWERED)
        .then(pl.col("grade").is_not_null())
        .otherwise(pl.col("outcome") != Outcome.FAILED)
    )
    shares = answers.group_by("night").agg(came.mean().alias("share"))
    return sorted(shares.filter(pl.col("share") >= _MIN_SHARE)["night"])


def _seen(history: pl.DataFrame, baseline_nights: int) -> list[_Seen]:
    """Each item's nights: its first ones are its baseline, so that an item that came later is learnt later."""
    nights: dict[_Key, dict[str, Given]] = defaultdict(dict)
    for row in history.sort("night").iter_rows(named=True):
        if (given := _given(row)) is not None:
            nights[_Key(row["domain"], row["item_id"], row["asking"])][row["night"]] = given
    found = []
    for own in nights.values():
        first = list(own)[:baseline_nights]
        later = {night: given for night, given in own.items() if night not in first}
        found.append(_Seen(tuple(own[night] for night in first), later))
    return found


def _numbers(seen: Sequence[_Seen], night: str, week: Sequence[str]) -> dict[str, object]:
    complete = [each for each in seen if each.later]
    compared = [(each, each.later[night]) for each in complete if night in each.later]
    learnt = complete or seen
    numbers: dict[str, object] = {
        "compared": len(compared),
        "baseline_nights": max((len(each.baseline) for each in seen), default=0),
        "grade_rate": rate([[given.grade for given in each.baseline] for each in learnt]),
        "text_rate": rate([[given.text for given in each.baseline] for each in learnt]),
    }
    if not compared:
        return numbers
    found = evidence(
        [
            Series(
                each.baseline,
                tuple(given for at, given in each.later.items() if at in week and at != night),
                each.later.get(night),
            )
            for each in complete
        ]
    )
    return numbers | {
        "changed_grades": sum(now.grade not in {given.grade for given in each.baseline} for each, now in compared),
        "changed_texts": sum(now.text not in {given.text for given in each.baseline} for each, now in compared),
        "accuracy": _accuracy([now] for _, now in compared),
        "baseline_accuracy": _accuracy(each.baseline for each, _ in compared),
        "p_night": found.p_night,
        "p_week": found.p_week,
    }


def _accuracy(items: Iterable[Sequence[Given]]) -> float:
    shares = [sum(given.grade == Grade.CORRECT for given in own) / len(own) for own in items]
    return sum(shares) / len(shares)


def _changed(told: dict) -> list[str]:
    """What the statistics say, as a sentence; none without an alarm."""
    if not told["compared"] or not Evidence(told["p_night"], told["p_week"]).alarm:
        return []
    by_night = told["p_night"] <= NIGHT_LEVEL
    when, p = (
        ("tonight's answers differ", told["p_night"]) if by_night else ("the week's answers differ", told["p_week"])
    )
    return [
        f"{when} from the baseline's (p = {p:.1g}): tonight {told['changed_grades']} of {told['compared']} grades and "
        f"{told['changed_texts']} texts are new, accuracy {told['accuracy']:.0%}, "
        f"in the baseline of {told['baseline_nights']} nights {told['baseline_accuracy']:.0%}"
    ]


def _names(answers: pl.DataFrame) -> list[str]:
    return sorted(answers["served_model"].drop_nulls().unique())


def _renamed(history: pl.DataFrame, night: str) -> str | None:
    """Told when another model is served than on the first night of the baseline."""
    first = history.filter(pl.col("night") == pl.col("night").min())
    was, now = _names(first), _names(history.filter(night=night))
    if not was or set(now) <= set(was):
        return None
    return f"served as {', '.join(now)}; the baseline was served as {', '.join(was)}"


def _new_backend(history: pl.DataFrame, night: str) -> str | None:
    """Told, and no alarm by itself: providers change backends often, and run several at once."""
    before = set(history.filter(pl.col("night") < night)["system_fingerprint"].drop_nulls())
    new = sorted(set(history.filter(night=night)["system_fingerprint"].drop_nulls()) - before)
    return f"new backend: {', '.join(new)}" if before and new else None
