"""Which models are still asked: stopped one by one when they cannot answer, or all at once when a sweep ends."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from resources.failures import Failure, FailureKind
from resources.registries import ModelSpec

RUN_OF_FAILURES = 10  # so many calls of a model failing one after the other stop it


class Stops:
    """Keeps count of failures.

    Attributes:
        reasons: by stopped model, why, and what a person can do.
    """

    def __init__(self, specs: Sequence[ModelSpec]) -> None:
        self._ends = {spec.id: asyncio.Event() for spec in specs}
        self._begun: Counter[str] = Counter()
        self._failed: dict[str, set[int]] = {spec.id: set() for spec in specs}
        self.reasons: dict[str, str] = {}

    def stopped(self, spec: ModelSpec) -> bool:
        return self._ends[spec.id].is_set()

    def stop(self, spec: ModelSpec, reason: str) -> None:
        self.reasons.setdefault(spec.id, reason)
        self._ends[spec.id].set()

    def stop_all(self) -> None:
        for end in self._ends.values():
            end.set()

    def begin(self, spec: ModelSpec) -> int:
        """The number of a call that is sent for the first time, among those of its model."""
        self._begun[spec.id] += 1
        return self._begun[spec.id]

    def failed(self, spec: ModelSpec, number: int, failure: Failure) -> None:
        """A call failed for good; the model is stopped when the next ones would fail too.

        Calls follow one another as they began: those that fail are tried for long, and end together
        when all others have long been answered.
        """
        if failure.kind is FailureKind.CONTEXT_WINDOW:
            return  # one prompt that is too long says nothing of the others
        failed = self._failed[spec.id]
        failed.add(number)
        first = last = number
        while first - 1 in failed:
            first -= 1
        while last + 1 in failed:
            last += 1
        if failure.stops_model:
            self.stop(spec, f"{failure.message}; {_remedy(spec, failure.kind)}")
        elif last - first + 1 >= RUN_OF_FAILURES:
            self.stop(spec, f"{RUN_OF_FAILURES} calls failed one after the other, the last with: {failure.message}")

    async def pause(self, spec: ModelSpec, seconds: float) -> None:
        """Waits, unless the model is stopped meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ends[spec.id].wait()


def _remedy(spec: ModelSpec, kind: FailureKind) -> str:
    match kind:
        case FailureKind.BAD_KEY:
            return f"check {spec.api_key_env or 'its key'} in the environment and that it may use {spec.model}"
        case FailureKind.UNKNOWN_MODEL:
            return f"check `model` ({spec.model}) and `api_base` in models.yaml"
        case _:
            return "raise its limit, or run it again when it has been reset"
