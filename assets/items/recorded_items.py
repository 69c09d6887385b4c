"""A domain's items where its file may be gone: what is recorded keeps its place until the file is back."""

from assets.items.bank_files import ReadItems, read_items
from resources.installation import Installation
from resources.registries import Bank, Domain, Problem

_SHOWN_LINES = 2


def read_domain_items(installation: Installation, bank: Bank, domain: Domain) -> ReadItems:
    """The items as the domain's file has them, or as they were recorded last where no file can be opened.

    A disk that is not mounted would otherwise empty the domain and its scores. An empty file does: it is there.
    """
    read = read_items(bank, domain)
    if read.opened:
        return read
    recorded = installation.lake.read("items", domain=domain.key)
    active = (recorded["status"] == "active").sum()
    if not active:
        return read
    file = bank.items_file(domain)
    remedy = f"bring it back, or write `retired: true` in {domain.file} if its items are to go"
    problem = Problem(file, "", f"cannot be opened; its {active} items stay as they were recorded: {remedy}")
    return ReadItems(recorded, (problem,), opened=False)


def item_faults(installation: Installation) -> list[str]:
    """What is wrong in the files of items, a sentence each; of many lines in one file the first ones and a number."""
    faults = []
    for bank, domain in installation.banks.domains.values():
        if domain.spec.retired:
            continue
        refused = read_domain_items(installation, bank, domain).refused
        faults += map(str, refused[:_SHOWN_LINES])
        if (more := len(refused) - _SHOWN_LINES) > 0:
            faults.append(f"{bank.items_file(domain)}: {more} more are set aside; `factsweep doctor` names them")
    return faults
