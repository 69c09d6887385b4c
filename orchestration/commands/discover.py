"""`factsweep discover`: pages that could become sources of a domain, for a person to accept."""

import click


@click.command("discover")
@click.option("--domain", required=True, help="Domain to find sources for: omniscience.law, or law beside --bank.")
@click.option("--bank", help="The bank of --domain.")
@click.option(
    "--queries", type=click.IntRange(min=1), metavar="N", help="Most searches to make; two for each topic if left out."
)
@click.option("--budget", type=float, metavar="USD", help="Hard cap in dollars.")
@click.option("--dry-run", is_flag=True, help="Only say who would be asked and what it would cost.")
@click.option(
    "--accept-marked", is_flag=True, help="Search for nothing: add the candidates marked `accept: true` to the sources."
)
def discover_command(
    domain: str, bank: str | None, queries: int | None, budget: float | None, dry_run: bool, accept_marked: bool
) -> None:
    """Search a domain's trusted hosts for pages that could become its sources.

    What is found is written to candidates/DOMAIN.yaml in the bank's folder, where you mark what you
    accept; nothing becomes a source without that. What was bought before is never bought again.
    """
    if accept_marked and (queries is not None or budget is not None or dry_run):
        raise click.UsageError("--accept-marked searches for nothing; leave --queries, --budget and --dry-run out")
    from orchestration.domain_discoveries import accept, discover, dry_run_discovery

    if accept_marked:
        raise SystemExit(accept(domain, bank))
    raise SystemExit((dry_run_discovery if dry_run else discover)(domain, bank, queries, budget))
