"""What a chart of a report is, beside its picture: the sentence above it, how to read it, its data.

Colours are the page's own (`var(--name)`), so that light, dark and paper share one spec; `lit` puts plain ones in.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

Row = Mapping[str, Any]

_LIGHT = {
    "ink": "#1b2230",
    "soft": "#5a6475",
    "line": "#d9dee6",
    "paper": "#ffffff",
    "accent": "#1f5f99",
    "correct": "#2f7d4f",
    "partial": "#8fb996",
    "incorrect": "#c0492f",
    "abstained": "#9aa3b2",
    "missing": "#e3c26b",
}


@dataclass(frozen=True)
class Figure:
    """One chart of a page.

    Attributes:
        title: what one sees, as a sentence.
        reading: how to read it.
        alt: the same for who cannot see it.
        spec: Vega-Lite; None when there is too little to draw, and `missing` says so.
        csv: its data as a link.
    """

    id: str
    title: str
    reading: str
    alt: str = ""
    spec: dict[str, Any] | None = None
    missing: str = ""
    csv: str = ""

    @property
    def file(self) -> str:
        return f"{self.id}.csv"


def csv_link(rows: Sequence[Row]) -> str:
    """The rows as CSV in a link that needs no network."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows(rows)
    return "data:text/csv;charset=utf-8," + quote(text.getvalue())


def lit(spec: Any) -> Any:
    """`spec` with the light page's colours in place of the page's variables, for a picture."""
    if isinstance(spec, dict):
        return {name: lit(value) for name, value in spec.items()}
    if isinstance(spec, list):
        return [lit(value) for value in spec]
    if isinstance(spec, str) and spec.startswith("var(--"):
        return _LIGHT[spec[6:-1]]
    return spec


def chart_spec(chart: Any, height: int) -> dict[str, Any]:
    """The chart as wide as its place and `height` pixels high, axes included."""
    return chart.properties(width="container", height=height, autosize={"type": "fit", "contains": "padding"}).to_dict(
        validate=False
    )


def alt_text(title: str, values: Iterable[str]) -> str:
    listed = list(values)
    shown = "; ".join(listed[:10])
    return f"{title}. {shown}{f'; and {len(listed) - 10} more' if len(listed) > 10 else ''}."
