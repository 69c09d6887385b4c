"""Taking the candidates that a person marked into `sources:` of the domain file, which otherwise stays as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from assets.items.bank_files import replace_file
from assets.sources.discovery.candidates import Candidate, candidates_file, load_candidates, mark_taken
from assets.sources.discovery.searching import normal_forms
from assets.sources.discovery.yaml_lines import (
    LayoutFault,
    end_of_line,
    flow,
    inserted,
    last_index,
    proven,
    read_text,
    root_of,
    value_of,
)
from resources.locks import bank_files
from resources.registries import Bank, Domain
from resources.registries.banks import DomainSpec
from resources.registries.hosts import UrlFault, checked_url, rule_for
from resources.registries.problems import RegistryFault, validate
from resources.types import ConfigurationError

_INDENT = 2


@dataclass(frozen=True)
class Accepted:
    """What was taken: addresses that were added, and marked ones that were sources already."""

    added: tuple[str, ...]
    standing: tuple[str, ...]


def accept_marked(bank: Bank, domain: Domain) -> Accepted:
    """Add the candidates with `accept: true` to the domain's sources and mark them as taken; all of them or none.

    The tier is written where it is not that of the host, the topic where the domain names topics.

    Raises:
        ConfigurationError: when a candidate cannot be taken or a file's layout leaves no safe place.
    """
    file = candidates_file(bank, domain)
    with bank_files(bank.folder):
        marked = [entry for entry in load_candidates(file).entries if entry.accept is True]
        spec = _spec_in(domain.file)
        known = normal_forms([source.url for source in spec.sources if source.url])
        added: dict[str, dict[str, Any]] = {}
        standing: list[str] = []
        for entry in marked:
            url, source = _source(entry, spec, file)
            if url in known:
                standing.append(url)
            else:
                added.setdefault(url, source)
        if added:
            replace_file(domain.file, _with_sources(domain.file, list(added.values())).encode())
        if marked:
            mark_taken(file, {entry.url for entry in marked})
    return Accepted(tuple(added), tuple(standing))


def _spec_in(file: Path) -> DomainSpec:
    try:
        return validate(DomainSpec, yaml.safe_load(read_text(file)), file)
    except (LayoutFault, yaml.YAMLError) as fault:
        raise ConfigurationError(f"{file}: {fault}") from None
    except RegistryFault as fault:
        raise ConfigurationError(str(fault)) from None


def _source(entry: Candidate, spec: DomainSpec, file: Path) -> tuple[str, dict[str, Any]]:
    """The address of a candidate in its normal form, and the entry of `sources:` that names it."""
    try:
        url = checked_url(entry.url)
        rule = rule_for(url, spec.hosts)
    except UrlFault as fault:
        raise ConfigurationError(f"{file}: {entry.url} {fault}") from None
    topics = [topic.name for topic in spec.topics]
    if topics and entry.topic is not None and entry.topic not in topics:
        raise ConfigurationError(
            f"{file}: {entry.url}: topic {entry.topic!r} is not among the domain's topics; write one of "
            f"{', '.join(topics)}, or leave the topic out"
        )
    source: dict[str, Any] = {"url": url}
    if entry.tier and entry.tier != rule.tier:
        source["tier"] = entry.tier
    if topics and entry.topic is not None:
        source["topic"] = entry.topic
    return url, source


def _with_sources(file: Path, sources: Sequence[Mapping[str, Any]]) -> str:
    """The domain file's text with `sources` after those that it names.

    Raises:
        ConfigurationError: when its layout leaves no safe place, with the lines to add by hand.
    """
    try:
        text = read_text(file)
        content = yaml.safe_load(text)
        changed = proven(
            _inserted(text, sources), content | {"sources": [*(content.get("sources") or ()), *map(dict, sources)]}
        )
        validate(DomainSpec, yaml.safe_load(changed), file)
    except LayoutFault as fault:
        raise ConfigurationError(
            f"{file}: {fault}. Nothing was changed; under sources: belongs\n{_lines(sources)}"
        ) from None
    except RegistryFault as fault:
        raise ConfigurationError(f"nothing was changed: {fault}") from None
    return changed


def _inserted(text: str, sources: Sequence[Mapping[str, Any]]) -> str:
    root = root_of(text)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise LayoutFault("is written in braces; write each key on a line of its own")
    listed = value_of(root, "sources")
    if listed is None:
        return inserted(text, len(text), " " * root.start_mark.column + "sources:\n" + _lines(sources))
    if isinstance(listed, yaml.SequenceNode) and not listed.flow_style:
        return inserted(text, end_of_line(text, last_index(listed)), _lines(sources, listed.start_mark.column))
    start, end = listed.start_mark.index, listed.end_mark.index
    if text[start:end] == "[]":  # the list begins on the next line
        emptied = text[:start] + text[end:]
        return inserted(emptied, end_of_line(emptied, start), _lines(sources))
    raise LayoutFault("has its sources in brackets; write each on a line of its own that starts with -")


def _lines(sources: Sequence[Mapping[str, Any]], indent: int = _INDENT) -> str:
    return "".join(f"{' ' * indent}- {flow(source)}\n" for source in sources)
