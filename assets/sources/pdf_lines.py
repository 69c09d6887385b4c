"""Lines on the pages of a PDF into paragraphs: a PDF knows where each character stands, not what belongs together."""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_ITEM = re.compile(r"(?:[•◦▪‣–*\uf0b7\uf0a7-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s")
_WORDS = re.compile(r"\w+")
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_WIDE_GAP = 1.3  # of the usual distance between two lines
_COLUMN = 60  # points by which lines of one column may be indented
_EDGE_LINES = 2  # at the top and at the foot of a page, where running titles stand


@dataclass(frozen=True)
class Line:
    """One line of a page, in points from the lower left corner.

    Attributes:
        page: counted from 0.
        left: of its first character.
        right: of its last character.
        bottom: of its first character.
        size: of its font.
        text: its words; a word that goes on in the next line ends in a hyphen.
    """

    page: int
    left: float
    right: float
    bottom: float
    size: float
    text: str


def without_running_titles(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages' lines without those that stand at the edge of most pages, and without page numbers."""
    distance = usual_distance([line for lines in pages for line in lines])
    edges = [_edges(lines, distance) for lines in pages]
    seen = Counter(shape for lines in edges for shape in {_shape(line) for line in lines})
    least = max(3, len(pages) / 3)
    kept = []
    for lines, edge in zip(pages, edges, strict=True):
        running = [line for line in edge if seen[_shape(line)] >= least or _is_page_number(line)]
        kept.append([line for line in lines if line not in running])
    return kept


def _edges(lines: Sequence[Line], distance: float) -> list[Line]:
    """The lines at the top and the foot of a page that a gap sets apart from the rest."""
    heights = sorted({round(line.bottom) for line in lines}, reverse=True)
    if len(heights) <= 2 * _EDGE_LINES:
        return []
    apart: set[int] = set()
    for outermost in (heights, heights[::-1]):
        for count in range(1, _EDGE_LINES + 1):
            if abs(outermost[count - 1] - outermost[count]) > _WIDE_GAP * distance:
                apart.update(outermost[:count])
    return [line for line in lines if round(line.bottom) in apart]


def _shape(line: Line) -> str:
    return " ".join(_WORDS.findall(_NUMBERS.sub("#", line.text.casefold())))


def _is_page_number(line: Line) -> bool:
    return re.fullmatch(r"\W*(?:page\s+)?(?:\d{1,4}|[ivxl]+)(?:\s+of\s+\d+)?\W*", line.text, re.I) is not None


def usual_size(lines: Iterable[Line]) -> float:
    """The size of most characters."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def usual_distance(lines: Sequence[Line]) -> float:
    """The distance between two lines of one paragraph."""
    steps = [
        before.bottom - line.bottom
        for before, line in pairwise(lines)
        if before.page == line.page and 0 < before.bottom - line.bottom < 3 * max(line.size, 1)
    ]
    return statistics.median_low(steps) if steps else 0.0


def joined(lines: Sequence[Line], distance: float) -> list[str]:
    """The paragraphs in `lines`; a line that was broken on purpose stays a line in its paragraph.

    Args:
        lines: in reading order, no heading among them.
        distance: between two lines of one paragraph, in points.
    """
    paragraphs: list[str] = []
    vocabulary = {word.casefold() for line in lines for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line.text)}
    edges = _right_edges(lines)
    for number, line in enumerate(lines):
        between = _between(lines[number - 1], edges[number - 1], line, distance) if number else "\n\n"
        if between == "\n\n":
            paragraphs.append(line.text)
        elif between == "\n":
            paragraphs[-1] += f"\n{line.text}"
        else:
            paragraphs[-1] = _put_together(paragraphs[-1], line.text, vocabulary)
    return paragraphs


def _right_edges(lines: Sequence[Line]) -> list[float]:
    """For each line, how far its column reaches to the right."""
    edges: list[float] = []
    by_page: dict[int, list[Line]] = {}
    for line in lines:
        by_page.setdefault(line.page, []).append(line)
    for line in lines:
        column = (other.right for other in by_page[line.page] if abs(other.left - line.left) <= _COLUMN)
        edges.append(max(column))
    return edges


def _between(before: Line, edge: float, line: Line, distance: float) -> str:
    """What stands between two lines: a blank within a paragraph, a line break, or a blank line."""
    step = before.bottom - line.bottom
    ended = _SENTENCE_END.search(before.text) is not None
    if before.page != line.page or step < -distance / 2:  # another page or column, into which a paragraph may run
        return "\n\n" if ended or not line.text[:1].islower() else " "
    unit = distance or line.size
    if step > _WIDE_GAP * unit or abs(before.size - line.size) > 0.15 * max(before.size, line.size):
        return "\n\n"
    if _ITEM.match(line.text):
        return "\n"
    aligned = abs(line.left - before.left) < unit / 2
    if before.right + _first_word(line) < edge:  # the next word would still have fitted
        return "\n" if aligned and not ended else "\n\n"
    return "\n\n" if ended and line.left - before.left > unit / 2 else " "


def _first_word(line: Line) -> float:
    """The width of the line's first word with a blank before it, in points."""
    word = line.text.split(" ", 1)[0]
    return (line.right - line.left) * (len(word) + 1) / max(len(line.text), 1)


def _put_together(text: str, line: str, vocabulary: set[str]) -> str:
    """One line after another; a word that was divided between them is made whole, unless its hyphen is its own."""
    if not re.search(r"\w[-\u2010]$", text) or not line[:1].isalnum():
        return f"{text} {line}"
    divided = re.search(r"[^\W\d_]+(?=[-\u2010]$)", text)
    after = re.match(r"[^\W\d_]+", line)
    if not divided or not after or not line[0].islower():
        return text + line
    hyphenated = f"{divided[0]}-{after[0]}".casefold() in vocabulary
    return text + line if hyphenated and (divided[0] + after[0]).casefold() not in vocabulary else text[:-1] + line
