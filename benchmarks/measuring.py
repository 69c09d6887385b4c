"""The figures, each a function of the laboratory, by the name that chooses it on the command line."""

import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.bank import CONCURRENCY, BenchInstallation
from benchmarks.figures import Figure, Reference
from benchmarks.laboratory import LATENCY_S, SWEEP, Laboratory
from benchmarks.processes import RunFailed, Spent, run
from resources.home import PROJECT, Home

RECORDED_ITEMS = 1_000
DOMAINS, MODELS, IDLE_ITEMS = 6, 20, 2
HELP_RUNS = 5
QUESTIONS, EDITS, LOOKALIKES = 60_000, 2_000, 1_000
HEAVY = ("litellm", "great_expectations")
_MB = 1e6
_IDLE = f"""
import sys
from orchestration.cli import main
try:
    main()
finally:
    print("imported:", *(name for name in {HEAVY} if name in sys.modules))
"""
_BIN = Path(sys.executable).parent


def item(laboratory: Laboratory) -> list[Figure]:
    """CPU of an answered, graded and recorded item: the slope of the line."""
    least = laboratory.minima
    bare = Reference("bare litellm", least.bare.per_item_s * 1e3)
    return [Figure("CPU per multiple-choice item", least.sweep.per_item_s * 1e3, "ms", 1.3, bare)]


def start(laboratory: Laboratory) -> list[Figure]:
    """CPU of a sweep's start-up: the intercept of the line."""
    least = laboratory.minima
    imports = Reference("importing dagster, litellm, great_expectations", least.imports_s)
    return [Figure("CPU of a sweep's start-up", least.sweep.start_s, "s", 1.2, imports)]


def buying(laboratory: Laboratory) -> list[Figure]:
    """Wall of the buying phase."""
    items = laboratory.scale.large
    ideal = Reference("ideal", items * LATENCY_S / CONCURRENCY)
    return [Figure(f"wall of buying {items:,} answers", laboratory.minima.buying_s, "s", 1.3, ideal)]


def memory(laboratory: Laboratory) -> list[Figure]:
    """Peak memory of a sweep, and how it grows with its items."""
    large, huge = laboratory.scale.large, laboratory.scale.huge
    peak, grown = (laboratory.sweep(items).peak_bytes / _MB for items in (large, huge))
    return [
        Figure(f"peak memory at {large:,} items", peak, "MB", 700),
        Figure(f"peak memory at {huge:,} items", grown, "MB", 1.15, Reference(f"at {large:,}", peak)),
    ]


def recording(laboratory: Laboratory) -> list[Figure]:
    """CPU of recording a partition that is bought, in a process whose imports are done."""
    with laboratory.installation(items=RECORDED_ITEMS) as installation:
        times = max(laboratory.scale.rounds, 2)  # the first one still pays for what is loaded late
        ran = run([sys.executable, "-m", "benchmarks.recording", str(times)], installation.environment)
    measured = min(float(line) for line in ran.output.split())
    return [Figure(f"CPU of recording {RECORDED_ITEMS:,} bought items", measured, "s", 0.3)]


def idle(laboratory: Laboratory) -> list[Figure]:
    """A sweep with nothing to do, and what it imports for that."""
    with laboratory.installation(items=IDLE_ITEMS, domains=DOMAINS, models=MODELS) as installation:
        run(SWEEP, installation.environment)
        command = [sys.executable, "-c", _IDLE, *SWEEP[3:]]
        runs = [run(command, installation.environment) for _ in range(laboratory.scale.rounds)]
    if not all("Nothing to do" in ran.output for ran in runs):
        raise RunFailed(f"a second sweep found something to do:\n{runs[0].output[-2000:]}{runs[0].errors[-2000:]}")
    imported = {name for ran in runs for name in ran.output.rpartition("imported:")[2].split()}
    return [
        Figure(f"wall of a sweep with nothing to do, {DOMAINS} × {MODELS}", _least_wall(runs), "s", 5),
        Figure(f"imports in it of {', '.join(HEAVY)}", len(imported), "modules", 0),
    ]


