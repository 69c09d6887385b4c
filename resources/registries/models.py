"""models.yaml: the evaluated models, the baselines and the discovery rules."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal

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
from resources.registries.operation import DailyBudget, Drift, Nightly
from resources.registries.problems import Problem, RegistryFault, read_yaml, validate

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


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Price(_Strict):
    """USD per million tokens, and per request where a provider bills these."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    request: float = Field(default=0, ge=0)


class Retries(_Strict):
    """How often one call is tried, and for how many seconds in all."""

    attempts: PositiveInt = 6
    seconds: PositiveFloat = 120


class ModelSpec(_Strict):
    """One evaluated model; `id` is its partition key."""

    id: Annotated[str, BeforeValidator(_partition_key)]
    model: str
    local: str | None = None
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
    developer: str | None = None
    released: date | None = None
    context: PositiveInt | None = None
    knowledge_cutoff: date | None = None
    open_weights: bool | None = None
    parameters: str | None = None
    external_scores: dict[str, float] = {}

    @model_validator(mode="after")
    def _routable(self) -> "ModelSpec":
        if "/" not in self.model:
            raise ValueError(f"model {self.model!r} names no provider; write provider/name, such as openai/gpt-5-mini")
        if unfit := sorted(name for name in self.params if name in _NOT_PARAMS):
            raise ValueError(f"params.{unfit[0]} {_NOT_PARAMS[unfit[0]]}; remove it")
        if self.id in BASELINES:
            raise ValueError(f"id {self.id!r} is a baseline's name; choose another id")
        return self

    @property
    def provider(self) -> str:
        """The litellm provider, or `local` for the embedded server; who searches, for `search/…`."""
        route, _, name = self.model.partition("/")
        return "local" if self.local else name if route == SEARCH else route

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


class DiscoveryRule(_Strict):
    """Which of a provider's listed models are evaluated without anyone adding them.

    Attributes:
        models: a fixed list in place of what the provider's models endpoint says.
        include, exclude: shell patterns on the listed name.
        at_most_per_day: models that become partitions on one day; the others wait for the next.
        params, banks: as in a model's entry.
    """

    provider: str
    models: tuple[str, ...] | None = None
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    at_most_per_day: PositiveInt = 3
    api_base: str | None = None
    api_key_env: str | None = None
    params: dict[str, Any] = {}
    banks: tuple[str, ...] | None = None

    @property
    def source(self) -> str:
        """What tells this rule from others: the provider, and whose server it is."""
        return f"{self.provider} at {self.api_base}" if self.api_base else self.provider

    @property
    def key_variable(self) -> str | None:
        return self.api_key_env or _usual_key_variable(f"{self.provider}/")

    def matches(self, name: str) -> bool:
        """Whether a listed model is to be evaluated."""
        named = [fnmatchcase(name, pattern) for pattern in self.include]
        return any(named) and not any(fnmatchcase(name, pattern) for pattern in self.exclude)

    def spec_of(self, id: str, name: str, released: date | None, context: int | None) -> "ModelSpec":
        """The listed model as an entry of models.yaml would name it."""
        return ModelSpec(
            id=id,
            model=f"{self.provider}/{name}",
            api_base=self.api_base,
            api_key_env=self.key_variable,
            params=self.params,
            banks=self.banks,
            released=released,
            context=context,
        )


class _File(BaseModel):
    """The outer shape; entries are validated one by one so that a bad one leaves the others in use."""

    model_config = ConfigDict(extra="forbid")
    models: list[dict[str, Any]] = []
    baselines: list[Literal["abstain", "guess"]] = list(BASELINES)
    discovery: list[dict[str, Any]] = []
    budget: DailyBudget | None = None
    nightly: Nightly = Nightly()
    drift: Drift | None = None


@dataclass(frozen=True)
class Models:
    """All that models.yaml holds which is valid, and what is not.

    Attributes:
        readable: whether the file's outer shape is; if it is not, nothing in it is in force, no cap either.
    """

    specs: dict[str, ModelSpec] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()
    discovery: tuple[DiscoveryRule, ...] = ()
    budget: DailyBudget | None = None
    problems: tuple[Problem, ...] = ()
    nightly: Nightly = field(default_factory=Nightly)
    drift: Drift | None = None
    readable: bool = True

    def with_discovered(self, found: Iterable[ModelSpec]) -> "Models":
        """With models that were discovered; what the file names itself is the file's."""
        named = {spec.model for spec in self.specs.values()}
        more = {spec.id: spec for spec in found if spec.id not in self.specs and spec.model not in named}
        return replace(self, specs=self.specs | more)

    @property
    def ids(self) -> list[str]:
        """Every id that is a partition: baselines first, then the models in file order."""
        return [*self.baselines, *self.specs]

    def may_hold(self, id: str) -> bool:
        """Whether a recorded model is registered, or could be: a part of the file that has a fault may be its own."""
        return bool(self.problems) or id in self.ids

    def resolve(self, name: str) -> ModelSpec:
        """A role's model: an id of this file, or a litellm model string taken as it is.

        Raises:
            ValueError: when it is neither.
        """
        if name in self.specs:
            return self.specs[name]
        return ModelSpec(id=name, model=name, api_key_env=_usual_key_variable(name))


def _usual_key_variable(model: str) -> str | None:
    route, _, name = model.partition("/")
    if route == SEARCH:
        return _SEARCH_KEYS.get(name, f"{name.upper()}_API_KEY")
    return None if route == "hosted_vllm" else f"{route.upper()}_API_KEY"


def load_models(file: Path) -> Models:
    """What `file` registers; an unreadable file gives no models and its problems."""
    try:
        outer = validate(_File, read_yaml(file), file)
    except RegistryFault as fault:
        return Models(problems=tuple(fault.problems), readable=False)
    specs: dict[str, ModelSpec] = {}
    discovery: list[DiscoveryRule] = []
    problems: list[Problem] = []
    for number, entry in enumerate(outer.models):
        try:
            spec = validate(ModelSpec, entry, file, f"models.{entry.get('id', number)}")
        except RegistryFault as fault:
            problems += fault.problems
            continue
        if spec.id in specs:
            problems.append(Problem(file, f"models.{spec.id}", "stands twice; give one of them another id"))
            continue
        specs[spec.id] = spec
    for number, entry in enumerate(outer.discovery):
        try:
            discovery.append(validate(DiscoveryRule, entry, file, f"discovery.{number}"))
        except RegistryFault as fault:
            problems += fault.problems
    return Models(
        specs,
        tuple(outer.baselines),
        tuple(discovery),
        outer.budget,
        tuple(problems),
        outer.nightly,
        outer.drift,
    )
