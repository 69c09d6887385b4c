"""Who is told at once: the sensor `failures` of a failed run, a budget that stopped one, and what a watch found.

What happened is put into words here; `resources/webhook.py` sends it. A failure and a budget are told once for each
run; a watch says itself what is new.
"""

import os
import re
from collections.abc import Iterator, Sequence

import polars as pl
from dagster import (
    AssetExecutionContext,
    AssetKey,
    DagsterEvent,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    DefaultSensorStatus,
    RunFailureSensorContext,
    SkipReason,
    run_failure_sensor,
)
from dagster._core.storage.tags import WILL_RETRY_TAG

from assets.drift.standing import remedies
from assets.reports.facts import counted, named
from assets.summaries.summary import FailedCheck
from checks.watch_rules import WATCH_RULES
from orchestration.failed_checks import failed_checks
from orchestration.modes import in_production
from orchestration.resources import InstallationResource
from resources.installation import Installation
from resources.redaction import Redactor
from resources.webhook import Notice, escaped, receivers, send

# What runs by itself; who materializes an asset by hand sees how it ends.
TOLD_JOBS = ("sweep", "build", "drift", "reconcile", "housekeeping")
TOLD_TAG = "factsweep/told-{kind}"
_LONGEST_MESSAGE = 600
# What Dagster says of a run whose process ended without a word; there is no constant for it.
_MARKED_FROM_OUTSIDE = "This run has been marked as failed from outside the execution context."
_LISTED = 5
# Those of `checks` are not among them: a broken contract quotes the table.
_OURS = re.compile(r"(?:dagster\.\S*\.Failure|(?:resources|assets|orchestration)\.[\w.]+): ")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")


def run_link(run_id: str) -> str | None:
    """The run's page in the UI, where FACTSWEEP_URL says at which address that is."""
    base = os.environ.get("FACTSWEEP_URL", "").strip().rstrip("/")
    return f"{base}/runs/{run_id}" if base.startswith(("http://", "https://")) else None


@run_failure_sensor(
    name="failures",
    minimum_interval_seconds=30,
    default_status=(DefaultSensorStatus.RUNNING if receivers() or in_production() else DefaultSensorStatus.STOPPED),
    description="Tells FACTSWEEP_WEBHOOK of each failed run of a job that runs by itself, once.",
)
def failures_sensor(context: RunFailureSensorContext, installation: InstallationResource) -> SkipReason | None:
    run = context.dagster_run
    if run.job_name not in TOLD_JOBS or run.status is not DagsterRunStatus.FAILURE:
        return SkipReason(f"Run {run.run_id} of {run.job_name} is not told: it was cancelled, or nobody waits for it.")
    if not receivers():
        return SkipReason("FACTSWEEP_WEBHOOK is not set: nobody is told.")
    if not _first_to_tell(context.instance, run.run_id, "failure"):
        return SkipReason(f"Run {run.run_id} was told before.")
    steps = context.get_step_failure_events()
    checks = failed_checks(context.instance, run.run_id)
    send(failure_notice(installation.get(), run, context.failure_event, steps, checks), context.log.warning)
    return None


def tell_budget_stop(context: AssetExecutionContext, subject: str, spent_usd: float | None) -> None:
    """Says that a budget ended a run's buying; the run goes on with what it has.

    Args:
        subject: what was stopped, such as `sweep` or `build of omniscience.law`.
        spent_usd: by this run; None where a price is unknown.
    """
    run = context.run
    if not receivers() or not _first_to_tell(context.instance, run.run_id, "budget"):
        return
    spent = "" if spent_usd is None else f" after ${spent_usd:.2f}"
    link = run_link(run.run_id)
    lines = [
        f"*{escaped(subject)}: the budget stopped it{spent}*",
        "What was bought is kept. It goes on where it was when it is run again with a larger budget, or on a new day.",
        *_link_line(link),
    ]
    fields = {"run_id": run.run_id, "job": run.job_name, "subject": subject, "spent_usd": spent_usd, "url": link}
    send(Notice("budget", "\n".join(lines), fields), context.log.warning)


def tell_drift(context: AssetExecutionContext, alarmed: pl.DataFrame) -> None:
    """Says which models began to answer otherwise, what changed, and what a person does about it.

    Args:
        alarmed: rows of `drift`; nothing is told where there are none.
    """
    if alarmed.is_empty():
        return
    models, link = list(alarmed["model"]), run_link(context.run.run_id)
    answer = "answers" if len(models) == 1 else "answer"
    lines = [
        f"*{escaped(named(models))} {answer} otherwise than in the baseline*",
        *_listed([escaped(told) for told in remedies(alarmed)]),
        *_link_line(link),
    ]
    changed = dict(alarmed.select("model", "alarm_reason").iter_rows())
    fields = {"run_id": context.run.run_id, "job": context.run.job_name, "models": changed, "url": link}
    send(Notice("drift", "\n".join(lines), fields), context.log.warning)


