"""`python -m benchmarks [--quick] [NAME …]`: measures and prints one table. A missed bound is told, not an error."""

import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console as Terminal

from benchmarks.bank import ANSWER
from benchmarks.figures import figures_table
from benchmarks.laboratory import FULL, LATENCY_S, QUICK, Laboratory
from benchmarks.machine import machine_facts
from benchmarks.measuring import FIGURES
from benchmarks.processes import RunFailed, adopt_orphans
from tests.support.scripted_server import ServerProcess


@click.command()
@click.option("--quick", is_flag=True, help="Few items and one round: whether it works, not how fast it is.")
@click.argument("names", nargs=-1, type=click.Choice(list(FIGURES)))
def main(quick: bool, names: tuple[str, ...]) -> None:
    """Measures the named figures, or all; takes some ten minutes on an idle machine, with --quick a few.

    The figure `report` is measured on an invented world; `python -m benchmarks.synthetic FOLDER` writes that world
    into FOLDER, to look at a report of twenty models and 2,000 items.
    """
    adopt_orphans()
    for line in machine_facts():
        click.echo(line)
    figures, failed = [], False
    with ServerProcess(latency_s=LATENCY_S, text=ANSWER) as server, tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(QUICK if quick else FULL, server.url, Path(folder))
        for name in names or FIGURES:
            click.echo(f"measuring {name} …", err=True)
            try:
                figures += FIGURES[name](laboratory)
            except RunFailed as error:
                failed = True
                click.echo(f"{name} could not be measured: {error}", err=True)
    Terminal(width=None if sys.stdout.isatty() else 160).print(figures_table(figures))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
