"""A domain's items where its file may be gone: what is recorded keeps its place until the file is back."""

from dataclasses import replace

from assets.items.bank_files import ReadItems, read_items
from resources.installation import Installation
from resources.registries import Bank, Domain, Problem
from resources.types import ConfigurationError

_SHOWN_LINES = 5
_LINE = "line "


def read_domain_items(installation: Installation, bank: Bank, domain: Domain) -> ReadItems:
    """The items as the domain's file has them, or as they were recorded last where no file can be opened.

    A disk that is not mounted would otherwise empty the domain and its scores. An empty file does: it is there.
    """
    read = read_items(bank, domain)
    if read.opened:
        return read
    recorded = installation.lake.read("items", domain=domain.key)
    active = int((recorded["status"] == "active").sum())
    if not active:
        return read
    why = read.refused[0].message if read.refused else "is gone; bring it back"
    what = "its 1 item stays as it was recorded" if active == 1 else f"its {active} items stay as they were recorded"
    remedy = f"if they are to go, create it empty or write `retired: true` in {domain.file}"
    return replace(read, frame=recorded, refused=(Problem(bank.items_file(domain), "", f"{why}; {what}; {remedy}"),))


def require_items(installation: Installation, bank: Bank, domain: Domain) -> None:
    """Before a build: without the file it would take a person's lines for deleted, and write a file without them.

    Raises:
        ConfigurationError: when items are recorded and their file cannot be opened.
    """
    read = read_domain_items(installation, bank, domain)
    if not read.opened and read.refused:
        raise ConfigurationError(str(read.refused[0]))


def read_faults(read: ReadItems, bank: Bank, domain: Domain) -> list[str]:
    """What is wrong with a domain's file, without a word of what stands in it: a gold may be private."""
    lines = [problem.key.removeprefix(_LINE) for problem in read.refused if problem.key.startswith(_LINE)]
    faults = [str(problem) for problem in read.refused if not problem.key]
    if lines:
        more = f" and {len(lines) - _SHOWN_LINES} more" if len(lines) > _SHOWN_LINES else ""
        named = f"{'lines' if len(lines) > 1 else 'line'} {', '.join(lines[:_SHOWN_LINES])}{more}"
        faults.append(f"{bank.items_file(domain)}: set aside: {named}; `factsweep doctor` says why")
    return faults


def item_faults(installation: Installation) -> list[str]:
    """What is wrong with the files of items, a sentence each, as `read_faults` says it."""
    return [
        fault
        for bank, domain in installation.banks.domains.values()
        if not domain.spec.retired
        for fault in read_faults(read_domain_items(installation, bank, domain), bank, domain)
    ]
