"""Making a bank's folder, its domain files and their topics, for an import into what may not exist yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from assets.items.bank_files import replace_file
from resources.keys import key_problem
from resources.registries import Bank, Domain, load_banks
from resources.registries.banks import BANK_NAME
from resources.types import ConfigurationError, Format


@dataclass(frozen=True)
class Place:
    """Where a domain's files stand or will stand; `bank` and `domain` are None until they are made."""

    folder: Path
    stem: str
    bank: Bank | None
    domain: Domain | None

    @property
    def key(self) -> str:
        return f"{self.folder.name}.{self.stem}"

    @property
    def items_file(self) -> Path:
        return self.folder / "items" / f"{self.stem}.jsonl"

    @property
    def domain_file(self) -> Path:
        return self.folder / "domains" / f"{self.stem}.yaml"


def find_place(roots: Sequence[Path], bank: str, domain: str) -> Place:
    """The place of `domain`, named `law` or `bank.law`: in the bank's own root, else the first that a user named.

    `roots` are the shipped root and then the user's, as `resources.home.bank_roots` gives them.

    Raises:
        ConfigurationError: when a name cannot be used or what stands there is not valid.
    """
    if not BANK_NAME.fullmatch(bank):
        raise ConfigurationError(f"--bank {bank}: a bank is named in letters, digits, - and _ only")
    banks = load_banks(list(roots))
    if domain in banks.domains and banks.domains[domain][0].name != bank:
        raise ConfigurationError(f"--domain {domain} is of another bank; leave --bank {bank} or name its own domain")
    stem = domain.removeprefix(f"{bank}.")
    problem = key_problem(stem) or key_problem(f"{bank}.{stem}")
    if problem is None and (stem.startswith(".") or "/" in stem or "\\" in stem):
        problem = "cannot be a file's name"
    if problem:
        raise ConfigurationError(f"--domain {domain}: {stem!r} {problem}; choose another name")
    found = banks.banks.get(bank)
    folder = found.folder if found else _folder_for(roots, bank)
    place = Place(folder, stem, found, found.domains.get(f"{bank}.{stem}") if found else None)
    for file, known in ((folder / "bank.yaml", found), (place.domain_file, place.domain)):
        if known is None and file.exists():
            reasons = "; ".join(str(problem) for problem in banks.problems if problem.file == file)
            raise ConfigurationError(f"nothing was imported, since {file} is not valid: {reasons}")
    return place


def _folder_for(roots: Sequence[Path], bank: str) -> Path:
    for root in roots:
        folder = root / bank
        if (folder / "bank.yaml").exists():
            return folder
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ConfigurationError(f"{folder} exists and holds no bank.yaml; add one or choose another --bank")
    return (roots[1] if len(roots) > 1 else roots[0]) / bank


def title_of(name: str) -> str:
    """A readable title for a name: `tax-law` is Tax law, `SimpleQA` stays."""
    words = name.replace("-", " ").replace("_", " ")
    return words.capitalize() if words.islower() else words


def create_bank(place: Place, title: str, form: Format, note: str | None) -> None:
    """Write the bank.yaml that `place` lacks."""
    content = {"title": title, "format": str(form)} | ({"note": note} if note else {})
    replace_file(place.folder / "bank.yaml", _dump(content).encode())


def create_domain(place: Place, title: str, topics: Sequence[str]) -> None:
    """Write the domain file that `place` lacks."""
    text = _dump({"title": title}) + _block(topics)
    replace_file(place.domain_file, text.encode())


def add_topics(file: Path, topics: Sequence[str]) -> None:
    """Put `topics` after those that the domain file lists.

    The text around them stays, comments too, unless its layout leaves no safe place; then the file is written anew.
    """
    text = file.read_bytes().decode()
    content = yaml.safe_load(text)
    expected = content | {"topics": [*content.get("topics", []), *({"name": topic} for topic in topics)]}
    changed = _with_topics(text, topics)
    try:
        kept = yaml.safe_load(changed) == expected
    except yaml.YAMLError:
        kept = False
    replace_file(file, (changed if kept else _dump(expected)).encode())


def _with_topics(text: str, topics: Sequence[str]) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    listed = next((value for key, value in pairs if key.value == "topics"), None)
    if listed is None:
        return _lines_joined(text, _block(topics))
    if listed.flow_style:
        end = listed.end_mark.index - 1
        entries = ", ".join(_entry(topic) for topic in topics)
        return text[:end] + (", " if listed.value else "") + entries + text[end:]
    last = listed
    while isinstance(last.value, list) and not last.flow_style:
        last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
    lines = text.splitlines(keepends=True)
    after = last.end_mark.line + 1
    indent = " " * listed.start_mark.column
    entries = "".join(f"{indent}- {_entry(topic)}\n" for topic in topics)
    return _lines_joined("".join(lines[:after]), entries) + "".join(lines[after:])


def _block(topics: Sequence[str]) -> str:
    return "topics:\n" + "".join(f"  - {_entry(topic)}\n" for topic in topics)


def _lines_joined(text: str, more: str) -> str:
    return text + ("" if not text or text.endswith("\n") else "\n") + more


def _entry(topic: str) -> str:
    return yaml.safe_dump({"name": topic}, default_flow_style=True, allow_unicode=True, width=2**31).strip()


def _dump(content: dict[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
