"""`factsweep dispute`: have a judge's verdicts on an item asked for anew."""

import click


@click.command("dispute")
@click.argument("item")
@click.option("--model", "models", multiple=True, help="Only this model's grade; repeats.")
@click.option("--note", required=True, help="Why the grade is wrong.")
def dispute_command(item: str, models: tuple[str, ...], note: str) -> None:
    """Dispute the judge's grades of ITEM: the next sweep asks the judge anew, and no model again.

    Where the question or its gold is wrong, mend or review the item instead.
    """
    from assets.sweeps.disputing import dispute_grades
    from resources.installation import Installation

    disputed = dispute_grades(Installation.open(), item, models, note)
    click.echo(f"{disputed.domain}: the verdicts on {item} for {', '.join(disputed.models)} are asked for anew")
    click.echo(f"by the next sweep: factsweep sweep --domain {disputed.domain}")
