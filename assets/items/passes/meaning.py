"""Likeness by meaning: how near the vectors of two questions are, from the bank's embedding model."""

from collections.abc import Sequence
from math import sqrt

from assets.authoring.desk import Desk
from resources.installation import Installation
from resources.llm import Status, build_embedding, vector_of
from resources.registries import ModelSpec

NEAR = 0.92  # cosine from which two questions whose gold, numbers and names agree ask the same


class Meaning:
    """Args:
    embedder: an embedding model.
    """

    def __init__(self, installation: Installation, embedder: ModelSpec, desk: Desk) -> None:
        self.spec = embedder
        self._endpoint = installation.endpoint(embedder)
        self._desk = desk

    def nearness(self, questions: Sequence[tuple[str, str]]) -> list[float | None]:
        """The cosine of each pair of questions; None where a vector is not to be had yet."""
        texts = list(dict.fromkeys(text for pair in questions for text in pair))
        asked = self._desk.buy([build_embedding(self.spec, self._endpoint, text) for text in texts])
        vectors = {
            text: vector_of(one.stored.text or "")
            for text, one in zip(texts, asked, strict=True)
            if one.status is Status.COMPLETED and one.stored is not None
        }
        return [
            _cosine(vectors[one], vectors[other]) if one in vectors and other in vectors else None
            for one, other in questions
        ]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = sqrt(sum(x * x for x in one)) * sqrt(sum(y * y for y in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0
