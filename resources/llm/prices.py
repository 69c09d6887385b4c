"""What a call costs: models.yaml first, then litellm's own table. An unknown price is None, never 0.

The same table says how long a prompt a model takes.
"""

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from resources.llm.calls import Call
from resources.registries import ModelSpec, Price

# A token is at least one byte of UTF-8, and a chat template adds some tokens around a message.
_TEMPLATE_TOKENS = 64
_USUAL_RESULTS = 10  # pages that a search brings where nobody says how many


class PriceTable:
    """Prices by model; reads litellm's table without importing litellm, which takes seconds."""

    def of(self, spec: ModelSpec, input_tokens: int = 0) -> Price | None:
        """USD per million tokens for a prompt of so many tokens, or None when nobody states it.

        Long prompts cost more with some providers.
        """
        if spec.price is not None:
            return spec.price
        if spec.local:
            return Price(input=0, output=0)
        if spec.searches:
            return _listed_search_price(spec)
        return _listed_price(spec.model, input_tokens // 1000)

    def largest(self, call: Call) -> float | None:
        """The most that one sending of `call` can cost in dollars; None when the price is unknown."""
        return self.largest_of(call.spec, len(call.prompt.encode("utf-8", "surrogatepass")))

    def largest_of(self, spec: ModelSpec, prompt_bytes: int) -> float | None:
        """The same for a prompt of at most `prompt_bytes` bytes of UTF-8."""
        tokens = prompt_bytes + _TEMPLATE_TOKENS
        price = self.of(spec, tokens)
        return None if price is None else cost_of(price, tokens, 0, spec.max_tokens)

    def expected_of(self, spec: ModelSpec, prompt_bytes: int, output_tokens: float) -> float | None:
        """A forecast in dollars: about four bytes of prompt a token, and so many tokens of answer."""
        price = self.of(spec, prompt_bytes // 4)
        return None if price is None else cost_of(price, prompt_bytes / 4, 0, output_tokens)


def cost_of(price: Price, input_tokens: float, cached_tokens: int, output_tokens: float) -> float:
    """Dollars at a stated price; reasoning tokens are among the output tokens, cached among the input."""
    cached_price = price.input if price.cached_input is None else price.cached_input
    fresh = max(input_tokens - cached_tokens, 0)
    tokens_usd = (fresh * price.input + cached_tokens * cached_price + output_tokens * price.output) / 1e6
    return price.request + tokens_usd


def context_of(model: str) -> int | None:
    """The most tokens that a prompt of the model string may have by litellm's table; None where it says nothing."""
    stated = (_listed(model) or {}).get("max_input_tokens")
    return stated if isinstance(stated, int) and stated > 0 else None


@cache
def _listed_price(model: str, thousand_tokens: int) -> Price | None:
    entry = _listed(model)
    if entry is None or entry.get("input_cost_per_token") is None or entry.get("output_cost_per_token") is None:
        return None
    cached = _tier(entry, "cache_read_input_token_cost", thousand_tokens)
    output = _tier(entry, "output_cost_per_token", thousand_tokens) or 0.0
    return Price(
        input=(_tier(entry, "input_cost_per_token", thousand_tokens) or 0.0) * 1e6,
        # The few models that bill thinking apart bill it dearer; the budget reserves that.
        output=max(output, entry.get("output_cost_per_reasoning_token") or 0.0) * 1e6,
        cached_input=None if cached is None else cached * 1e6,
    )


def _listed_search_price(spec: ModelSpec) -> Price | None:
    """litellm's price of a query; unknown where a parameter may choose another mode, which costs several times that."""
    entry = _litellm_table().get(f"{spec.provider}/search")
    if entry is None or spec.params.keys() - {"max_results", "country"}:
        return None
    usd = entry.get("input_cost_per_query")
    for tier in entry.get("tiered_pricing", ()):
        least, most = tier["max_results_range"]
        if least <= spec.params.get("max_results", _USUAL_RESULTS) <= most:
            usd = tier["input_cost_per_query"]
    return None if usd is None else Price(input=0, output=0, request=usd)


def _tier(entry: dict[str, Any], key: str, thousand_tokens: int) -> float | None:
    """A price for a prompt of that length: the tier of the highest limit that it passes, else the base."""
    limits = [int(found.group(1)) for name in entry if (found := re.fullmatch(rf"{key}_above_(\d+)k_tokens", name))]
    passed = [limit for limit in limits if thousand_tokens >= limit]
    return entry.get(f"{key}_above_{max(passed)}k_tokens" if passed else key)


def _listed(model: str) -> dict[str, Any] | None:
    """litellm's entry for a model string.

    A bare name belongs to one provider; the same name on another one's server has another price.
    """
    table = _litellm_table()
    if entry := table.get(model):
        return entry
    provider, _, name = model.partition("/")
    entry = table.get(name)
    return entry if entry and str(entry.get("litellm_provider")).startswith(provider) else None


@cache
def _litellm_table() -> dict[str, Any]:
    package = find_spec("litellm")
    assert package is not None and package.submodule_search_locations
    file = Path(package.submodule_search_locations[0]) / "model_prices_and_context_window_backup.json"
    return json.loads(file.read_text(encoding="utf-8"))
