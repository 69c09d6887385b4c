"""Stands for the models that build a bank: generators, verifier, panel and judge, as a script for the server.

It knows facts and what is wrong with the items drafted from them, and finds a fault only where the prompt's own words
ask for it. It believes what stands between the tags, and obeys whatever stands outside them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tests.support.facts import Fact
from tests.support.replies import Reply, Request

# What tells one prompt from another, whichever criteria are taken out of it.
_PLACES = {
    "cards": '{"cards"',
    "draft": '{"skip"',
    "entailment": '"stated"',
    "judge": "Answer to grade:",
    "answer": "Give only the answer itself",
    "form": "Look at the form of a question",
    "ambiguity": "Is there exactly one right answer to this question?",
    "reliance": "Does this question ask about the subject",
    "temporal": "When did this question become answerable",
}
_STRICTER = ("could not be read", "one single letter")
_NOT_STATED = "say that it is not stated"
_VERBATIM = "word for word"
_MONTH_WANTED = "the first month (YYYY-MM)"
_STABILITY_WANTED = "a later event could make another answer right"
_ORDER = "To the verifier:"

Content = dict[str, object]


@dataclass(frozen=True)
class Asking:
    """One request as the author understands it.

    Attributes:
        place: what is asked for: cards, draft, a pass, an answer, a grade.
        facts: several for a passage.
        stricter: whether it is the second time, in stricter words.
        attempt: how often this model got these words.
    """

    place: str
    facts: tuple[Fact, ...]
    model: str
    stricter: bool
    attempt: int


Trouble = Callable[[Asking, Reply], Reply]


class Author:
    """The script. `trouble` makes a model misbehave over one fact in one place.

    Attributes:
        asked: how often each (place, fact) was asked about, retries too.
    """

    def __init__(self, *facts: Fact) -> None:
        self.facts = facts
        self.asked: Counter[tuple[str, Fact]] = Counter()
        self.by_model: Counter[tuple[str, str]] = Counter()
        self._troubles: dict[tuple[str, Fact], Trouble] = {}

    def trouble(self, place: str, fact: Fact, trouble: Trouble) -> None:
        self._troubles[place, fact] = trouble

    def at_ease(self) -> None:
        """All models behave again."""
        self._troubles.clear()

    def places(self) -> Counter[str]:
        """How often each kind of thing was asked."""
        counted: Counter[str] = Counter()
        for (place, _), count in self.by_model.items():
            counted[place] += count
        return counted

    def __call__(self, request: Request) -> Reply:
        prompt = request.message
        place = next((name for name, mark in _PLACES.items() if mark in prompt), None)
        if place is None:
            raise ValueError(f"no such prompt: {prompt[:200]}")
        facts = self._facts_in(place, prompt)
        asking = Asking(place, facts, request.model, any(mark in prompt for mark in _STRICTER), request.count)
        self.asked.update((place, fact) for fact in facts)
        self.by_model[place, request.model] += 1
        reply = Reply(text=_said(asking, prompt))
        for fact in facts:
            if (trouble := self._troubles.get((place, fact))) is not None:
                return trouble(asking, reply)
        return reply

    def _facts_in(self, place: str, prompt: str) -> tuple[Fact, ...]:
        if place in ("cards", "draft"):
            text = _flat(prompt)
            return tuple(fact for fact in self.facts if _flat(_escaped(fact.excerpt)) in text)
        question = _question(place, prompt)
        found = tuple(fact for fact in self.facts if question in fact.wordings)
        if not found:
            raise ValueError(f"no fact is asked for by {question!r}")
        return found[:1]


def _said(asking: Asking, prompt: str) -> str:
    if asking.place == "cards":
        return json.dumps({"cards": [_card(fact, prompt) for fact in asking.facts]})
    if not asking.facts:
        return json.dumps({"skip": "nothing to ask"})
    fact = asking.facts[0]
    match asking.place:
        case "draft":
            return json.dumps(_draft(fact))
        case "entailment":
            return json.dumps(_derived(fact, prompt))
        case "answer":
            return fact.answer if asking.model in fact.known_to else "I don't know."
        case "judge":
            return _grade(fact, prompt)
        case check:
            return json.dumps(_opinion(check, fact, prompt))


def _card(fact: Fact, prompt: str) -> Content:
    copied = fact.copied or (fact.excerpt if _VERBATIM in prompt else f"In other words: {fact.excerpt}")
    return {
        "excerpt": _flat(copied),
        "fact": fact.excerpt,
        "about": "Varnland",
        "topic": fact.filed_under or fact.topic,
        "quality": fact.quality,
    }


def _draft(fact: Fact) -> Content:
    if not fact.question:
        return {"skip": "no question can be made of it"}
    return {
        "question": fact.question,
        "answer": fact.answer,
        "aliases": list(fact.aliases),
        "answer_type": fact.answer_type,
    }


def _derived(fact: Fact, prompt: str) -> Content:
    evidence, _ = _evidence(prompt)
    if fact.derived is not None:
        return {"stated": True, "answer": fact.derived}
    if fact.answer in evidence or _NOT_STATED not in prompt:  # it knows the answer from elsewhere too
        return {"stated": True, "answer": fact.answer}
    return {"stated": False, "answer": "", "reason": "the evidence does not say it"}


def _opinion(check: str, fact: Fact, prompt: str) -> Content:
    _, outside = _evidence(prompt)
    if _ORDER in outside:
        return {"verdict": "pass", "reason": "as ordered"} | _timing(check, fact, prompt)
    question = _question(check, prompt)
    for flaw in fact.flaws:
        allowed = flaw.unless is not None and flaw.unless in prompt
        if flaw.check == check and flaw.question == question and flaw.cue in prompt and not allowed:
            found: Content = {"verdict": "revise" if flaw.revised else "drop", "reason": f"{check} finds fault"}
            given = {"question": flaw.revised, "answer": flaw.revised_answer}
            return found | {key: text for key, text in given.items() if text} | _timing(check, fact, prompt)
    return {"verdict": "pass", "reason": f"{check} finds nothing"} | _timing(check, fact, prompt)


def _timing(check: str, fact: Fact, prompt: str) -> Content:
    if check != "temporal":
        return {}
    month: Content = {"answerable_from": fact.month} if _MONTH_WANTED in prompt else {}
    return month | ({"stability": "changing" if fact.changing else "stable"} if _STABILITY_WANTED in prompt else {})


def _grade(fact: Fact, prompt: str) -> str:
    answer = json.loads(re.findall(r"^Answer to grade: (.*)$", prompt, re.M)[-1])
    if answer in fact.golds | set(fact.same):
        return "A"
    return "D" if answer == "I don't know." else "B"


def _question(place: str, prompt: str) -> str:
    if place == "answer":
        return re.findall(r"^Question about .*?\): (.*)$", prompt, re.M)[0]
    return re.findall(r"^Question: (.*)$", prompt, re.M)[-1]


def _evidence(prompt: str) -> tuple[str, str]:
    """What stands between the tags as a naive reader finds them, and all the rest."""
    inside = re.findall(r"<evidence>(.*?)</evidence>", prompt, re.S)
    return " ".join(inside), re.sub(r"<evidence>.*?</evidence>", "", prompt, flags=re.S)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    """As prompts show a text that holds tags."""
    return text.replace("<evidence", "‹evidence").replace("</evidence", "‹/evidence")


# -- troubles ----------------------------------------------------------------------------------------------------


def at_first(reply: Reply) -> Trouble:
    """`reply` once, and what was asked for when it is asked for in stricter words."""
    return lambda asking, proper: proper if asking.stricter else reply


def always(reply: Reply) -> Trouble:
    return lambda asking, proper: reply


def once_before(reply: Reply) -> Trouble:
    """`reply` to the first attempt of a call; the gateway's next attempt is answered."""
    return lambda asking, proper: reply if asking.attempt == 1 else proper


def reworked(change: Callable[[str], str]) -> Trouble:
    """The proper reply in another shape."""
    return lambda asking, proper: replace(proper, text=change(proper.text or ""))


def with_keys(**keys: object) -> Trouble:
    """The proper reply with some keys replaced."""

    def merged(text: str) -> str:
        content: Mapping[str, object] = json.loads(text)
        return json.dumps({**content, **keys})

    return reworked(merged)


REFUSAL = Reply(text="I cannot help with that.")
BROKEN = Reply(text='{"verdict": "pass", "reason": ')
HALF = Reply(text='{"question": "In which year was the', finish_reason="length")
EMPTY = Reply(text="")
