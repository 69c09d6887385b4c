"""How every partition stands, as rows and as the grid that `factsweep status` prints."""

from dataclasses import asdict, dataclass

from rich.table import Table
from rich.text import Text

from assets.sweeps.plan import State, make_plan
from assets.sweeps.request import Request
from orchestration.tables import add_name_column, table_terminal
from resources.installation import Installation

_STYLES = {
    State.FRESH: "green",
    State.STALE: "yellow",
    State.INCOMPLETE: "yellow",
    State.MISSING: "dim",
    State.FAILED: "red",
    State.RETIRED: "dim",
    State.FAULTY: "red",
}


@dataclass(frozen=True)
class StatusRow:
    """One partition: `due` says that the next sweep works on it, `coverage` is null before its first sweep."""

    bank: str
    domain: str
    model: str
    state: State
    coverage: float | None
    due: bool
    reason: str

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def collect_status(installation: Installation) -> list[StatusRow]:
    """Every registered partition, then those that are retired or hidden by a fault."""
    plan = make_plan(installation, Request())
    rows = [
        StatusRow(
            planned.target.bank.name,
            *planned.key,
            planned.state,
            planned.coverage,
            planned.due and planned.target.blocked is None,
            planned.reason,
        )
        for planned in plan.partitions
    ]
    return rows + [
        StatusRow(away.domain.split(".", 1)[0], away.domain, away.model, away.state, away.coverage, False, away.reason)
        for away in plan.unplanned
    ]


def print_status(rows: list[StatusRow]) -> None:
    """A grid of domains by models for each bank, and the reasons below it."""
    terminal = table_terminal()
    if not rows:
        terminal.print("No bank has a domain and a model yet; see `factsweep doctor`.")
    for bank in dict.fromkeys(row.bank for row in rows):
        own = [row for row in rows if row.bank == bank]
        terminal.print(_grid(bank, own))
        for row in own:
            if row.reason and row.state is not State.FRESH:
                terminal.print(Text(f"{row.domain} | {row.model}: {row.state}, {row.reason}"))


def _grid(bank: str, rows: list[StatusRow]) -> Table:
    """Domains by models, the longer list downwards so that it fits a terminal."""
    by_key = {(row.domain, row.model): row for row in rows}
    domains, models = (list(dict.fromkeys(getattr(row, name) for row in rows)) for name in ("domain", "model"))
    table = Table(title=bank, title_justify="left")
    if len(models) <= len(domains):
        add_name_column(table, "domain", domains)
        for heading in models:
            table.add_column(heading, overflow="fold")
        for domain in domains:
            table.add_row(domain, *(_cell(by_key.get((domain, model))) for model in models))
        return table
    add_name_column(table, "model", models)
    for heading in (domain.removeprefix(f"{bank}.") for domain in domains):
        table.add_column(heading, overflow="fold")
    for model in models:
        table.add_row(model, *(_cell(by_key.get((domain, model))) for domain in domains))
    return table


def _cell(row: StatusRow | None) -> Text:
    if row is None:
        return Text("not asked", style="dim")
    coverage = "" if row.coverage is None or row.state is State.FRESH else f" {int(row.coverage * 100)} %"
    return Text(f"{row.state}{coverage}", style=_STYLES[row.state])
