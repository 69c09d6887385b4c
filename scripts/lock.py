"""Makes the lock files: all versions with hashes, for every platform, without index addresses. Needs uv."""

import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
EXTRAS = {"requirements.lock": [], "requirements-dev.lock": ["--extra", "dev", "--extra", "bank"]}
SHARED = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "-q"]


def main() -> None:
    for lock, extras in EXTRAS.items():
        # The runtime lock constrains the other, so that tests run on what users get.
        constraint = [] if lock == "requirements.lock" else ["-c", "requirements.lock"]
        compile_lock("pyproject.toml", lock, [*extras, *constraint])
    for name in ("model", "uv"):
        compile_lock(f"requirements-{name}.in", f"requirements-{name}.lock", ["--no-deps"])


def compile_lock(source: str, lock: str, arguments: list[str]) -> None:
    command = ["uv", "pip", "compile", source, "-o", lock, *SHARED, *arguments]
    subprocess.run(command, cwd=PROJECT, check=True)


if __name__ == "__main__":
    main()
