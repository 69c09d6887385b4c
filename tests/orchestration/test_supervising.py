"""A supervised process: started again with growing pauses, given up, ended with all that it started, its log cut."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from orchestration import supervising
from orchestration.supervising import GivenUp, Service
from tests.support.production import until


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def started(tmp_path: Path, told: list[str]) -> Iterator[list[Service]]:
    """Services of a test, killed at its end."""
    services: list[Service] = []
    yield services
    for service in services:
        service.kill()


def service(started: list[Service], told: list[str], folder: Path, *command: str) -> Service:
    started.append(Service("thing", command, folder / "logs" / "thing.log", told.append))
    return started[-1]


def sleeping(started: list[Service], told: list[str], folder: Path) -> Service:
    """A service with a child of its own, whose process id is in the log."""
    child = "import subprocess, sys; p = subprocess.Popen(['sleep', '100']); print(p.pid, flush=True); p.wait()"
    made = service(started, told, folder, sys.executable, "-c", child)
    made.tend()
    until(lambda: made.log.read_text().strip().isdecimal())
    return made


def test_what_crashes_at_once_again_and_again_is_given_up_with_the_end_of_its_log(
    started: list[Service], told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "LONGEST_PAUSE_S", 0.01)
    crashing = service(started, told, tmp_path, sys.executable, "-c", "print('no such table'); raise SystemExit(3)")

    with pytest.raises(GivenUp) as given_up:
        while True:
            crashing.tend()
            time.sleep(0.01)

    assert "ended with status 3 for the 5th time in a row" in str(given_up.value)
    assert "no such table" in str(given_up.value) and str(crashing.log) in str(given_up.value)
    assert len(told) == 4


def test_pauses_grow_with_each_crash(started: list[Service], told: list[str], tmp_path: Path) -> None:
    crashing = service(started, told, tmp_path, sys.executable, "-c", "raise SystemExit(3)")

    until(lambda: crashing.tend() or len(told) == 2)

    assert [line.split("again in ")[1].split(" (")[0] for line in told] == ["1 s", "2 s"]


def test_who_lived_for_long_is_started_again_however_often_it_ended(
    started: list[Service], told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "SETTLED_S", 0.0)
    monkeypatch.setattr(supervising, "LONGEST_PAUSE_S", 0.01)
    ending = service(started, told, tmp_path, sys.executable, "-c", "")

    until(lambda: ending.tend() or len(told) > supervising.CRASHES)


def test_what_a_killed_process_started_goes_on_and_ends_with_the_service(
    started: list[Service], told: list[str], tmp_path: Path
) -> None:
    killed = sleeping(started, told, tmp_path)
    left = psutil.Process(int(killed.log.read_text()))
    parent = left.parent()
    assert parent is not None
    parent.kill()
    until(lambda: killed.tend() or bool(told))
    assert left.is_running()

    killed.ask_to_end()  # by SIGINT, which cancels a run

    until(lambda: not left.is_running())


def test_nothing_is_left_after_killing(started: list[Service], told: list[str], tmp_path: Path) -> None:
    running = sleeping(started, told, tmp_path)
    child = psutil.Process(int(running.log.read_text()))

    running.kill()

    until(running.gone)
    assert not child.is_running()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_a_supervisor_that_is_killed_takes_its_processes_along(tmp_path: Path) -> None:
    log = tmp_path / "thing.log"
    supervisor = (
        "import pathlib, sys, time; from orchestration.supervising import Service\n"
        f"made = Service('thing', [sys.executable, '-c', 'import os, time; print(os.getpid(), flush=True); "
        f"time.sleep(100)'], pathlib.Path({str(log)!r}), print)\n"
        "made.tend(); time.sleep(100)"
    )
    process = psutil.Popen([sys.executable, "-c", supervisor])
    until(lambda: log.exists() and log.read_text().strip().isdecimal())
    tended = psutil.Process(int(log.read_text()))

    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    until(lambda: not tended.is_running())


def test_a_large_log_is_moved_aside_and_its_writer_goes_on(
    started: list[Service], told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "LOG_BYTES", 1000)
    writing = "import time\nwhile True: print('x' * 99, flush=True); time.sleep(0.002)"
    made = service(started, told, tmp_path, sys.executable, "-c", writing)

    until(lambda: made.tend() or made.log.with_name("thing.log.3").exists())
    time.sleep(0.5)
    made.tend()

    kept = sorted(file.name for file in made.log.parent.iterdir())
    assert kept == ["thing.log", "thing.log.1", "thing.log.2", "thing.log.3"]
    assert all(set(line) == {"x"} for line in made.log.read_text().splitlines())
