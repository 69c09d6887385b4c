"""Chunks: passages of a source along its structure, short enough for one reading and long enough to make sense."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest

LONGEST = 6_000  # characters; about 1,500 tokens


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of one section, whole paragraphs where they fit."""

    path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one call reads.

    Attributes:
        section: the headings above all of it, outermost first.
        parts: pieces in the order of the document.
        topics: that it may serve.
    """

    source_id: str
    source_name: str
    title: str
    tier: int
    section: str
    parts: tuple[Part, ...]
    topics: tuple[str, ...]

    @property
    def text(self) -> str:
        """The parts; one with headings of its own below the chunk's has the last of them above it."""
        blocks = []
        for part in self.parts:
            heading = part.path[-1] if part.path and not self.section.endswith(part.path[-1]) else ""
            blocks += [heading, part.text] if heading else [part.text]
        return "\n\n".join(blocks)

    @property
    def digest(self) -> str:
        """Of what is read and for which topics: a topic that is added has the passages read again for it."""
        return sha256("\n".join((*self.topics, self.section, self.text)).encode()).hexdigest()[:16]


def chunks_of(sections: Sequence[tuple[tuple[str, ...], str]]) -> list[tuple[str, tuple[Part, ...]]]:
    """The sections of a document as chunks: (headings above all of it, parts).

    Short neighbours under one heading share a chunk; a long section is cut between paragraphs, and a long paragraph
    between sentences or, at last, wherever it is too long.
    """
    chunks: list[tuple[str, tuple[Part, ...]]] = []
    open_: list[Part] = []
    for path, text in sections:
        for piece in _pieces(text):
            part = Part(path, piece)
            size = sum(len(each.text) for each in open_) + len(piece)
            if open_ and (size > LONGEST or not _neighbours(open_[0].path, path)):
                chunks.append(_closed(open_))
                open_ = []
            open_.append(part)
    if open_:
        chunks.append(_closed(open_))
    return chunks


def in_turn(chunks: Iterable[Chunk]) -> list[Chunk]:
    """All chunks in the order in which they are read: one of each source, then the next of each.

    Sources of the highest authority come first in a turn. Within a source the order is a hash's: it spreads over the
    document, and stays what it was where another part of the document changes.
    """
    by_source: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_source.setdefault(chunk.source_id, []).append(chunk)
    queues = [sorted(own, key=lambda chunk: chunk.digest) for own in by_source.values()]
    queues.sort(key=lambda own: (own[0].tier, own[0].source_id))
    return [chunk for turn in zip_longest(*queues) for chunk in turn if chunk is not None]


def _neighbours(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two sections are one, or stand under the same heading."""
    return one == other or (len(one) > 1 and len(other) > 1 and one[:-1] == other[:-1])


def _closed(parts: list[Part]) -> tuple[str, tuple[Part, ...]]:
    paths = {part.path for part in parts}
    shared = parts[0].path if len(paths) == 1 else parts[0].path[:-1]
    return " › ".join(shared), tuple(parts)


def _pieces(text: str) -> Iterator[str]:
    """A section in pieces of at most LONGEST characters."""
    piece = ""
    for unit in _units(text):
        if piece and len(piece) + len(unit) > LONGEST:
            yield piece.strip()
            piece = ""
        piece += unit
    if piece.strip():
        yield piece.strip()


def _units(text: str) -> Iterator[str]:
    """Paragraphs with the blank line after them; sentences of a paragraph that is too long; at last mere lengths."""
    for paragraph in _split_after(text, "\n\n"):
        if len(paragraph) <= LONGEST:
            yield paragraph
            continue
        for sentence in _split_after(paragraph, ". "):
            yield from (sentence[start : start + LONGEST] for start in range(0, len(sentence), LONGEST))


def _split_after(text: str, mark: str) -> Iterator[str]:
    start = 0
    while (end := text.find(mark, start)) >= 0:
        yield text[start : end + len(mark)]
        start = end + len(mark)
    if start < len(text):
        yield text[start:]
