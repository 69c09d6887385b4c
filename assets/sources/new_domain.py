"""A new domain's file: a template to fill in that is valid from the start, with the documents of a folder in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from assets.items.bank_files import replace_file
from assets.items.bank_folders import find_place, title_of
from assets.sources.documents import expand
from resources.registries.source_specs import SourceSpec
from resources.types import ConfigurationError

_MOST_LISTED = 20

_DOMAIN = """\
# The domain {key}. Lines with no blank or two after the # are examples: take the # away, and they count.

# What the domain is called.
title: {title}

# What the questions are spread over, with how many items each topic should have.
topics:
{topics}

# Items for each topic that does not say how many.
items: {items}

# Hosts that documents may come from; 1: the law itself, a standard, an agency's own figures; 2 and 3: less authority.
#hosts:
#  ecfr.gov: 1                                  # this host, with or without www.
#  "*.gov.uk": 2                                # every host below it
#  archive.example.org: {{tier: 3, date: 2019}}   # when its documents were published, where nothing else tells

# Those of the hosts that stand in your own network; all others must be on the public internet.
#private_hosts: [wiki.example.org]

# The documents. Of an entry's keys
# `url` is a document on the web, whose host must be among the hosts,
# `path` is a file, a folder or a pattern in the bank's folder,
# `anywhere: true` lets the path leave that folder,
# `tier` is the authority; left out, it is that of the host, and 1 for a file,
# `topic` is the topic that it serves; left out, it serves all,
# `date` is when it was published, where you know better than the document.
{sources}
#  - {{url: "https://www.ecfr.gov/current/title-26", tier: 1, date: 2024-05}}
#  - {example}
#  - {{path: documents}}
#  - {{path: "documents/**/*.pdf"}}

# true: sections of law or of standards are the subject, and items may ask for them by number.
provisions: false

# true: nothing is built and no model is asked any more; what there is stays.
#retired: true
"""

_BANK = """\
# What the bank is called.
title: {title}

# short_answer or multiple_choice.
format: short_answer

# Who builds the items and who grades: ids of models.yaml, or model strings of litellm. Take the # away to use it.
#roles:
#  generator: [openai/gpt-5-mini]               # reads the sources and drafts questions; several take turns
#  verifier: anthropic/claude-sonnet-4-5        # checks the drafts; of another provider than the generators
#  panel: [openai/gpt-5-nano]                   # answers without the sources: what all of it know is too easy
#  judge: anthropic/claude-sonnet-4-5           # compares answers with the gold; without one, rules do
"""


@dataclass(frozen=True)
class NewDomain:
    """What was written; `bank_file` is None where the bank was there already."""

    key: str
    file: Path
    bank_file: Path | None


def create_domain_file(
    name: str, roots: Sequence[Path], *, title: str | None = None, sources: str | None = None, items: int = 20
) -> NewDomain:
    """Write the file of the domain `name`, such as `omniscience.law`, and that of its bank where there is none.

    Args:
        name: bank and domain.
        roots: folders of banks, as `resources.home.bank_roots` gives them.
        title: of the domain; made of its name where it is left out.
        sources: a folder of documents; each of its own folders that holds some becomes a topic.
        items: wanted in each topic.

    Raises:
        ConfigurationError: when there is such a domain, its name cannot be used or `sources` holds no document.
    """
    bank, _, stem = name.partition(".")
    if not bank or not stem:
        raise ConfigurationError(f"{name!r} is not the name of a domain; write BANK.DOMAIN, such as omniscience.law")
    for root in roots:
        if (existing := root / bank / "domains" / f"{stem}.yaml").exists():
            raise ConfigurationError(f"{existing} exists already; edit it, or choose another name")
    place = find_place(roots, bank, stem)
    title = (title or "").strip() or title_of(stem)
    listed = _documents(place.folder, sources, title) if sources is not None else _Listed((title,), ())
    text = _DOMAIN.format(
        key=place.key,
        title=_scalar(title),
        topics="\n".join(f"  - {_flow({'name': topic, 'items': items})}" for topic in listed.topics),
        items=items,
        sources="\n".join(("sources:", *(f"  - {_flow(entry)}" for entry in listed.entries)))
        if listed.entries
        else "#sources:",
        example=_flow({"path": "documents/act.pdf", "topic": listed.topics[0]}),
    )
    bank_file = place.folder / "bank.yaml" if place.bank is None else None
    if bank_file:
        replace_file(bank_file, _BANK.format(title=_scalar(title_of(bank))).encode())
    replace_file(place.domain_file, text.encode())
    return NewDomain(place.key, place.domain_file, bank_file)


@dataclass(frozen=True)
class _Listed:
    """The topics of a folder of documents, and the entries of `sources:` that name these."""

    topics: tuple[str, ...]
    entries: tuple[Mapping[str, Any], ...]


def _documents(folder: Path, sources: str, title: str) -> _Listed:
    """What `sources` holds, with paths relative to the bank's `folder` where it lies in there."""
    real, home = Path(sources).expanduser().resolve(), folder.resolve()
    if not real.is_dir():
        raise ConfigurationError(f"--sources {sources}: there is no such folder; name the one that holds the documents")
    anywhere = {} if real.is_relative_to(home) else {"anywhere": True}
    top = real if anywhere else real.relative_to(home)
    found = expand([SourceSpec.model_validate({"path": str(top), **anywhere})], {}, folder)
    if not found.documents:
        reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in found.refused))
        raise ConfigurationError(f"--sources {sources}: {reasons}")
    below = {document.name: Path(document.name).relative_to(top) for document in found.documents}
    topics: dict[str, str] = {}
    for parts in (path.parts for path in below.values() if len(path.parts) > 1):
        topic = title_of(parts[0]).strip() or parts[0]
        topics.setdefault(topic.casefold(), topic)

    def entry(path: str, subfolder: str | None) -> Mapping[str, Any]:
        topic = title_of(subfolder).strip() or subfolder if subfolder else None
        return {"path": path} | ({"topic": topics[topic.casefold()]} if topic else {}) | anywhere

    if len(below) <= _MOST_LISTED:
        each = [entry(name, path.parts[0] if len(path.parts) > 1 else None) for name, path in below.items()]
    else:
        subfolders = dict.fromkeys(path.parts[0] for path in below.values() if len(path.parts) > 1)
        # What two entries say of a document adds up: the first names all, the others the topics of some.
        each = [entry(top.as_posix(), None), *(entry((top / name).as_posix(), name) for name in subfolders)]
    return _Listed(tuple(topics.values()) or (title,), tuple(each))


def _flow(entry: Mapping[str, Any]) -> str:
    return yaml.safe_dump(
        dict(entry), default_flow_style=True, sort_keys=False, allow_unicode=True, width=2**31
    ).strip()


def _scalar(text: str) -> str:
    return _flow({"title": text}).removeprefix("{title: ").removesuffix("}")
