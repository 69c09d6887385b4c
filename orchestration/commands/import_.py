"""`factsweep import`: questions from a file into a bank, with a report of rows taken and rows refused."""

import click

_PRESET = "aa-omniscience-public"


@click.command("import")
@click.argument("file")
@click.argument("copy", required=False)
@click.option("--bank", required=True, help="Bank to import into; made where it does not exist.")
@click.option("--domain", help="Domain of the bank, such as law; made where it does not exist.")
@click.option(
    "--question", metavar="COL", help="Column of the questions; a path such as data.question reads inside one."
)
@click.option("--answer", metavar="COL", help="Column of the gold answers.")
@click.option("--topic", metavar="COL", help="Column of the topics; the domain's title where there is none.")
@click.option(
    "--id", "item_id", metavar="COL", help="Column of the ids; made from question and answer where there is none."
)
@click.option("--options", metavar="COL,COL,…", help="Columns of the options in order, or one column that holds lists.")
@click.option(
    "--answer-kind",
    type=click.Choice(["letter", "index", "text"]),
    help="How a multiple-choice answer is told: letter (the default), index from 0, or the option's text.",
)
@click.option(
    "--answer-type", metavar="COL", help="Column that says whether an answer is a number, date, name, place …"
)
@click.option("--language", metavar="COL", help="Column of language codes; en where there is none.")
def import_command(
    file: str,
    copy: str | None,
    bank: str,
    domain: str | None,
    question: str | None,
    answer: str | None,
    topic: str | None,
    item_id: str | None,
    options: str | None,
    answer_kind: str | None,
    answer_type: str | None,
    language: str | None,
) -> None:
    """Import questions from FILE, a CSV, JSON lines or Parquet file or its hf:// address.

    FILE may be aa-omniscience-public, the 600 published AA-Omniscience questions; COPY is then a downloaded
    copy of them, for where Hugging Face cannot be reached. Ends with status 0 when a row was taken, else 2.
    """
    from resources.home import bank_roots

    if file == _PRESET:
        columns = (domain, question, answer, topic, item_id, options, answer_kind, answer_type, language)
        if any(value is not None for value in columns):
            raise click.UsageError(f"{_PRESET} knows its domains and columns; give --bank alone")
        from assets.items.presets import import_aa_omniscience_public

        reports = import_aa_omniscience_public(bank, bank_roots(), copy)
    else:
        if copy is not None:
            raise click.UsageError(f"a second file ({copy}) belongs to {_PRESET} alone; import one file at a time")
        if domain is None or question is None or answer is None:
            raise click.UsageError("name --domain, --question and --answer")
        from assets.items.importing import AnswerKind, ImportRequest, import_items

        request = ImportRequest(
            file=file,
            bank=bank,
            domain=domain,
            question=question,
            answer=answer,
            roots=bank_roots(),
            topic=topic,
            item_id=item_id,
            options=tuple(name.strip() for name in options.split(",") if name.strip()) if options else (),
            answer_kind=AnswerKind(answer_kind or "letter"),
            answer_type=answer_type,
            language=language,
        )
        reports = [import_items(request)]
    for report in reports:
        click.echo(
            f"{report.domain}: {report.taken} taken, {report.duplicates} duplicates, {len(report.refused)} refused"
        )
        for refusal in report.refused:
            click.echo(f"  row {refusal.row}: {refusal.reason}")
        if report.changed:
            click.echo(
                f"  {report.changed} of the duplicates have the id of an item with another question or answer; "
                f"to change that item, edit its line in {report.items_file}"
            )
        click.echo(f"  written to {report.items_file}" if report.taken else "  nothing new, nothing written")
    if not any(report.taken for report in reports):
        raise click.exceptions.Exit(2)
