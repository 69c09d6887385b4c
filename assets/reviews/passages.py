"""Showing evidence: an excerpt within its passage, the link that leads to it, and what a rewrite changed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from urllib.parse import quote

from assets.evidence_cards.excerpts import find_excerpt

AROUND = 400  # characters of the passage before and after its excerpt
_LINKED_WORDS = 5  # of the excerpt's beginning and of its end that name it in a link
_WORDS = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True)
class Passage:
    """An excerpt as it stands in its source; `before` and `after` are empty where it was not found there.

    Attributes:
        section: the headings above it, outermost first.
    """

    section: str
    before: str
    excerpt: str
    after: str
    found: bool


def passage_of(excerpt: str, section: str, sections: Sequence[tuple[Sequence[str], str]]) -> Passage:
    """The excerpt with some 400 characters around it.

    Args:
        section: the headings that its card states; where the excerpt stands twice, that one is meant.
        sections: of the source, headings and text.
    """
    named = [(" › ".join(path), text) for path, text in sections]
    for headings, text in sorted(named, key=lambda each: each[0] != section):
        found = excerpt if excerpt in text else find_excerpt(excerpt, text)
        if found is not None:
            at = text.index(found)
            before, after = text[:at], text[at + len(found) :]
            return Passage(headings, _tail(before), found, _head(after), True)
    return Passage(section, "", excerpt, "", False)


def _tail(text: str) -> str:
    """The last characters, from the beginning of a word."""
    return text if len(text) <= AROUND else "… " + text[-AROUND:].split(None, 1)[-1]


def _head(text: str) -> str:
    """The first characters, to the end of a word."""
    return text if len(text) <= AROUND else text[:AROUND].rsplit(None, 1)[0] + " …"


def linked(url: str, excerpt: str) -> str:
    """The address with a text fragment: browsers scroll to the excerpt and mark it.

    In a fragment `-`, `,` and `&` separate its parts, so that they are encoded as well.
    """
    words = excerpt.split()
    ends = [words] if len(words) <= 2 * _LINKED_WORDS else [words[:_LINKED_WORDS], words[-_LINKED_WORDS:]]
    fragment = ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)
    return f"{url}{'' if '#' in url else '#'}:~:text={fragment}"


Difference = list[tuple[str, str]]


def difference(before: str, after: str) -> Difference:
    """What became of a text, word by word: parts that stayed (`=`), went (`-`) and came (`+`), in order."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    parts: Difference = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("=", "".join(old[a:b])))
            continue
        parts += [("-", "".join(old[a:b]))] if b > a else []
        parts += [("+", "".join(new[c:d]))] if d > c else []
    return parts
