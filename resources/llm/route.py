"""The way to the models: litellm set up once, endpoints, keys at call time, the embedded server."""

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

from resources.collector import no_collection
from resources.llm.calls import Call, Kind
from resources.redaction import Redactor
from resources.registries import ModelSpec

_KEY_LENGTH = 16


class Route:
    """Sends calls; knows nothing of reservations or retries.

    Args:
        local_state: folder of the embedded server's state.
    """

    def __init__(self, local_state: Path) -> None:
        self._local_state = local_state
        self._local: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._litellm: Any = None

    def open(self) -> None:
        """Imports and configures litellm."""
        self._litellm = configured_litellm()

    async def connect(self, spec: ModelSpec) -> None:
        """Starts the embedded server, or starts it again when it has died; other models need nothing.

        Raises:
            FactsweepError: when the embedded server cannot be started.
        """
        if spec.local:
            from resources.local_model import ensure_server

            async with self._lock:
                server = await asyncio.to_thread(ensure_server, spec.local, self._local_state)
                self._local[spec.local] = server.api_base

    def close(self) -> None:
        if self._local:
            from resources.local_model import release_server

            release_server(self._local_state)

    async def send(self, call: Call) -> Any:
        """litellm's response, or whatever it raises."""
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
        arguments |= {"timeout": spec.timeout, "max_retries": 0, "num_retries": 0}
        with _unlogged():
            match call.kind:
                case Kind.EMBEDDING:
                    return await self._litellm.aembedding(model=spec.model, input=[call.prompt], **arguments)
                case Kind.SEARCH:
                    del arguments["max_retries"], arguments["num_retries"]
                    provider = spec.model.partition("/")[2]
                    return await self._litellm.asearch(query=call.prompt, search_provider=provider, **arguments)
                case _:
                    return await self._litellm.acompletion(model=spec.model, messages=call.messages, **arguments)


def secrets(specs: Iterable[ModelSpec]) -> list[str]:
    """The values of all environment variables that the models use; none may stand in a message."""
    specs = list(specs)
    return [*keys(specs), *_values(name for spec in specs for name in spec.secret_names)]


def keys(specs: Iterable[ModelSpec]) -> list[str]:
    """The values that may not even stand in an answer: keys, those that litellm reads by itself too.

    Of what else a model takes from the environment, a region or an API version may be an answer's
    own word; what is as long as a key is not.
    """
    specs = list(specs)
    named = {spec.api_key_env for spec in specs if spec.api_key_env}
    others = _values(name for spec in specs for name in spec.secret_names)
    found = _values(named | {name for name in os.environ if name.endswith("_API_KEY")})
    return [*found, *(value for value in others if len(value) >= _KEY_LENGTH)]


def _values(names: Iterable[str]) -> list[str]:
    return [value for name in names if (value := os.environ.get(name))]


@cache
def configured_litellm() -> Any:
    """litellm without its network access at import, its own retries, its prints and its bookkeeping."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    import logging
    import warnings

    with no_collection():
        import litellm

    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.num_retries = 0
    # The openai route's embeddings take 0 for "not stated", and would retry without a record.
    litellm.DEFAULT_MAX_RETRIES = 0  # pyright: ignore[reportPrivateImportUsage]
    # Costs are ours to calculate. litellm's take a fifth of a call's CPU, and more for models that it does not list.
    litellm.response_cost_calculator = _no_cost
    # Private names, and only a saving: every call is handed a tokenizer, 40 MB, which few providers ever look at.
    if callable(load := getattr(litellm.main, "_get_encoding", None)):
        litellm.main._get_encoding = partial(_LateEncoding, load)  # pyright: ignore[reportPrivateUsage]
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # On a terminal: pydantic on litellm's own types and on replies of another shape, which it repeats, and requests
    # that were cancelled before they were sent.
    warnings.filterwarnings("ignore", "Items? '.*' on TypedDict class", UserWarning)
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
    warnings.filterwarnings("ignore", "coroutine '.*completion' was never awaited", RuntimeWarning)
    return litellm


def search_fault(spec: ModelSpec) -> str | None:
    """Why litellm cannot send a search, though its key is set: it does not know the provider, or lacks its address."""
    configured_litellm()
    from litellm.types.utils import SearchProviders
    from litellm.utils import ProviderConfigManager

    known = [provider.value for provider in SearchProviders]
    if spec.provider not in known:
        return f"litellm knows no search provider {spec.provider!r}; take one of {', '.join(sorted(known))}"
    config = ProviderConfigManager.get_provider_search_config(SearchProviders(spec.provider))
    arguments: dict[str, Any] = {"api_base": spec.api_base, "api_key": os.environ.get(spec.api_key_env or "")}
    try:
        assert config is not None
        config.validate_environment(headers={}, **arguments)
        config.get_complete_url(optional_params=dict(spec.params), **arguments)
    except Exception as error:  # the clouds' own libraries have classes of their own for a missing login
        return Redactor(keys([spec])).text(str(error))
    return None


class _LateEncoding:
    """A tokenizer that is loaded by the first one who uses it."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)


def _no_cost(**_: object) -> None:
    return None


def _unlogged() -> AbstractContextManager[None]:
    """Within it litellm makes no log entries, which nobody reads here and which take a sixth of a call's CPU."""
    try:
        from litellm._internal_context import internal_sub_call
    except ImportError:  # a private module, and only a saving
        return nullcontext()
    return internal_sub_call()


def _resolved(value: Any) -> Any:
    """`env:NAME` becomes the variable's value at call time."""
    if isinstance(value, str) and value.startswith("env:"):
        return os.environ.get(value.removeprefix("env:"))
    return value
