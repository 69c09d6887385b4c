"""`factsweep report`: the HTML report from what is recorded."""

import click


@click.command("report")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
def report_command(opens: bool) -> None:
    """Write the report: a page for each bank and an index, internal and shareable; buys nothing.

    The shareable rendering holds no private item, gold or answer.
    """
    from assets.reports.pages import write_report
    from orchestration.reporting import first_page, open_report
    from resources.installation import Installation, utc_now
    from resources.types import ConfigurationError

    made = write_report(Installation.open(), utc_now())
    if not made.internal.pages:
        raise ConfigurationError("nothing is scored yet, so there is nothing to report; run `factsweep sweep` first")
    for name, page in made.internal.pages.items():
        click.echo(f"{name}: {page}")
    click.echo(f"to share: {made.shareable.index}")
    page = first_page(made.internal.index)
    if opens and not open_report(page):
        click.echo(f"no browser could be started here; open {page}", err=True)
