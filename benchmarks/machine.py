"""The machine that is measured on, since no figure means anything without it."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

BUSY_LOAD = 1.0


def machine_facts() -> list[str]:
    """Cores, load and versions, a line each; a warning where others disturb the measurement."""
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    lines = [
        f"{cores} cores, {_processor()}, {platform.system()}, load average {load:.2f}",
        f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("dagster", "litellm", "great_expectations", "polars")),
    ]
    if load > BUSY_LOAD:
        lines.append(
            f"Warning: the load average is over {BUSY_LOAD:g}: others use this machine, and walls and ratios suffer. "
            "Wait until it is idle and measure again."
        )
    return lines


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
