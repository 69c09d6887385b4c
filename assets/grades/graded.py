"""What every way of grading returns."""

from dataclasses import dataclass

from resources.types import Grade

# A multiple-choice answer in which no option can be read is incorrect, with a reason that begins so.
UNREADABLE = "unreadable choice"


@dataclass(frozen=True)
class Graded:
    """A grade, or none where nothing may be said; `reason` is the rule that fired, in words for a person."""

    grade: Grade | None
    reason: str
