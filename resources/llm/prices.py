"""What a call costs: models.yaml first, then litellm's own table. An unknown price is None, never 0."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from resources.llm.calls import Call
from resources.registries import ModelSpec, Price

# A token is at least one byte of UTF-8, and a chat template adds some tokens around a message.
_TEMPLATE_TOKENS = 64


class PriceTable:
    """Prices by model; reads litellm's table without importing litellm, which takes seconds."""

    def of(self, spec: ModelSpec) -> Price | None:
        """USD per million tokens, or None when nobody states it."""
        if spec.price is not None:
            return spec.price
        if spec.local:
            return Price(input=0, output=0)
        entry = listed(spec.model)
        if entry is None or entry.get("input_cost_per_token") is None or entry.get("output_cost_per_token") is None:
            return None
        cached = entry.get("cache_read_input_token_cost")
        return Price(
            input=_highest(entry, "input_cost_per_token") * 1e6,
            output=max(_highest(entry, "output_cost_per_token"), _highest(entry, "output_cost_per_reasoning_token"))
            * 1e6,
            cached_input=None if cached is None else cached * 1e6,
        )

    def largest(self, call: Call) -> float | None:
        """The most that one sending of `call` can cost in dollars; None when the price is unknown."""
        return self.largest_of(call.spec, len(call.prompt.encode("utf-8", "surrogatepass")))

    def largest_of(self, spec: ModelSpec, prompt_bytes: int) -> float | None:
        """The same for a prompt of at most `prompt_bytes` bytes of UTF-8."""
        price = self.of(spec)
        if price is None:
            return None
        return ((prompt_bytes + _TEMPLATE_TOKENS) * price.input + spec.max_tokens * price.output) / 1e6

    def expected_of(self, spec: ModelSpec, prompt_bytes: int, output_tokens: float) -> float | None:
        """A forecast in dollars: about four bytes of prompt a token, and so many tokens of answer."""
        price = self.of(spec)
        if price is None:
            return None
        return (prompt_bytes / 4 * price.input + output_tokens * price.output) / 1e6


def cost_of(price: Price, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
    """Dollars at a stated price; reasoning tokens are among the output tokens, cached among the input."""
    cached_price = price.input if price.cached_input is None else price.cached_input
    fresh = max(input_tokens - cached_tokens, 0)
    return (fresh * price.input + cached_tokens * cached_price + output_tokens * price.output) / 1e6


def listed(model: str) -> dict[str, Any] | None:
    """litellm's entry for a model string, under its full name or the name without provider."""
    table = _litellm_table()
    return table.get(model) or table.get(model.split("/", 1)[-1])


def _highest(entry: dict[str, Any], key: str) -> float:
    """The dearest tier of a price, since long prompts cost more with some providers."""
    tiers = [value for name, value in entry.items() if name.startswith(key) and isinstance(value, int | float)]
    return max(tiers, default=0.0)


@cache
def _litellm_table() -> dict[str, Any]:
    package = find_spec("litellm")
    assert package is not None and package.submodule_search_locations
    file = Path(package.submodule_search_locations[0]) / "model_prices_and_context_window_backup.json"
    return json.loads(file.read_text(encoding="utf-8"))
