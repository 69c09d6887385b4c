"""Pages from templates: all that a page needs stands in it, and it is put in place whole."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from resources.warehouse import replacing

TEMPLATES = Path(__file__).with_name("templates")


def write_page(file: Path, template: Path, **values: object) -> None:
    """A template with the shared style as `css`, piece by piece: a page may be large.

    Raises:
        DiskFull: the former file is still in place.
    """
    page = _environment(template.parent).get_template(template.name)
    with replacing(file) as temporary, temporary.open("wb") as opened:
        page.stream(css=part(TEMPLATES / "page.css"), **values).dump(opened, encoding="utf-8")


def part(file: Path) -> Markup:
    """A style or a script of ours, to stand in a page as it is."""
    return Markup(file.read_text(encoding="utf-8"))


@cache
def _environment(folder: Path) -> Environment:
    return Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
