"""The public part of a bank: a seeded sample of its items by domain and topic, kept in the items files.

It only grows, since what was published once is known. What of it may leave the house is `leaving.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from assets.items.bank_files import read_items, replace_file
from assets.items.item_lines import parse_line
from assets.items.line_edits import with_values
from assets.items.sampling import chance
from checks.contracts import ITEMS
from resources.locks import bank_files
from resources.registries import Bank, Problem
from resources.types import ConfigurationError, Format

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class DomainSplit:
    """A domain's active items, and how many of them are public before and after."""

    domain: str
    active: int
    public_before: int
    public_after: int


@dataclass(frozen=True)
class SplitReport:
    """What a split makes of a bank.

    Attributes:
        domains: those that are not retired.
        added: topics by item id, by domain: the items that become public.
        refused: lines that are no items and so are left as they are.
    """

    domains: tuple[DomainSplit, ...]
    added: Mapping[str, Mapping[str, str]]
    refused: tuple[Problem, ...]


def public_ids(items: pl.DataFrame, share: float, seed: str) -> set[tuple[str, str]]:
    """Domain and item id of all items that are public when `share` of the active ones is.

    Every item that is public already stays; the retired among them do not count towards the share. Further ones are
    drawn where the public part is furthest behind: by largest remainder, first over the domains, then over a domain's
    topics. So where nothing was public, each domain and each topic is less than one item away from its quota. Where
    more is public than the share asks for, nothing is added.

    Args:
        items: a bank's items: domain, topic, item_id, split and status.
        share: 0 to 1.
        seed: any text; another one draws another sample.
    """
    topic = ["domain", "topic"]
    is_public = pl.col("split") == "public"
    known = items.filter(is_public).select("domain", "item_id")
    active = items.filter(pl.col("status") == "active")
    total = active.height
    wanted = round(share * total)
    missing = max(0, wanted - active.filter(is_public).height)

    def due(*level: str) -> pl.Expr:
        """Items that the level's quota lacks, times `total`: whole numbers, so that equal is equal."""
        size, public = pl.len().cast(pl.Int64), is_public.sum().cast(pl.Int64)
        return (wanted * size - total * public).over(level)

    def drawn(*names: str) -> pl.Expr:
        return pl.struct(names).map_elements(lambda row: chance(seed, *row.values()), pl.String)

    place = pl.col("_chance").rank("ordinal").over(topic).cast(pl.Int64) - 1
    added = (
        active.with_columns(_domain_due=due("domain"), _topic_due=due(*topic))
        .filter(~is_public)
        .with_columns(_chance=drawn(*topic, "item_id"), _topic_chance=drawn(*topic), _domain_chance=drawn("domain"))
        .with_columns(_topic_due=pl.col("_topic_due") - total * place)
        .sort("_topic_due", "_topic_chance", descending=[True, False])
        .with_columns(_domain_due=pl.col("_domain_due") - total * pl.int_range(pl.len()).over("domain"))
        .sort("_domain_due", "_domain_chance", descending=[True, False])
        .head(missing)
    )
    return {*known.iter_rows(), *added.select("domain", "item_id").iter_rows()}


def plan_split(bank: Bank, share: float) -> SplitReport:
    """What `split_bank` would do. In a private bank nothing becomes public."""
    read = {key: read_items(bank, domain) for key, domain in bank.domains.items() if not domain.spec.retired}
    items = pl.concat([ITEMS.empty(), *(content.frame for content in read.values())])
    chosen = public_ids(items, 0 if bank.spec.private else share, seed=bank.name)
    domains: list[DomainSplit] = []
    added: dict[str, dict[str, str]] = {}
    for key, content in read.items():
        was_public = pl.col("split") == "public"
        active = content.frame.filter(pl.col("status") == "active")
        hidden = active.filter(~was_public).select("item_id", "topic").iter_rows()
        new = {id: topic for id, topic in hidden if (key, id) in chosen}
        before = active.filter(was_public).height
        domains.append(DomainSplit(key, active.height, before, before + len(new)))
        if new:
            added[key] = new
    refused = tuple(problem for content in read.values() for problem in content.refused)
    return SplitReport(tuple(domains), added, refused)


def split_bank(bank: Bank, share: float) -> SplitReport:
    """Makes `share` of the bank's active items public in its items files; only the lines of these items change.

    Raises:
        ConfigurationError: when a file cannot be rewritten; those before it are.
    """
    with bank_files(bank.folder):
        report = plan_split(bank, share)
        for key, topics in report.added.items():
            file = bank.items_file(bank.domains[key])
            try:
                replace_file(file, _rewritten(file.read_bytes(), topics, bank.spec.format))
            except OSError as error:
                raise ConfigurationError(
                    f"{file} cannot be rewritten ({error.strerror}); mend that and split again, what is public stays so"
                ) from None
    return report


def _rewritten(content: bytes, topics: Mapping[str, str], form: Format) -> bytes:
    """`content` with these items public. Of lines with the same id, the first with the item's topic is the item."""
    left = dict(topics)
    lines = content.split(b"\n")
    for number, raw in enumerate(lines):
        mark = _BOM if number == 0 and raw.startswith(_BOM) else b""
        try:
            text = raw.removeprefix(mark).decode()
            line = parse_line(text, form)
        except ValueError:  # not UTF-8 or no item: `read_items` set it aside
            continue
        if left.get(line.id) == line.topic:
            del left[line.id]
            lines[number] = mark + with_values(text, {"split": "public"}).encode()
    return b"\n".join(lines)
