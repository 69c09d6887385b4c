"""The benchmarks' cheap figures come out as numbers; how large they are is no test's business."""

import sys
from pathlib import Path

import pytest

from benchmarks.figures import Figure, Reference
from benchmarks.laboratory import QUICK, Laboratory
from benchmarks.measuring import help_answer, recording
from benchmarks.processes import RunFailed, run

NO_SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("figure", [recording, help_answer])
def test_a_figure_is_a_number(figure, tmp_path: Path) -> None:
    [measured] = figure(Laboratory(QUICK, NO_SERVER, tmp_path))

    assert measured.measured > 0


def test_a_missed_bound_says_by_how_much() -> None:
    assert Figure("it", 3.9, "ms", 1.2, Reference("bare", 3.0)).cells() == (
        "it",
        "3.9 ms",
        "1.2 × 3 ms (bare)",
        "1.30",
        "missed by 8%",
    )


def test_a_bound_that_is_met_exactly_is_kept() -> None:
    assert Figure("it", 0.4, "s", 0.4).result == "ok"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to a process that asks for them")
def test_what_a_command_leaves_behind_is_counted() -> None:
    burn = "import time\nwhile time.process_time() < 0.5: pass"
    leave = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {burn!r}], start_new_session=True)"
    measure = (
        "import sys; from benchmarks.processes import adopt_orphans, run\n"
        f"adopt_orphans(); print(run([sys.executable, '-c', {leave!r}]).cpu_s)"
    )

    # In a process of its own, since the orphans of all later tests would be this one's too.
    measured = run([sys.executable, "-c", measure])

    assert float(measured.output) >= 0.5


def test_a_command_that_fails_has_no_speed() -> None:
    with pytest.raises(RunFailed, match="no such bank"):
        run([sys.executable, "-c", "raise SystemExit('no such bank')"])
