"""Reading Markdown: rendered to HTML, since it may hold HTML itself, and read as such."""

import re
from datetime import date
from typing import Any

import yaml

from assets.sources.document import DeclaredDate, Extracted, Kind
from assets.sources.html_blocks import add_blocks
from assets.sources.html_pages import language_tag, parse_html
from assets.sources.prose import Outline, one_line

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,65536}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.S)
_DATES = ("date", "published", "datePublished", "issued", "created", "updated", "lastmod", "modified", "dateModified")


def read_markdown(text: str) -> Extracted:
    """The text by its headings; title, language and date from the front matter."""
    from markdown_it import MarkdownIt

    text = text.replace("\r\n", "\n")
    front: dict[str, Any] = {}
    if (match := _FRONT_MATTER.match(text)) and (front := _mapping(match[1])):
        text = text[match.end() :]
    page = parse_html(f"<body>{MarkdownIt('commonmark').enable('table').render(text)}</body>")
    outline = Outline()
    add_blocks(page, outline)
    sections = outline.sections()
    first = next((section.path[0] for section in sections if section.path), None)
    title = one_line(str(front.get("title") or "")) or first
    language = language_tag(str(front.get("lang") or front.get("language") or ""))
    dates = tuple(DeclaredDate(f"front matter {key}", str(front[key])) for key in _DATES if _is_date(front.get(key)))
    return Extracted(Kind.MARKDOWN, title, sections, language, dates)


def _mapping(front: str) -> dict[str, Any]:
    try:
        content = yaml.safe_load(front)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _is_date(value: Any) -> bool:
    return isinstance(value, str | date | int) and not isinstance(value, bool)
