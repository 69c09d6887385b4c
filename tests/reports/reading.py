"""A report's file taken apart: elements, what a reader sees, tables, embedded JSON, CSV links."""

import csv
import html
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_SILENT = ("script", "style")
_SHOWN_ATTRIBUTES = ("aria-label", "title", "alt")


class ReadPage(HTMLParser):
    """One HTML file.

    Attributes:
        raw: the file.
        elements: each start tag with its attributes, in order.
        seen: what a reader sees or a screen reader says, outside of scripts.
        tables: rows of cells' text, by table.
        scripts: the content of script elements, by id; those without an id are not kept.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.raw = file.read_bytes().decode()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.scripts: dict[str, str] = {}
        self._seen: list[str] = []
        self._inside: list[str] = []
        self._script: str | None = None
        self._cell: list[str] | None = None
        self.feed(self.raw)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.elements.append((tag, named))
        self._seen += [named[name] or "" for name in _SHOWN_ATTRIBUTES if name in named]
        if tag in _SILENT:
            self._inside.append(tag)
            self._script = named.get("id")
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._inside.pop()
            self._script = None
        elif tag in ("td", "th") and self._cell is not None:
            self.tables[-1][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
        if not self._inside:
            self._seen.append(data)
            if self._cell is not None:
                self._cell.append(data)

    @property
    def seen(self) -> str:
        return " ".join(" ".join(self._seen).split())

    @property
    def rows(self) -> dict[str, dict[str, str]]:
        """The first leaderboard by model: cells by heading."""
        return table_by(self.tables[0], "Model")

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def json(self, id: str) -> Any:
        """The embedded JSON; a number that JSON does not have is an error."""
        return json.loads(self.scripts[id], parse_constant=_refuse)

    def links(self) -> list[str]:
        return [attributes["href"] or "" for tag, attributes in self.elements if tag == "a"]

    def csvs(self) -> dict[str, list[dict[str, str]]]:
        """The rows of each CSV link by file name."""
        found = {}
        for tag, attributes in self.elements:
            if tag == "a" and "download" in attributes:
                found[str(attributes["download"])] = csv_rows(str(attributes["href"]))
        return found

    def everything(self) -> str:
        """The file raw, with its entities, its JSON and its links decoded: where a text must not be in any form."""
        decoded = [json.dumps(self.json(id), ensure_ascii=False) for id in self.scripts]
        return "\n".join([self.raw, html.unescape(self.raw), *decoded, *map(unquote, self.links())])


def table_by(table: list[list[str]], heading: str) -> dict[str, dict[str, str]]:
    """The table's rows by their cell under `heading`."""
    head, *body = table
    rows = [dict(zip(head, row, strict=True)) for row in body]
    return {row[heading]: row for row in rows}


def csv_rows(href: str) -> list[dict[str, str]]:
    """The rows of a CSV in a link."""
    kind, content = href.split(",", 1)
    assert kind == "data:text/csv;charset=utf-8"
    return list(csv.DictReader(io.StringIO(unquote(content))))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} stands in the JSON")
