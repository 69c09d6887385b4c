"""`factsweep demo`: the shortest way from a fresh clone to a leaderboard."""

import click


@click.command("demo")
def demo_command() -> None:
    """Sweep the default models over the shipped bank and print the leaderboard.

    Needs no key: the embedded SmolLM2-135M answers on this machine, beside the two baselines. A
    second run buys nothing.
    """
    from assets.sweeps.request import Request
    from orchestration.sweeping import sweep
    from resources.home import PROJECT, models_file
    from resources.registries import load_models

    models = load_models(models_file())
    free = (*models.baselines, *(id for id, spec in models.specs.items() if spec.local))
    status = sweep(Request(banks=("omniscience",), models=free))
    click.echo(
        "\nNext: `make dev` opens the Dagster UI at http://127.0.0.1:3000 "
        "(assets, partitions, checks, past sweeps).\n"
        "      `.venv/bin/factsweep show ITEM` prints one item whole, `… status` what is fresh.\n"
        f'      README.md, "A model of your own", says how to add one to {PROJECT / "models.yaml"}.'
    )
    raise SystemExit(status)
