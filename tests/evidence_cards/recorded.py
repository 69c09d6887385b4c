"""What a build of the cards left on record."""

from tests.support.workshop import Workshop


def cards(workshop: Workshop) -> dict[str, tuple[str, str | None]]:
    """Status and reason by excerpt."""
    rows = workshop.table("evidence_cards").select("excerpt", "status", "reason")
    return {excerpt: (status, reason) for excerpt, status, reason in rows.iter_rows()}


def kept(workshop: Workshop) -> set[str]:
    return {excerpt for excerpt, (status, _) in cards(workshop).items() if status == "kept"}
