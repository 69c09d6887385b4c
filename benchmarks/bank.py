"""The benchmark's installation: a multiple-choice bank in files, its models and its own home."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CONCURRENCY = 64
MAX_TOKENS = 16
ANSWER = "B"
BANK = "bench"
PRICE = {"input": 1.0, "output": 2.0}  # USD per million tokens
_OPTIONS = ("the first of them", "the second of them", "the third of them", "none of these")


def question(number: int) -> str:
    """A question as long as real ones are; no two are equal."""
    return (
        f"Case {number}: a carrier delivers {number % 97 + 3} of {number % 89 + 120} crates late, and one of them is "
        "damaged. Which of the following notices must the consignee give first to keep the claim for the damaged crate?"
    )


def prompt(number: int) -> str:
    """The question as it is put to a model without a bank."""
    options = "\n".join(f"{letter}. {text}" for letter, text in zip("ABCD", _OPTIONS, strict=True))
    return (
        f"Question about Bench (Carriage): {question(number)}\n\n{options}\n\nAnswer from memory. "
        "Reply with the letter of the right option only, without its text and without an explanation.\n\nAnswer:"
    )


@dataclass(frozen=True)
class BenchInstallation:
    """The files of one installation in `root`."""

    root: Path

    @classmethod
    def write(cls, root: Path, api_base: str, *, items: int, domains: int = 1, models: int = 1) -> "BenchInstallation":
        """A fresh installation; each domain has `items` items."""
        folder = root / "banks" / BANK
        for name in ("domains", "items"):
            (folder / name).mkdir(parents=True)
        _dump(folder / "bank.yaml", {"title": "Bench", "format": "multiple_choice"})
        for domain in range(domains):
            _dump(folder / "domains" / f"d{domain}.yaml", {"title": "Bench"})
            lines = (json.dumps(_item(domain * items + number)) + "\n" for number in range(items))
            (folder / "items" / f"d{domain}.jsonl").write_text("".join(lines), encoding="utf-8")
        entries = [_model(f"m{number}", api_base) for number in range(models)]
        _dump(root / "models.yaml", {"models": entries, "baselines": []})
        return cls(root)

    @property
    def ledger(self) -> Path:
        return self.root / "home" / "ledger.sqlite"

    @property
    def environment(self) -> dict[str, str]:
        """What names this installation to a process."""
        return {
            "FACTSWEEP_HOME": str(self.root / "home"),
            "FACTSWEEP_BANKS": str(self.root / "banks"),
            "FACTSWEEP_MODELS": str(self.root / "models.yaml"),
        }


def _item(number: int) -> dict[str, object]:
    return {
        "id": f"case-{number}",
        "topic": "Carriage",
        "question": question(number),
        "options": _OPTIONS,
        "answer": ANSWER,
        "source_url": f"https://example.org/{number % 500}",
        "split": "public",
    }


def _model(id: str, api_base: str) -> dict[str, object]:
    return {
        "id": id,
        "model": f"hosted_vllm/{id}",
        "api_base": api_base,
        "params": {"max_tokens": MAX_TOKENS},
        "price": PRICE,
        "concurrency": CONCURRENCY,
    }


def _dump(file: Path, content: Mapping[str, object]) -> None:
    """JSON is YAML, and writing it needs no library."""
    file.write_text(json.dumps(content), encoding="utf-8")
