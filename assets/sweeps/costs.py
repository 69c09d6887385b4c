"""What calls cost at the present price: a price that is mended or changed changes what is shown, and buys nothing.

What was paid at the time stays in the ledger.
"""

import json
from math import isclose

from resources.ledger import Ledger, StoredCall
from resources.llm import PriceTable, cost_of
from resources.registries import ModelSpec


class Costs:
    """Args:
    ledger: has the replies, which say how many tokens were cached.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._prices = PriceTable()

    def of(self, spec: ModelSpec, stored: StoredCall) -> float | None:
        """Dollars for a call at the price of today; what was recorded where no price or no usage is known."""
        if stored.input_tokens is None or stored.output_tokens is None:
            return stored.cost_usd
        price = self._prices.of(spec, stored.input_tokens)
        if price is None:
            return stored.cost_usd
        plain = cost_of(price, stored.input_tokens, 0, stored.output_tokens)
        if stored.cost_usd is not None and isclose(plain, stored.cost_usd, rel_tol=1e-9, abs_tol=1e-15):
            return stored.cost_usd
        return cost_of(price, stored.input_tokens, self._cached_tokens(stored.call_id), stored.output_tokens)

    def _cached_tokens(self, call_id: str) -> int:
        exchange = self._ledger.exchange(call_id)
        try:
            usage = json.loads((exchange and exchange[1]) or "{}").get("usage") or {}
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
        except (ValueError, AttributeError):
            return 0
        return cached if isinstance(cached, int) else 0
