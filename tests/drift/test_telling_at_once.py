"""Who is told that a model changed: the webhook at once and once for each alarm, and summaries while it lasts."""

from datetime import UTC, datetime, timedelta

import pytest
from dagster import DagsterInstance

from orchestration.definitions import build_definitions
from tests.drift.conftest import Provider, Watch
from tests.support.receiver import Receiver


class Mornings:
    """Runs the job `drift` on one morning after another, from a day on that no watched night was."""

    def __init__(self, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2020, 4, 1, 6, tzinfo=UTC)
        self._instance = instance
        monkeypatch.setattr("assets.drift.assets.utc_now", lambda: self.now)

    def run(self) -> str:
        """The same morning's job; its run's id."""
        job = build_definitions().resolve_job_def("drift")
        return job.execute_in_process(instance=self._instance).run_id

    def next(self) -> str:
        self.now += timedelta(days=1)
        return self.run()


@pytest.fixture
def mornings(instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> Mornings:
    return Mornings(instance, monkeypatch)


def test_a_changed_model_is_told_with_what_changed_and_the_remedy(
    nights: Watch, provider: Provider, mornings: Mornings, receiver: Receiver
) -> None:
    nights.run(7)
    provider.answer = lambda message: "41"

    run = mornings.run()

    [post] = receiver.posts
    first, told, link = post["text"].splitlines()
    assert first == "*m answers otherwise than in the baseline*"
    assert told.startswith("• m (2020-04-01): tonight's answers differ from the baseline's (p = ")
    assert "24 of 24 grades and 24 texts are new, accuracy 0%, in the baseline of 7 nights 100%" in told
    assert "`factsweep sweep --model m --again`" in told
    assert link == f"<https://dagster.example/runs/{run}|The run>"
    assert post["factsweep"]["kind"] == "drift" and list(post["factsweep"]["models"]) == ["m"]
    assert "plus" not in str(post) and "42" not in post["text"].replace(run, "")


def test_another_served_name_is_told(nights: Watch, provider: Provider, mornings: Mornings, receiver: Receiver) -> None:
    nights.run()
    provider.served_model = "m-2020-06"

    mornings.run()

    assert "served as m-2020-06; the baseline was served as m-2020-01" in receiver.posts[0]["text"]


def test_an_alarm_is_told_once_while_it_lasts(
    nights: Watch, provider: Provider, mornings: Mornings, receiver: Receiver
) -> None:
    nights.run()
    provider.served_model = "m-2020-06"
    mornings.run()

    mornings.run()
    nights.world.drift = {"items": 24, "budget_usd": 1e-7}  # a night on which nothing comes
    nights.world.write()
    mornings.next()
    nights.world.drift = {"items": 24}
    nights.world.write()
    mornings.next()

    assert len(receiver.posts) == 1


def test_an_alarm_that_ended_and_came_back_is_told_again(
    nights: Watch, provider: Provider, mornings: Mornings, receiver: Receiver
) -> None:
    nights.run()
    for name in ("m-2020-06", "m-2020-01", "m-2020-06"):
        provider.served_model = name
        mornings.next()

    assert len(receiver.posts) == 2


def test_a_steady_model_is_not_told(nights: Watch, mornings: Mornings, receiver: Receiver) -> None:
    nights.run(7)

    mornings.run()

    assert receiver.posts == []


def test_the_summary_of_a_sweep_names_it_while_it_lasts(
    nights: Watch, provider: Provider, mornings: Mornings, instance: DagsterInstance, receiver: Receiver
) -> None:
    nights.run()
    provider.served_model = "m-2020-06"
    mornings.run()
    sweep = build_definitions().resolve_job_def("sweep")

    assert sweep.execute_in_process(instance=instance).success

    line = "Answering otherwise than in their baseline: m (factsweep drift says how)"
    summary = receiver.posts[-1]
    assert summary["factsweep"]["kind"] == "summary" and summary["factsweep"]["drifting"] == ["m"]
    assert line in summary["text"].splitlines()
    assert f"\n{line}.\n" in (nights.world.open().home.report / "summary.md").read_text()
