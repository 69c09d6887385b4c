"""`factsweep doctor`: what a person should mend before money is spent."""

import click


@click.command("doctor")
@click.option("--ping", is_flag=True, help="Make one small call to each model; costs a fraction of a cent.")
def doctor_command(ping: bool) -> None:
    """Check keys, prices, judges, registry files, items, disk and clock.

    Ends with status 2 when something must be mended, else 0.
    """
    from orchestration.doctor import Level, examine, ping_models
    from resources.installation import Installation

    installation = Installation.open()
    findings = [*examine(installation), *(ping_models(installation) if ping else ())]
    for finding in findings:
        click.echo(f"{finding.level:<5} {finding.subject}: {finding.text}")
    faults = sum(finding.level is Level.FAULT for finding in findings)
    click.echo(f"\n{faults} to mend, {sum(finding.level is Level.NOTE for finding in findings)} to know.")
    raise SystemExit(2 if faults else 0)
