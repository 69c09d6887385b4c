"""One contract per table: its columns, types and rules, written once.

A contract yields the structural validation before a file is put in place, the Great Expectations
suite of the asset check, and the column schema shown in the UI. Rules that need a second table
(every item answered, counts that add up) are checks of their own, not contracts.
"""

import polars as pl

from checks.bank_contracts import BANK_CONTRACTS
from checks.contract import TIMESTAMP, Column, Contract
from checks.drift_contracts import DRIFT_CONTRACTS
from checks.watch_contracts import OPEN_PARTITIONS
from resources.types import CallState, Format, Grade, Method, Outcome


def _key(*, model: bool) -> tuple[Column, ...]:
    columns = (
        Column("bank", pl.String, "Bank, such as omniscience.", required=True),
        Column("domain", pl.String, "Partition key bank.domain, such as omniscience.law.", required=True),
    )
    if model:
        columns += (Column("model", pl.String, "Id of the evaluated model or baseline.", required=True),)
    return columns


def _count(name: str, description: str) -> Column:
    return Column(name, pl.Int64, description, required=True, low=0)


def _estimate(name: str, description: str, low: float, high: float) -> tuple[Column, ...]:
    return (
        Column(name, pl.Float64, description, low=low, high=high),
        Column(f"{name}_low", pl.Float64, f"Lower end of the 95 % interval of {name}.", low=low, high=high),
        Column(f"{name}_high", pl.Float64, f"Upper end of the 95 % interval of {name}.", low=low, high=high),
    )


ITEMS = Contract(
    "items",
    "Questions with their gold answers, one row an item.",
    (
        *_key(model=False),
        Column("topic", pl.String, "Topic within the domain.", required=True),
        Column("item_id", pl.String, "Id, unique within the domain.", required=True),
        Column("question_version", pl.String, "Hash of what is asked; a change asks anew.", required=True),
        Column("answer_version", pl.String, "Hash of gold and aliases; a change grades anew.", required=True),
        Column("format", pl.String, "Item format.", required=True, values=tuple(Format)),
        Column("question", pl.String, "The question as it is asked.", required=True),
        Column("options", pl.List(pl.String), "Options in order, A first; null for short answers."),
        Column("answer", pl.String, "Gold answer; the option's letter in multiple choice.", required=True),
        Column("aliases", pl.List(pl.String), "Other answers that are right."),
        Column("answer_type", pl.String, "number, date, name, place, version, provision, other."),
        Column("language", pl.String, "BCP 47 code of question and answer.", required=True),
        Column("difficulty", pl.Float64, "Share of the panel that missed it.", low=0, high=1),
        Column("card_id", pl.String, "Evidence card it was drafted from."),
        Column("source_url", pl.String, "Where the fact is stated."),
        Column("source_date", pl.Date, "When the source was published."),
        Column("answerable_from", pl.String, "First month in which it could be answered, YYYY-MM."),
        Column("split", pl.String, "public or private.", required=True, values=("public", "private")),
        Column(
            "status",
            pl.String,
            "Only active items are asked.",
            required=True,
            values=("active", "disputed", "retired", "dropped"),
        ),
    ),
    unique=("domain", "item_id"),
)

RESPONSES = Contract(
    "responses",
    "What each model gave for each item and sample.",
    (
        *_key(model=True),
        Column("item_id", pl.String, "Item asked.", required=True),
        Column("question_version", pl.String, "Version of the question asked.", required=True),
        Column("sample", pl.Int64, "Sample number, 0 first.", required=True, low=0),
        Column("epoch", pl.Int64, "Deliberate asking anew, 0 first.", required=True, low=0),
        Column("outcome", pl.String, "What came of it.", required=True, values=tuple(Outcome)),
        Column("text", pl.String, "The answer as the model wrote it."),
        Column("finish_reason", pl.String, "Why the provider ended the answer; for a failure, what failed."),
        Column("input_tokens", pl.Int64, "Prompt tokens as billed.", low=0),
        Column("output_tokens", pl.Int64, "Completion tokens as billed, reasoning included.", low=0),
        Column("reasoning_tokens", pl.Int64, "Reasoning tokens among them.", low=0),
        Column("cost_usd", pl.Float64, "Cost in dollars; null when the price is unknown.", low=0),
        Column("latency_s", pl.Float64, "Seconds from sending to the whole answer.", low=0),
        Column("served_model", pl.String, "Model name that the provider says it served."),
        Column("seed", pl.Int64, "Seed sent, where one was."),
        Column("temperature", pl.Float64, "Temperature sent, where one was."),
        Column("call_id", pl.String, "Paid call in the ledger; null for baselines."),
        Column("answered_at", TIMESTAMP, "When the answer was complete."),
    ),
    unique=("domain", "model", "item_id", "sample"),
)

