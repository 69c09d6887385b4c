"""Showing a written report to a person."""

import os
import sys
import webbrowser
from pathlib import Path

from assets.reports.pages import write_report
from resources.home import current_home
from resources.installation import Installation, utc_now


def written_report() -> Path:
    """The page to open, written anew where it is missing."""
    index = current_home().report / "internal" / "index.html"
    if not index.exists():
        write_report(Installation.open(), utc_now())
    return first_page(index)


def first_page(index: Path) -> Path:
    """The bank's page where there is one, else the index."""
    pages = list((index.parent / "banks").glob("*.html"))
    return pages[0] if len(pages) == 1 else index


def open_report(page: Path) -> bool:
    """Opens the page in a browser where there is a screen for one; says whether it did.

    Without a screen Python would start a text browser in the terminal.
    """
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) and sys.stdout.isatty() and webbrowser.open(page.as_uri())
