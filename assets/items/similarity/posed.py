"""What the finder is given and what it says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Posed:
    """One question with its gold; `aliases` are other wordings of the gold."""

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The earlier question that asks the same.

    Attributes:
        id, question: of the earlier one.
        likeness: 0 to 1, the share of words that both have; 1 where they differ in case, punctuation, spacing only.
        reason: what the two have in common and how they differ, for a reader.
    """

    id: str
    question: str
    likeness: float
    reason: str
