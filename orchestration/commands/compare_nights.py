"""`factsweep compare-nights`: how two published sweeps differ."""

import click


@click.command("compare-nights")
@click.argument("first", metavar="[A]", required=False)
@click.argument("second", metavar="[B]", required=False)
@click.option("--bank", help="Only this bank.")
@click.option("--list", "lists", is_flag=True, help="List the published sweeps instead.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object; with --list a list.")
def compare_nights_command(first: str | None, second: str | None, bank: str | None, lists: bool, as_json: bool) -> None:
    """Compare the scores of two published sweeps, A with B; the last two when none is named.

    A and B are ids of sweeps, unique beginnings of them, or dates in UTC, which mean the last sweep of that day.
    A alone is compared with the last one.
    """
    from orchestration.comparing import compare_two, list_nights
    from resources.installation import Installation

    installation = Installation.open()
    if lists:
        list_nights(installation, as_json=as_json)
    else:
        compare_two(installation, first, second, bank, as_json=as_json)
