"""The `leaderboard` table, and how a person sees it: a chart and a Markdown table.

It ranks what `scores.py` computed and computes no metric of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from assets.metrics.pictures import small_pngs
from assets.metrics.ranks import BOARD
from assets.metrics.scores import NOTHING_GRADED
from checks.contracts import LEADERBOARD

# Equal indices may differ in the last bits where a penalty is no binary fraction.
RANK_DECIMALS = 9
_MOST_MODELS = 20

if TYPE_CHECKING:
    import altair as alt


def leaderboard_table(scores: pl.DataFrame, ranks: pl.DataFrame, retired: pl.DataFrame | None = None) -> pl.DataFrame:
    """The rows of level `all`, ranked by index within bank, method and judge, as `LEADERBOARD` says.

    Models of equal index share the rank, and the next rank is left out. Models without an index share the last one.
    Retired models answered the bank as it was: they stand last, ranked among themselves.

    Args:
        scores: the table.
        ranks: what `rank_table` gives. A range is widened to its model's own rank where models answered different
            items.
        retired: what `retired_models` gives.
    """
    rows = scores.filter(pl.col("level") == "all")
    gone = NOBODY_RETIRED if retired is None else retired
    return (
        rows.join(gone, on=["bank", "model"], how="left", maintain_order="left")
        .with_columns(retired=pl.col("answered").is_not_null())
        .with_columns(rank=rank_by("index", [*BOARD, "retired"]))
        .join(ranks, on=[*BOARD, "model"], how="left", nulls_equal=True, maintain_order="left")
        .with_columns(
            rank_best=pl.when(pl.col("rank_best").is_not_null()).then(pl.min_horizontal("rank", "rank_best")),
            rank_worst=pl.when(pl.col("rank_worst").is_not_null()).then(pl.max_horizontal("rank", "rank_worst")),
        )
        .sort(*BOARD, "retired", "rank", "model")
        .select(list(LEADERBOARD.schema))
    )


def rank_by(index: str, board: Sequence[str] = BOARD) -> pl.Expr:
    """Ranks within each board by the column `index`, 1 the highest."""
    place = pl.col(index).round(RANK_DECIMALS).fill_null(float("-inf")).rank("min", descending=True)
    return place.over(board).cast(pl.Int64)


NOBODY_RETIRED = pl.DataFrame(schema={"bank": pl.String, "model": pl.String, "answered": pl.String})


def retired_models(partitions: pl.DataFrame, registered: Callable[[str], bool]) -> pl.DataFrame:
    """Recorded models that are no longer registered: bank, model, and what they answered.

    Args:
        partitions: the table.
        registered: whether the model or baseline of that id is.
    """
    gone = partitions.filter(pl.col("model").is_in([id for id in partitions["model"].unique() if not registered(id)]))
    if gone.is_empty():
        return NOBODY_RETIRED
    last = pl.col("recorded_at").max().dt.strftime("%Y-%m-%d")
    return (
        gone.group_by("bank", "model")
        .agg(answered=pl.format("{} items, last on {}", pl.col("items").sum(), last))
        .select(NOBODY_RETIRED.columns)
    )


@dataclass(frozen=True)
class Heading:
    """A column as a person sees it."""

    name: str
    numeric: bool = True


COLUMNS = (
    Heading("rank"),
    Heading("model", numeric=False),
    Heading("index (95 % interval)"),
    Heading("accuracy"),
    Heading("hallucination rate"),
    Heading("attempt rate"),
    Heading("coverage"),
    Heading("cost"),
    Heading("graded by", numeric=False),
)


def leaderboard_rows(leaderboard: pl.DataFrame, bank: str) -> Iterator[tuple[str, ...]]:
    """The bank's rows as text under `COLUMNS`; an unknown number is a word, never 0 or NaN."""
    for row in leaderboard.filter(pl.col("bank") == bank).iter_rows(named=True):
        yield (
            f"({rank_range(row)})" if row.get("retired") else rank_range(row),
            f"{row['model']}, retired" if row.get("retired") else row["model"],
            _index(row["index"], row["index_low"], row["index_high"], row["note"]),
            percent(row["accuracy"]),
            percent(row["hallucination_rate"]),
            percent(row["attempt_rate"]),
            coverage_text(row["coverage"]),
            dollars(row["cost_usd"]),
            grader_text(row["method"], row["judge"]),
        )


def leaderboard_markdown(leaderboard: pl.DataFrame, bank: str) -> str:
    """The bank's leaderboard as a Markdown table."""
    lines = [
        "| " + " | ".join(column.name for column in COLUMNS) + " |",
        "|" + "|".join("--:" if column.numeric else "---" for column in COLUMNS) + "|",
    ]
    for cells in leaderboard_rows(leaderboard, bank):
        # Narrow columns break at spaces, and a broken interval is hard to read.
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace(" ", "\u00a0") for cell in cells) + " |")
    return "\n".join([*lines, "", *(f"- {note}" for note in leaderboard_notes(leaderboard, bank))])


