"""`factsweep export`: any table as CSV, JSON lines or Parquet."""

import click

_TABLES = ("items", "responses", "grades", "partitions", "sweeps", "scores", "score_history", "leaderboard", "calls")


@click.command("export")
@click.argument("table", type=click.Choice(_TABLES))
@click.option("--format", "form", type=click.Choice(["csv", "jsonl", "parquet"]), help="By --out's ending, else csv.")
@click.option("--out", type=click.Path(dir_okay=False), help="File to write; standard output when left out.")
def export_command(table: str, form: str | None, out: str | None) -> None:
    """Write TABLE to a file or to standard output; an empty table has its header."""
    import sys
    from pathlib import Path

    from assets.reports.exporting import encode
    from resources.installation import Installation
    from resources.types import ConfigurationError
    from resources.warehouse import replacing

    if form is None:
        form = {".jsonl": "jsonl", ".parquet": "parquet"}.get(Path(out).suffix if out else "", "csv")
    if form == "parquet" and out is None and sys.stdout.isatty():
        raise ConfigurationError("Parquet is no text for a terminal; add --out FILE")
    installation = Installation.open()
    frame = installation.ledger.frame() if table == "calls" else installation.lake.read(table)
    content = encode(frame, form)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    with replacing(Path(out).expanduser()) as temporary:
        temporary.write_bytes(content)
    click.echo(f"{frame.height} rows of {table} in {out}", err=True)
