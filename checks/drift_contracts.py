"""Contracts of the drift watch: what each model gave on each night, and whether it still answers as it did."""

import polars as pl

from checks.contract import TIMESTAMP, Column, Contract
from resources.types import Grade, Outcome

DRIFT_STATES = ("learning", "watching", "alarmed", "nothing")

_NIGHT = (
    Column("night", pl.String, "Date of the night, YYYY-MM-DD, in the budget's time zone.", required=True),
    Column("model", pl.String, "Id of the watched model.", required=True),
)


DRIFT_ANSWERS = Contract(
    "drift_answers",
    "What each watched model gave on each night to the same few items; these answers count in no score. It only grows.",
    (
        *_NIGHT,
        Column("bank", pl.String, "Bank, such as omniscience.", required=True),
        Column("domain", pl.String, "Partition key bank.domain, such as omniscience.law.", required=True),
        Column("item_id", pl.String, "Item asked.", required=True),
        Column(
            "asking",
            pl.String,
            "Hash of all that decides an answer and its grade but the night; nights are compared within it.",
            required=True,
        ),
        Column(
            "outcome", pl.String, "What came of it; failed where nothing came.", required=True, values=tuple(Outcome)
        ),
        Column("text", pl.String, "The answer as the model wrote it."),
        Column("grade", pl.String, "One of four grades, or null: not graded.", values=tuple(Grade)),
        Column("reason", pl.String, "The rule that fired, the verdict, or why nothing came.", required=True),
        Column("served_model", pl.String, "Model name that the provider says it served."),
        Column("system_fingerprint", pl.String, "The backend that the provider says it ran, where it says so."),
        Column("cost_usd", pl.Float64, "Cost of the answer, and of a verdict bought for it; null if unknown.", low=0),
        Column("call_id", pl.String, "Paid call in the ledger.", required=True),
        Column("answered_at", TIMESTAMP, "When the answer was complete."),
    ),
    unique=("night", "model", "domain", "item_id"),
)

DRIFT = Contract(
    "drift",
    "Whether each model still answers as it did, one row a model and night.",
    (
        *_NIGHT,
        Column(
            "state",
            pl.String,
            "learning its baseline, watching, alarmed, or nothing: too little came that night to say anything.",
            required=True,
            values=DRIFT_STATES,
        ),
        Column("items", pl.Int64, "Items asked.", required=True, low=0),
        Column("answered", pl.Int64, "Items with a grade, or truncated or filtered.", required=True, low=0),
        Column("compared", pl.Int64, "Of these, the ones whose baseline is complete.", required=True, low=0),
        Column("changed_grades", pl.Int64, "Compared items whose grade no night of the baseline had.", low=0),
        Column("changed_texts", pl.Int64, "Compared items whose words no night of the baseline had.", low=0),
        Column("baseline_nights", pl.Int64, "Nights in the baseline so far.", required=True, low=0),
        Column("grade_rate", pl.Float64, "How often two nights of the baseline differ in a grade.", low=0, high=1),
        Column("text_rate", pl.Float64, "How often two nights of the baseline differ in their words.", low=0, high=1),
        Column("accuracy", pl.Float64, "Share of the compared items that is correct tonight.", low=0, high=1),
        Column("baseline_accuracy", pl.Float64, "The same over the baseline's nights.", low=0, high=1),
        Column("p_night", pl.Float64, "Chance of such a night if nothing changed.", low=0, high=1),
        Column("p_week", pl.Float64, "Chance of such a week if nothing changed.", low=0, high=1),
        Column("alarm", pl.Boolean, "Something changed.", required=True),
        Column("alarm_reason", pl.String, "What changed, for a person."),
        Column("served_model", pl.String, "Model names that the provider says it served tonight."),
        Column("note", pl.String, "Why nothing came, or a new backend, for a person."),
        Column("cost_usd", pl.Float64, "Cost of the night's answers and verdicts; null if a price is unknown.", low=0),
        Column("recorded_at", TIMESTAMP, "When the row was written.", required=True),
    ),
    unique=("night", "model"),
)

DRIFT_CONTRACTS = (DRIFT_ANSWERS, DRIFT)