def leaderboard_notes(leaderboard: pl.DataFrame, bank: str) -> Iterator[str]:
    """What stands apart from the scores: truncated and filtered answers, with the index at worst and at best."""
    for row in leaderboard.filter(pl.col("bank") == bank).iter_rows(named=True):
        if row.get("retired"):
            yield f"{row['model']} is retired: it answered {row['answered']}, and is ranked among retired models only"
        cut = [f"{row[outcome]} {outcome}" for outcome in ("truncated", "filtered") if row[outcome]]
        if cut:
            span = f"{signed(row['index_worst'])} at worst, {signed(row['index_best'])} at best"
            yield f"{row['model']}: {' and '.join(cut)}, not graded; the index would be {span}"


def rank_range(row: Mapping[str, Any]) -> str:
    """The ranks that the model could hold, such as 2–4; its rank where these are one, or not known."""
    best, worst = row["rank_best"], row["rank_worst"]
    return str(row["rank"]) if best is None or best == worst else f"{best}–{worst}"


def _index(index: float | None, low: float | None, high: float | None, note: str | None) -> str:
    if index is None:
        return "none"
    if low is None or high is None:
        return f"{signed(index)} ({note})" if note else signed(index)
    return f"{signed(index)} ({signed(low)} to {signed(high)})"


def signed(number: float) -> str:
    # Adding 0 turns a rounded −0.0 into 0.0.
    return f"{round(number, 1) + 0:.1f}".replace("-", "−")


def percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def coverage_text(coverage: float) -> str:
    return covered(coverage) if coverage == 1 else f"⚠ {covered(coverage)} incomplete"


def covered(coverage: float) -> str:
    """Per cent, rounded down, so that nothing incomplete reads 100."""
    return "100 %" if coverage == 1 else f"{int(1000 * coverage) / 10:.1f} %"


def dollars(cost: float | None) -> str:
    if cost is None:
        return "unknown"
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.2g}" if cost < 0.0001 else f"${cost:.4f}"


def grader_text(method: str, judge: str | None) -> str:
    return f"{method} ({judge})" if judge else method


def leaderboard_charts(leaderboard: pl.DataFrame) -> dict[str, bytes]:
    """For each bank a PNG of its models by index with their 95 % intervals, a panel for each method and judge.

    Each is under 7.4 kB, 10 kB in base64. A model whose coverage is under 100 % has a hollow point and its coverage
    beside its name. Where a bank has more than `_MOST_MODELS` rows, each panel shows its first ones and says so.
    """
    specs = {str(bank): _chart(rows, str(bank)) for (bank,), rows in leaderboard.group_by("bank", maintain_order=True)}
    return dict(zip(specs, small_pngs(list(specs.values())), strict=True))


def _chart(rows: pl.DataFrame, bank: str) -> dict[str, object]:
    import altair as alt

    panels = [panel for _, panel in rows.group_by(BOARD, maintain_order=True)]
    most = max(1, _MOST_MODELS // len(panels))
    chart = alt.vconcat(*(_panel(panel, most) for panel in panels)).properties(
        title=alt.Title(f"Bank {bank}: models by Omniscience Index, whiskers are 95 % intervals", anchor="start")
    )
    return chart.configure_view(stroke=None).to_dict()


def _panel(rows: pl.DataFrame, most: int) -> "alt.LayerChart | alt.FacetChart":
    import altair as alt

    first = rows.row(0, named=True)
    says = [f"Graded by {grader_text(first['method'], first['judge'])}"]
    if rows.height > most:
        says.append(f"the first {most} of {rows.height} models")
    if rows.head(most)["incomplete"].any():
        says.append("hollow: incomplete, only the share in brackets is graded")
    if rows.head(most).filter(pl.col("index").is_not_null())["index_low"].is_null().any():
        says.append("no whiskers: too few clusters")
    drawn = [
        {
            "model": row["model"] if not row["incomplete"] else f"{row['model']} ({covered(row['coverage'])})",
            "incomplete": row["incomplete"],
            "index": row["index"],
            "low": row["index_low"],
            "high": row["index_high"],
            "missing": NOTHING_GRADED if row["index"] is None else "",
        }
        for row in rows.head(most).iter_rows(named=True)
    ]
    scale = alt.X("index:Q", title=f"Index (a wrong answer costs {first['penalty']:g})", scale=alt.Scale(nice=True))
    base = alt.Chart(alt.Data(values=drawn)).encode(
        y=alt.Y(
            "model:N",
            sort=[row["model"] for row in drawn],
            title=None,
            axis=alt.Axis(labelLimit=300, ticks=False, domain=False),
        )
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color="#888888").encode(x="zero:Q")
    whiskers = base.mark_rule(strokeWidth=2, color="#4c78a8").encode(x="low:Q", x2="high:Q")
    points = base.mark_point(filled=True, size=45, opacity=1, stroke="#1f4e79", strokeWidth=1.5).encode(
        x=scale, fill=alt.condition("datum.incomplete", alt.value("white"), alt.value("#1f4e79"))
    )
    missing = base.mark_text(align="left", color="#333333").encode(x=alt.value(4), text="missing:N")
    return (zero + whiskers + points + missing).properties(
        width=360,
        height=alt.Step(17),
        title=alt.Title(", ".join(says), anchor="start", fontWeight="normal", fontSize=11),
    )
