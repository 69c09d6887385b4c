"""`factsweep build`: items of a domain from its sources, with the forecast, progress, cost and what was dropped."""

import click


@click.command("build")
@click.option(
    "--domain", "domains", multiple=True, help="Domain to build: omniscience.law, or law beside --bank; repeats."
)
@click.option("--bank", help="All domains of this bank that name sources, or the bank of --domain.")
@click.option("--budget", type=float, metavar="USD", help="Hard cap in dollars for each domain.")
@click.option("--dry-run", is_flag=True, help="Only say what would be asked and what it would cost.")
def build_command(domains: tuple[str, ...], bank: str | None, budget: float | None, dry_run: bool) -> None:
    """Fetch a domain's sources, read them into evidence cards, and make items of the cards.

    What was bought before is never bought again: a build that was stopped goes on where it was. What a person
    wrote, edited or reviewed stays as it is.
    """
    if not domains and not bank:
        raise click.UsageError("name a --domain, or a --bank for all of its domains that name sources")
    from orchestration.domain_builds import build, dry_run_build

    raise SystemExit(dry_run_build(domains, bank, budget) if dry_run else build(domains, bank, budget))