def tell_left_behind(context: AssetExecutionContext, left: pl.DataFrame) -> None:
    """Says which partitions stay open and nothing on record says why, the oldest by name.

    Args:
        left: what `left_behind` gives; nothing is told where it is empty.
    """
    if left.is_empty():
        return
    [rule] = WATCH_RULES
    link = run_link(context.run.run_id)
    partitions = [
        f"{row['domain']} | {row['model']}: {row['state']} since {row['since']:%Y-%m-%d}"
        for row in left.iter_rows(named=True)
    ]
    be = "is" if len(partitions) == 1 else "are"
    lines = [
        f"*{counted(len(partitions), 'partition')} {be} left behind, and nothing says why*",
        *_listed([escaped(partition) for partition in partitions]),
        rule.remedy,
        *_link_line(link),
    ]
    fields = {"run_id": context.run.run_id, "job": context.run.job_name, "partitions": partitions, "url": link}
    send(Notice("left_behind", "\n".join(lines), fields), context.log.warning)


def failure_notice(
    installation: Installation,
    run: DagsterRun,
    failure: DagsterEvent,
    steps: Sequence[DagsterEvent],
    checks: Sequence[FailedCheck],
) -> Notice:
    """A failed run in words: the steps with what they said, the blocking checks with what they look at.

    Args:
        failure: the run's own event, which says why where no step failed.
        steps: the failures of its steps.
        checks: that did not pass.
    """
    from resources.llm.route import secrets

    redactor = Redactor([*secrets(installation.models.specs.values()), *receivers()])
    blocking = [check for check in checks if check.blocking and not check.warning]
    failed = [(step.step_key or "", _message(step)) for step in steps]
    if blocking:
        # A check's step says no more than which checks failed.
        failed = [(step, message) for step, message in failed if not step.endswith("_checks")]
    domain = run.tags.get("dagster/partition")
    subject = f"{run.job_name} of {domain}" if domain else run.job_name
    messages = [(step, _bounded(redactor.text(message))) for step, message in failed]
    if not messages and not blocking:
        messages = [("", _bounded(redactor.text(_why(run, failure))))]
    link = run_link(run.run_id)
    lines = [
        f"*{escaped(_first_line(subject, messages, blocking))}*",
        *(escaped(f"{step or 'run'}: {message}") for step, message in messages),
        *(escaped(line) for line in _check_lines(blocking)),
    ]
    if run.tags.get(WILL_RETRY_TAG) == "true":
        lines.append("Dagster takes it up again in a run of its own.")
    fields = {
        "run_id": run.run_id,
        "job": run.job_name,
        "domain": domain,
        "bank": domain.split(".", 1)[0] if domain else None,
        "steps": [{"step": step, "message": message} for step, message in messages],
        "failed_checks": [check.name for check in blocking],
        "url": link,
    }
    return Notice("failure", "\n".join([*lines, *_link_line(link)]), fields)


def _first_to_tell(instance: DagsterInstance, run_id: str, kind: str) -> bool:
    """Whether nobody told this of the run yet. The sensor's cursor is lost when the daemon dies in a tick."""
    tag = TOLD_TAG.format(kind=kind)
    run = instance.get_run_by_id(run_id)
    if run is None or tag in run.tags:
        return False
    instance.add_run_tags(run_id, {tag: "true"})
    return True


def _first_line(subject: str, messages: Sequence[tuple[str, str]], blocking: Sequence[FailedCheck]) -> str:
    if blocking:
        others = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
        return f"{subject} failed: blocking check {blocking[0].name}{others}; nothing after it was published"
    steps = ", ".join(step for step, _ in messages if step)
    return f"{subject} failed in {steps}" if steps else f"{subject} failed"


def _check_lines(blocking: Sequence[FailedCheck]) -> Iterator[str]:
    """Each check with what it looks at and what to do: what it found may quote an item."""
    described = _descriptions() if blocking else {}
    for check in blocking:
        rows = "could not be evaluated" if check.failing is None else f"failing rows: {check.failing}"
        yield f"• {check.name}, {rows}. {described.get(check.name, '')}".rstrip()


def _descriptions() -> dict[str, str]:
    from checks.asset_checks import build_asset_checks

    specs = (spec for checks in build_asset_checks() for spec in checks.check_specs)
    return {f"{AssetKey.to_user_string(spec.asset_key)}: {spec.name}": spec.description or "" for spec in specs}


def _why(run: DagsterRun, failure: DagsterEvent) -> str:
    """What is said of a run that failed in none of its steps."""
    if failure.message == _MARKED_FROM_OUTSIDE:
        return f"its process was killed or died. What it bought is kept; the next {run.job_name} buys exactly the rest."
    return failure.message or "no step says why"


def _message(step: DagsterEvent) -> str:
    """What a failed step said. Of an error that is not ours, what it quotes is left out: it may be an item's text."""
    error = step.step_failure_data.error
    if error is None:
        return "no message"
    while error.cause is not None:
        error = error.cause
    if ours := _OURS.match(error.message):
        return error.message[ours.end() :]
    return _QUOTED.sub("'…'", error.message.strip().partition("\n")[0])


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"• {line}" for line in lines[:_LISTED])
    if len(lines) > _LISTED:
        yield f"• and {len(lines) - _LISTED} more"


def _link_line(link: str | None) -> list[str]:
    return [f"<{link}|The run>"] if link else []


def _bounded(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"
