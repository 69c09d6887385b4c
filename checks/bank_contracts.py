"""Contracts of the tables that building a bank makes: sources, cards, verdicts, reviews, balance."""

import polars as pl

from checks.contract import TIMESTAMP, Column, Contract

SOURCE_STATES = ("read", "unreadable", "refused", "failed")
CARD_STATES = ("kept", "refused")
VERDICTS = ("pass", "fail", "rewritten")
DECISIONS = ("accept", "reject", "dispute", "correct")

_DOMAIN = (
    Column("bank", pl.String, "Bank, such as omniscience.", required=True),
    Column("domain", pl.String, "Partition key bank.domain, such as omniscience.law.", required=True),
)
SECTION = pl.Struct({"path": pl.List(pl.String), "text": pl.String})


SOURCES = Contract(
    "sources",
    "The documents of a domain, one row each, with their text or the reason why there is none.",
    (
        *_DOMAIN,
        Column("source_id", pl.String, "Hash of bank, domain and name.", required=True),
        Column("name", pl.String, "The URL, or the path as the bank's folder sees it.", required=True),
        Column("url", pl.String, "Where it was found after redirects; null for a file."),
        Column("host", pl.String, "Host of that address; null for a file."),
        Column("rule", pl.String, "The entry of the domain's hosts that admits it; null for a file."),
        Column("tier", pl.Int64, "Authority, 1 the highest.", required=True, low=1, high=3),
        Column("topics", pl.List(pl.String), "Topics for which it was named; null means all of the domain."),
        Column("status", pl.String, "What became of it.", required=True, values=SOURCE_STATES),
        Column("reason", pl.String, "Why there is no text, or what could not be read, with the remedy."),
        Column("kind", pl.String, "Format: html, pdf, docx, xml, markdown, json, json_lines, text."),
        Column("title", pl.String, "What the document calls itself."),
        Column("language", pl.String, "Language tag that the document declares."),
        Column("published", pl.Date, "When it was published: the first day of what is known."),
        Column("published_precision", pl.String, "How exactly that is known.", values=("day", "month", "year")),
        Column(
            "published_basis",
            pl.String,
            "Who says so.",
            required=True,
            values=("stated", "metadata", "last_modified", "url", "host", "unknown"),
        ),
        Column("published_origin", pl.String, "The field, header or part of the URL that says so."),
        Column("content_hash", pl.String, "Hash of the extracted text and its headings."),
        Column("characters", pl.Int64, "Length of the extracted text.", required=True, low=0),
        Column("sections", pl.List(SECTION), "The text with the headings above it."),
        Column("etag", pl.String, "Validator of the last answer."),
        Column("last_modified", pl.String, "Validator of the last answer."),
        Column("fetched_at", TIMESTAMP, "When it was last asked for.", required=True),
        Column("changed_at", TIMESTAMP, "When its text last changed."),
    ),
    unique=("domain", "source_id"),
)

EVIDENCE_CARDS = Contract(
    "evidence_cards",
    "One to three sentences of a source that state one fact, with what it is about.",
    (
        *_DOMAIN,
        Column(
            "card_id", pl.String, "Hash of source and excerpt; the item drafted from it has the same id.", required=True
        ),
        Column("source_id", pl.String, "Source in whose text the excerpt stands.", required=True),
        Column("source_name", pl.String, "Its URL or path.", required=True),
        Column("topic", pl.String, "Topic of the domain.", required=True),
        Column("excerpt", pl.String, "The sentences, verbatim.", required=True),
        Column("fact", pl.String, "What they state, in words of its own.", required=True),
        Column("about", pl.String, "What the fact is about.", required=True),
        Column("quality", pl.Int64, "How good a question it makes, 5 the best.", required=True, low=1, high=5),
        Column("section", pl.String, "The headings above it."),
        Column("chunk", pl.String, "Hash of the passage that the generator read.", required=True),
        Column("generator", pl.String, "Model that wrote the card.", required=True),
        Column("call_id", pl.String, "Its paid call in the ledger."),
        Column("status", pl.String, "Only kept cards become items.", required=True, values=CARD_STATES),
        Column("reason", pl.String, "Why it was refused."),
        Column("made_at", TIMESTAMP, "When the call was answered."),
    ),
    unique=("domain", "card_id"),
)

VERDICT_ROWS = Contract(
    "verdicts",
    "Every pass that an item went through, in order, with what it decided and why.",
    (
        *_DOMAIN,
        Column("item_id", pl.String, "Item, also a dropped one.", required=True),
        Column("step", pl.Int64, "Place in the item's history, 0 the draft.", required=True, low=0),
        Column("pass", pl.String, "draft, or the pass.", required=True),
        Column("verdict", pl.String, "What it decided.", required=True, values=VERDICTS),
        Column("reason", pl.String, "Why.", required=True),
        Column("question_before", pl.String, "The question as the pass met it; null for a draft."),
        Column("answer_before", pl.String, "The gold as the pass met it."),
        Column("question_after", pl.String, "The question as it left the pass; null where there is none."),
        Column("answer_after", pl.String, "The gold as it left the pass."),
        Column("model", pl.String, "Model that decided; null where a rule did."),
        Column("lab", pl.String, "Who made that model; verifier and generator must differ in it."),
        Column("call_id", pl.String, "The paid call in the ledger; the last one where there were several."),
        Column("cost_usd", pl.Float64, "Cost of its calls; null when a price is unknown.", low=0),
        Column("decided_at", TIMESTAMP, "When.", required=True),
    ),
    unique=("domain", "item_id", "step"),
)

REVIEWS = Contract(
    "reviews",
    "What people decided about items; it only grows.",
    (
        *_DOMAIN,
        Column("item_id", pl.String, "Item.", required=True),
        Column("decision", pl.String, "What was decided.", required=True, values=DECISIONS),
        Column("note", pl.String, "Why, in the reviewer's words."),
        Column("reviewer", pl.String, "Who."),
        Column("question_before", pl.String, "The question that was reviewed.", required=True),
        Column("answer_before", pl.String, "The gold that was reviewed.", required=True),
        Column("question_after", pl.String, "The corrected question, where it was corrected."),
        Column("answer_after", pl.String, "The corrected gold, where it was corrected."),
        Column("decided_at", TIMESTAMP, "When.", required=True),
    ),
    unique=("domain", "item_id", "decided_at"),
)

TOPIC_BALANCE = Contract(
    "topic_balance",
    "How many items each topic should have and has, and why some are missing.",
    (
        *_DOMAIN,
        Column("topic", pl.String, "Topic.", required=True),
        Column("target", pl.Int64, "Items that the domain file asks for; null where it asks for none.", low=0),
        Column("active", pl.Int64, "Active items.", required=True, low=0),
        Column("unread", pl.Int64, "Passages that could serve it and that nobody has read.", required=True, low=0),
        Column("cards", pl.Int64, "Cards kept for it.", required=True, low=0),
        Column("drafts", pl.Int64, "Items drafted.", required=True, low=0),
        Column("dropped", pl.Int64, "Drafts that a pass dropped.", required=True, low=0),
        Column("waiting", pl.Int64, "Drafts that a pass could not decide yet.", required=True, low=0),
        Column("short", pl.Int64, "Items that are missing.", required=True, low=0),
        Column("reason", pl.String, "Why they are missing."),
    ),
    unique=("domain", "topic"),
)

BANK_CONTRACTS = (SOURCES, EVIDENCE_CARDS, VERDICT_ROWS, REVIEWS, TOPIC_BALANCE)
