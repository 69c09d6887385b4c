"""Small banks with answers for the tests of the report: files, tables and scores, without a sweep."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import yaml

from assets.metrics.leaderboard import leaderboard_table
from assets.metrics.public_scores import public_score_table
from assets.metrics.ranks import rank_table
from assets.metrics.scores import score_table
from assets.reports.boards import Board, boards
from assets.reports.facts import Facts, Links, Rendering, read_facts
from assets.reports.questions import items_data
from checks.contracts import GRADES, ITEMS, PARTITIONS, RESPONSES
from resources.home import Home
from resources.installation import Installation
from resources.registries import load_banks, load_models
from resources.types import Grade, Method, Outcome

NOW = datetime(2026, 6, 30, 4, 0, tzinfo=UTC)
_GRADES = {"c": Grade.CORRECT, "p": Grade.PARTIAL, "i": Grade.INCORRECT, "a": Grade.NOT_ATTEMPTED}
_OUTCOMES = {"t": Outcome.TRUNCATED, "f": Outcome.FILTERED, "x": Outcome.FAILED}

Row = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What a model said to an item, with its grade; the defaults are a right answer found by match."""

    model: str
    item: str
    grade: str | None = "correct"
    text: str = "An answer."
    reason: str = "the gold stands in the answer"
    sample: int = 0
    outcome: Outcome = Outcome.ANSWERED
    finish_reason: str = "stop"
    cost: float | None = 0.001
    method: Method = Method.MATCH
    judge: str | None = None
    question_version: str = "q1"
    answer_version: str = "a1"


@dataclass
class SmallBank:
    """One bank as it stands after a sweep.

    Attributes:
        spec: bank.yaml; None for a bank whose folder is gone.
        domains: title by the name of the domain's file.
        notes: by model, why its partitions are not complete.
    """

    name: str = "facts"
    spec: Row | None = field(default_factory=lambda: {"title": "Facts", "format": "short_answer"})
    domains: dict[str, str] = field(default_factory=lambda: {"law": "Law"})
    items: list[Row] = field(default_factory=list)
    answers: list[Said] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    def add(self, item_id: str, domain: str = "law", **changes: Any) -> Row:
        """A public item with a source of its own."""
        item = {
            "bank": self.name,
            "domain": f"{self.name}.{domain}",
            "topic": "Tort",
            "item_id": item_id,
            "question_version": "q1",
            "answer_version": "a1",
            "format": "multiple_choice" if "options" in changes else "short_answer",
            "question": f"What is asked in {item_id}?",
            "answer": f"gold of {item_id}",
            "language": "en",
            "source_url": f"https://example.org/{item_id}",
            "split": "public",
            "status": "active",
        } | changes
        self.items.append(item)
        return item

    def add_many(self, count: int, domain: str = "law", **changes: Any) -> list[Row]:
        """`count` items called law-00, law-01 and so on."""
        return [self.add(f"{domain}-{number:02}", domain, **changes) for number in range(count)]

    def say(self, model: str, grades: str, items: Sequence[Row] | None = None, **more: Any) -> None:
        """A model's answers to `items`, or to all, by letter.

        Args:
            grades: c, p, i, a: the grades; t, f, x: truncated, filtered, failed; u: ungraded; -: not asked.
        """
        for letter, item in zip(grades, self.items if items is None else items, strict=True):
            if letter != "-":
                outcome = _OUTCOMES.get(letter, Outcome.ANSWERED)
                self.answers.append(Said(model, item["item_id"], _GRADES.get(letter), outcome=outcome, **more))

    def write_files(self, root: Path) -> None:
        if self.spec is None:
            return
        folder = root / self.name
        (folder / "domains").mkdir(parents=True, exist_ok=True)
        _write_yaml(folder / "bank.yaml", self.spec)
        for domain, title in self.domains.items():
            _write_yaml(folder / "domains" / f"{domain}.yaml", {"title": title})

    def tables(self) -> dict[str, pl.DataFrame]:
        """Items, responses, grades and partitions as a sweep records them."""
        items = {item["item_id"]: item for item in self.items}
        places = [{name: items[said.item][name] for name in ("bank", "domain", "item_id")} for said in self.answers]
        common = [place | {"epoch": 0} | vars(said) for place, said in zip(places, self.answers, strict=True)]
        answered = [row for row in common if row["outcome"] is Outcome.ANSWERED]
        return {
            "items": ITEMS.frame(self.items),
            "responses": RESPONSES.frame(
                {name: row.get(name) for name in RESPONSES.schema}
                | {"cost_usd": row["cost"], "text": row["text"] if row["outcome"] is Outcome.ANSWERED else None}
                for row in common
            ),
            "grades": GRADES.frame({name: row.get(name) for name in GRADES.schema} for row in answered),
            "partitions": PARTITIONS.frame(self._partitions(common)),
        }

    def _partitions(self, rows: list[Row]) -> Iterator[Row]:
        by_key: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            by_key.setdefault((row["domain"], row["model"]), []).append(row)
        for (domain, model), answers in by_key.items():
            due = sum(item["domain"] == domain and item["status"] == "active" for item in self.items)
            samples = max(row["sample"] for row in answers) + 1
            graded = sum(row["grade"] is not None for row in answers)
            yield {
                **{outcome.value: sum(row["outcome"] is outcome for row in answers) for outcome in Outcome},
                "bank": self.name,
                "domain": domain,
                "model": model,
                "fingerprint": "f",
                "method": answers[0]["method"],
                "judge": answers[0]["judge"],
                "epoch": 0,
                "samples": samples,
                "items": due,
                "asked": len(answers),
                "graded": graded,
                "unreadable": 0,
                "retryable": 0,
                "coverage": min(1.0, graded / (due * samples)),
                "note": self.notes.get(model),
                "sweep_id": "s",
                "recorded_at": NOW,
            }


