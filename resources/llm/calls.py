"""A call: what is sent to a model, and its identity, by which alone an earlier answer is found."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from resources.registries import ModelSpec
from resources.types import Role


class Kind(StrEnum):
    """What is asked of an endpoint: an answer to a message, a vector of a text, the pages that a query finds."""

    CHAT = "chat"
    EMBEDDING = "embedding"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to one model; `request` is the JSON text that the ledger keeps."""

    call_id: str
    role: Role
    spec: ModelSpec
    prompt: str
    params: dict[str, Any]
    request: str
    kind: Kind = Kind.CHAT

    @property
    def messages(self) -> list[dict[str, str]]:
        return [{"role": "user", "content": self.prompt}]


def build_call(role: Role, spec: ModelSpec, endpoint: str | None, prompt: str, *, sample: int, epoch: int) -> Call:
    """The call that asks `spec` this prompt.

    Its identity is the sha256 of the canonical JSON of model string, endpoint, every parameter that
    changes the answer, the rendered messages, sample and epoch: nothing else finds an earlier
    answer, and nothing less.

    Args:
        endpoint: API base, or for the embedded server what stands for its URL.
        prompt: rendered text of the user turn.
        sample: number of the sample; sent as seed where the provider takes one.
        epoch: deliberate asking anew.
    """
    params = call_params(spec, sample)
    request = json.dumps(
        {
            "model": spec.model,
            "api_base": endpoint,
            "params": params,
            # A rotated key or a moved secret is no other call: env: references count by their name.
            "extra": spec.extra,
            "messages": [{"role": "user", "content": prompt}],
            "sample": sample,
            "epoch": epoch,
        },
        sort_keys=True,
        ensure_ascii=False,
        default=str,
    )
    digest = sha256(request.encode("utf-8", "surrogatepass")).hexdigest()
    return Call(digest, role, spec, prompt, params, request)


def build_embedding(spec: ModelSpec, endpoint: str | None, text: str) -> Call:
    """The call that asks an embedding model for the vector of `text`."""
    return _other_call(Kind.EMBEDDING, Role.EMBED, spec, endpoint, text)


def build_search(spec: ModelSpec, endpoint: str | None, query: str, hosts: Sequence[str]) -> Call:
    """The call that asks a search provider (`search/<provider>`) for pages of these hosts."""
    params = {"search_domain_filter": list(hosts)} if hosts else {}
    return _other_call(Kind.SEARCH, Role.SEARCH, spec, endpoint, query, params)


def _other_call(
    kind: Kind, role: Role, spec: ModelSpec, endpoint: str | None, text: str, more: dict[str, Any] | None = None
) -> Call:
    params = dict(spec.params) | (more or {})
    request = json.dumps(
        {
            "kind": kind,
            "model": spec.model,
            "api_base": endpoint,
            "params": params,
            "extra": spec.extra,
            "input": text,
        },
        sort_keys=True,
        ensure_ascii=False,
        default=str,
    )
    digest = sha256(request.encode("utf-8", "surrogatepass")).hexdigest()
    return Call(digest, role, spec, text, params, request, kind)


def call_params(spec: ModelSpec, sample: int) -> dict[str, Any]:
    """The parameters that are sent: the model's own, a stated bound on tokens, the sample's seed."""
    params = dict(spec.params)
    if "max_completion_tokens" not in params:
        params.setdefault("max_tokens", spec.max_tokens)
    if spec.sends_seed:
        params.setdefault("seed", sample)
    return params
