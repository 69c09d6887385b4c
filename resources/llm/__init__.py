"""The gateway: the only package that talks to a model, through litellm, with every call in the ledger."""

from resources.llm.calls import Call, build_call
from resources.llm.gateway import Asked, Gateway, Status
from resources.llm.prices import PriceTable

__all__ = ["Asked", "Call", "Gateway", "PriceTable", "Status", "build_call"]
