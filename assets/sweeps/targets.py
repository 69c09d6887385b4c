"""Targets: the (domain, model) partitions of a sweep, with all that decides what is asked and how it is graded."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from assets.grades.judging import Judge
from assets.grades.versions import CHOICE_VERSION, MATCH_VERSION
from assets.items.bank_files import ReadItems
from assets.items.item import Item, active_items
from assets.items.recorded_items import read_domain_items
from assets.responses.baselines import BASELINE_VERSION
from assets.sweeps.request import Request
from resources.installation import Installation
from resources.llm import PriceTable
from resources.registries import Bank, Domain, ModelSpec, Prompt, PromptError
from resources.types import FactsweepError, Format, Method

UNPRICED = (
    "nobody states its price, and a budget needs one; add `price: {input: …, output: …}` (USD per million tokens) "
    "to its entry or its discovery rule in models.yaml"
)
DISPUTED = "grade of "  # what stands before an item's id where its grade, not its answer, is asked for anew


@dataclass(frozen=True)
class DomainItems:
    """One domain's items, read from its file."""

    bank: Bank
    domain: Domain
    read: ReadItems
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Target:
    """One partition.

    Attributes:
        spec: None for a baseline.
        blocked: why nothing can be bought for it.
        bank_fault: the same where the bank, not the model, is the reason.
    """

    content: DomainItems
    model: str
    spec: ModelSpec | None
    judge: ModelSpec | None
    method: Method
    samples: int
    epochs: Mapping[str, int]
    fingerprint: str
    blocked: str | None
    bank_fault: str | None

    @property
    def bank(self) -> Bank:
        return self.content.bank

    @property
    def key(self) -> tuple[str, str]:
        return self.content.domain.key, self.model

    def epoch(self, item_id: str) -> int:
        """The partition's epoch and the item's own together: asking either anew is a new call."""
        return self.epochs.get("", 0) + self.epochs.get(item_id, 0)

    def verdict_epoch(self, item_id: str) -> int:
        """How often the grade of this model's answer to the item has been disputed."""
        return self.epochs.get(f"{DISPUTED}{item_id}", 0)


def read_domains(installation: Installation, request: Request) -> list[DomainItems]:
    """The items of every domain the request is about."""
    found = []
    for key, (bank, domain) in installation.banks.domains.items():
        if (request.banks and bank.name not in request.banks) or (request.domains and key not in request.domains):
            continue
        if not domain.spec.retired:
            read = read_domain_items(installation, bank, domain)
            found.append(DomainItems(bank, domain, read, tuple(active_items(read.frame))))
    return found


def targets(installation: Installation, request: Request, contents: list[DomainItems]) -> Iterator[Target]:
    """Every partition that the request is about, in the order of domains and models.

    A bank that cannot be graded or a model that cannot be asked is `blocked`; the others go on.
    """
    epochs = _epochs_by_partition(installation)
    prices = PriceTable()
    capped = request.budget_usd is not None or installation.models.budget is not None
    for content in contents:
        grading = _grading(installation, content.bank, prices if capped else None)
        parts, fault = _shared_parts(installation, content, grading, request)
        for model in installation.models.ids:
            spec = installation.models.specs.get(model)
            if request.models and model not in request.models:
                continue
            if spec is not None and not (spec.asked_by(content.bank.name) and content.bank.admits(spec.provider)):
                continue
            own = epochs.get((content.domain.key, model), {})
            asking, unreachable = _asking(installation, spec)
            yield Target(
                content=content,
                model=model,
                spec=spec,
                judge=grading.judge,
                method=grading.method,
                samples=request.samples or content.bank.spec.samples,
                epochs=own,
                fingerprint=_fingerprint(
                    parts
                    | {
                        "parameters": _hash(asking),
                        "epoch": _hash(sorted(pair for pair in own.items() if not pair[0].startswith(DISPUTED))),
                        "disputes": _hash(sorted(pair for pair in own.items() if pair[0].startswith(DISPUTED))),
                        "price": _hash([_price(prices, each) for each in (spec, grading.judge)]),
                    }
                ),
                blocked=grading.blocked or fault or unreachable or _blocked(spec, prices if capped else None),
                bank_fault=grading.blocked or fault,
            )


def grading_fault(installation: Installation, bank: Bank, *, capped: bool) -> str | None:
    """Why answers to the bank cannot be graded, so that none are bought."""
    return _grading(installation, bank, PriceTable() if capped else None).blocked


