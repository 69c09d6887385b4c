"""Shorthand for the grading tests: one answer against one gold."""

from assets.grades.graded import Graded
from assets.grades.match import grade_match
from resources.types import Grade

CORRECT, INCORRECT, NOT_ATTEMPTED = Grade.CORRECT, Grade.INCORRECT, Grade.NOT_ATTEMPTED


def graded(question: str, gold: str, answer: str, *aliases: str) -> Graded:
    return grade_match(question=question, gold=gold, aliases=aliases, answer=answer, language="en")


def grade(question: str, gold: str, answer: str, *aliases: str) -> Grade | None:
    return graded(question, gold, answer, *aliases).grade
