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
    from resources.home import PROJECT

    status = sweep(Request(banks=("omniscience",), models=("smollm2-135m", "abstain", "guess")))
    click.echo(
        "\nNext: `make dev` opens the Dagster UI at http://127.0.0.1:3000 "
        "(assets, partitions, checks, past sweeps).\n"
        "      `factsweep show ITEM` prints one item whole; `factsweep status` what is fresh; \n"
        f'      README.md, "A model of your own", says how to add one to {PROJECT / "models.yaml"}.'
    )
    raise SystemExit(status)
