"""What a model says to an item, and its grade: drawn from its traits, the item's difficulty and what is planted."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

from benchmarks.synthetic import words
from benchmarks.synthetic.items import Plant, Question
from benchmarks.synthetic.subjects import SUBJECTS, Subject
from resources.types import Grade, Outcome

STOP = "stopped: quota_exhausted: You exceeded your current quota, please check your plan and billing details."
_FAILURE = "server_error: 503 Service Unavailable: upstream connect error or disconnect/reset before headers"
_FAILS = 0.2
_ASKED_BEFORE_STOP = 1 / 3
_NEAR = 0.04  # of what a model knows, the share that it does not say in full
_READY = 0.4  # of wrong answers, the share that is the item's readiest one
_PROMPT_CHARACTERS = 230  # of a prompt without its question


@dataclass(frozen=True)
class Said:
    """What came of asking one model one item; `grade` is None where there is no answer."""

    question: Question
    outcome: Outcome
    text: str | None
    finish_reason: str
    grade: Grade | None
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cost_usd: float | None


def answers(seed: int, subject: Subject, items: Sequence[Question]) -> Iterator[Said]:
    """The model's answers to the items of one domain, in their order; where it was stopped, to the first of them."""
    domains = list(words.THEMES)
    domain = items[0].domain
    chance = random.Random(f"{seed}:{subject.id}:{domain}")
    asked = len(items)
    if subject.stopped and domain == domains[-1]:
        asked = round(asked * _ASKED_BEFORE_STOP)
    fails = _FAILS if subject.stopped and domain == domains[-2] else 0.0
    for item in items[:asked]:
        if item.plant is None and (lost := _lost(chance, subject, fails)):
            yield _said(chance, subject, item, lost, None)
        else:
            yield _said(chance, subject, item, Outcome.ANSWERED, _grade(chance, subject, item))


def _lost(chance: random.Random, subject: Subject, fails: float) -> Outcome | None:
    drawn = chance.random()
    for outcome, share in (*subject.lost, (Outcome.FAILED, fails)):
        if drawn < share:
            return outcome
        drawn -= share
    return None


def _grade(chance: random.Random, subject: Subject, item: Question) -> Grade:
    match item.plant:
        case Plant.EVERYONE:
            return Grade.CORRECT
        case Plant.NOBODY:
            return Grade.INCORRECT
        case Plant.DIVIDES:
            return Grade.CORRECT if SUBJECTS.index(subject) % 2 else Grade.INCORRECT
    if chance.random() < 1 / (1 + exp(item.difficulty - subject.ability_in(item.domain))):
        return Grade.PARTIAL if chance.random() < _NEAR else Grade.CORRECT
    return Grade.NOT_ATTEMPTED if chance.random() < subject.abstains else Grade.INCORRECT


def _said(chance: random.Random, subject: Subject, item: Question, outcome: Outcome, grade: Grade | None) -> Said:
    text, finish_reason = _text(chance, subject, item, outcome, grade)
    asked = (_PROMPT_CHARACTERS + len(item.question)) // 4
    thought = round(chance.expovariate(1 / subject.thinks)) if subject.thinks else 0
    if outcome is Outcome.FAILED:
        asked = thought = 0
    answered = len(text or "") // 4 + 1 + thought
    cost = None
    if subject.price and outcome is not Outcome.FAILED:
        cost = (asked * subject.price[0] + answered * subject.price[1]) / 1e6
    return Said(item, outcome, text, finish_reason, grade, asked, answered, thought, cost)


def _text(
    chance: random.Random, subject: Subject, item: Question, outcome: Outcome, grade: Grade | None
) -> tuple[str | None, str]:
    match outcome, grade:
        case Outcome.FAILED, _:
            return None, _FAILURE
        case Outcome.TRUNCATED, _:
            return words.musing(chance), "length"
        case Outcome.FILTERED, _:
            return "", "content_filter"
        case _, Grade.NOT_ATTEMPTED:
            return words.abstention(chance), "stop"
        case _, Grade.CORRECT:
            answer = item.answer
        case _, Grade.PARTIAL:
            answer = words.coarser(item.answer)
        case _:
            ready = item.plant is Plant.NOBODY or chance.random() < _READY
            answer = item.wrong if ready else words.wrong(chance, item.kind, item.answer)
    return words.put(chance, answer, subject.wordy), "stop"
