"""The passes of a bank, in the order that bank.yaml states, each with its prompt and its models."""

from collections.abc import Mapping, Sequence
from datetime import date

from assets.authoring.cast import Cast
from assets.authoring.desk import Desk
from assets.items.passes.ambiguity import ambiguity_pass
from assets.items.passes.difficulty import DifficultyPass
from assets.items.passes.draft import Draft, Pass, Ruling
from assets.items.passes.entailment import EntailmentPass
from assets.items.passes.form import FormPass
from assets.items.passes.golds import GoldReader
from assets.items.passes.meaning import Meaning
from assets.items.passes.reliance import reliance_pass
from assets.items.passes.similarity import SimilarityPass
from assets.items.passes.temporal import temporal_pass
from assets.items.similarity import Posed
from assets.responses.asking import Asker
from resources.installation import Installation
from resources.registries import Bank, Domain

ROLE_OF = {
    "form": "verifier",
    "entailment": "verifier",
    "ambiguity": "verifier",
    "reliance": "verifier",
    "temporal": "verifier",
    "difficulty": "panel",
}
"""Who decides in a pass; similarity needs nobody."""


class VacantPass:
    """Stands for a pass that nobody can carry out: what reaches it waits, and is told why."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self._reason = reason

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        return [Ruling(draft, None, self._reason) for draft in drafts]


def assemble_passes(
    installation: Installation,
    bank: Bank,
    domain: Domain,
    cast: Cast,
    desk: Desk,
    today: date,
    standing: Sequence[Posed],
    incumbents: Mapping[str, str],
) -> list[Pass]:
    """The passes of a build.

    Args:
        standing: items that drafts are compared with.
        incumbents: by id, the questions of the domain's own active items.

    Raises:
        PromptError: when a prompt of the bank is unusable.
    """
    endpoint = installation.endpoint(cast.judge) if cast.judge else None
    golds = GoldReader(desk, cast.judge, bank.prompt("judge"), endpoint)

    def assembled(name: str) -> Pass:
        role = ROLE_OF.get(name)
        if role and cast.why_vacant(role) and not (cast.verifier if role == "verifier" else cast.panel):
            return VacantPass(name, cast.why_vacant(role))
        if name == "similarity":
            meaning = Meaning(installation, cast.embedder, desk) if cast.embedder else None
            return SimilarityPass(standing, incumbents, meaning)
        if name == "difficulty":
            prompt, title = bank.prompt("answer"), domain.spec.title
            askers = {spec.id: Asker(prompt, title, spec, installation.endpoint(spec)) for spec in cast.panel}
            return DifficultyPass(cast.panel, askers, desk, golds)
        assert cast.verifier is not None
        prompt = bank.prompt(name)
        match name:
            case "form":
                return FormPass(prompt, cast.verifier, desk)
            case "entailment":
                return EntailmentPass(prompt, cast.verifier, desk, golds)
            case "ambiguity":
                return ambiguity_pass(prompt, cast.verifier, desk)
            case "reliance":
                return reliance_pass(prompt, cast.verifier, desk, provisions=domain.spec.provisions)
            case _:
                return temporal_pass(prompt, cast.verifier, desk, today)

    return [assembled(name) for name in bank.spec.passes]
