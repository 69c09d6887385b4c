"""The questions of the world, each with its difficulty and, for a few, what all models do with it.

Difficulties are on the logit scale of Rasch's model: a model of ability `a` knows an item of difficulty `b` with
probability 1 / (1 + exp(b − a)). Topics, documents and items each add a part, so that a document's items move together.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from benchmarks.synthetic import words

PLANTED_DOMAINS = list(words.THEMES)[:-1]  # the last one is where a model was stopped
TOPICS = sum(len(theme.topics) for theme in words.THEMES.values())
_MEAN_DIFFICULTY = 0.8
_TOPIC_SPREAD, _DOCUMENT_SPREAD, _ITEM_SPREAD = 0.3, 0.6, 1.0
_MOST_IN_A_DOCUMENT = 6
_PRIVATE = 0.2


class Plant(StrEnum):
    """What is planted in an item; there is one of each in every domain of PLANTED_DOMAINS."""

    EVERYONE = "everyone gets it"
    NOBODY = "everyone says the same wrong thing"
    DIVIDES = "one half gets it, the other is wrong"


@dataclass(frozen=True)
class Question:
    """One item.

    Attributes:
        wrong: what a model that is wrong says most readily.
        document: its source; `private` goes by document.
    """

    domain: str
    id: str
    topic: str
    kind: str
    question: str
    answer: str
    aliases: tuple[str, ...]
    wrong: str
    document: str
    private: bool
    difficulty: float
    plant: Plant | None = None

    def line(self) -> dict[str, object]:
        """The item as its file has it."""
        return {
            "id": self.id,
            "topic": self.topic,
            "question": self.question,
            "answer": self.answer,
            "aliases": self.aliases,
            "answer_type": self.kind,
            "source_url": self.document,
            "split": "private" if self.private else "public",
        }


def make_items(seed: int, count: int) -> dict[str, list[Question]]:
    """`count` items by domain, in as equal topics as possible; the same for the same arguments."""
    sizes = iter([count // TOPICS + (place < count % TOPICS) for place in range(TOPICS)])
    made = {}
    for domain, theme in words.THEMES.items():
        chance = random.Random(f"{seed}:{domain}")
        topics = [_topic(chance, domain, place, next(sizes)) for place in range(len(theme.topics))]
        made[domain] = _planted(chance, [item for topic in topics for item in topic], domain)
    return made


def _topic(chance: random.Random, domain: str, place: int, size: int) -> Iterator[Question]:
    theme = words.THEMES[domain]
    topic = theme.topics[place]
    slug = topic.lower().replace(" ", "-")
    topic_difficulty = chance.gauss(_MEAN_DIFFICULTY, _TOPIC_SPREAD)
    written = 0
    for document in range(size):
        inside = min(chance.randint(1, _MOST_IN_A_DOCUMENT), size - written)
        difficulty, private = chance.gauss(topic_difficulty, _DOCUMENT_SPREAD), chance.random() < _PRIVATE
        for _ in range(inside):
            written += 1
            kind = chance.choice(words.KINDS)
            gold = words.gold(chance, kind)
            yield Question(
                domain=domain,
                id=f"{domain}-{slug}-{written}",
                topic=topic,
                kind=kind,
                question=words.question(chance, kind, theme),
                answer=gold,
                aliases=(gold.replace(" ", "\u00a0"), gold.upper()) if chance.random() < 0.4 else (),
                wrong=words.wrong(chance, kind, gold),
                document=f"https://archive.example.org/{domain}/{slug}/{document:04}/statutes-and-records.html",
                private=private,
                difficulty=chance.gauss(difficulty, _ITEM_SPREAD),
            )
        if written == size:
            return


def _planted(chance: random.Random, items: list[Question], domain: str) -> list[Question]:
    if domain not in PLANTED_DOMAINS:
        return items
    for plant, place in zip(Plant, chance.sample(range(len(items)), len(Plant)), strict=True):
        items[place] = replace(items[place], plant=plant)
    return items
