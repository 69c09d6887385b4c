"""Source reliance: the question asks about the subject, not about the document that states it."""

from assets.authoring.desk import Desk
from assets.items.passes.revising import RevisingPass
from resources.registries import ModelSpec, Prompt


def reliance_pass(prompt: Prompt, verifier: ModelSpec, desk: Desk, *, provisions: bool) -> RevisingPass:
    """The pass.

    Args:
        provisions: whether provisions of law and standards may be asked for by number, as `provisions: true` in a
            domain file says.
    """
    return RevisingPass("reliance", prompt, verifier, desk, more={"provisions": provisions})
