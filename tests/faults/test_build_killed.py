"""A build that is killed or interrupted: the next buys only what is missing, and ends where an undisturbed one does."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.catalogue import CRANE, FERRY, MOLE, PAGE, QUAY, SECTION, TIDE
from tests.support.replies import Reply, Request
from tests.support.workshop import BANK, DOMAIN, Workshop, workshop

__all__ = ["workshop"]

FACTS = (QUAY, MOLE, FERRY, CRANE, PAGE, SECTION, TIDE)


@pytest.fixture
def bank(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Seven facts behind a server that takes its time."""
    for number, fact in enumerate(FACTS):
        workshop.document(f"document-{number}", fact)
    workshop.wants(Harbours=6, Law=3)
    workshop.write()

    def script(request: Request) -> Reply:
        return replace(workshop.author(request), latency_s=0.15)

    workshop.server.script = script
    monkeypatch.setenv("FACTSWEEP_BANKS", str(workshop.root / "banks"))
    return workshop


def start() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from orchestration.cli import main; main()", "build", "--domain", DOMAIN]
    return subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
    )


def wait_for(bank: Workshop, completed: int, process: subprocess.Popen[bytes]) -> None:
    """Until the server has answered so many, or the process has ended."""
    deadline = time.monotonic() + 120
    while bank.server.stats.completed < completed and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)


def lines(bank: Workshop) -> dict[str, tuple[str, str]]:
    return {line.id: (line.question, line.status) for line in bank.lines()}


def test_killed_twice_it_ends_where_an_undisturbed_build_ends_and_buys_no_answer_twice(bank: Workshop) -> None:
    in_flight = 0
    for completed in (4, 15):
        process = start()
        wait_for(bank, completed, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        in_flight += 16

    assert start().wait(timeout=180) == 3, "topics are short of what they want"

    ended = lines(bank)
    asked_twice = sum(times - 1 for times in bank.server.asked.values())
    assert asked_twice <= in_flight
    bought = bank.requests
    assert start().wait(timeout=180) == 3
    assert (bank.requests, lines(bank)) == (bought, ended)
    assert {status for _, status in ended.values()} == {"active", "dropped"}
    assert sorted(path.name for path in Path(bank.folder / "items").iterdir()) == ["ports.jsonl"], BANK


def test_an_interrupt_ends_it_with_130_and_what_was_bought_stays(bank: Workshop) -> None:
    process = start()
    wait_for(bank, 6, process)
    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=60) == 130
    assert start().wait(timeout=180) == 3
    assert not [call for call, times in bank.server.asked.items() if times > 1]
