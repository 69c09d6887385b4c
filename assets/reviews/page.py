"""The review page: one self-contained file a domain, on which a person decides about its items.

What a model or a source says stands in it as data and is shown through the browser's `textContent`; it stays text.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from assets.reports.facts import counted, moment
from assets.reports.questions import script_json
from assets.reports.templating import part, write_page
from assets.reviews.decisions import FORMAT
from assets.reviews.dossiers import Dossiers, Row
from resources.installation import Installation
from resources.keys import encode_key
from resources.registries import Bank, Domain

_TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class ReviewPage:
    """What the template shows.

    Attributes:
        passes: by pass, how many drafts it decided and how.
        balance: rows of `topic_balance`.
        data: for the script.
    """

    title: str
    domain: str
    facts: str
    notices: list[str]
    passes: Sequence[Row]
    balance: Sequence[Row]
    footer: str
    data: Markup


def write_review_page(installation: Installation, bank: Bank, domain: Domain, made_at: datetime) -> Path:
    """Writes the domain's page; returns its path.

    Raises:
        DiskFull: the former file is still in place.
    """
    file = installation.home.report / "review" / f"{encode_key(domain.key)}.html"
    write_page(
        file,
        _TEMPLATES / "review.html.j2",
        page=make_review_page(installation, bank, domain, made_at),
        style=part(_TEMPLATES / "review.css"),
        scripts=[part(_TEMPLATES / name) for name in ("decisions.js", "review.js")],
    )
    return file


def make_review_page(installation: Installation, bank: Bank, domain: Domain, made_at: datetime) -> ReviewPage:
    dossiers = Dossiers(installation, bank, domain)
    items = dossiers.data()
    digest = sha256(script_json(items).encode(errors="replace")).hexdigest()[:16]
    data = {
        "format": FORMAT,
        "domain": domain.key,
        # What is not saved yet is kept for this state of the items: other words would not be what was decided about.
        "store": f"factsweep-review:{domain.key}:{digest}",
        "file": f"decisions-{encode_key(domain.key)}.json",
        "items": items,
    }
    return ReviewPage(
        title=domain.spec.title,
        domain=domain.key,
        facts=_facts(items),
        notices=_notices(dossiers, items),
        passes=dossiers.passes(),
        balance=dossiers.balance.to_dicts(),
        footer=f"Made by factsweep {moment(made_at)}.",
        data=Markup(script_json(data)),
    )


def _facts(items: list[dict[str, Any]]) -> str:
    states = Counter(item["status"] for item in items)
    reviewed = sum("reviews" in item for item in items)
    parts = [f"{states[state]:,} {state}" for state in ("active", "disputed", "dropped") if states[state]]
    return f"{counted(len(items), 'item')}: {', '.join(parts) or 'none'}. {reviewed:,} reviewed before."


def _notices(dossiers: Dossiers, items: list[dict[str, Any]]) -> list[str]:
    notices = [f"Left out: {problem}." for problem in dossiers.problems[:5]]
    if more := len(dossiers.problems) - len(notices):
        notices.append(f"{counted(more, 'more line')} cannot be read.")
    if items and dossiers.verdicts.is_empty():
        notices.append("No build of this domain is recorded: its items have no card and no verdicts here.")
    return notices
