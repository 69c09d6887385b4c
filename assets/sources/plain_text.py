"""Reading plain text: paragraphs out of lines that were broken to fit a page, and headings by their looks."""

import re
from itertools import pairwise

from assets.sources.document import Extracted, Kind
from assets.sources.prose import Outline, normalise

_UNDERLINE = re.compile(r"([=\-~^*#+])\1{2,}")
_LEVEL_OF_UNDERLINE = {"=": 1, "-": 2}
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+[A-Z]")
_NAMED = re.compile(
    r"(?i:part|title|book|chapter|article|section|appendix|annex|schedule)\s+(?:\d[\w-]*(?:\.\d+)*|[A-Z]{1,7})(?:\s*[.:—–-]|$)"
    r"|§+\s*\d"
)
_LEVEL_OF_NAME = {"part": 1, "title": 1, "book": 1, "appendix": 1, "annex": 1, "schedule": 1, "chapter": 2}
_ITEM = re.compile(r"(?:[-*•–+o]|\(?[a-z0-9]{1,4}[.)])\s+\S", re.I)
_LONGEST_HEADING = 100
_SHORTEST_FULL_LINE = 50


def read_text(text: str) -> Extracted:
    """The text by its headings; a page that has none is one section."""
    outline = Outline()
    blocks = [block.split("\n") for block in normalise(text).split("\n\n")]
    for before, lines, after in zip([[""], *blocks], blocks, [*blocks[1:], [""]], strict=False):
        if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and len(lines[0]) <= _LONGEST_HEADING:
            outline.heading(_LEVEL_OF_UNDERLINE.get(lines[1][0], 3), lines[0])
            if lines := lines[2:]:
                outline.paragraph(_unwrapped(lines))
        elif len(lines) == 1 and (level := _heading_level(lines[0], before, after[0])):
            outline.heading(level, lines[0])
        else:
            outline.paragraph(_unwrapped(lines))
    sections = outline.sections()
    return Extracted(Kind.TEXT, next((section.path[0] for section in sections if section.path), None), sections)


def _heading_level(line: str, before: list[str], after: str) -> int | None:
    """The level of a line that stands alone and looks like a heading; None when it looks like anything else.

    Args:
        line: the line.
        before: the block before it.
        after: the first line of the block after it.
    """
    if len(line) > _LONGEST_HEADING or line.endswith((",", ";", ":")):
        return None
    if match := _NAMED.match(line):
        return _LEVEL_OF_NAME.get(match[0].split()[0].lower(), 3)
    if line.endswith("."):
        return None
    if match := _NUMBERED.match(line):
        depth = match[1].count(".")
        neighbours = (_NUMBERED.match(before[0] if len(before) == 1 else ""), _NUMBERED.match(after))
        listed = any(other and other[1].count(".") == depth for other in neighbours)
        return None if listed or not after else 1 + depth
    return 1 if line.isupper() and sum(character.isalpha() for character in line) >= 4 else None


def _unwrapped(lines: list[str]) -> str:
    """A block's lines, joined where the line before is full, as prose is; lists, verses and tables stay in lines."""
    full = max(_SHORTEST_FULL_LINE, max(map(len, lines)) * 2 // 3)
    parts = [lines[0]]
    for before, line in pairwise(lines):
        parts += [" " if len(before) >= full and not _ITEM.match(line) else "\n", line]
    return "".join(parts)
