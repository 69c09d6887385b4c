"""What a call costs: a stated price before litellm's table, tiers by length, and an unknown price unknown."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from resources.llm import PriceTable, prices
from resources.llm.calls import build_call
from resources.llm.prices import context_of, cost_of
from resources.registries import ModelSpec, Price
from resources.types import Role

TABLE = {
    "gpt-x": {
        "litellm_provider": "openai",
        "input_cost_per_token": 0.25e-6,
        "input_cost_per_token_priority": 0.45e-6,
        "input_cost_per_token_batches": 0.125e-6,
        "output_cost_per_token": 2e-6,
        "output_cost_per_token_priority": 3.6e-6,
        "cache_read_input_token_cost": 0.025e-6,
        "max_input_tokens": 272_000,
    },
    "gemini/long": {
        "litellm_provider": "gemini",
        "input_cost_per_token": 1e-6,
        "input_cost_per_token_above_128k_tokens": 2e-6,
        "input_cost_per_token_above_200k_tokens": 4e-6,
        "output_cost_per_token": 10e-6,
        "output_cost_per_token_above_200k_tokens": 15e-6,
    },
    "dashscope/thinker": {
        "litellm_provider": "dashscope",
        "input_cost_per_token": 1e-6,
        "output_cost_per_token": 1e-6,
        "output_cost_per_reasoning_token": 4e-6,
    },
    "tavily/search": {"litellm_provider": "tavily", "mode": "search", "input_cost_per_query": 0.008},
    "exa_ai/search": {
        "litellm_provider": "exa_ai",
        "mode": "search",
        "tiered_pricing": [
            {"input_cost_per_query": 0.005, "max_results_range": [0, 25]},
            {"input_cost_per_query": 0.025, "max_results_range": [26, 100]},
        ],
    },
    "whisper": {"litellm_provider": "openai", "input_cost_per_second": 1e-4},
}


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    prices._listed_price.cache_clear()
    monkeypatch.setattr(prices, "_litellm_table", lambda: TABLE)


def spec(model: str, **more: Any) -> ModelSpec:
    return ModelSpec.model_validate({"id": "m", "model": model} | more)


def test_a_listed_model_has_its_standard_price_and_not_that_of_another_service_tier() -> None:
    price = PriceTable().of(spec("openai/gpt-x"))

    assert price is not None
    assert (price.input, price.output, price.cached_input) == pytest.approx((0.25, 2.0, 0.025))


def test_a_stated_price_overrides_the_table() -> None:
    assert PriceTable().of(spec("openai/gpt-x", price={"input": 1, "output": 2})) == Price(input=1, output=2)


def test_a_long_prompt_has_the_price_of_its_tier() -> None:
    listed = [PriceTable().of(spec("gemini/long"), tokens) for tokens in (1_000, 130_000, 250_000)]

    assert [price and price.input for price in listed] == pytest.approx([1.0, 2.0, 4.0])
    assert [price and price.output for price in listed] == pytest.approx([10.0, 10.0, 15.0])


def test_thinking_that_is_billed_apart_has_the_dearer_price() -> None:
    price = PriceTable().of(spec("dashscope/thinker"))

    assert price is not None and price.output == pytest.approx(4.0)


@pytest.mark.parametrize("model", ["openai/unheard-of", "openai/whisper", "hosted_vllm/gpt-x", "hosted_vllm/m"])
def test_a_price_that_nobody_states_is_unknown(model: str) -> None:
    assert PriceTable().of(spec(model)) is None
    assert PriceTable().largest_of(spec(model), 100) is None
    assert PriceTable().expected_of(spec(model), 100, 10) is None


def test_the_embedded_model_is_free() -> None:
    assert PriceTable().largest_of(spec("hosted_vllm/small", local="smollm2"), 1_000) == 0


def test_cached_tokens_cost_the_cached_price() -> None:
    price = Price(input=1.0, output=10.0, cached_input=0.1)

    assert cost_of(price, 1_000, 400, 50) == pytest.approx((600 * 1.0 + 400 * 0.1 + 50 * 10.0) / 1e6)


def test_cached_tokens_cost_the_whole_price_where_no_other_is_stated() -> None:
    assert cost_of(Price(input=1.0, output=10.0), 1_000, 400, 0) == pytest.approx(1_000 / 1e6)


def test_no_answer_costs_more_than_was_reserved() -> None:
    prompt = "Wie heißt die Hauptstadt? 東京 🗼"
    model = spec("openai/gpt-x", params={"max_tokens": 100})
    call = build_call(Role.ANSWER, model, None, prompt, sample=0, epoch=0)

    largest = PriceTable().largest(call)

    assert largest is not None
    most_tokens = len(prompt.encode())
    assert largest >= cost_of(Price(input=0.25, output=2.0), most_tokens, 0, 100)


def test_litellms_own_table_is_read_without_importing_it() -> None:
    code = (
        "import sys; from resources.llm import PriceTable; from resources.registries import ModelSpec;"
        "price = PriceTable().of(ModelSpec(id='m', model='openai/gpt-4o-mini'));"
        "print(price.input, 'litellm' in sys.modules)"
    )
    root = Path(__file__).parents[2]

    said = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout

    assert said.split() == ["0.15", "False"]


@pytest.mark.parametrize(
    ("model", "params", "usd"),
    [
        ("search/tavily", {}, 0.008),
        ("search/tavily", {"max_results": 20, "country": "US"}, 0.008),
        ("search/exa_ai", {}, 0.005),
        ("search/exa_ai", {"max_results": 26}, 0.025),
    ],
)
def test_a_search_has_the_price_of_a_query(model: str, params: dict[str, Any], usd: float) -> None:
    assert PriceTable().of(spec(model, params=params)) == Price(input=0, output=0, request=usd)


@pytest.mark.parametrize(
    ("model", "params"),
    [("search/nobody", {}), ("search/tavily", {"search_depth": "advanced"}), ("search/exa_ai", {"max_results": 500})],
)
def test_a_search_in_a_mode_of_its_own_has_no_known_price(model: str, params: dict[str, Any]) -> None:
    assert PriceTable().of(spec(model, params=params)) is None


@pytest.mark.parametrize(
    ("model", "context"),
    [("openai/gpt-x", 272_000), ("hosted_vllm/gpt-x", None), ("gemini/long", None), ("openai/unknown", None)],
)
def test_the_table_says_how_long_a_prompt_a_model_takes(model: str, context: int | None) -> None:
    assert context_of(model) == context
