"""A report's charts of a line a model: index, grade mix, and what was truncated or filtered."""

from collections.abc import Sequence
from typing import Any

from assets.metrics.leaderboard import signed
from assets.reports.facts import counted, models_of, named
from assets.reports.figure import Figure, Row, alt_text, chart_spec, csv_link
from resources.registries.model_specs import BASELINES

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
        "A point is a model's index, the line its 95 % interval; hollow points are incomplete. Right of the zero line "
        "a model does better than one that answers nothing; where the interval crosses it, that is not shown."
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
    ranged = any(row["low"] is not None for row in data)  # Vega warns of a field that is null in every row
    points = base.mark_point(filled=True, size=70, opacity=1, stroke="var(--accent)", strokeWidth=2).encode(
        x=alt.X("index:Q", title="Omniscience Index", scale=alt.Scale(domain=_around(data), nice=False)),
        fill=alt.condition("datum.coverage < 1", alt.value("var(--paper)"), alt.value("var(--accent)")),
    )
    real = models_of(data)
    above = [row["model"] for row in real if row["low"] is not None and row["low"] > 0]
    what = "right more often than wrong" if all(row["penalty"] == 1 for row in drawn) else "above an index of 0"
    title = f"No model is shown to be {what}"
    if above:
        verb = "is" if len(above) == 1 else "are"
        title = f"{len(above)} of {counted(len(real), 'model')} {verb} shown to be {what}"
    said = alt_text(title, (f"{row['model']} {signed(row['index'])}" for row in data))
    chart = zero + whiskers + points if ranged else zero + points
    return Figure(id, title, reading, said, chart_spec(chart, 22 * len(data) + 55), csv=csv_link(data))


def _around(data: Sequence[Row]) -> list[float]:
    """The index's range with room at both ends, so that no point lies on the axis."""
    ends = [row[name] for row in data for name in ("index", "low", "high") if row[name] is not None]
    room = max(3.0, 0.04 * (max(ends) - min(ends)))
    return [min(*ends, 0.0) - room, max(*ends, 0.0) + room]


def mix_figure(board: str, rows: Sequence[Row]) -> Figure:
    """What each model's answers were graded, as shares of all that were due."""
    import altair as alt

    id = f"{board}-mix"
    reading = (
        "Each bar is all answers that were due; what is not graded was truncated, filtered, failed, left by the judge "
        "or not asked."
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
    most = [row["model"] for row in models_of(incorrect) or incorrect if row["share"] == wrong["share"]]
    share = f"{wrong['share']:.0f} %" if wrong["share"] >= 1 else "under 1 %"
    title = f"{named(most)} {'is' if len(most) == 1 else 'are'} wrong most often, in {share} of all answers due"
    if len(models_of(incorrect)) == 1:
        title = f"{wrong['model']} is wrong in {share} of all answers due"
    if not wrong["share"]:
        title = "No model gave a wrong answer"
        if not any(row["answers"] for row in data if row["grade"] != "not graded"):
            title = "No answer is graded yet"
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
    """Answers that were due by a row of `scores`, by what became of them as `MIX` names it."""
    counts = {name: int(row[name]) for name, *_ in MIX[:-1]}
    graded = sum(counts.values())
    cut = sum(int(row[name]) for name in ("truncated", "filtered", "failed", "ungraded"))
    due = round(graded / row["coverage"]) if row["coverage"] else max(int(row["items"]), cut)
    counts["ungraded"] = max(due - graded, cut)
    return counts


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
    chart = span
    if any(row["index"] is not None for row in data):
        chart = span + base.mark_point(filled=True, size=70, opacity=1, color="var(--accent)").encode(x="index:Q")
    most = max(data, key=lambda row: row["truncated"] + row["filtered"])
    title = f"{most['model']} had {most['truncated'] + most['filtered']} answers cut off or filtered"
    said = (f"{row['model']} {row['truncated']} truncated, {row['filtered']} filtered" for row in data)
    return Figure(id, title, reading, alt_text(title, said), chart_spec(chart, 24 * len(data) + 55), csv=csv_link(data))


_NAMES: Any = {"ticks": False, "domain": False}
_TWENTIES: Any = {"values": [0, 20, 40, 60, 80, 100]}
_WHOLE: Any = {"domain": [0, 100], "nice": False}
