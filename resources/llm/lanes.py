"""How many requests are in flight at once: models behind one account share a lane."""

import asyncio
from collections.abc import Iterable

from resources.registries import ModelSpec

_Account = tuple[str, str | None, str | None]


class Lanes:
    """As wide as the widest of the models that share them."""

    def __init__(self, specs: Iterable[ModelSpec]) -> None:
        widest: dict[_Account, int] = {}
        for spec in specs:
            widest[_account(spec)] = max(widest.get(_account(spec), 1), spec.parallel)
        self._lanes = {account: asyncio.Semaphore(width) for account, width in widest.items()}

    def of(self, spec: ModelSpec) -> asyncio.Semaphore:
        return self._lanes[_account(spec)]


def _account(spec: ModelSpec) -> _Account:
    return spec.provider, spec.api_base, spec.api_key_env
