"""Invented questions for the figure `similarity`: many of them, planted edits of some, and look-alikes.

Run as `python -m benchmarks.questions COUNT EDITS LOOKALIKES`: prints, as JSON, what the finder took and found.
"""

import json
import random
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace

from assets.evidence_cards.card import Card
from assets.items.passes.draft import Draft
from assets.items.passes.similarity import SimilarityPass
from assets.items.similarity import Posed
from benchmarks.relations import CITIES, GROUPS, RELATIONS, STARTS, SURNAMES, TAILS, Relation

_SEED = 11
_REPEATED = re.compile(r"asks what item (\S+) asks")
_SMALL_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PREFIXES = ("Can you tell me: ", "Please answer: ", "Do you know ", "Question: ")
_INSTRUCTIONS = (
    "Give only the answer.",
    "Answer briefly.",
    "(Answer with the exact name or number.)",
    "Please give the full answer.",
    "State only the number or name.",
)
_AMERICAN = {"colour": "color", "organisation": "organization", "centre": "center", "sulphate": "sulfate"}


@dataclass(frozen=True)
class Fact:
    """One relation of a subject: all its askings have one gold."""

    relation: Relation
    subject: str
    number: str
    answer: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.relation.asks[0], self.subject, self.number

    def ask(self, form: int = 0) -> str:
        asked = self.relation.asks[form % len(self.relation.asks)].format(s=self.subject, n=self.number)
        return asked[0].upper() + asked[1:]


@dataclass(frozen=True)
class Planted:
    """A question and the family of those that ask the same; a look-alike is a family of its own."""

    posed: Posed
    family: int
    kind: str


@dataclass(frozen=True)
class Outcome:
    """What the finder made of a set of questions.

    Attributes:
        cpu_s: of judging them all.
        recall: the share of planted edits that were merged with their question.
        false_lookalikes, false_others: merges of questions from two families, with a look-alike and without.
        missed: how many edits of each kind were not found.
    """

    cpu_s: float
    recall: float
    false_lookalikes: int
    false_others: int
    missed: dict[str, int]


def make_questions(seed: int, count: int, edits: int, lookalikes: int) -> list[Planted]:
    """`count` questions that all ask something else, with the planted ones among them in random order."""
    chance = random.Random(seed)
    facts = _facts(chance, count)
    taken = {fact.key for fact in facts}
    made = [
        Planted(Posed(f"q{at}", fact.ask(chance.randrange(2)), fact.answer), at, "question")
        for at, fact in enumerate(facts)
    ]
    edited = _edited(chance, facts, made)
    planted = [next(edited) for _ in range(edits)]
    alike = _lookalikes(chance, facts, made, taken)
    planted += [next(alike) for _ in range(lookalikes)]
    planted = [replace(plant, posed=replace(plant.posed, id=f"p{at}")) for at, plant in enumerate(planted)]
    everything = [*made, *planted]
    chance.shuffle(everything)
    return everything


def judge(planted: list[Planted]) -> Outcome:
    """Send all questions through the pass and compare with what was planted."""
    by_id = {plant.posed.id: plant for plant in planted}
    drafts = [_draft(plant.posed) for plant in planted]
    check = SimilarityPass([], {})
    began = time.process_time()
    rulings = check.rule(drafts)
    cpu_s = time.process_time() - began
    merges = [
        (plant, by_id[named[1]])
        for plant, ruling in zip(planted, rulings, strict=True)
        if (named := _REPEATED.match(ruling.reason))
    ]
    false = [pair for pair in merges if pair[0].family != pair[1].family]
    with_lookalike = [pair for pair in false if "look-alike" in {pair[0].kind, pair[1].kind}]
    merged = {plant.posed.id for plant, earlier in merges if plant.family == earlier.family}
    merged |= {earlier.posed.id for plant, earlier in merges if plant.family == earlier.family}
    edits = [plant for plant in planted if plant.kind not in ("question", "look-alike")]
    missed = Counter(plant.kind for plant in edits if plant.posed.id not in merged)
    recall = 1 - missed.total() / len(edits) if edits else 1.0
    return Outcome(cpu_s, recall, len(with_lookalike), len(false) - len(with_lookalike), dict(missed))


def _draft(posed: Posed) -> Draft:
    card = Card(posed.id, "", "", "", "", "", 1, "", "", "en", None, None, "")
    return Draft(card, posed.question, posed.answer, posed.aliases)


def _facts(chance: random.Random, count: int) -> list[Fact]:
    facts: dict[tuple[str, str, str], Fact] = {}
    while len(facts) < count:
        relation = chance.choice(RELATIONS)
        fact = Fact(relation, _subject(chance, relation), _number(chance, relation), _gold(chance, relation))
        facts.setdefault(fact.key, fact)
    return list(facts.values())


def _name(chance: random.Random) -> str:
    return chance.choice(STARTS) + chance.choice(TAILS)


def _subject(chance: random.Random, relation: Relation) -> str:
    if relation.subject == "place":
        return _name(chance)
    if relation.subject == "person":
        return f"{chance.choice(STARTS).title()} {chance.choice(SURNAMES)}"
    if relation.subject == "body":
        return f"{_name(chance)} {chance.choice(GROUPS['body'])}"
    return chance.choice(GROUPS[relation.subject])


def _number(chance: random.Random, relation: Relation) -> str:
    if relation.number == "year":
        return str(chance.randrange(1880, 2020))
    if relation.number == "section":
        return str(chance.randrange(2, 400))
    if relation.number == "version":
        return f"{chance.randrange(1, 9)}.{chance.randrange(0, 30)}"
    if relation.number == "small":
        return str(chance.randrange(2, 13))
    return ""


