"""`python -m benchmarks.synthetic FOLDER`: writes the world, and says how to look at its report."""

from pathlib import Path

import click

from benchmarks.synthetic.world import write_world
from resources.home import PROJECT

ITEMS = 2_000


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--items", default=ITEMS, show_default=True, type=click.IntRange(min=42), help="Over all six domains.")
@click.option("--seed", default=1, show_default=True, help="The same seed writes the same world.")
def main(folder: Path, items: int, seed: int) -> None:
    """Writes an installation of twenty invented models and their answers into FOLDER, for a look at a big report.

    It takes some ten seconds and asks nobody. What is planted in it is in benchmarks/synthetic/subjects.py and
    items.py. The commands that it prints at the end make its report and open it.
    """
    root = folder.resolve()
    try:
        installation = write_world(root, seed=seed, items=items)
    except FileExistsError as error:
        raise click.UsageError(f"{root} holds a world already; remove it or name another folder") from error
    named = " ".join(f"{name}='{path}'" for name, path in installation.environment.items())
    click.echo(f"Written. Its report:\n\ncd '{PROJECT}'\nenv {named} .venv/bin/factsweep report --open")


if __name__ == "__main__":
    main()
