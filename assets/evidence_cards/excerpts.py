"""Finding an excerpt in a source: word for word, whatever its line breaks; what is not there is refused."""

import re

MOST_SENTENCES = 3
LONGEST = 900  # characters of an excerpt
SHORTEST = 20

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-ZÀ-Þ0-9])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Za-z]|No|Nos|Art|Sec|Secs|Fig|vs|cf|al|approx|ca|Dr|Mr|Mrs|Ms|St|Jr|Sr|Inc|Ltd|Co|Corp|vol|pp|ed|v"
    r"|U\.S|i\.e|e\.g|Ph\.D|para|paras|subsec|cl|ch|Pub|Stat)\.\s+)$"
)


def find_excerpt(excerpt: str, text: str) -> str | None:
    """The excerpt as it stands in `text`, blanks and line breaks aside; None where it does not.

    A word or number that is cut off at either end is another word or number ("14" of 145, "3" of 3.2).
    """
    words = excerpt.split()
    if not words:
        return None
    start = r"(?<!\w)(?<!\d[.,])" if words[0][0].isalnum() else ""
    end = r"(?!\w|[.,]\d)" if words[-1][-1].isalnum() else ""
    found = re.search(start + r"\s+".join(map(re.escape, words)) + end, text)
    return found[0] if found else None


def excerpt_fault(excerpt: str) -> str | None:
    """Why an excerpt is no evidence, whatever its source says; None where it is."""
    if len(excerpt) < SHORTEST:
        return f"the excerpt has {len(excerpt)} characters, too few to state a fact"
    if len(excerpt) > LONGEST:
        return f"the excerpt has {len(excerpt)} characters; {LONGEST} at most"
    if (count := count_sentences(excerpt)) > MOST_SENTENCES:
        return f"the excerpt has {count} sentences; {MOST_SENTENCES} at most"
    return None


def count_sentences(text: str) -> int:
    """Sentences of a text, abbreviations and numbers aside."""
    flat = " ".join(text.split())
    ends = [found for found in _SENTENCE_END.finditer(flat) if not _ABBREVIATED.search(flat[: found.end()])]
    return len(ends) + 1
