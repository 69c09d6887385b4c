"""A report's two scatter charts: accuracy against hallucination rate, and index against cost."""

import math
from collections.abc import Sequence
from statistics import median
from typing import Any

from assets.metrics.leaderboard import dollars, signed
from assets.reports.facts import models_of, named
from assets.reports.figure import Figure, Row, alt_text, chart_spec, csv_link
from resources.registries.model_specs import BASELINES

_RATES = ("accuracy", "hallucination_rate")
# A little more than 0 to 100, so that no point lies on an axis.
_ACROSS: Any = {"domain": [-3, 103], "nice": False}
_DOWNWARD: Any = {"domain": [103, -3], "nice": False}
_TWENTIES: Any = {"values": [0, 20, 40, 60, 80, 100]}
_WIDTH, _HEIGHT = 900.0, 360.0  # about what a chart has on a desktop, to tell which names would cover each other
_LETTER, _LINE = 7.0, 15.0


def quadrant_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against hallucination rate with the four quadrants."""
    import altair as alt

    id = f"{board}-quadrants"
    known = [row for row in rows if row["accuracy"] is not None and row["hallucination_rate"] is not None]
    real = models_of(known)
    enough = len(real) >= 4
    across = 100 * median(row["accuracy"] for row in real) if enough else 50.0
    down = 100 * median(row["hallucination_rate"] for row in real) if enough else 50.0
    lines = "the medians of the models" if enough else "50 %, since there are fewer than four models"
    reading = (
        "To the right a model knows more; further up it states less that is wrong when it does not know. The lines "
        f"stand at {lines}; the upper right is where one wants to be. Hollow points are incomplete."
    )
    if perfect := [row["model"] for row in rows if row["accuracy"] == 1]:
        reading += f" Not shown, since nothing it answered was not right: {', '.join(perfect)}."
    if not known:
        missing = "Too little data: no model has both an accuracy and a hallucination rate."
        return Figure(id, "Accuracy and hallucination rate", reading, missing=missing)
    data = [
        {
            "model": row["model"],
            "accuracy": 100 * row["accuracy"],
            "hallucination_rate": 100 * row["hallucination_rate"],
            "coverage": row["coverage"],
        }
        for row in known
    ]
    places = [((row["accuracy"] + 3) / 106, (row["hallucination_rate"] + 3) / 106) for row in data]
    shown = [row | label for row, label in zip(data, _labels(data, places), strict=True)]
    base = alt.Chart(alt.Data(values=shown)).encode(
        x=alt.X("accuracy:Q", title="Accuracy, %", scale=_ACROSS, axis=_TWENTIES),
        y=alt.Y("hallucination_rate:Q", title="Hallucination rate, % (low is up)", scale=_DOWNWARD, axis=_TWENTIES),
        tooltip=[alt.Tooltip("model:N"), *(alt.Tooltip(f"{name}:Q", format=".1f") for name in _RATES)],
    )
    rule = {"color": "var(--soft)", "strokeDash": [3, 3]}
    vertical = alt.Chart(alt.Data(values=[{"at": across}])).mark_rule(**rule).encode(x="at:Q")
    level = alt.Chart(alt.Data(values=[{"at": down}])).mark_rule(**rule).encode(y=alt.Y("at:Q", scale=_DOWNWARD))
    corners = alt.Chart(alt.Data(values=_corners(across))).mark_text(color="var(--soft)", fontSize=11, opacity=0.8)
    words = corners.encode(x="x:Q", y=alt.Y("y:Q", scale=_DOWNWARD), text="words:N")
    chart = _with_names(vertical + level + words + _points(base), base, shown)
    best = [row["model"] for row in models_of(data) if row["accuracy"] > across and row["hallucination_rate"] < down]
    measure = "the median model" if enough else "50 %"
    title = f"No model both knows more than {measure} and invents less"
    if best:
        verbs = ("knows", "invents") if len(best) == 1 else ("know", "invent")
        title = f"{named(best)} {verbs[0]} more than {measure} and {verbs[1]} less"
    said = alt_text(
        title, (f"{row['model']} accuracy {row[_RATES[0]]:.1f} %, hallucination {row[_RATES[1]]:.1f} %" for row in data)
    )
    return Figure(id, title, reading, said, chart_spec(chart, 420), csv=csv_link(data))


def _corners(across: float) -> list[dict[str, object]]:
    left, right, up, low = across / 2, (100 + across) / 2, 4, 93
    return [
        {"x": right, "y": up, "words": ["knows much,", "invents little"]},
        {"x": left, "y": up, "words": ["knows little,", "invents little"]},
        {"x": right, "y": low, "words": ["knows much,", "invents much"]},
        {"x": left, "y": low, "words": ["knows little,", "invents much"]},
    ]


def cost_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Index against the cost to run the bank."""
    import altair as alt

    id = f"{board}-cost"
    reading = (
        "To the left a model costs less, further up its index is higher. Cost is that of its own tokens for this bank, "
        "without the judge's; a hollow point is incomplete and has been asked for less."
    )
    known = [row for row in models_of(rows) if row["index"] is not None and row["cost_usd"] is not None]
    unknown = [row["model"] for row in rows if row["cost_usd"] is None]
    if not any(row["cost_usd"] for row in known):
        missing = "Nothing to compare: no model here has cost anything that is known."
        if any(row["cost_usd"] for row in models_of(rows)):
            missing = "Nothing to compare: no model that has cost something has an index."
        if unknown:
            missing += f" Nobody states a price for {', '.join(unknown)}."
        return Figure(id, "Index and cost", reading, missing=missing)
    data = [{name: row[name] for name in ("model", "cost_usd", "index", "coverage")} for row in known]
    least = min(row["cost_usd"] for row in data if row["cost_usd"])
    free = not all(row["cost_usd"] for row in data)
    scale = alt.Scale(type="symlog", constant=least, padding=12) if free else alt.Scale(type="log", padding=12)
    places = _cost_places(data, least)
    shown = [row | label for row, label in zip(data, _labels(data, places), strict=True)]
    base = alt.Chart(alt.Data(values=shown)).encode(
        x=alt.X(
            "cost_usd:Q",
            title="Cost to run the bank, US dollars",
            scale=scale,
            axis=alt.Axis(format="$~g", labelOverlap=True, tickCount=6),
        ),
        y=alt.Y("index:Q", title="Omniscience Index", scale=alt.Scale(zero=False, padding=16)),
        tooltip=["model:N", alt.Tooltip("cost_usd:Q", format="$.4f"), alt.Tooltip("index:Q", format=".1f")],
    )
    if unknown:
        reading += f" Not shown, since nobody states a price: {', '.join(unknown)}."
    title = _cost_title(known)
    if unknown:
        title = f"Of those with a known price, {title}"
    said = alt_text(title, (f"{row['model']} {dollars(row['cost_usd'])} for {signed(row['index'])}" for row in data))
    chart = _with_names(alt.layer(_points(base)), base, shown)
    return Figure(id, title, reading, said, chart_spec(chart, 400), csv=csv_link(data))


