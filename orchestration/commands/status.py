"""`factsweep status`: how every (domain, model) stands, and why."""

import click


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="One JSON list, an object a partition.")
def status_command(as_json: bool) -> None:
    """Show which partitions are fresh, stale, incomplete, missing, failed or retired.

    Ends with status 0 whatever it finds; faults in registry files and files of items go to standard error.
    """
    import json

    from assets.items.recorded_items import item_faults
    from orchestration.status import collect_status, print_status
    from resources.installation import Installation

    installation = Installation.open()
    for problem in (*installation.problems, *item_faults(installation)):
        click.echo(f"factsweep: {problem}", err=True)
    rows = collect_status(installation)
    if as_json:
        click.echo(json.dumps([row.as_dict() for row in rows], indent=2, ensure_ascii=False))
    else:
        print_status(rows)
