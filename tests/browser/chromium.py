"""A headless Chromium that reads a report from its file: what it complained of, what it asked the network for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.needs import without_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)
_DRAWN = "[...document.querySelectorAll('[data-chart]')].every((place) => place.querySelector('svg[aria-hidden]'))"


@dataclass
class Opened:
    """A page that is open.

    Attributes:
        complaints: errors and warnings of the console, and errors that nobody caught.
        requests: all addresses that were asked for but the file's own.
    """

    page: "Page"
    address: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ask(self, script: str, argument: Any = None) -> Any:
        """What the JavaScript expression or function gives."""
        return self.page.evaluate(script, argument)

    def follow(self, fragment: str) -> None:
        """Goes to a place of the page, as a link does; returns when the page has acted on it."""
        self.ask(
            """(fragment) => new Promise((done) => {
                if (location.hash === fragment) return done();
                addEventListener("hashchange", () => requestAnimationFrame(done), { once: true });
                location.hash = fragment;
            })""",
            fragment,
        )

    def charts_drawn(self) -> None:
        self.page.wait_for_function(_DRAWN)


def find_chromium() -> str:
    """The system's Chromium. Without one the test is skipped, or fails where a browser is required."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or without_program("no Chromium is installed (Debian: apt install chromium)")


@contextmanager
def started() -> "Iterator[Browser]":
    """Chromium, ended with the block: its event loop would be in the way of other tests' own."""
    executable = find_chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without_program("the package playwright is not installed (make test installs it)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: "Browser", file: Path, fragment: str = "", **context: Any) -> Iterator[Opened]:
    """The file in a context of its own, its charts drawn.

    Args:
        context: such as `viewport={"width": 390, "height": 844}` or `color_scheme="dark"`.
    """
    fresh = browser.new_context(**context)
    try:
        yield _open(fresh, file, fragment)
    finally:
        fresh.close()


def _open(context: "BrowserContext", file: Path, fragment: str) -> Opened:
    page = context.new_page()
    page.set_default_timeout(10_000)
    found = Opened(page, file.as_uri())
    context.route("http*://**", lambda route: route.abort())
    page.on("request", lambda request: None if _own(found, request.url) else found.requests.append(request.url))
    page.on(
        "console",
        lambda message: found.complaints.append(message.text) if message.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.goto(found.address + fragment)
    found.charts_drawn()
    return found


def _own(page: Opened, address: str) -> bool:
    return address.split("#")[0] == page.address or address.startswith("data:")
