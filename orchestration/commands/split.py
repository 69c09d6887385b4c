"""`factsweep split`: which items of a bank are public."""

import click


@click.command("split")
@click.option("--bank", "name", required=True, help="The bank to split.")
@click.option("--share", type=float, help="Share of the active items, 0 to 1; bank.yaml's build.public_share, or 0.1.")
@click.option("--dry-run", is_flag=True, help="Only say how many items would become public.")
def split_command(name: str, share: float | None, dry_run: bool) -> None:
    """Make a share of a bank's items public, a seeded sample by domain and topic.

    The items files say which: `split` is public or private. An item that is public stays public,
    since what was published once is known; a smaller share takes nothing back.
    """
    from assets.items.splitting import plan_split, split_bank
    from resources.home import bank_roots
    from resources.registries import load_banks
    from resources.types import ConfigurationError

    banks = load_banks(bank_roots())
    for problem in banks.problems:
        click.echo(f"factsweep: {problem}", err=True)
    bank = banks.banks.get(name)
    if bank is None:
        raise ConfigurationError(f"bank {name!r} is not registered; known: {', '.join(sorted(banks.banks)) or 'none'}")
    if share is not None and not 0 <= share <= 1:
        raise ConfigurationError(f"--share {share:g} is no share; give a number from 0 to 1, such as 0.1")
    if share and bank.spec.private:
        raise ConfigurationError(f"bank {name} is private, so nothing of it becomes public; leave --share out")
    share = bank.spec.build.public_share if share is None else share
    report = (plan_split if dry_run else split_bank)(bank, share)

    for problem in report.refused:
        click.echo(f"factsweep: {problem}", err=True)
    columns = [
        ["domain", *(each.domain for each in report.domains), "all"],
        _with_total("active", [each.active for each in report.domains]),
        _with_total("public before", [each.public_before for each in report.domains]),
        _with_total("public after", [each.public_after for each in report.domains]),
    ]
    width = max(map(len, columns[0]))
    for domain, active, before, after in zip(*columns, strict=True):
        click.echo(f"{domain:<{width}}  {active:>6}  {before:>13}  {after:>12}")
    if bank.spec.private:
        click.echo(f"Bank {name} is private: nothing of it becomes public.")
    click.echo("An item that is public stays public: what was published once is known.")
    if dry_run:
        click.echo("Dry run: nothing was written.")
    elif report.added:
        click.echo("Tables, report and export follow with the next `factsweep sweep`, which asks nothing anew for it.")


def _with_total(heading: str, counts: list[int]) -> list[str]:
    return [heading, *map(str, counts), str(sum(counts))]
