"""`factsweep review`: a domain's items as a page to decide on, and decisions taken into its bank."""

from pathlib import Path

import click


@click.command("review")
@click.option("--bank", help="The domain's bank, where --domain does not say it.")
@click.option("--domain", help="Write the page of this domain: omniscience.law, or law beside --bank.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--apply", "decisions", type=click.Path(path_type=Path), metavar="FILE", help="Take the decisions of FILE."
)
def review_command(bank: str | None, domain: str | None, opens: bool, decisions: Path | None) -> None:
    """Write a page on which people decide about a domain's items, or take what they decided into the bank.

    The page needs no network. It shows private items and golds: keep it in the team. It saves a
    file of decisions; --apply records them in the bank's reviews and carries them out in its
    items. Ends with status 0 when a decision was taken or none
    was to be taken, else 2.
    """
    if decisions is not None:
        if bank or domain or opens:
            raise click.UsageError("--apply stands alone: the file says which domain it is about")
        _apply(decisions)
        return
    if domain is None:
        raise click.UsageError("name --domain to write its page, or --apply FILE to take decisions")

    from assets.reviews.page import write_review_page
    from assets.sweeps.request import domain_key
    from orchestration.reporting import open_report
    from resources.installation import Installation, utc_now

    installation = Installation.open()
    key = domain_key(domain, (bank,) if bank else (), installation.banks)
    page = write_review_page(installation, *installation.banks.domains[key], utc_now())
    click.echo(page)
    if opens and not open_report(page):
        click.echo(f"no browser could be started here; open {page}", err=True)


def _apply(file: Path) -> None:
    from assets.reviews.applying import apply_decisions
    from resources.installation import Installation, utc_now

    applied = apply_decisions(Installation.open(), file, utc_now())
    for problem in applied.set_aside:
        click.echo(f"factsweep: {problem}", err=True)
    click.echo(
        f"{applied.domain}: {applied.taken} taken, {applied.before} recorded before, {len(applied.refused)} refused"
    )
    for problem in applied.refused:
        click.echo(f"  {problem.key}: {problem.message}")
    if applied.taken:
        click.echo(f"  written to {' and '.join(map(str, applied.files))}")
    if applied.refused and not applied.taken:
        raise click.exceptions.Exit(2)