GRADES = Contract(
    "grades",
    "The grade of each response; null with a reason where there is none.",
    (
        *_key(model=True),
        Column("item_id", pl.String, "Item graded.", required=True),
        Column("answer_version", pl.String, "Version of the gold it was graded against.", required=True),
        Column("sample", pl.Int64, "Sample number.", required=True, low=0),
        Column("epoch", pl.Int64, "Epoch of the response.", required=True, low=0),
        Column("grade", pl.String, "One of four grades, or null: ungraded.", values=tuple(Grade)),
        Column("reason", pl.String, "The rule that fired, the verdict, or why there is no grade.", required=True),
        Column("method", pl.String, "Who graded.", required=True, values=tuple(Method)),
        Column("judge", pl.String, "The judge model where one graded."),
        Column("judge_call_id", pl.String, "The judge's paid call in the ledger."),
        Column("graded_at", TIMESTAMP, "When the grade was made."),
    ),
    unique=("domain", "model", "item_id", "sample"),
)

PARTITIONS = Contract(
    "partitions",
    "The state of each recorded (domain, model); written last, so that it vouches for the other tables.",
    (
        *_key(model=True),
        Column("fingerprint", pl.String, "Hash of items, prompts, parameters, judge and epoch.", required=True),
        Column("method", pl.String, "Who graded.", required=True, values=tuple(Method)),
        Column("judge", pl.String, "The judge model where one graded."),
        Column("epoch", pl.Int64, "Current epoch.", required=True, low=0),
        Column("samples", pl.Int64, "Samples an item.", required=True, low=1),
        _count("items", "Active items of the domain."),
        _count("asked", "Rows in responses: items asked, times samples."),
        _count("answered", "Answered responses."),
        _count("truncated", "Cut off before an answer."),
        _count("filtered", "Withheld by the provider's content filter."),
        _count("failed", "Failed calls."),
        _count("graded", "Responses with a grade."),
        _count("unreadable", "Multiple-choice answers whose option could not be read."),
        _count("retryable", "Failed or ungraded rows that a later sweep tries again."),
        Column("coverage", pl.Float64, "graded / (items × samples).", required=True, low=0, high=1),
        Column("cost_usd", pl.Float64, "The model's own cost; null when a price is unknown.", low=0),
        Column("judge_cost_usd", pl.Float64, "The judge's cost; null when a price is unknown.", low=0),
        Column("note", pl.String, "Why the partition is not complete, for a person."),
        Column("sweep_id", pl.String, "Sweep that recorded it.", required=True),
        Column("recorded_at", TIMESTAMP, "When it was recorded.", required=True),
    ),
    unique=("domain", "model"),
)

SWEEPS = Contract(
    "sweeps",
    "The log of all sweeps, one row a sweep and partition; it only grows.",
    (
        Column("sweep_id", pl.String, "The sweep.", required=True),
        *_key(model=True),
        Column("status", pl.String, "State before the sweep.", required=True),
        Column("reason", pl.String, "Why the partition was in the plan.", required=True),
        _count("forecast_calls", "Calls the plan expected to buy."),
        Column("forecast_usd", pl.Float64, "Dollars the plan expected; null when a price is unknown.", low=0),
        _count("bought_calls", "Calls this run bought, verdicts included; of a killed run only `calls` has them."),
        Column("bought_usd", pl.Float64, "Dollars for these calls; null when a price is unknown.", low=0),
        Column("coverage", pl.Float64, "Coverage afterwards.", low=0, high=1),
        Column("result", pl.String, "How it stood afterwards.", required=True, values=("complete", "incomplete")),
        Column("error", pl.String, "What stopped it, where something did."),
        Column("started_at", TIMESTAMP, "Start of the sweep.", required=True),
        Column("finished_at", TIMESTAMP, "When the partition was recorded.", required=True),
    ),
    unique=("sweep_id", "domain", "model"),
)

SCORES = Contract(
    "scores",
    "Counts and metrics by bank, domain and topic, with 95 % intervals.",
    (
        Column("bank", pl.String, "Bank.", required=True),
        Column("level", pl.String, "What the row sums up.", required=True, values=("all", "domain", "topic")),
        Column("key", pl.String, "The bank, the domain's key, or domain/topic.", required=True),
        Column("model", pl.String, "Model or baseline.", required=True),
        Column("method", pl.String, "Who graded; rows of different methods are never compared.", required=True),
        Column("judge", pl.String, "The judge model where one graded."),
        _count("items", "Active items at this level."),
        Column(
            "coverage",
            pl.Float64,
            "graded / (items × samples, as each domain's partition says).",
            required=True,
            low=0,
            high=1,
        ),
        _count("correct", "Graded correct."),
        _count("partial", "Graded partial."),
        _count("incorrect", "Graded incorrect."),
        _count("not_attempted", "Graded not attempted."),
        *_estimate("index", "Omniscience Index, 100 (c − penalty · i) / N.", -1e9, 100),
        *_estimate("accuracy", "c / N.", 0, 1),
        *_estimate("hallucination_rate", "i / (p + i + a); null when all are correct.", 0, 1),
        *_estimate("attempt_rate", "(c + p + i) / N.", 0, 1),
        Column("penalty", pl.Float64, "What a wrong answer costs in the index.", required=True, low=0),
        _count("clusters", "Source documents, the unit that intervals resample."),
        Column("note", pl.String, "What a reader must know: too few clusters, a small public set."),
        _count("truncated", "Not graded: cut off before an answer."),
        _count("filtered", "Not graded: withheld by the provider."),
        _count("failed", "Not graded: the call failed."),
        _count("ungraded", "Answered, but without a grade."),
        _count("unreadable", "Graded incorrect because no option could be read."),
        Column("index_worst", pl.Float64, "Index if every truncated and filtered row were incorrect."),
        Column("index_best", pl.Float64, "Index if every truncated and filtered row were correct."),
        Column("cost_usd", pl.Float64, "The model's own cost; null when a price is unknown.", low=0),
        Column("judge_cost_usd", pl.Float64, "The judge's cost; null when a price is unknown.", low=0),
        Column("incomplete", pl.Boolean, "Coverage under 100 %.", required=True),
    ),
    unique=("bank", "level", "key", "model", "method", "judge"),
)

