"""`make check`: whether Dagster loads the definitions, in a throw-away DAGSTER_HOME."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from resources.home import PROJECT


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"FACTSWEEP_HOME": folder, "DAGSTER_HOME": folder}
        dagster = Path(sys.executable).with_name("dagster")
        command = [str(dagster), "definitions", "validate", "-w", "workspace.yaml"]
        sys.exit(subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