def model(id: str, **more: Any) -> Row:
    """An entry of models.yaml."""
    return {"id": id, "model": "hosted_vllm/m", "params": {"max_tokens": 50}} | more


def installed(root: Path, *banks: SmallBank, models: Sequence[Row] = ()) -> Installation:
    """An installation in `root` whose lake holds these banks, scored."""
    (root / "banks").mkdir(parents=True, exist_ok=True)
    for bank in banks:
        bank.write_files(root / "banks")
    _write_yaml(root / "models.yaml", {"models": list(models)})
    roots = [root / "banks"] if any(bank.spec is not None for bank in banks) else []  # an empty one is a fault
    opened = Installation(Home(root / "home"), load_banks(roots), load_models(root / "models.yaml"))
    assert opened.problems == []
    made = [bank.tables() for bank in banks]
    for name in made[0]:
        opened.lake.write(name, pl.concat([tables[name] for tables in made]))
    write_scores(opened)
    return opened


def write_scores(installation: Installation) -> None:
    """The tables `scores`, `leaderboard` and `public_scores` of what is recorded."""
    tables = {name: installation.lake.read(name) for name in ("items", "responses", "grades", "partitions")}
    specs = {name: bank.spec for name, bank in installation.banks.banks.items()}
    penalty = {name: spec.penalty for name, spec in specs.items()}
    notes = {name: spec.note for name, spec in specs.items() if spec.note}
    scores = score_table(**tables, penalty=penalty, notes=notes)
    installation.lake.write("scores", scores)
    installation.lake.write("leaderboard", leaderboard_table(scores, rank_table(**tables, penalty=penalty)))
    installation.lake.write("public_scores", public_score_table(scores, **tables, penalty=penalty))


def facts_of(root: Path, bank: SmallBank, models: Sequence[Row] = ()) -> Facts:
    """What the bank's report is made of."""
    [facts] = read_facts(installed(root, bank, models=models), NOW)
    return facts


def board_of(root: Path, bank: SmallBank, models: Sequence[Row] = ()) -> Board:
    """The bank's one board, for the team."""
    return board_in(facts_of(root, bank, models))


def board_in(facts: Facts) -> Board:
    """The one board of these facts, for the team."""
    [board] = boards(facts, Rendering.INTERNAL, Links(items_data(facts, Rendering.INTERNAL)))
    return board


def _write_yaml(file: Path, content: Row) -> None:
    file.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
