"""Ctrl-C and Terminate while calls are in flight: noted, acted on, and raised once the sweep has come to rest."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class NotedInterrupts:
    """Within it the first signal that would raise calls `on_first`, a further one `on_further`; none raises.

    An exception that a signal raises in the midst of an import leaves Python's import lock taken for ever, and the
    engine's thread, which imports too, would wait for it. Outside the main thread, where Python handles no signals,
    it does nothing.
    """

    def __init__(self, on_first: Callable[[], None], on_further: Callable[[], None]) -> None:
        self._on_first = on_first
        self._on_further = on_further
        self._former: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._noted: int | None = None

    def __enter__(self) -> "NotedInterrupts":
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):  # not where the signal is ignored, or ends the process on the spot
                    self._former[number] = handler
                    signal.signal(number, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def raised(self) -> BaseException | None:
        """What the former handler raises for the signal that was noted; None without one."""
        if self._noted is None:
            return None
        try:
            self._former[self._noted](self._noted, None)
        except BaseException as error:
            return error
        return None

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if self._noted is None:
            self._noted = number
            self._on_first()
        else:
            self._on_further()