SCORE_HISTORY = Contract(
    "score_history",
    "Every published score; it only grows.",
    (
        Column("sweep_id", pl.String, "Sweep that published it.", required=True),
        Column("published_at", TIMESTAMP, "When it was published.", required=True),
        *SCORES.columns,
    ),
    unique=("sweep_id", "bank", "level", "key", "model", "method", "judge"),
)

LEADERBOARD = Contract(
    "leaderboard",
    "One row a bank, grading method and model, ordered by index.",
    (
        Column("bank", pl.String, "Bank.", required=True),
        Column("method", pl.String, "Who graded.", required=True),
        Column("judge", pl.String, "The judge model where one graded."),
        Column("rank", pl.Int64, "Rank by index; models whose index is equal share it.", required=True, low=1),
        Column("rank_best", pl.Int64, "1 + the models told apart from it that are better.", low=1),
        Column("rank_worst", pl.Int64, "All models but those told apart from it that are worse.", low=1),
        Column("better", pl.List(pl.String), "The models told apart from it that are better."),
        Column("retired", pl.Boolean, "No longer registered; such models are ranked among themselves."),
        Column("answered", pl.String, "What a retired model answered: how many items, until when."),
        *[column for column in SCORES.columns if column.name not in ("bank", "level", "key", "method", "judge")],
    ),
    unique=("bank", "method", "judge", "model"),
)

PUBLIC_SCORES = Contract(
    "public_scores",
    "The public part of a bank's items against all of them, one row a bank, grading method and model.",
    (
        Column("bank", pl.String, "Bank.", required=True),
        Column("method", pl.String, "Who graded.", required=True),
        Column("judge", pl.String, "The judge model where one graded."),
        Column("model", pl.String, "Model or baseline.", required=True),
        _count("items_public", "Active items that are public."),
        _count("items_all", "Active items."),
        *_estimate("index_public", "Index on the public items.", -1e9, 100),
        *_estimate("index_all", "Index on all items.", -1e9, 100),
        *_estimate("accuracy_public", "Accuracy on the public items.", 0, 1),
        *_estimate("accuracy_all", "Accuracy on all items.", 0, 1),
        *_estimate("hallucination_rate_public", "Hallucination rate on the public items.", 0, 1),
        *_estimate("hallucination_rate_all", "Hallucination rate on all items.", 0, 1),
        Column("index_difference", pl.Float64, "index_public - index_all.", required=True),
        Column("index_covered", pl.Boolean, "Whether the public interval covers index_all; null without interval."),
        Column("rank_public", pl.Int64, "Rank by index_public among these rows.", required=True, low=1),
        Column("rank_all", pl.Int64, "Rank by index_all among these rows.", required=True, low=1),
    ),
    unique=("bank", "method", "judge", "model"),
)

CALLS = Contract(
    "calls",
    "Every paid call, from the ledger.",
    (
        Column("call_id", pl.String, "Identity: hash of all that changes the answer.", required=True),
        Column("role", pl.String, "What it was for.", required=True),
        Column("model", pl.String, "Model asked.", required=True),
        Column("state", pl.String, "State.", required=True, values=tuple(CallState)),
        Column("attempts", pl.Int64, "Requests sent.", required=True, low=0),
        Column("error", pl.String, "The last failure."),
        Column("input_tokens", pl.Int64, "Prompt tokens as billed."),
        Column("output_tokens", pl.Int64, "Completion tokens as billed."),
        Column("reasoning_tokens", pl.Int64, "Reasoning tokens among them."),
        Column("cost_usd", pl.Float64, "Dollars; null when the price is unknown."),
        Column("latency_s", pl.Float64, "Seconds from sending to the whole answer."),
        Column("created_at", TIMESTAMP, "When it was first reserved.", required=True),
        Column("completed_at", TIMESTAMP, "When its answer was committed."),
    ),
    unique=("call_id",),
)

CONTRACTS: dict[str, Contract] = {
    contract.table: contract
    for contract in (
        *BANK_CONTRACTS,
        ITEMS,
        RESPONSES,
        GRADES,
        PARTITIONS,
        SWEEPS,
        SCORES,
        SCORE_HISTORY,
        LEADERBOARD,
        PUBLIC_SCORES,
        *DRIFT_CONTRACTS,
        OPEN_PARTITIONS,
        CALLS,
    )
}
