"""Showing a written report to a person."""

import sys
import webbrowser

import click

from assets.reports.pages import Written


def open_report(written: Written) -> None:
    """Opens the page where there is one, else the index; says so where no browser can be started."""
    page = next(iter(written.pages.values())) if len(written.pages) == 1 else written.index
    if not webbrowser.open(page.as_uri()):
        click.echo(f"no browser could be started; open {page} yourself", err=True)
    sys.stdout.flush()
