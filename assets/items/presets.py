"""Published question sets that are imported by name, columns and all."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assets.items.bank_folders import find_place
from assets.items.cells import CellFault, find_field
from assets.items.importing import ImportReport, import_table
from assets.items.row_lines import ImportRequest
from assets.items.tables_in import Refusal, Row, Table, read_table
from resources.types import ConfigurationError

AA_OMNISCIENCE_PUBLIC = "aa-omniscience-public"
_DATASET = "datasets/ArtificialAnalysis/AA-Omniscience-Public"
_FILE = "AA-Omniscience_dataset_public.csv"
_NOTE = "small public set: results per domain or topic are not reliable"


def import_aa_omniscience_public(bank: str, roots: Sequence[Path], file: str | None = None) -> list[ImportReport]:
    """Import the 600 published AA-Omniscience questions, one domain for each of the set's own.

    The bank is made with a note that results per domain or topic are not reliable, as the set's authors say.

    Args:
        bank: the bank to import into; one that exists already must carry a note.
        roots: folders that hold banks, the shipped one first.
        file: a downloaded copy; None reads the set from Hugging Face.

    Raises:
        ConfigurationError: when the set cannot be reached or has other columns, or the bank cannot be used.
    """
    table = read_table(file) if file else _published(bank)
    rows_of, refused = _by_domain(table)
    requests = {title: _request(bank, roots, title, table.file) for title in rows_of}
    for request in requests.values():
        found = find_place(roots, bank, request.domain).bank
        if found and found.spec.note is None:
            raise ConfigurationError(
                f"bank {bank} exists without a note that this set's results per domain and topic are not reliable; "
                f"add `note: '{_NOTE}'` to {found.folder / 'bank.yaml'} or import into a bank of its own"
            )
    reports = []
    for title, rows in rows_of.items():
        part = replace(table, rows=rows, refused=[] if reports else refused)
        reports.append(import_table(requests[title], part))
    return reports


def _published(bank: str) -> Table:
    try:
        return read_table(f"hf://{_DATASET}/{_FILE}")
    except ConfigurationError as error:
        raise ConfigurationError(
            f"{error}. It stands at https://huggingface.co/{_DATASET}; "
            f"then: factsweep import {AA_OMNISCIENCE_PUBLIC} --bank {bank} {_FILE}"
        ) from None


def _by_domain(table: Table) -> tuple[dict[str, list[Row]], list[Refusal]]:
    domain = find_field(table, "domain", "domain")
    rows_of: dict[str, list[Row]] = {}
    refused = list(table.refused)
    for row in table.rows:
        try:
            title = domain.text(row)
        except CellFault as fault:
            refused.append(Refusal(row.number, str(fault)))
            continue
        if title:
            rows_of.setdefault(title, []).append(row)
        else:
            refused.append(Refusal(row.number, "domain is missing; add it"))
    if not rows_of:
        raise ConfigurationError(f"{table.file} has no row with a domain; give the published file")
    return rows_of, refused


def _request(bank: str, roots: Sequence[Path], title: str, file: str) -> ImportRequest:
    return ImportRequest(
        file=file,
        bank=bank,
        domain=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-"),
        question="question",
        answer="answer",
        roots=roots,
        topic="topic",
        item_id="question_id",
        split="public",
        bank_title="AA-Omniscience, public set",
        domain_title=title,
        note=_NOTE,
    )
