"""Rechecks the golds of the shipped bank: every item's `evidence` reads its fact from a package of authoritative data.

An evidence is one Python expression, in which `mod("scipy.constants")` imports a module. Its value becomes text as
follows: a date or time is written day, month, year (`5 November 2024`), a float that is a whole number without a
point, anything else by `str`. As evidence is code, only the shipped bank's is ever evaluated, and only here: loading
a bank evaluates none.
"""

import json
import sys
from dataclasses import dataclass
from datetime import date
from importlib import import_module

from resources.home import PROJECT

SHIPPED = PROJECT / "banks" / "omniscience"
# The names of the calendar module follow the locale of the process; golds are English.
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True)
class Claim:
    """What an item says is right, and the expression that must say so too."""

    item_id: str
    gold: str
    evidence: str


def main() -> int:
    """Recheck all golds, print one line a fault; the exit status."""
    claims = shipped_claims()
    faults = []
    for claim in claims:
        try:
            fault = fault_of(claim)
        except ModuleNotFoundError as error:
            print(
                f"{claim.item_id}: the module {error.name} is not installed. `make check-bank` installs what the "
                "evidence imports and rechecks; a package that is new to it belongs in the extra `bank` of "
                "pyproject.toml, then `make lock`.",
                file=sys.stderr,
            )
            return 1
        if fault:
            faults.append(fault)
            print(fault)
    print(f"{len(claims)} golds rechecked, {len(faults)} faults.")
    return 1 if faults else 0


def shipped_claims() -> list[Claim]:
    """Every item of the shipped bank, domain by domain."""
    lines = [line for file in sorted(SHIPPED.glob("items/*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    items = [json.loads(line) for line in lines]
    return [Claim(item["id"], item["answer"], item["evidence"]) for item in items]


def fault_of(claim: Claim) -> str | None:
    """What is wrong with a claim, as one line; none when the package says what the gold says.

    Raises:
        ModuleNotFoundError: when a module that the evidence imports is not installed.
    """
    try:
        said = evaluate(claim.evidence)
    except ModuleNotFoundError:
        raise
    except Exception as error:
        return f"{claim.item_id}: the evidence fails ({type(error).__name__}: {error}); the gold is {claim.gold!r}"
    if said == claim.gold:
        return None
    return f"{claim.item_id}: the package says {said!r}, the gold is {claim.gold!r}"


def evaluate(expression: str) -> str:
    """The value of `expression`, as the gold answer must read.

    Raises:
        ModuleNotFoundError: when a module that it imports is not installed.
        Exception: whatever else the expression raises.
    """
    return _text(eval(expression, {"mod": import_module}))


def _text(value: object) -> str:
    if isinstance(value, date):
        return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
