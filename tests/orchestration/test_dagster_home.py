"""The home's dagster.yaml: the shipped one where there is none, one's own otherwise, and doctor on what is old."""

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from dagster import DagsterInstance

from orchestration import dev
from orchestration.cli import main
from orchestration.instance import outdated_sections, prepare_dagster_home, shipped_configuration, sole_daemon
from resources.types import ConfigurationError


@pytest.fixture
def own(home: Path) -> Path:
    """The home's dagster.yaml, as shipped."""
    return prepare_dagster_home() / "dagster.yaml"


def test_a_new_home_gets_the_shipped_file_and_dagster_takes_it(own: Path) -> None:
    assert own.read_bytes() == shipped_configuration()[0].read_bytes()
    assert outdated_sections() is None
    with DagsterInstance.get() as instance:
        limits = instance.get_concurrency_config()
        assert limits.pool_config.default_pool_limit == 1
        assert limits.run_queue_config is not None
        assert limits.run_queue_config.max_user_code_failure_retries == 5
        assert instance.freshness_enabled


def test_ones_own_file_stays(own: Path) -> None:
    own.write_text("# version 2\ntelemetry: {enabled: false}\n")

    prepare_dagster_home()

    assert own.read_text() == "# version 2\ntelemetry: {enabled: false}\n"
    assert outdated_sections() is None


def test_doctor_names_what_an_old_file_has_otherwise(own: Path) -> None:
    shipped = yaml.safe_load(own.read_text())
    del shipped["retention"]
    shipped["concurrency"]["runs"]["max_concurrent_runs"] = 9
    own.write_text(yaml.safe_dump(shipped))

    assert outdated_sections() == ["concurrency", "retention"]
    said = CliRunner().invoke(main, ["doctor"]).stdout
    [line] = [line for line in said.splitlines() if "dagster.yaml:" in line]
    assert line.startswith("note")
    assert "in concurrency, retention" in line and "`# version 2`" in line


def test_doctor_tells_a_file_that_is_no_yaml(own: Path) -> None:
    own.write_text("telemetry: [")

    result = CliRunner().invoke(main, ["doctor"])

    assert result.exit_code == 2
    assert f"mend  dagster.yaml: {own} is no YAML" in result.stdout


def test_a_second_daemon_on_a_home_is_refused_while_the_first_runs(home: Path) -> None:
    with sole_daemon(), pytest.raises(ConfigurationError, match="`make up` runs on"), sole_daemon():
        pass
    with sole_daemon():
        pass


def test_make_dev_is_refused_beside_make_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "copyfile", lambda *_: pytest.fail("it went on"))

    with sole_daemon(), pytest.raises(SystemExit, match="`make up` runs on"):
        dev.main()
