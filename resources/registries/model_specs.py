"""One model as an entry of models.yaml states it, and what a discovery rule may state of models in the same words."""

import os
from datetime import date
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from resources.keys import key_problem

DEFAULT_MAX_TOKENS = 4096
BASELINES = ("abstain", "guess")
SEARCH = "search"
# The key variables of litellm's search providers that are not called like the provider; None: asked without a key.
_SEARCH_KEYS = {
    "agentcore": None,  # signs with AWS credentials
    "bing_grounding": None,  # takes an Entra token
    "duckduckgo": None,
    "exa_ai": "EXA_API_KEY",
    "fastcrw": "CRW_API_KEY",
    "perplexity": "PERPLEXITYAI_API_KEY",
    "searxng": None,
    "you_com": None,  # has a free tier; litellm sends YOUCOM_API_KEY where it is set
}
_NOT_PARAMS = {
    "n": "would buy several answers to one question of which one is read; `samples:` in bank.yaml asks several times",
    "stream": "has no use here: an answer is recorded whole",
    "messages": "is made from the bank's prompt",
    "model": "stands beside params",
    "timeout": "stands beside params",
    "max_retries": "stands beside params, as `retries: {attempts: …, seconds: …}`",
    "api_key": "may stand in no file; name its variable in api_key_env",
    "api_base": "stands beside params",
}
_TAKES_SEED = frozenset(("azure", "gemini", "groq", "hosted_vllm", "mistral", "openai", "openrouter", "vertex_ai"))


def _partition_key(value: object) -> object:
    if isinstance(value, str) and (problem := key_problem(value)):
        raise ValueError(f"id {value!r} {problem}; choose another id")
    return value


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Price(Strict):
    """USD per million tokens, and per request where a provider bills these."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    request: float = Field(default=0, ge=0)


class Retries(Strict):
    """How often one call is tried, and for how many seconds in all."""

    attempts: PositiveInt = 6
    seconds: PositiveFloat = 120


class Asking(Strict):
    """How models are asked and what they cost."""

    params: dict[str, Any] = {}
    api_key_env: str | None = None
    api_base: str | None = None
    price: Price | None = None
    concurrency: PositiveInt | None = None
    timeout: PositiveFloat = 300
    seed: bool | None = None
    retries: Retries = Retries()
    banks: tuple[str, ...] | None = None
    extra: dict[str, Any] = {}

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        if unfit := sorted(name for name in self.params if name in _NOT_PARAMS):
            raise ValueError(f"params.{unfit[0]} {_NOT_PARAMS[unfit[0]]}; remove it")
        return self


class ModelSpec(Asking):
    """One evaluated model; `id` is its partition key."""

    id: Annotated[str, BeforeValidator(_partition_key)]
    model: str
    local: str | None = None
    developer: str | None = None
    released: date | None = None
    context: PositiveInt | None = None
    knowledge_cutoff: date | None = None
    open_weights: bool | None = None
    parameters: str | None = None
    external_scores: dict[str, float] = {}

    @model_validator(mode="after")
    def _routable(self) -> Self:
        if "/" not in self.model:
            raise ValueError(f"model {self.model!r} names no provider; write provider/name, such as openai/gpt-5-mini")
        if self.id in BASELINES:
            raise ValueError(f"id {self.id!r} is a baseline's name; choose another id")
        return self

    @property
    def provider(self) -> str:
        """The litellm provider, or `local` for the embedded server; who searches, for `search/…`."""
        route, _, name = self.model.partition("/")
        return "local" if self.local else name if route == SEARCH else route

    @property
    def served(self) -> tuple[str, str | None]:
        """Which model on whose server; a slash at the end of `api_base` makes no difference."""
        return self.model, self.api_base.rstrip("/") if self.api_base else None

    @property
    def searches(self) -> bool:
        """Whether it finds pages instead of answering: its model is `search/<provider>`."""
        return self.model.startswith(f"{SEARCH}/")

    @property
    def parallel(self) -> int:
        """Calls in flight at once; the embedded server answers one while the next one waits."""
        return self.concurrency or (2 if self.local else 16)

    @property
    def max_tokens(self) -> int:
        """The stated bound on an answer, which a budget reserves."""
        return int(self.params.get("max_completion_tokens") or self.params.get("max_tokens") or DEFAULT_MAX_TOKENS)

    @property
    def sends_seed(self) -> bool:
        return self.seed if self.seed is not None else self.provider in _TAKES_SEED or bool(self.local)

    @property
    def secret_names(self) -> list[str]:
        """Environment variables whose values are secret."""
        named = [str(v).removeprefix("env:") for v in self.extra.values() if str(v).startswith("env:")]
        return [self.api_key_env, *named] if self.api_key_env else named

    def missing_variable(self) -> str | None:
        """The first environment variable that the model needs and that is not set."""
        return next((name for name in self.secret_names if not os.environ.get(name)), None)

    def asked_by(self, bank: str) -> bool:
        return self.banks is None or bank in self.banks


def usual_key_variable(model: str) -> str | None:
    """The environment variable in which litellm looks for the key of a model string; None: asked without one."""
    route, _, name = model.partition("/")
    if route == SEARCH:
        return _SEARCH_KEYS.get(name, f"{name.upper()}_API_KEY")
    return None if route == "hosted_vllm" else f"{route.upper()}_API_KEY"