def help_answer(laboratory: Laboratory) -> list[Figure]:
    """Wall of `factsweep --help`: what a person waits for, so the median."""
    script = _BIN / "factsweep"
    command = [str(script)] if script.exists() else list(SWEEP[:3])
    walls = [run([*command, "--help"]).wall_s for _ in range(HELP_RUNS)]
    return [Figure("wall of factsweep --help", statistics.median(walls), "s", 0.4)]


def validate(laboratory: Laboratory) -> list[Figure]:
    """CPU of `dagster definitions validate`, of which most is Dagster's own start-up."""
    folder = laboratory.root / "empty"
    folder.mkdir()
    (folder / "definitions.py").write_text("from dagster import Definitions\n\ndefs = Definitions()\n")
    file = {"relative_path": "definitions.py", "working_directory": "."}
    (folder / "workspace.yaml").write_text(json.dumps({"load_from": [{"python_file": file}]}))
    environment = {"FACTSWEEP_HOME": str(folder), "DAGSTER_HOME": str(folder)}
    ours, empty = [], []
    for _ in range(laboratory.scale.rounds):
        for workspace, spent in ((PROJECT / "workspace.yaml", ours), (folder / "workspace.yaml", empty)):
            command = [str(_BIN / "dagster"), "definitions", "validate", "-w", str(workspace)]
            spent.append(run(command, environment).cpu_s)
    return [Figure("CPU of definitions validate", min(ours), "s", 1.3, Reference("empty project", min(empty)))]


def report(laboratory: Laboratory) -> list[Figure]:
    """A report of the synthetic world, and the scores that a sweep makes for it."""
    items, root = laboratory.scale.reported, laboratory.root / "world"
    # In a process of its own: what it took in memory here would be handed down to whatever is measured next.
    run([sys.executable, "-m", "benchmarks.synthetic", str(root), "--items", str(items)])
    installation = BenchInstallation(root)
    runs = [run([*SWEEP[:3], "report"], installation.environment) for _ in range(laboratory.scale.rounds)]
    times = max(laboratory.scale.rounds, 2)  # the first one still pays for what is loaded late
    scored = run([sys.executable, "-m", "benchmarks.scoring", str(times)], installation.environment)
    pages = Home(root / "home").report.rglob("*.html")
    of = f"20 × {items:,}"
    return [
        Figure(f"wall of factsweep report, {of}", _least_wall(runs), "s", 30),
        Figure(f"CPU of factsweep report, {of}", min(ran.cpu_s for ran in runs), "s", 30),
        Figure("largest page of the report", max(page.stat().st_size for page in pages) / _MB, "MB", 10),
        Figure(f"CPU of scores and leaderboard, {of}", min(float(line) for line in scored.output.split()), "s", None),
    ]


def similarity(laboratory: Laboratory) -> list[Figure]:
    """Judging invented questions for near-duplicates, in a process of its own, and what is found of the planted."""
    planted = [str(number) for number in (QUESTIONS, EDITS, LOOKALIKES)]
    runs = [run([sys.executable, "-m", "benchmarks.questions", *planted]) for _ in range(laboratory.scale.rounds)]
    found = [json.loads(ran.output) for ran in runs]
    of = f"{QUESTIONS:,} questions"
    return [
        Figure(f"CPU of similarity, {of}", min(outcome["cpu_s"] for outcome in found), "s", 20),
        Figure(f"peak memory of similarity, {of}", min(ran.peak_bytes for ran in runs) / _MB, "MB", 1000),
        Figure("planted edits that similarity missed", 100 * (1 - found[0]["recall"]), "%", 2),
        Figure("look-alikes that similarity merged", found[0]["false_lookalikes"], "", 0),
        Figure("other questions that similarity merged", found[0]["false_others"], "", 0),
    ]


FIGURES: dict[str, Callable[[Laboratory], list[Figure]]] = {
    "item": item,
    "start": start,
    "buying": buying,
    "memory": memory,
    "recording": recording,
    "idle": idle,
    "help": help_answer,
    "validate": validate,
    "report": report,
    "similarity": similarity,
}


def _least_wall(runs: list[Spent]) -> float:
    return min(ran.wall_s for ran in runs)
