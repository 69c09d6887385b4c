"""`factsweep sweep`: plan, ask, grade, score and publish, with a progress bar."""

import click


@click.command("sweep")
@click.option("--bank", "banks", multiple=True, help="Only this bank. Repeats, as do the next three.")
@click.option("--domain", "domains", multiple=True, help="Only this domain: omniscience.law, or law beside --bank.")
@click.option("--model", "models", multiple=True, help="Only this model or baseline of models.yaml.")
@click.option("--item", "items", multiple=True, help="Only this item.")
@click.option("--limit", type=int, help="At most so many items of a bank: a seeded sample stratified by topic.")
@click.option("--samples", type=int, help="Samples an item, in place of the bank's.")
@click.option("--again", is_flag=True, help="Start a new epoch: ask anew what is named.")
@click.option("--budget", type=float, metavar="USD", help="Hard cap in dollars over answers, verdicts and retries.")
@click.option("--dry-run", is_flag=True, help="Only say what would be bought and what it would cost.")
def sweep_command(
    banks: tuple[str, ...],
    domains: tuple[str, ...],
    models: tuple[str, ...],
    items: tuple[str, ...],
    limit: int | None,
    samples: int | None,
    again: bool,
    budget: float | None,
    dry_run: bool,
) -> None:
    """Bring models up to date: buy what is missing, failed or stale, and nothing else.

    Without options it sweeps all models over all banks. What was bought before is never bought
    again, whatever happened since.
    """
    from assets.sweeps.request import Request
    from orchestration.sweeping import dry_run as forecast
    from orchestration.sweeping import sweep

    request = Request(banks, domains, models, items, limit, samples, again, budget)
    raise SystemExit(forecast(request) if dry_run else sweep(request))