def what_changed(recorded: str, current: str) -> str:
    """The parts in which two fingerprints differ, for a person."""
    before, after = (dict(part.split("=", 1) for part in text.split(" ")) for text in (recorded, current))
    return ", ".join(name for name in after if before.get(name) != after[name]) or "nothing"


@dataclass(frozen=True)
class _Grading:
    method: Method
    judge: ModelSpec | None = None
    blocked: str | None = None


def _grading(installation: Installation, bank: Bank, needed: PriceTable | None) -> _Grading:
    """Who grades; a judge whose price is not in `needed` is blocked."""
    if bank.spec.format is Format.MULTIPLE_CHOICE:
        return _Grading(Method.CHOICE)
    name = bank.spec.roles.judge
    if bank.spec.grader.method == "judge" and name:
        try:
            judge = installation.models.resolve(name)
        except ValueError as error:
            return _Grading(Method.JUDGE, blocked=f"bank {bank.name}: roles.judge {error}")
        blocked = None
        if variable := judge.missing_variable():
            blocked = f"the judge {name} needs {variable}, which is not set"
        elif not bank.admits(judge.provider):
            blocked = f"the bank is private and does not admit the judge's provider {judge.provider}"
        elif needed is not None and needed.of(judge) is None:
            blocked = f"the judge {name}: {UNPRICED}"
        return _Grading(Method.JUDGE, judge, blocked)
    if bank.spec.grader.method == "match" or bank.spec.grader.fallback == "match":
        return _Grading(Method.MATCH)
    fault = f"bank {bank.name} has no judge and no fallback; set roles.judge or fallback: match"
    return _Grading(Method.JUDGE, blocked=fault)


def _blocked(spec: ModelSpec | None, needed: PriceTable | None) -> str | None:
    if spec is None:
        return None
    if variable := spec.missing_variable():
        return f"{variable} is not set"
    return UNPRICED if needed is not None and needed.of(spec) is None else None


def _asking(installation: Installation, spec: ModelSpec | None) -> tuple[list[object], str | None]:
    """All of a model that changes its answers, and why it cannot be asked."""
    if spec is None:
        return [BASELINE_VERSION], None
    try:
        endpoint = installation.endpoint(spec)
    except FactsweepError as error:
        return [spec.model], str(error)
    return [spec.model, endpoint, spec.params, spec.extra, spec.max_tokens, spec.sends_seed], None


def _price(prices: PriceTable, spec: ModelSpec | None) -> dict | None:
    price = prices.of(spec) if spec is not None else None
    return price.model_dump() if price is not None else None


def _shared_parts(
    installation: Installation, content: DomainItems, grading: _Grading, request: Request
) -> tuple[dict[str, str], str | None]:
    """The parts of a fingerprint that all models of a domain share, and what is wrong with the bank's prompts."""
    versions = [
        (item.item_id, item.topic, item.question_version, item.answer_version, item.answer_type, item.language)
        for item in content.items
    ]
    parts = {"items": _hash(versions), "samples": str(request.samples or content.bank.spec.samples)}
    try:
        parts["prompt"] = _hash([content.domain.spec.title, _version(content.bank.prompt("answer"))])
        judge = None
        if grading.judge is not None:
            asked, fault = _asking(installation, grading.judge)
            if fault:
                return parts, fault
            prompt = content.bank.prompt("judge")
            Judge(prompt, grading.judge, None)  # labels that cannot be used are told before anything is bought
            judge = [asked, prompt.version]
    except PromptError as error:
        return parts, str(error)
    return parts | {"judge": _hash([grading.method, judge, MATCH_VERSION, CHOICE_VERSION])}, None


def _version(prompt: Prompt) -> str:
    prompt.renderer()  # a template that cannot be compiled is told before anything is bought
    return prompt.version


def _fingerprint(parts: Mapping[str, str]) -> str:
    """Named short hashes, so that a plan can say what changed."""
    return " ".join(f"{name}={value}" for name, value in sorted(parts.items()))


def _hash(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _epochs_by_partition(installation: Installation) -> dict[tuple[str, str], dict[str, int]]:
    found: dict[tuple[str, str], dict[str, int]] = {}
    for (domain, model, item_id), epoch in installation.ledger.epochs().items():
        found.setdefault((domain, model), {})[item_id] = epoch
    return found
