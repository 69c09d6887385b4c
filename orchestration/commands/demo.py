"""`factsweep demo`: the shortest way from a fresh clone to a leaderboard and a report."""

import click

BANK = "omniscience"
ITEMS = 60


@click.command("demo")
def demo_command() -> None:
    """Sweep the default models over a sample of the shipped bank, print the leaderboard, show the report.

    Needs no key: the embedded SmolLM2-135M answers on this machine, beside the two baselines. A
    second run buys nothing.
    """
    from assets.sweeps.request import Request
    from orchestration.reporting import open_report, written_report
    from orchestration.sweeping import sweep
    from resources.home import PROJECT, current_home, models_file
    from resources.registries import load_models
    from resources.warehouse import Lake

    models = load_models(models_file())
    free = (*models.baselines, *(id for id, spec in models.specs.items() if spec.local))
    status = sweep(Request(banks=(BANK,), models=free, limit=ITEMS))
    report = written_report()
    click.echo(f"\nThe report: {report}")
    incomplete = Lake(current_home().lake).read("leaderboard").filter(bank=BANK, incomplete=True)["model"]
    if set(incomplete) & set(free):
        click.echo(
            f"The demo asks a sample of {ITEMS} items, so the model is marked incomplete; "
            f"`.venv/bin/factsweep sweep --bank {BANK}` asks the rest."
        )
    click.echo(
        "\nNext: `make dev` opens the Dagster UI at http://127.0.0.1:3000 "
        "(assets, partitions, checks, past sweeps).\n"
        "      `.venv/bin/factsweep show ITEM` prints one item whole, `… status` what is fresh.\n"
        f'      README.md, "A model of your own", says how to add one to {PROJECT / "models.yaml"}.'
    )
    open_report(report)
    raise SystemExit(status)