def _gold(chance: random.Random, relation: Relation) -> str:
    if relation.gold == "year":
        return str(chance.randrange(1850, 2020))
    if relation.gold == "count":
        return str(chance.choice((2, 3, 4, 5, 12, 20, 40, 1200, 5000)))
    if relation.gold == "city":
        return chance.choice(CITIES)
    if relation.gold == "person":
        return f"{chance.choice(STARTS).title()} {chance.choice(SURNAMES)}"
    if relation.gold == "date":
        return f"{chance.randrange(1, 29)} {chance.choice(GROUPS['month'])} {chance.randrange(1900, 2020)}"
    return chance.choice(GROUPS[relation.gold])


def _edited(chance: random.Random, facts: list[Fact], made: list[Planted]) -> Iterator[Planted]:
    """Edits of each kind in turn, each of another question where there are enough."""
    order = chance.sample(range(len(facts)), len(facts))
    at = 0
    while True:
        for kind, edit in _EDITS.items():
            for _ in range(len(facts)):
                plant, fact = made[order[at % len(order)]], facts[order[at % len(order)]]
                at += 1
                question = edit(chance, plant.posed.question, fact)
                if question and question != plant.posed.question:
                    yield Planted(Posed("", question, _other_gold(chance, fact.answer)), plant.family, kind)
                    break


def _other_gold(chance: random.Random, gold: str) -> str:
    """The gold in another form of its own."""
    if gold.isdecimal() and len(gold) == 4 and not gold.startswith(("18", "19", "20")):
        return f"{gold[0]},{gold[1:]}"
    if gold.isdecimal() and 2 <= int(gold) <= 12 and chance.random() < 0.5:
        return _SMALL_NUMBERS[int(gold) - 2]
    return gold.upper() if chance.random() < 0.1 else gold


def _typo(chance: random.Random, question: str, fact: Fact) -> str | None:
    """A letter dropped, doubled or swapped with its neighbour in an ordinary word."""
    named = set(f"{fact.subject} {fact.relation.fixed}".split())
    words = question.split(" ")
    long = [at for at, word in enumerate(words) if len(word) >= 6 and word.isalpha() and word not in named and at]
    if not long:
        return None
    at = chance.choice(long)
    word = words[at]
    place = chance.randrange(1, len(word) - 2)
    kind = chance.randrange(4)
    if kind == 0:
        word = word[:place] + word[place + 1 :]
    elif kind == 1:
        word = word[:place] + word[place] + word[place:]
    elif kind == 2:
        word = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    else:
        word = word[:place] + chance.choice("bdfgklmprtv") + word[place + 1 :]
    words[at] = word
    return " ".join(words)


def _two_typos(chance: random.Random, question: str, fact: Fact) -> str | None:
    once = _typo(chance, question, fact)
    twice = _typo(chance, once, fact) if once else None
    if not twice:
        return None
    changed = [one != other for one, other in zip(question.split(" "), twice.split(" "), strict=True)]
    return twice if sum(changed) == 2 else None


def _american(chance: random.Random, question: str, fact: Fact) -> str | None:
    for british, american in _AMERICAN.items():
        question = question.replace(british, american)
    return question


def _spelled_out(chance: random.Random, question: str, fact: Fact) -> str | None:
    if fact.relation.number != "small":
        return None
    return question.replace(f" {fact.number} ", f" {_SMALL_NUMBERS[int(fact.number) - 2]} ")


_Edit = Callable[[random.Random, str, Fact], str | None]
_EDITS: dict[str, _Edit] = {
    "case": lambda chance, question, fact: chance.choice((question.lower(), question.upper())),
    "punctuation": lambda chance, question, fact: chance.choice((question[:-1], question + "?", question[:-1] + " ?")),
    "spacing": lambda chance, question, fact: "  ".join(question.split(" ", 2)) + "\n",
    "Unicode": lambda chance, question, fact: unicodedata.normalize("NFD", question).replace(" the ", "\u00a0the "),
    "typo": _typo,
    "two typos": _two_typos,
    "rephrased": lambda chance, question, fact: fact.ask(2 + chance.randrange(max(len(fact.relation.asks) - 2, 1))),
    "order": lambda chance, question, fact: fact.ask(1) if question == fact.ask(0) else fact.ask(0),
    "filler": lambda chance, question, fact: chance.choice(_PREFIXES) + question[0].lower() + question[1:],
    "instruction": lambda chance, question, fact: f"{question} {chance.choice(_INSTRUCTIONS)}",
    "US spelling": _american,
    "number in words": _spelled_out,
}


def _lookalikes(
    chance: random.Random, facts: list[Fact], made: list[Planted], taken: set[tuple[str, str, str]]
) -> Iterator[Planted]:
    """Questions that differ from another in a number or a name only; most have its gold."""
    family = len(made)
    while True:
        at = chance.randrange(len(facts))
        fact = facts[at]
        by_number = bool(fact.relation.number) and chance.random() < 0.5
        other = (
            replace(fact, number=_number(chance, fact.relation))
            if by_number
            else replace(fact, subject=_subject(chance, fact.relation))
        )
        if other.key in taken:
            continue
        taken.add(other.key)
        gold = fact.answer if chance.random() < 0.75 else _gold(chance, fact.relation)
        form = 0 if made[at].posed.question == fact.ask(0) else 1
        yield Planted(Posed("", other.ask(form), gold), family, "look-alike")
        family += 1


def main() -> None:
    count, edits, lookalikes = map(int, sys.argv[1:])
    print(json.dumps(asdict(judge(make_questions(_SEED, count, edits, lookalikes)))))


if __name__ == "__main__":
    main()
