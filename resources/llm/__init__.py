"""The gateway: the only package that talks to a model, through litellm, with every call in the ledger."""

from resources.llm.asked import Asked, Status, Tally
from resources.llm.calls import Call, build_call, build_embedding, build_search
from resources.llm.gateway import Gateway
from resources.llm.other_replies import vector_of
from resources.llm.prices import PriceTable, context_of, cost_of
from resources.llm.route import search_fault

__all__ = [
    "Asked",
    "Call",
    "Gateway",
    "PriceTable",
    "Status",
    "Tally",
    "build_call",
    "build_embedding",
    "build_search",
    "context_of",
    "cost_of",
    "search_fault",
    "vector_of",
]
