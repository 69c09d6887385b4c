"""Whether what is published is what is recorded: a digest of all that scores depend on, kept beside the database."""

import json
from hashlib import sha256

from assets.items.recorded_items import read_domain_items
from resources.installation import Installation
from resources.warehouse import replacing

_TABLES = ("scores", "leaderboard")


def state_digest(installation: Installation) -> str:
    """Hash of what is published: recorded partitions, who is retired, items, how banks are scored, faults of files."""
    partitions = installation.lake.read("partitions").select("domain", "model", "fingerprint", "recorded_at")
    items = [
        (key, read.digest, sorted(problem.message for problem in read.refused))
        for key, (bank, domain) in installation.banks.domains.items()
        if not domain.spec.retired and (read := read_domain_items(installation, bank, domain))
    ]
    banks = [(name, bank.spec.penalty, bank.spec.note) for name, bank in installation.banks.banks.items()]
    retired = sorted(model for model in partitions["model"].unique() if not installation.models.may_hold(model))
    state = [sorted(partitions.rows()), sorted(items), sorted(banks, key=str), retired, installation.problems]
    return sha256(json.dumps(state, default=str).encode()).hexdigest()


def mark_scored(installation: Installation, digest: str) -> None:
    """Says which state the scores were computed from."""
    with replacing(installation.home.scored) as temporary:
        temporary.write_text(digest)


def mark_published(installation: Installation) -> None:
    """Says that the database shows the state that was scored last."""
    with replacing(installation.home.published) as temporary:
        temporary.write_text(installation.home.scored.read_text())


def is_published(installation: Installation) -> bool:
    """Whether the published tables are whole and show the present state."""
    home, lake = installation.home, installation.lake
    if not home.benchmark.exists() or not home.published.exists() or not all(lake.holds(table) for table in _TABLES):
        return False
    if lake.damaged("items"):
        return False
    return home.published.read_text() == state_digest(installation)
