"""`factsweep new-domain`: a domain file to fill in."""

import click


@click.command("new-domain")
@click.argument("name", metavar="BANK.DOMAIN")
@click.option("--title", metavar="T", help="What the domain is called; made of its name where left out.")
@click.option("--sources", metavar="DIR", help="Folder of documents to list; each of its own folders becomes a topic.")
@click.option("--items", type=click.IntRange(min=1), default=20, show_default=True, help="Items wanted in each topic.")
def new_domain_command(name: str, title: str | None, sources: str | None, items: int) -> None:
    """Write the file of a new domain, such as omniscience.law, to be filled in.

    A bank that does not exist is made, in the first folder of FACTSWEEP_BANKS or else among the
    shipped banks. A domain file that exists is never overwritten.
    """
    import shlex

    from assets.sources.new_domain import create_domain_file
    from resources.home import bank_roots

    made = create_domain_file(name, bank_roots(), title=title, sources=sources, items=items)
    if made.bank_file:
        click.echo(f"{made.bank_file} (a new bank: name the models that build it under roles:)")
    click.echo(made.file)
    key = shlex.quote(made.key)
    click.echo("Fill it in, then:")
    click.echo(f"  factsweep build --domain {key} --dry-run")
    click.echo(f"  factsweep build --domain {key}")
