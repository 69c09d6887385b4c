"""`factsweep export`: any table as CSV, JSON lines or Parquet."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import polars as pl

    from resources.installation import Installation

_TABLES = (
    "items",
    "responses",
    "grades",
    "partitions",
    "sweeps",
    "scores",
    "score_history",
    "leaderboard",
    "public_scores",
    "drift",
    "drift_answers",
    "calls",
    "sources",
    "evidence_cards",
    "verdicts",
    "reviews",
    "topic_balance",
)


@click.command("export")
@click.argument("table", type=click.Choice(_TABLES))
@click.option("--format", "form", type=click.Choice(["csv", "jsonl", "parquet"]), help="By --out's ending, else csv.")
@click.option("--out", type=click.Path(dir_okay=False), help="File to write; standard output when left out.")
@click.option("--split", type=click.Choice(["public", "private"]), help="Only these of the active items.")
def export_command(table: str, form: str | None, out: str | None, split: str | None) -> None:
    """Write TABLE to a file or to standard output; an empty table has its header.

    `items --split public` is what may be published: each row carries a canary, by which training
    corpora are filtered. The tables of building a bank hold text of its sources, private ones too.
    """
    import sys
    from pathlib import Path

    from assets.reports.exporting import encode
    from resources.installation import Installation
    from resources.types import ConfigurationError
    from resources.warehouse import replacing

    if split and table != "items":
        raise ConfigurationError(f"--split {split} is for items, and {table} has no such parts; leave it out")
    if form is None:
        form = {".jsonl": "jsonl", ".parquet": "parquet"}.get(Path(out).suffix if out else "", "csv")
    if form == "parquet" and out is None and sys.stdout.isatty():
        raise ConfigurationError("Parquet is no text for a terminal; add --out FILE")
    installation = Installation.open()
    frame = installation.ledger.frame() if table == "calls" else installation.lake.read(table)
    if table == "items":
        frame = _part(frame, split, installation)
    content = encode(frame, form)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    with replacing(Path(out).expanduser()) as temporary:
        temporary.write_bytes(content)
    click.echo(f"{frame.height} rows of {table} in {out}", err=True)


def _part(items: "pl.DataFrame", split: str | None, installation: "Installation") -> "pl.DataFrame":
    """The items that were asked for; without a split all of them, and the user is told what is among them."""
    from assets.items.leaving import Split, part_of, private_count

    banks = installation.banks.banks
    if split:
        return part_of(items, Split(split), banks)
    if private := private_count(items, banks):
        click.echo(f"private items among these: {private}; `--split public` leaves them out", err=True)
    return items
