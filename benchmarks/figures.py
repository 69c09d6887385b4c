"""A measured figure with the bound that it should keep, and the table that shows them all. Measures nothing."""

from dataclasses import dataclass

from rich.table import Table

RULER = "×"


@dataclass(frozen=True)
class Reference:
    """What a figure is compared with, in the figure's own unit."""

    what: str
    value: float


@dataclass(frozen=True)
class Figure:
    """One row of the table.

    Attributes:
        measured: in `unit`.
        bound: the most that is allowed: of measured ÷ reference where there is a reference, else of measured; None
            where the figure only informs.
    """

    what: str
    measured: float
    unit: str
    bound: float | None
    reference: Reference | None = None

    @property
    def ratio(self) -> float | None:
        """Measured ÷ reference; None for a figure that stands alone."""
        return None if self.reference is None else self.measured / self.reference.value

    @property
    def result(self) -> str:
        """`ok`, or by how much the bound is missed; nothing where there is none."""
        if self.bound is None:
            return ""
        compared = self.measured if self.ratio is None else self.ratio
        if compared <= self.bound:
            return "ok"
        return f"missed by {compared / self.bound - 1:.0%}" if self.bound else "missed"

    def cells(self) -> tuple[str, ...]:
        if self.bound is None:
            return self.what, _number(self.measured, self.unit), "", "", self.result
        if self.reference is None:
            return self.what, _number(self.measured, self.unit), _number(self.bound, self.unit), "", self.result
        beside = f"{self.bound:g} {RULER} {_number(self.reference.value, self.unit)} ({self.reference.what})"
        return self.what, _number(self.measured, self.unit), beside, f"{self.ratio:.2f}", self.result


def figures_table(figures: list[Figure]) -> Table:
    """All figures; a missed bound stands out."""
    table = Table(title="What factsweep costs", title_justify="left")
    table.add_column("what")
    for heading in ("measured", "bound", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("ok?")
    for figure in figures:
        table.add_row(*figure.cells(), style="bold red" if figure.result.startswith("missed") else None)
    return table


def _number(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}" if abs(value) < 100 else f"{value:.0f} {unit}"
