"""The container files name what is there, bind the port to this machine alone, and carry no keys."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from resources.home import PROJECT
from tests.support.production import free_port

DEPLOY = PROJECT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")


def test_the_container_runs_as_a_user_without_rights_what_make_up_runs() -> None:
    last = CONTAINERFILE.split("FROM ")[-1]

    assert re.search(r"^USER factsweep$", last, re.MULTILINE)
    assert 'CMD ["python", "-m", "orchestration.up"]' in last
    assert "-m orchestration.up" in (PROJECT / "Makefile").read_text("utf-8")
    assert 'CMD ["python", "-m", "orchestration.alive"]' in last


def test_everything_is_installed_with_its_hash() -> None:
    assert "python scripts/setup.py .venv" in CONTAINERFILE
    assert (PROJECT / "scripts" / "setup.py").read_text("utf-8").count('"--require-hashes"') == 3


def test_the_port_is_published_on_this_machine_only() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]

    assert services["factsweep"]["ports"] == ["127.0.0.1:${FACTSWEEP_PORT:-3000}:3000"]
    assert "ports" not in services["ledger"]
    assert services["ledger"]["profiles"] == ["postgres"]
    assert services["factsweep"]["depends_on"]["ledger"]["required"] is False


def test_keys_and_state_stay_out_of_the_image() -> None:
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()

    assert {".env", "deploy/.env", "deploy/ours", ".factsweep", ".venv", ".git"} <= set(ignored)


def test_the_health_check_fails_where_nothing_answers(tmp_path: Path) -> None:
    environment = {"FACTSWEEP_PORT": str(free_port())}
    checked = subprocess.run(
        [sys.executable, "-m", "orchestration.alive"], cwd=PROJECT, env=environment, capture_output=True, text=True
    )

    assert checked.returncode == 1
    assert "the webserver does not answer" in checked.stderr


def test_the_health_check_names_a_port_that_is_none() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "orchestration.alive"],
        cwd=PROJECT,
        env={"FACTSWEEP_PORT": "web"},
        capture_output=True,
        text=True,
    )

    assert checked.returncode == 1
    assert checked.stderr == "factsweep: FACTSWEEP_PORT is 'web'; expected a whole number above 0, such as 3000\n"