def _cost_title(rows: Sequence[Row]) -> str:
    """The best index, and the cheapest model that could be as good."""
    best = min(rows, key=lambda row: (row["rank"], row["cost_usd"]))
    peers = [row for row in rows if best["model"] not in (row["better"] or [])]
    cheapest = min(peers, key=lambda row: row["cost_usd"])
    title = f"{best['model']} has the best index, at {dollars(best['cost_usd'])}"
    if cheapest["cost_usd"] < best["cost_usd"]:
        title += f"; {cheapest['model']} cannot be told apart from it, at {dollars(cheapest['cost_usd'])}"
    return title


def _cost_places(data: Sequence[Row], least: float) -> list[tuple[float, float]]:
    across = [math.log1p(row["cost_usd"] / least) for row in data]
    upward = [row["index"] for row in data]
    return list(zip(_spread(across), [1 - place for place in _spread(upward)], strict=True))


def _spread(values: Sequence[float]) -> list[float]:
    """Places from 0 to 1."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.5 for value in values]


def _labels(data: Sequence[Row], places: Sequence[tuple[float, float]]) -> list[dict[str, str]]:
    """Each point's name and the side it stands on; none where it would cover a point or another name.

    Args:
        data: the most important first.
        places: of the points, 0 to 1 from left and from above.
    """
    points = [(x * _WIDTH, y * _HEIGHT) for x, y in places]
    taken: list[tuple[float, float, float, float]] = []
    labels = []
    for row, (x, y) in zip(data, points, strict=True):
        width = _LETTER * len(row["model"])
        for side in ("left", "right") if x + width < _WIDTH else ("right", "left"):
            start = x + 8 if side == "left" else x - 8 - width
            box = (start, y - 7 - _LINE / 2, start + width, y - 7 + _LINE / 2)
            if start >= 0 and box[2] <= _WIDTH and not _covers(box, taken, points):
                taken.append(box)
                labels.append({"label": row["model"], "side": side})
                break
        else:
            labels.append({"label": "", "side": "left"})
    return labels


def _covers(
    box: tuple[float, float, float, float],
    taken: Sequence[tuple[float, float, float, float]],
    points: Sequence[tuple[float, float]],
) -> bool:
    left, top, right, bottom = box
    if any(left < x < right and top < y < bottom for x, y in points):
        return True
    return any(left < other[2] and other[0] < right and top < other[3] and other[1] < bottom for other in taken)


def _points(base: Any) -> Any:
    import altair as alt

    return base.mark_point(filled=True, size=80, opacity=1, stroke="var(--accent)", strokeWidth=2).encode(
        fill=alt.condition("datum.coverage < 1", alt.value("var(--paper)"), alt.value("var(--accent)")),
        shape=alt.condition(_is_baseline(), alt.value("square"), alt.value("circle")),
    )


def _is_baseline() -> str:
    return " || ".join(f"datum.model === '{name}'" for name in BASELINES)


def _with_names(points: Any, base: Any, shown: Sequence[Row]) -> Any:
    """The points with their labels, right or left of them; Vega warns of a layer without data."""
    for side in sorted({row["side"] for row in shown if row["label"]}):
        points += (
            base.transform_filter(f"datum.side === '{side}' && datum.label !== ''")
            .mark_text(align=side, dx=8 if side == "left" else -8, dy=-7, color="var(--ink)", fontSize=12)
            .encode(text="label:N")
        )
    return points
