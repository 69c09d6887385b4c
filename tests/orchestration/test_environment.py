"""Numbers in environment variables: what is none names the variable, and what is not set is the usual one."""

from pathlib import Path

import pytest

from orchestration import dev
from orchestration.environment import webserver_port, whole_number
from resources.types import ConfigurationError


@pytest.mark.parametrize(("stated", "number"), [(None, 7), ("", 7), ("15", 15)])
def test_a_number_that_is_not_stated_is_the_usual_one(
    stated: str | None, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FACTSWEEP_X", raising=False)
    if stated is not None:
        monkeypatch.setenv("FACTSWEEP_X", stated)

    assert whole_number("FACTSWEEP_X", 7) == number


@pytest.mark.parametrize("stated", ["15m", "0", "-5", "1.5", "9" * 5000])
def test_what_is_no_whole_number_above_0_names_its_variable(stated: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTSWEEP_X", stated)

    with pytest.raises(ConfigurationError) as fault:
        whole_number("FACTSWEEP_X", 7)

    assert str(fault.value) == f"FACTSWEEP_X is {stated!r}; expected a whole number above 0, such as 7"


def test_a_number_that_is_no_port_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTSWEEP_PORT", "65536")

    with pytest.raises(ConfigurationError, match="FACTSWEEP_PORT is 65536; expected a port number such as 3000"):
        webserver_port()


def test_make_dev_names_a_port_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FACTSWEEP_PORT", "web")
    monkeypatch.setenv("FACTSWEEP_HOME", str(tmp_path))
    monkeypatch.setattr(dev, "load_environment", lambda: None)
    monkeypatch.setattr("os.execv", lambda *_: pytest.fail("the UI is started"))

    with pytest.raises(SystemExit, match="factsweep: FACTSWEEP_PORT is 'web'; expected a whole number"):
        dev.main()
