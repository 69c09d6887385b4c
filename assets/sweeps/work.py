"""The calls of a partition: which are bought already, which are missing, what they would cost."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from assets.grades.judging import Judge
from assets.items.item import Item
from assets.responses.asking import Asker
from assets.sweeps.plan import Planned
from assets.sweeps.targets import Target
from resources.installation import Installation
from resources.ledger import NIGHTS, StoredCall
from resources.llm import Call, PriceTable
from resources.types import CallState, Outcome

_T = TypeVar("_T")

CHUNK = 250  # calls looked up at once, so that memory does not grow with a bank


@dataclass(frozen=True, slots=True)
class Unit:
    """One item and sample of a partition, with its call and what the ledger knows of it."""

    item: Item
    sample: int
    epoch: int
    call: Call
    stored: StoredCall | None

    @property
    def answered(self) -> bool:
        return self.stored is not None and self.stored.state is CallState.COMPLETED

    @property
    def given_up(self) -> bool:
        """Whether it failed on so many nights that it is not sent again."""
        stored = self.stored
        return stored is not None and stored.state is CallState.FAILED and stored.failed_nights >= NIGHTS

    @property
    def text(self) -> str:
        """The answer as the model wrote it, empty where there is none."""
        return (self.stored.text if self.stored else None) or ""


@dataclass(frozen=True)
class Forecast:
    """What a partition's missing calls come to; dollars are None when a price is unknown."""

    calls: int
    usd: float | None
    at_most_usd: float | None


class Workbook:
    """Makes the calls of one partition with a model (not a baseline)."""

    def __init__(self, installation: Installation, target: Target) -> None:
        assert target.spec is not None, "a baseline makes no calls"
        self.target = target
        self._ledger = installation.ledger
        bank = target.bank
        title = target.content.domain.spec.title
        self._asker = Asker(bank.prompt("answer"), title, target.spec, installation.endpoint(target.spec))
        self.judge = (
            Judge(bank.prompt("judge"), target.judge, installation.endpoint(target.judge)) if target.judge else None
        )

    def units(self, items: Iterable[Item]) -> Iterator[Unit]:
        """Every item and sample, looked up in the ledger chunk by chunk."""
        wanted = ((item, sample) for item in items for sample in range(self.target.samples))
        for chunk in _chunks(wanted):
            calls = [
                (item, sample, epoch, self._asker.call(item, sample=sample, epoch=epoch))
                for item, sample in chunk
                for epoch in (self.target.epoch(item.item_id),)
            ]
            found = self._ledger.find(call.call_id for *_, call in calls)
            for item, sample, epoch, call in calls:
                yield Unit(item, sample, epoch, call, found.get(call.call_id))

    def open_units(self, items: Iterable[Item]) -> Iterator[Unit]:
        """The units that still need an answer or a verdict."""
        for chunk in _chunks(self.units(items)):
            missing = [unit for unit in chunk if not unit.answered and not unit.given_up]
            answered = [unit for unit in chunk if self.judge and unit.answered and is_answer(unit.stored)]
            yield from missing
            if self.judge is not None:
                yield from self._without_verdict(self.judge, answered)

    def _without_verdict(self, judge: Judge, answered: list[Unit]) -> Iterator[Unit]:
        """Answers whose verdict is still to be bought: neither the first nor the stricter call is final."""
        calls = [
            tuple(
                self.verdict_call(judge, unit.item, unit.text, stricter=stricter).call_id for stricter in (False, True)
            )
            for unit in answered
        ]
        found = self._ledger.find(call_id for pair in calls for call_id in pair)
        for unit, (first_id, second_id) in zip(answered, calls, strict=True):
            first, second = found.get(first_id), found.get(second_id)
            last = second if first is not None and judge.read(first, stricter=False).retry else first
            final = last is not None and (
                last.state is CallState.COMPLETED or (last.state is CallState.FAILED and last.failed_nights >= NIGHTS)
            )
            if not final:
                yield unit

    def verdict_call(self, judge: Judge, item: Item, answer: str, *, stricter: bool) -> Call:
        """The call for the verdict on an answer of this partition."""
        return judge.call(item, answer, stricter=stricter, epoch=self.target.verdict_epoch(item.item_id))

    def forecast(self, items: Iterable[Item], prices: PriceTable, output_tokens: float) -> Forecast:
        """What is missing; `output_tokens` is what an answer of this model usually takes."""
        spec = self.target.spec
        assert spec is not None
        calls, usd, at_most = 0, [], []
        for unit in self.open_units(items):
            if not unit.answered:
                calls += 1
                usd.append(prices.expected_of(spec, len(unit.call.prompt.encode()), output_tokens))
                at_most.append(prices.largest(unit.call))
            if self.judge is not None:
                calls += 1
                size = self.judge.largest_prompt_bytes(unit.item)
                usd.append(prices.expected_of(self.judge.spec, size // 4, 2))
                most = prices.largest_of(self.judge.spec, size)
                at_most.append(None if most is None else 2 * most)
        return Forecast(calls, _total(usd), _total(at_most))


def is_answer(stored: StoredCall | None) -> bool:
    return stored is not None and stored.outcome is Outcome.ANSWERED


def planned_forecast(installation: Installation, planned: Planned, prices: PriceTable) -> Forecast:
    """What a due partition would buy; a baseline buys nothing."""
    target = planned.target
    if target.spec is None:
        return Forecast(0, 0.0, 0.0)
    domain, model = target.key
    used = installation.lake.read("responses", ["output_tokens"], domain=domain, model=model)["output_tokens"].mean()
    usual = float(used) if isinstance(used, int | float) else min(target.spec.max_tokens, 256)
    return Workbook(installation, target).forecast(planned.items, prices, usual)


def _total(amounts: list[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _chunks(values: Iterable[_T]) -> Iterator[list[_T]]:
    """`values` in lists of CHUNK (itertools.batched is new in Python 3.12)."""
    iterator = iter(values)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk
