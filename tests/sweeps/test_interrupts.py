"""Signals while calls are in flight: noted, told on, and raised only at the end."""

import os
import signal
import threading

import pytest

from assets.sweeps.interrupts import NotedInterrupts


class Told:
    """What was asked of the engine, in order."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def interrupts(self) -> NotedInterrupts:
        return NotedInterrupts(lambda: self.calls.append("stop"), lambda: self.calls.append("at once"))


@pytest.fixture
def told() -> Told:
    return Told()


def test_without_a_signal_nothing_is_raised(told: Told) -> None:
    with told.interrupts() as interrupts:
        pass
    assert interrupts.raised() is None
    assert told.calls == []


def test_a_signal_is_not_raised_where_it_arrives(told: Told) -> None:
    with told.interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        passed = True
    assert passed
    assert told.calls == ["stop"]
    assert isinstance(interrupts.raised(), KeyboardInterrupt)


def test_a_second_signal_hurries(told: Told) -> None:
    with told.interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    assert told.calls == ["stop", "at once"]


def test_what_the_former_handler_raises_is_what_comes_of_it(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def former(*_: object) -> None:
        raise TimeoutError("Dagster's own")

    before = signal.signal(signal.SIGINT, former)
    try:
        with told.interrupts() as interrupts:
            os.kill(os.getpid(), signal.SIGINT)
        assert isinstance(interrupts.raised(), TimeoutError)
        assert signal.getsignal(signal.SIGINT) is former
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_signal_that_is_ignored_stays_ignored(told: Told) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with told.interrupts() as interrupts:
            os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.raised() is None
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_another_thread_it_does_nothing(told: Told) -> None:
    before = signal.getsignal(signal.SIGINT)
    during = []

    def enter() -> None:
        with told.interrupts():
            during.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert during == [before]
