"""A report's charts: index, quadrants, grade mix, cost, and what was truncated or filtered."""

from collections.abc import Sequence
from statistics import median
from typing import Any

from assets.metrics.leaderboard import dollars, signed
from assets.reports.figure import Figure, Row, alt_text, chart_spec, csv_link
from resources.registries.models import BASELINES

LABELLED = 14  # more names than this cover each other
MIX = (
    ("correct", "correct", "correct"),
    ("partial", "partial", "partial"),
    ("incorrect", "incorrect", "incorrect"),
    ("not_attempted", "not attempted", "abstained"),
    ("ungraded", "not graded", "missing"),
)


def index_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Index with its interval, a model a line."""
    import altair as alt

    id, drawn = f"{board}-index", [row for row in rows if row["index"] is not None]
    reading = (
        "A point is a model's index, the line its 95 % interval; hollow points are incomplete models. "
        "Right of the zero line a model is right more often than wrong."
    )
    if not drawn:
        return Figure(id, "Index", reading, missing="Too little data: no model has a graded answer.")
    data = [
        {
            "model": row["model"],
            "index": row["index"],
            "low": row["index_low"],
            "high": row["index_high"],
            "coverage": row["coverage"],
        }
        for row in drawn
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        y=alt.Y("model:N", sort=[row["model"] for row in data], title=None, axis=_NAMES),
        tooltip=[
            alt.Tooltip("model:N"),
            *(alt.Tooltip(f"{name}:Q", format=".1f") for name in ("index", "low", "high")),
        ],
    )
    zero = (
        alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color="var(--soft)", strokeDash=[3, 3]).encode(x="zero:Q")
    )
    whiskers = base.mark_rule(strokeWidth=2, color="var(--accent)").encode(x="low:Q", x2="high:Q")
    points = base.mark_point(filled=True, size=70, opacity=1, stroke="var(--accent)", strokeWidth=2).encode(
        x=alt.X("index:Q", title="Omniscience Index", scale=alt.Scale(padding=14)),
        fill=alt.condition("datum.coverage < 1", alt.value("var(--paper)"), alt.value("var(--accent)")),
    )
    real = [row for row in data if row["model"] not in BASELINES]
    above = sum(row["index"] > 0 for row in real)
    title = f"{_count(above)} of {len(real)} {'is' if above == 1 else 'are'} right more often than wrong"
    if above == 0:
        title = "No model is right more often than wrong"
    elif above == len(real):
        title = "Every model is right more often than wrong"
    said = alt_text(title, (f"{row['model']} {signed(row['index'])}" for row in data))
    return Figure(
        id, title, reading, said, chart_spec(zero + whiskers + points, 22 * len(data) + 55), csv=csv_link(data)
    )


def quadrant_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Accuracy against hallucination rate with the four quadrants."""
    import altair as alt

    id = f"{board}-quadrants"
    known = [row for row in rows if row["accuracy"] is not None and row["hallucination_rate"] is not None]
    real = [row for row in known if row["model"] not in BASELINES]
    enough = len(real) >= 4
    across = 100 * median(row["accuracy"] for row in real) if enough else 50.0
    down = 100 * median(row["hallucination_rate"] for row in real) if enough else 50.0
    lines = "the medians of the models" if enough else "50 %, since fewer than four models are shown"
    reading = (
        f"To the right a model knows more; further up it states less that is wrong when it does not know. "
        f"The lines stand at {lines}; the upper right quadrant is where one wants to be."
    )
    if not known:
        missing = "Too little data: no model has both an accuracy and a hallucination rate."
        return Figure(id, "Accuracy and hallucination rate", reading, missing=missing)
    data = [
        {
            "model": row["model"],
            "accuracy": 100 * row["accuracy"],
            "hallucination_rate": 100 * row["hallucination_rate"],
            "label": row["model"] if len(known) <= LABELLED or row in known[:5] else "",
        }
        for row in known
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("accuracy:Q", title="Accuracy, %", scale=_ACROSS, axis=_TWENTIES),
        y=alt.Y("hallucination_rate:Q", title="Hallucination rate, % (low is up)", scale=_DOWNWARD, axis=_TWENTIES),
        tooltip=[alt.Tooltip("model:N"), *(alt.Tooltip(f"{name}:Q", format=".1f") for name in _RATES)],
    )
    rule = {"color": "var(--soft)", "strokeDash": [3, 3]}
    vertical = alt.Chart(alt.Data(values=[{"at": across}])).mark_rule(**rule).encode(x="at:Q")
    level = alt.Chart(alt.Data(values=[{"at": down}])).mark_rule(**rule).encode(y=alt.Y("at:Q", scale=_DOWNWARD))
    corners = alt.Chart(alt.Data(values=_corners(across, down))).mark_text(color="var(--soft)", fontSize=11)
    names = corners.encode(x="x:Q", y=alt.Y("y:Q", scale=_DOWNWARD), text="name:N")
    points = base.mark_point(filled=True, size=80, opacity=0.9, color="var(--accent)")
    labels = base.mark_text(align="left", dx=8, dy=-7, color="var(--ink)", fontSize=12).encode(text="label:N")
    best = [row["model"] for row in data if row["accuracy"] > across and row["hallucination_rate"] < down]
    title = (
        f"{_named(best)} both know{'s' if len(best) == 1 else ''} much and invent{'s' if len(best) == 1 else ''} little"
    )
    if len(best) == 1:
        title = f"{best[0]} knows much and invents little"
    elif not best:
        title = "No model knows much and invents little"
    said = alt_text(
        title,
        (
            f"{row['model']} accuracy {row['accuracy']:.1f} %, hallucination {row['hallucination_rate']:.1f} %"
            for row in data
        ),
    )
    kept = [{name: value for name, value in row.items() if name != "label"} for row in data]
    chart = vertical + level + names + points + labels
    return Figure(id, title, reading, said, chart_spec(chart, 420), csv=csv_link(kept))


