"""Judging by a model: the calls that ask for a verdict, and reading their replies."""

from collections.abc import Mapping
from dataclasses import dataclass

from assets.grades.graded import Graded
from assets.grades.verdict import parse_verdict, quote_for_judge
from assets.items.item import Item
from resources.ledger import StoredCall
from resources.llm import Call, build_call
from resources.registries import ModelSpec, Prompt, PromptError
from resources.types import CallState, Grade, Outcome, Role

ANSWER_LIMIT_BYTES = 8000  # of a model's answer as the judge sees it
_QUOTED_AT_MOST = 2 * ANSWER_LIMIT_BYTES + 200  # JSON escapes quotes and backslashes


@dataclass(frozen=True)
class Verdict:
    """What a judge's reply comes to; `retry` says that the stricter call is still to be asked."""

    graded: Graded
    retry: bool = False


class Judge:
    """Asks one judge model for verdicts with a bank's `judge.md`.

    Args:
        prompt: its front matter declares `labels` (label: grade) and `retry` (the stricter sentence).
        spec: the judge model.
        endpoint: what stands for its API base in a call's identity.

    Raises:
        PromptError: when the front matter declares no usable labels.
    """

    def __init__(self, prompt: Prompt, spec: ModelSpec, endpoint: str | None) -> None:
        self.spec = spec
        self._endpoint = endpoint
        self._renderer = prompt.renderer()
        self._labels = _labels(prompt)
        self._stricter = str(prompt.settings.get("retry") or "Reply with one label and nothing else.")

    def call(self, item: Item, answer: str, *, stricter: bool, epoch: int = 0) -> Call:
        """The call that asks for a verdict on `answer`, which depends on no sample and no epoch of the answer.

        Args:
            epoch: how often verdicts on this item have been disputed.
        """
        text = self._text(item, quote_for_judge(answer, ANSWER_LIMIT_BYTES))
        if stricter:
            text = f"{text}\n\n{self._stricter}"
        return build_call(Role.JUDGE, self.spec, self._endpoint, text, sample=0, epoch=epoch)

    def largest_prompt_bytes(self, item: Item) -> int:
        """A bound on the stricter prompt, whatever the answer will be."""
        return len(f"{self._text(item, '')}\n\n{self._stricter}".encode()) + _QUOTED_AT_MOST

    def read(self, stored: StoredCall, *, stricter: bool) -> Verdict:
        """The verdict in a reply: a declared label exactly, or none."""
        if stored.state is not CallState.COMPLETED:
            return Verdict(Graded(None, f"the judge's call failed: {stored.error}"))
        reply = stored.text or ""
        grade = parse_verdict(reply, self._labels) if stored.outcome is Outcome.ANSWERED else None
        if grade is not None:
            return Verdict(Graded(grade, f"the judge said {reply.strip()}: {grade.replace('_', ' ')}"))
        shown = reply.strip()[:80] or f"nothing ({stored.outcome})"
        return Verdict(Graded(None, f"the judge's reply is no label: {shown!r}"), retry=not stricter)

    def _text(self, item: Item, quoted: str) -> str:
        return self._renderer.render(
            question=item.question, gold=item.answer, aliases=list(item.aliases), answer=quoted
        )


def _labels(prompt: Prompt) -> Mapping[str, Grade]:
    declared = prompt.settings.get("labels")
    if not isinstance(declared, dict) or not declared:
        raise PromptError(f"prompt {prompt.file}: its front matter declares no labels; add `labels: {{A: correct, …}}`")
    try:
        return {str(label): Grade(grade) for label, grade in declared.items()}
    except ValueError as error:
        raise PromptError(f"prompt {prompt.file}: {error}; grades are {', '.join(Grade)}") from None
