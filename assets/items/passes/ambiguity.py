"""Ambiguity: exactly one right answer, with all the context that it needs in the question."""

from assets.authoring.desk import Desk
from assets.items.passes.revising import RevisingPass
from resources.registries import ModelSpec, Prompt


def ambiguity_pass(prompt: Prompt, verifier: ModelSpec, desk: Desk) -> RevisingPass:
    """The pass; a revision adds context and never changes the gold."""
    return RevisingPass("ambiguity", prompt, verifier, desk)
