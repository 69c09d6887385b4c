"""When two golds agree: equal after folding, as numbers or as dates, or one among the other's aliases."""

from functools import lru_cache

from assets.grades.dates import read_date
from assets.grades.folding import ARTICLES, clean, tokens
from assets.items.similarity.posed import Posed
from assets.items.similarity.reading import spaced
from assets.items.similarity.scanning import scan


@lru_cache(maxsize=65_536)
def gold_keys(gold: str) -> tuple[str, ...]:
    """The forms of a gold under which it is found; two for a date whose day and month cannot be told apart."""
    cleaned = clean(gold).strip()
    read = tokens(spaced(cleaned))
    if read and (dated := read_date(read, 0)) and dated[1] == len(read):
        return tuple(f"{date.year}/{date.month}/{date.day}" for date in dated[0])
    words = [piece.canon for piece in scan(read)]
    named = [word for word in words if word not in ARTICLES] or words
    key = " ".join(named) or cleaned.casefold()
    return (key,) if key else ()


def golds_of(posed: Posed) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of a question's answer, and those of its aliases."""
    answer = frozenset(gold_keys(posed.answer))
    return answer, frozenset(key for alias in posed.aliases for key in gold_keys(alias)) - answer
