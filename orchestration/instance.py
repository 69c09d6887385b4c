"""The Dagster instance of an installation: its folder, its configuration, its environment variables."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from resources.home import current_home
from resources.types import ConfigurationError

HISTORY_DAYS = 90  # how long Dagster's own runs and logs stay
_SHIPPED = Path(__file__).with_name("dagster.yaml")
_VERSION = re.compile(r"^# version (\d+)$", re.MULTILINE)


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


def outdated_sections() -> list[str] | None:
    """Sections of the shipped dagster.yaml that the home's own, made of an earlier one, lacks or has otherwise.

    None where the home has none yet, or says that it was compared with the shipped version: then it differs because
    somebody wants it to.

    Raises:
        ConfigurationError: when it is no YAML mapping.
    """
    import yaml

    own = current_home().dagster / "dagster.yaml"
    if not own.exists():
        return None
    text, shipped = own.read_text("utf-8"), _SHIPPED.read_text("utf-8")
    if _version(text) >= _version(shipped):
        return None
    try:
        has = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{own} is no YAML, so that Dagster cannot start: {error}") from error
    return [name for name, wanted in yaml.safe_load(shipped).items() if has.get(name) != wanted]


def shipped_configuration() -> tuple[Path, int]:
    """The shipped dagster.yaml and its version."""
    return _SHIPPED, _version(_SHIPPED.read_text("utf-8"))


@contextmanager
def sole_daemon() -> Iterator[None]:
    """Held by `make up` on its home: a second daemon would start each scheduled run twice.

    Raises:
        ConfigurationError: when another process holds it.
    """
    home = current_home().root
    home.mkdir(parents=True, exist_ok=True)
    try:
        held = FileLock(home / "up.lock").acquire(timeout=0)
    except Timeout:
        raise ConfigurationError(
            f"`make up` runs on {home} already; a second daemon would start each scheduled run twice. "
            "Use the UI of the first, end it, or name another FACTSWEEP_HOME"
        ) from None
    with held:
        yield


def _version(text: str) -> int:
    """The number in its version line; 1 for a file from before there was one."""
    found = _VERSION.search(text)
    return int(found[1]) if found else 1
