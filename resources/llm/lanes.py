"""How many requests are in flight at once: models behind one account share a lane."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from resources.registries import ModelSpec

_Account = tuple[str, str | None, str | None]


def ahead(width: int) -> int:
    """How many calls beside those in flight may be on their way into the ledger.

    Reserving takes a tenth of an answer's time; with as many workers as requests the provider would idle for as long.
    """
    return max(1, width // 4)


@dataclass(frozen=True)
class Lane:
    """`entrance` lets in who is about to be reserved, `road` who is sent: a kill orphans few calls that never were."""

    entrance: asyncio.Semaphore
    road: asyncio.Semaphore


class Lanes:
    """As wide as the widest of the models that share them."""

    def __init__(self, specs: Iterable[ModelSpec]) -> None:
        widest: dict[_Account, int] = {}
        for spec in specs:
            widest[_account(spec)] = max(widest.get(_account(spec), 1), spec.parallel)
        self._lanes = {
            account: Lane(asyncio.Semaphore(width + ahead(width)), asyncio.Semaphore(width))
            for account, width in widest.items()
        }

    def of(self, spec: ModelSpec) -> Lane:
        return self._lanes[_account(spec)]


def _account(spec: ModelSpec) -> _Account:
    return spec.provider, spec.api_base, spec.api_key_env
