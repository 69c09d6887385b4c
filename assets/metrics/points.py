"""The metrics of AA-Omniscience as point estimates from four counts.

Uncertainty belongs in `intervals.py`, the choice of what is counted in `scores.py`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Graded answers by grade (arXiv 2511.13029). Answers without a grade are not in here.

    At a penalty of 1 and where not all are correct,
    index / 100 = accuracy − (1 − accuracy) × hallucination rate.
    """

    correct: int
    partial: int
    incorrect: int
    not_attempted: int

    @property
    def total(self) -> int:
        """N, the graded answers."""
        return self.correct + self.partial + self.incorrect + self.not_attempted

    def index(self, penalty: float = 1.0) -> float | None:
        """Omniscience Index 100 (c − penalty · i) / N, from −100 · penalty to 100; None where nothing is graded.

        Args:
            penalty: what a wrong answer costs, in right answers; the paper uses 1 and discusses 0.5.
        """
        return 100 * (self.correct - penalty * self.incorrect) / self.total if self.total else None

    @property
    def accuracy(self) -> float | None:
        """c / N, 0 to 1; None where nothing is graded."""
        return self.correct / self.total if self.total else None

    @property
    def hallucination_rate(self) -> float | None:
        """i / (p + i + a), 0 to 1: how often the model asserts something wrong where it is not right.

        None where all are correct or nothing is graded: there was no occasion to hallucinate.
        """
        not_correct = self.total - self.correct
        return self.incorrect / not_correct if not_correct else None

    @property
    def attempt_rate(self) -> float | None:
        """(c + p + i) / N, 0 to 1; None where nothing is graded."""
        return (self.total - self.not_attempted) / self.total if self.total else None
