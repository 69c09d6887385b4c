"""How each watched model stands: its last night that says something. For the check, the command line and the UI."""

from collections.abc import Iterator

import polars as pl


def standing(drift: pl.DataFrame) -> pl.DataFrame:
    """One row a model of the last recorded night: its last row whose night brought something, else its last one.

    A night on which nothing came ends no alarm; why nothing came stands in `note`, which is the last night's.
    """
    models = drift.filter(pl.col("night") == pl.col("night").max()).select("model", "note")
    last = pl.col("night") == pl.col("night").max().over("model")
    told = drift.filter(pl.col("state") != "nothing").filter(last)
    silent = drift.join(told, on="model", how="anti").filter(last)
    rows = pl.concat([told, silent]).drop("note")
    return models.join(rows, on="model", how="inner", maintain_order="left").select(drift.columns)


def newly_alarmed(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The models that stand alarmed in the table `drift` as it is `after`, and did not `before`."""
    return standing(after).filter("alarm").join(standing(before).filter("alarm"), on="model", how="anti")


def remedies(alarmed: pl.DataFrame) -> Iterator[str]:
    """What each alarmed model did and what a person does about it, a sentence or two each."""
    for row in alarmed.iter_rows(named=True):
        model = row["model"]
        yield (
            f"{model} ({row['night']}): {row['alarm_reason']}. To measure it anew, launch the job `sweep` with the "
            f"config `ops: {{sweeps: {{config: {{again: true, models: [{model}]}}}}}}`, or `factsweep sweep --model "
            f"{model} --again`; the former scores stay in score_history, and a new baseline begins."
        )
