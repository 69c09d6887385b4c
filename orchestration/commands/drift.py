"""`factsweep drift`: whether each watched model still answers as it did."""

import click


@click.command("drift")
@click.option("--json", "as_json", is_flag=True, help="One JSON list, an object a model.")
def drift_command(as_json: bool) -> None:
    """Show how each watched model stands: learning its baseline, watching, alarmed, or nothing came.

    Buys nothing: the job `drift` asks once a night. Ends with status 0 whatever it finds.
    """
    import json

    from assets.drift.standing import remedies, standing
    from resources.installation import Installation

    installation = Installation.open()
    rows = standing(installation.lake.read("drift"))
    if as_json:
        click.echo(json.dumps(rows.to_dicts(), indent=2, ensure_ascii=False, default=str))
        return
    if installation.models.drift is None:
        click.echo("The watch is off: add `drift: {items: 24}` to models.yaml, and the job `drift` asks once a night.")
    elif rows.is_empty():
        click.echo("No night has been watched yet: launch the job `drift`, or switch its schedule on.")
    for row in rows.iter_rows(named=True):
        line = f"{row['model']}: {row['state']} ({row['night']}), {row['compared']} of {row['items']} items compared"
        if row["state"] == "learning":
            line += f", {row['baseline_nights']} nights of the baseline"
        if row["p_night"] is not None:
            line += (
                f", {row['changed_grades']} grades and {row['changed_texts']} texts new, "
                f"p = {row['p_night']:.2g} tonight and {row['p_week']:.2g} over the week"
            )
        click.echo(line + (f"; {row['note']}" if row["note"] else ""))
    for told in remedies(rows.filter("alarm")):
        click.echo(told)
