"""Writes the world into a folder: a bank, `models.yaml` and the lake's tables, as a sweep would have left them.

The tables are written as they stand, without a call in the ledger, so `factsweep show ITEM --model M` finds no reply.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from assets.sweeps.record import record
from assets.sweeps.request import Request
from assets.sweeps.targets import Target, read_domains, targets
from benchmarks.bank import BenchInstallation
from benchmarks.scoring import score
from benchmarks.synthetic import words
from benchmarks.synthetic.answers import STOP, Said, answers
from benchmarks.synthetic.items import Question, make_items
from benchmarks.synthetic.subjects import SUBJECTS
from checks.contracts import GRADES, PARTITIONS, RESPONSES
from resources.home import Home
from resources.installation import Installation
from resources.registries import load_banks, load_models
from resources.registries.model_specs import BASELINES
from resources.types import Grade, Outcome

BANK = "synthetic"
JUDGE = "hosted_vllm/arbiter"
SWEPT_AT = datetime(2026, 5, 4, 3, 30, tzinfo=UTC)
_NO_SERVER = "http://127.0.0.1:9/v1"
_SWEEP = "synthetic"
_VERDICTS = {Grade.CORRECT: "A", Grade.INCORRECT: "B", Grade.PARTIAL: "C", Grade.NOT_ATTEMPTED: "D"}
_VERDICT_USD = 1e-4


class _OwnHome(Home):
    """A home whose ledger is its own, whatever FACTSWEEP_LEDGER says."""

    @property
    def ledger_url(self) -> str:
        return f"sqlite:///{self.root / 'ledger.sqlite'}"


def open_world(root: Path) -> Installation:
    """The installation in `root`, without the shipped bank."""
    return Installation(_OwnHome(root / "home"), load_banks([root / "banks"]), load_models(root / "models.yaml"))


def write_world(root: Path, *, seed: int, items: int) -> BenchInstallation:
    """A fresh installation in `root`; the same for the same arguments.

    Args:
        items: over all domains, at least one for each topic.

    Raises:
        FileExistsError: when `root` holds a bank already.
    """
    made = make_items(seed, items)
    _write_files(root, made)
    installation = open_world(root)
    subjects = {subject.id: subject for subject in SUBJECTS}
    try:
        contents = read_domains(installation, Request())
        for content in contents:
            installation.lake.write("items", content.read.frame, domain=content.domain.key)
        for target in targets(installation, Request(), contents):
            if target.spec is None:
                record(installation, target, _SWEEP, SWEPT_AT, None)
            else:
                subject = subjects[target.model]
                said = list(answers(seed, subject, made[target.content.domain.file.stem]))
                _write_partition(installation, target, said)
    finally:
        installation.ledger.close()
    score(installation)
    return BenchInstallation(root)


def _write_files(root: Path, made: Mapping[str, Sequence[Question]]) -> None:
    folder = root / "banks" / BANK
    for name in ("domains", "items"):
        (folder / name).mkdir(parents=True)
    bank = {"title": "Synthetic, invented questions", "format": "short_answer", "roles": {"judge": JUDGE}}
    _dump(folder / "bank.yaml", bank)
    for domain, theme in words.THEMES.items():
        _dump(
            folder / "domains" / f"{domain}.yaml",
            {"title": theme.title, "topics": [{"name": topic} for topic in theme.topics]},
        )
        lines = (json.dumps(item.line(), ensure_ascii=False) + "\n" for item in made[domain])
        (folder / "items" / f"{domain}.jsonl").write_text("".join(lines), encoding="utf-8")
    models = [subject.entry(_NO_SERVER, BANK) for subject in SUBJECTS]
    _dump(root / "models.yaml", {"models": models, "baselines": BASELINES})


def _dump(file: Path, content: Mapping[str, object]) -> None:
    """JSON is YAML, and writing it needs no library."""
    file.write_text(json.dumps(content, indent=1), encoding="utf-8")


def _write_partition(installation: Installation, target: Target, said: Sequence[Said]) -> None:
    domain, model = target.key
    rows = list(_rows(target, said))
    lake, keys = installation.lake, {"domain": domain, "model": model}
    lake.write("responses", RESPONSES.frame(response for response, _ in rows), **keys)
    lake.write("grades", GRADES.frame(grade for _, grade in rows if grade), **keys)
    lake.write("partitions", _partition(target, said), **keys)


def _rows(target: Target, said: Sequence[Said]) -> Iterator[tuple[dict[str, object], dict[str, object] | None]]:
    """Each answer's row in `responses` and, where it has a grade, in `grades`."""
    versions = {item.item_id: item for item in target.content.items}
    domain, model = target.key
    for place, one in enumerate(said):
        item = versions[one.question.id]
        shared = {"bank": BANK, "domain": domain, "model": model, "item_id": item.item_id, "sample": 0, "epoch": 0}
        response = shared | {
            "question_version": item.question_version,
            "outcome": one.outcome,
            "text": one.text,
            "finish_reason": one.finish_reason,
            "input_tokens": one.input_tokens,
            "output_tokens": one.output_tokens,
            "reasoning_tokens": one.reasoning_tokens,
            "cost_usd": one.cost_usd,
            "latency_s": 0.5 + one.output_tokens / 80,
            "served_model": model,
            "temperature": 0.0,
            "call_id": f"{domain}/{model}/{place}",
            "answered_at": SWEPT_AT,
        }
        grade = None
        if one.grade is not None:
            grade = shared | {
                "answer_version": item.answer_version,
                "grade": one.grade,
                "reason": f"the judge said {_VERDICTS[one.grade]}",
                "method": target.method,
                "judge": JUDGE,
                "judge_call_id": f"judge/{domain}/{model}/{place}",
                "graded_at": SWEPT_AT,
            }
        yield response, grade


def _partition(target: Target, said: Sequence[Said]) -> pl.DataFrame:
    domain, model = target.key
    due = len(target.content.items)
    counts = {outcome.value: sum(one.outcome is outcome for one in said) for outcome in Outcome}
    costs = [one.cost_usd for one in said if one.outcome is not Outcome.FAILED]
    missing = [f"{counts[outcome]} {outcome}" for outcome in ("truncated", "filtered", "failed") if counts[outcome]]
    if due > len(said):
        missing += [f"{due - len(said)} of {due} not asked", STOP]
    row = counts | {
        "bank": BANK,
        "domain": domain,
        "model": model,
        "fingerprint": target.fingerprint,
        "method": target.method,
        "judge": JUDGE,
        "epoch": 0,
        "samples": 1,
        "items": due,
        "asked": len(said),
        "graded": counts["answered"],
        "unreadable": 0,
        "retryable": counts["failed"],
        "coverage": counts["answered"] / due,
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
        "judge_cost_usd": counts["answered"] * _VERDICT_USD,
        "note": "; ".join(missing) or None,
        "sweep_id": _SWEEP,
        "recorded_at": SWEPT_AT,
    }
    return PARTITIONS.frame([row])