def _corners(across: float, down: float) -> list[dict[str, object]]:
    left, right, up, low = across / 2, (100 + across) / 2, 4, 93
    return [
        {"x": right, "y": up, "name": ["knows much,", "invents little"]},
        {"x": left, "y": up, "name": ["knows little,", "invents little"]},
        {"x": right, "y": low, "name": ["knows much,", "invents much"]},
        {"x": left, "y": low, "name": ["knows little,", "invents much"]},
    ]


def mix_figure(board: str, rows: Sequence[Row]) -> Figure:
    """What each model's answers were graded, as shares of all that were due."""
    import altair as alt

    id = f"{board}-mix"
    reading = (
        "Each bar is all answers of a model; what is not graded was truncated, filtered, failed or left by the judge."
    )
    data = []
    for row in rows:
        counts = mix_counts(row)
        total = sum(counts.values())
        for order, (name, label, _) in enumerate(MIX):
            share = 100 * counts[name] / total if total else 0.0
            data.append(
                {"model": row["model"], "grade": label, "answers": counts[name], "share": share, "order": order}
            )
    if not any(row["answers"] for row in data):
        return Figure(id, "Grades", reading, missing="Too little data: there is no answer yet.")
    incorrect = [row for row in data if row["grade"] == "incorrect"]
    wrong = max([row for row in incorrect if row["model"] not in BASELINES] or incorrect, key=lambda row: row["share"])
    title = f"{wrong['model']} is wrong most often, in {wrong['share']:.0f} % of its answers"
    if sum(row["model"] not in BASELINES for row in incorrect) == 1:
        title = f"{wrong['model']} is wrong in {wrong['share']:.0f} % of its answers"
    if not wrong["share"]:
        title = "No model gave a wrong answer"
    chart = (
        alt.Chart(alt.Data(values=data))
        .mark_bar()
        .encode(
            y=alt.Y("model:N", sort=[row["model"] for row in rows], title=None, axis=_NAMES),
            x=alt.X("share:Q", stack="zero", title="Share of answers, %", scale=_WHOLE, axis=_TWENTIES),
            color=alt.Color(
                "grade:N",
                title=None,
                scale=alt.Scale(
                    domain=[label for _, label, _ in MIX], range=[f"var(--{colour})" for *_, colour in MIX]
                ),
                legend=alt.Legend(orient="top"),
            ),
            order="order:Q",
            tooltip=["model:N", "grade:N", "answers:Q", alt.Tooltip("share:Q", format=".1f")],
        )
    )
    said = (f"{row['model']} {row['share']:.0f} % correct" for row in data if row["grade"] == "correct")
    kept = [{name: value for name, value in row.items() if name != "order"} for row in data]
    return Figure(id, title, reading, alt_text(title, said), chart_spec(chart, 24 * len(rows) + 85), csv=csv_link(kept))


def mix_counts(row: Row) -> dict[str, int]:
    """Answers of a row of `scores` by what became of them, as `MIX` names it."""
    counts = {name: int(row[name]) for name, *_ in MIX[:-1]}
    counts["ungraded"] = sum(int(row[name]) for name in ("truncated", "filtered", "failed", "ungraded"))
    return counts


