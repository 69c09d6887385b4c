"""Running a command and counting what it took: CPU of all its descendants, wall, peak memory."""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psutil

from resources.home import PROJECT

STRAY_S = 20.0  # how long a descendant may outlive the command before its CPU counts as lost
_PR_SET_CHILD_SUBREAPER = 36
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class RunFailed(Exception):
    """A measured command did not do what it should; nothing can be said about its speed."""


@dataclass(frozen=True)
class Spent:
    """What a command took.

    Attributes:
        cpu_s: user and system seconds of it and all its descendants.
        peak_bytes: resident memory of the largest of them; never less than this process's own, which Linux hands
            down through vfork, so whoever measures stays lean.
        output: standard output.
        errors: standard error.
    """

    cpu_s: float
    wall_s: float
    peak_bytes: int
    output: str
    errors: str


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent ends first, so that `run` counts them (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Spent:
    """Runs `command` in the project's folder to its end.

    Args:
        environment: variables set beside the inherited ones.

    Raises:
        RunFailed: when it ends with another status than 0, or leaves a process running.
    """
    others = _children()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=PROJECT, env={**clean_environment(), **(environment or {})}, stdout=output, stderr=errors
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        spent = Spent(
            usage.ru_utime + usage.ru_stime + _strays_cpu(command, others),
            wall,
            usage.ru_maxrss * _RSS_UNIT,
            output.read(),
            errors.read(),
        )
    if process.returncode:
        raise RunFailed(
            f"{' '.join(command)} ended with {process.returncode}:\n{(spent.errors or spent.output)[-2000:]}"
        )
    return spent


def clean_environment() -> dict[str, str]:
    """The inherited variables without a developer's installation or habits, and litellm kept off the network."""
    dropped = ("FACTSWEEP_", "DAGSTER_", "PYTHON")  # one of Python's own keeps compiled bytecode from being written
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(dropped) and "_API_KEY" not in name
    }
    return inherited | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_OFFLINE_MODE": "true"}


def _strays_cpu(command: Sequence[str], others: set[int]) -> float:
    """CPU seconds of what the command left behind and this process adopted.

    Raises:
        RunFailed: when one of them does not end.
    """
    cpu, deadline = 0.0, time.monotonic() + STRAY_S
    while strays := _children() - others:
        for pid in strays:
            ended, _, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                cpu += usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline:
            raise RunFailed(f"{' '.join(command)} left processes {sorted(strays)} running, so its CPU is not known")
        time.sleep(0.02)
    return cpu


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}
