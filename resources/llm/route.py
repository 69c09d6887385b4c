"""The way to the models: litellm set up once, endpoints, keys at call time, the embedded server."""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from resources.llm.calls import Call
from resources.llm.prices import PriceTable, listed
from resources.registries import ModelSpec


class Route:
    """Sends calls; knows nothing of reservations or retries.

    Args:
        specs: every model that may be asked.
        prices: used to tell litellm each price, which halves its own cost calculation.
        local_state: folder of the embedded server's state.
    """

    def __init__(self, specs: Iterable[ModelSpec], prices: PriceTable, local_state: Path) -> None:
        self._specs = list(specs)
        self._prices = prices
        self._local_state = local_state
        self._local: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._litellm: Any = None

    @staticmethod
    def secrets(specs: Iterable[ModelSpec]) -> list[str]:
        """The values of the environment variables that hold the models' secrets."""
        names = {name for spec in specs for name in spec.secret_names}
        return [value for name in names if (value := os.environ.get(name))]

    async def open(self) -> None:
        """Imports and configures litellm, and starts the embedded server where it is needed."""
        self._litellm = configured_litellm()
        self._register_prices()
        for spec in self._specs:
            if spec.local:
                await self._start(spec.local)

    def close(self) -> None:
        if self._local:
            from resources.local_model import release_server

            release_server(self._local_state)

    async def send(self, call: Call) -> Any:
        """litellm's ModelResponse, or whatever it raises."""
        spec = call.spec
        arguments: dict[str, Any] = {name: _resolved(value) for name, value in spec.extra.items()}
        arguments |= call.params
        if "seed" in call.params:
            arguments["allowed_openai_params"] = ["seed"]
        if spec.local:
            arguments |= {"api_base": self._local[spec.local], "api_key": "none"}
        elif spec.api_base:
            arguments["api_base"] = spec.api_base
        if spec.api_key_env:
            arguments["api_key"] = os.environ.get(spec.api_key_env)
        elif spec.provider == "hosted_vllm":
            arguments["api_key"] = "none"
        return await self._litellm.acompletion(
            model=spec.model,
            messages=call.messages,
            timeout=spec.timeout,
            max_retries=0,
            num_retries=0,
            **arguments,
        )

    async def reconnect(self, spec: ModelSpec) -> None:
        """After a lost connection: the embedded server may have died; start it again."""
        if spec.local:
            await self._start(spec.local)

    async def _start(self, name: str) -> None:
        from resources.local_model import ensure_server

        async with self._lock:
            server = await asyncio.to_thread(ensure_server, name, self._local_state)
            self._local[name] = server.api_base

    def _register_prices(self) -> None:
        entries: dict[str, dict[str, Any]] = {}
        for spec in self._specs:
            if spec.price is None and listed(spec.model) is not None:
                continue
            price = self._prices.of(spec)
            entry = {
                # Costs are ours to calculate; an entry only keeps litellm from searching for one.
                "input_cost_per_token": (price.input if price else 0.0) / 1e6,
                "output_cost_per_token": (price.output if price else 0.0) / 1e6,
                "litellm_provider": spec.model.split("/", 1)[0],
                "mode": "chat",
            }
            entries[spec.model] = entries[spec.model.split("/", 1)[-1]] = entry
        if entries:
            self._litellm.register_model(entries)


def configured_litellm() -> Any:
    """litellm without its network access at import, its own retries, its prints and its telemetry."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    import logging

    import litellm

    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.num_retries = 0
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def _resolved(value: Any) -> Any:
    """`env:NAME` becomes the variable's value at call time."""
    if isinstance(value, str) and value.startswith("env:"):
        return os.environ.get(value.removeprefix("env:"))
    return value
