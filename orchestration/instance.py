"""The Dagster instance of an installation: its folder, its configuration, its environment variables."""

import os
import shutil
from pathlib import Path

from resources.home import current_home

_SHIPPED = Path(__file__).with_name("dagster.yaml")


def prepare_dagster_home() -> Path:
    """Makes the home's DAGSTER_HOME with the shipped dagster.yaml and names it in the environment.

    A dagster.yaml that is there already stays: a team may have its own storage and launcher in it.
    """
    folder = current_home().dagster
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "dagster.yaml").exists():
        shutil.copyfile(_SHIPPED, folder / "dagster.yaml")
    os.environ["DAGSTER_HOME"] = str(folder)
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "yes")
    return folder
