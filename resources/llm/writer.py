"""Group commit: many coroutines' reservations and settlements in one ledger transaction, off the event loop."""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor

from resources.ledger import Claimed, Ledger, Purse, Reservation, Settlement

# A commit waits for the disk; those few milliseconds gather the next ones, and so does this pause.
_GATHER_S = 0.004


class LedgerWriter:
    """Commits for one purse. Every awaited call returns after its transaction is on disk.

    Args:
        ledger: where to.
        purse: on whose account; a sweep counts towards the day on which it began.
    """

    def __init__(self, ledger: Ledger, purse: Purse) -> None:
        self._ledger = ledger
        self._purse = purse
        self._wishes: list[tuple[Reservation, asyncio.Future[Claimed]]] = []
        self._settlements: list[tuple[Settlement, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")

    def reserve(self, wish: Reservation) -> Awaitable[Claimed]:
        """The claim on a call.

        Raises:
            LedgerError: when awaited, if the ledger cannot be written.
        """
        future: asyncio.Future[Claimed] = asyncio.get_running_loop().create_future()
        self._wishes.append((wish, future))
        self._wake()
        return future

    def settle(self, event: Settlement) -> Awaitable[None]:
        """Done when `event` is on disk.

        Raises:
            LedgerError: when awaited, if the ledger cannot be written.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._settlements.append((event, future))
        self._wake()
        return future

    async def close(self) -> None:
        """Commits what is waiting."""
        if self._flushing is not None:
            await self._flushing
        self._thread.shutdown()

    def _wake(self) -> None:
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._wishes or self._settlements:
            await asyncio.sleep(_GATHER_S)
            wishes, self._wishes = self._wishes, []
            settlements, self._settlements = self._settlements, []
            try:
                claims = await loop.run_in_executor(
                    self._thread,
                    self._ledger.transact,
                    self._purse,
                    [event for event, _ in settlements],
                    [wish for wish, _ in wishes],
                )
            except Exception as error:  # each waiting caller gets it; the loop goes on to serve the others
                for _, future in (*wishes, *settlements):
                    if not future.cancelled():
                        future.set_exception(error)
                continue
            for (_, future), claim in zip(wishes, claims, strict=True):
                if not future.cancelled():
                    future.set_result(claim)
            for _, future in settlements:
                if not future.cancelled():
                    future.set_result(None)
