"""Form: a short exact answer, the format asked for in the question, lengths, nothing about a document.

Rules in code come first and cost nothing; what they let through the verifier reads, since only a reader can tell
whether a question states the format of its answer.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from assets.authoring.desk import Desk
from assets.items.item_lines import fold
from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.revising import RevisingPass
from resources.registries import ModelSpec, Prompt

LONGEST_QUESTION = 600
SHORTEST_QUESTION = 15
LONGEST_ANSWER = 120
MOST_WORDS_IN_ANSWER = 14
MOST_ALIASES = 8
ANSWER_TYPES = ("date", "number", "name", "place", "version", "provision", "other")

_ABOUT_A_DOCUMENT = re.compile(
    r"\b(?:according to|as (?:stated|described|mentioned|noted|shown|given|listed) (?:in|by)|based on|in|from|by) "
    r"(?:the|this|that) (?:\w+ ){0,2}?"
    r"(?:text|passage|excerpt|evidence|document|article above|source|card|author|example|paragraph above)\b"
    r"|\b(?:the|this) (?:passage|excerpt|evidence|given text|text above|document above)\b"
    r"|\bmentioned above\b|\b(?:see|in) (?:figure|table|page) \d",
    re.I,
)
_NO_ANSWER = frozenset(
    ("", "n/a", "na", "none", "null", "unknown", "not stated", "not specified", "yes", "no", "true", "false")
)


class FormPass:
    """The rules, then the verifier with the bank's prompt `form`."""

    name = "form"

    def __init__(self, prompt: Prompt, verifier: ModelSpec, desk: Desk) -> None:
        self._reader = RevisingPass("form", prompt, verifier, desk, may_change_answer=True)

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        faults = [form_fault(draft) for draft in drafts]
        fit = [tidied(draft) for draft, fault in zip(drafts, faults, strict=True) if fault is None]
        read = iter(self._reader.rule(fit))
        return [
            next(read) if fault is None else Ruling(draft, Verdict.FAIL, fault)
            for draft, fault in zip(drafts, faults, strict=True)
        ]


def form_fault(draft: Draft) -> str | None:
    """What of a draft's form no other words mend; None where nothing is."""
    question, answer = draft.question.strip(), draft.answer.strip()
    if fold(answer).strip(".") in _NO_ANSWER or not any(unicodedata.category(sign)[0] in "LNS" for sign in answer):
        return f"{answer!r} is no answer to look up"
    if "\n" in answer or len(answer) > LONGEST_ANSWER or len(answer.split()) > MOST_WORDS_IN_ANSWER:
        return f"the answer is long: {len(answer.split())} words; {MOST_WORDS_IN_ANSWER} at most"
    if not SHORTEST_QUESTION <= len(question) <= LONGEST_QUESTION:
        return f"the question has {len(question)} characters; {SHORTEST_QUESTION} to {LONGEST_QUESTION} are asked"
    if found := _ABOUT_A_DOCUMENT.search(question):
        return f"the question leans on a document: “{found[0]}”"
    if gold_in_question(question, (answer, *draft.aliases)):
        return "the question holds its own answer"
    return None


def gold_in_question(question: str, golds: Sequence[str]) -> bool:
    """Whether a gold stands in the question as words of its own; a single sign or digit is no giveaway."""
    said = f" {_words(question)} "
    for gold in golds:
        words = _words(gold)
        if len(words) > 2 and f" {words} " in said:
            return True
    return False


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))


def tidied(draft: Draft) -> Draft:
    """The draft without blanks around, with a known answer type and few aliases, none of them the gold."""
    aliases = dict.fromkeys(alias.strip() for alias in draft.aliases if alias.strip())
    kept = [alias for alias in aliases if fold(alias) != fold(draft.answer) and len(alias) <= LONGEST_ANSWER]
    kind = draft.answer_type.strip().lower()
    return replace(
        draft,
        question=" ".join(draft.question.split()),
        answer=draft.answer.strip(),
        aliases=tuple(kept[:MOST_ALIASES]),
        answer_type=kind if kind in ANSWER_TYPES else "other",
    )