def cost_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Index against the cost to run the bank."""
    import altair as alt

    id = f"{board}-cost"
    reading = (
        "To the left a model costs less, further up its index is higher; a model with another one above and left of it "
        "is beaten on both. Cost is what its own tokens for this bank cost, without the judge's."
    )
    known = [row for row in rows if row["index"] is not None and row["cost_usd"] is not None]
    known = [row for row in known if row["model"] not in BASELINES]
    unknown = [row["model"] for row in rows if row["cost_usd"] is None]
    if not any(row["cost_usd"] for row in known):
        missing = "Nothing to compare: no model here has cost anything that is known."
        if unknown:
            missing += f" Nobody states a price for {', '.join(unknown)}."
        return Figure(id, "Index and cost", reading, missing=missing)
    data = [
        {
            "model": row["model"],
            "cost_usd": row["cost_usd"],
            "index": row["index"],
            "label": row["model"] if len(known) <= LABELLED or row in known[:5] else "",
        }
        for row in known
    ]
    least = min(row["cost_usd"] for row in data if row["cost_usd"])
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X(
            "cost_usd:Q",
            title="Cost to run the bank, US dollars",
            scale=alt.Scale(type="symlog", constant=least) if not all(row["cost_usd"] for row in data) else _LOG,
            axis=alt.Axis(format="$~g", labelOverlap=True, tickCount=6),
        ),
        y=alt.Y("index:Q", title="Omniscience Index", scale=alt.Scale(zero=False, nice=True)),
        tooltip=["model:N", alt.Tooltip("cost_usd:Q", format="$.4f"), alt.Tooltip("index:Q", format=".1f")],
    )
    points = base.mark_point(filled=True, size=80, opacity=0.9, color="var(--accent)")
    labels = base.mark_text(align="left", dx=8, dy=-7, color="var(--ink)", fontSize=12).encode(text="label:N")
    best = max(data, key=lambda row: row["index"])
    unbeaten = [row for row in data if not any(_beats(other, row) for other in data)]
    title = f"{best['model']} has the best index and cost {dollars(best['cost_usd'])}"
    if len(unbeaten) > 1:
        title += f"; {len(unbeaten)} models are beaten by none on both"
    if unknown:
        reading += f" Not shown, since nobody states a price: {', '.join(unknown)}."
    said = (f"{row['model']} {dollars(row['cost_usd'])} for {signed(row['index'])}" for row in data)
    kept = [{name: value for name, value in row.items() if name != "label"} for row in data]
    return Figure(id, title, reading, alt_text(title, said), chart_spec(points + labels, 380), csv=csv_link(kept))


def _beats(one: Row, other: Row) -> bool:
    no_worse = one["index"] >= other["index"] and one["cost_usd"] <= other["cost_usd"]
    return no_worse and (one["index"] > other["index"] or one["cost_usd"] < other["cost_usd"])


def withheld_figure(board: str, rows: Sequence[Row]) -> Figure:
    """Where the index would lie if every truncated or filtered answer were wrong, or right."""
    import altair as alt

    id = f"{board}-withheld"
    reading = "The point is the index as graded; the line reaches from all such answers wrong to all of them right."
    cut = [row for row in rows if row["truncated"] or row["filtered"]]
    if not cut:
        return Figure(id, "Truncated and filtered answers", reading, missing="No answer was truncated or filtered.")
    data = [
        {name: row[name] for name in ("model", "truncated", "filtered", "index", "index_worst", "index_best")}
        for row in cut
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        y=alt.Y("model:N", sort=[row["model"] for row in data], title=None, axis=_NAMES),
        tooltip=[f"{name}:{'N' if name == 'model' else 'Q'}" for name in data[0]],
    )
    span = base.mark_rule(strokeWidth=3, color="var(--missing)").encode(
        x=alt.X("index_worst:Q", title="Omniscience Index"), x2="index_best:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1, color="var(--accent)").encode(x="index:Q")
    most = max(data, key=lambda row: row["truncated"] + row["filtered"])
    title = f"{most['model']} had {most['truncated'] + most['filtered']} answers cut off or filtered"
    said = (f"{row['model']} {row['truncated']} truncated, {row['filtered']} filtered" for row in data)
    return Figure(
        id, title, reading, alt_text(title, said), chart_spec(span + points, 24 * len(data) + 55), csv=csv_link(data)
    )


_RATES = ("accuracy", "hallucination_rate")
_NAMES: Any = {"labelLimit": 260, "ticks": False, "domain": False}
# A little more than 0 to 100, so that no point lies on an axis.
_ACROSS: Any = {"domain": [-3, 103], "nice": False}
_DOWNWARD: Any = {"domain": [103, -3], "nice": False}
_TWENTIES: Any = {"values": [0, 20, 40, 60, 80, 100]}
_WHOLE: Any = {"domain": [0, 100], "nice": False}
_LOG: Any = {"type": "log", "nice": True}


def _count(count: int) -> str:
    return "1 model" if count == 1 else f"{count} models"


def _named(names: Sequence[str]) -> str:
    if len(names) <= 2:
        return " and ".join(names)
    return f"{len(names)} models" if len(names) > 4 else f"{', '.join(names[:-1])} and {names[-1]}"
