"""`factsweep show`: one item whole, down to the prompts and the raw replies."""

import click


@click.command("show")
@click.argument("item")
@click.option("--model", help="Only this model's answer, with the prompt and the whole reply.")
def show_command(item: str, model: str | None) -> None:
    """Print ITEM: question, gold, source, each model's answer and its grade with the rule or the judge's exchange."""
    from assets.reports.showing import show_item
    from resources.installation import Installation

    installation = Installation.open()
    for line in show_item(installation, item, model):
        click.echo(line)
