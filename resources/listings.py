"""What models a provider lists: its models endpoint in the OpenAI, Anthropic and Gemini formats, page by page.

litellm's own listing tells a provider that fails from one that lists nothing by a log line, and reads one page.
"""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import httpx

from resources.registries import DiscoveryRule

PATIENCE_S = 25.0  # for all pages of one provider
_MOST_BYTES = 20_000_000
_MOST_PAGES = 60
_BASES = {
    "anthropic": "https://api.anthropic.com",
    "deepseek": "https://api.deepseek.com",
    "gemini": "https://generativelanguage.googleapis.com",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "together_ai": "https://api.together.xyz/v1",
    "xai": "https://api.x.ai/v1",
}


class NotListed(Exception):
    """Why a provider's list is not to be had; its text is for a person and holds no key."""


@dataclass(frozen=True)
class Listed:
    """One model as its provider lists it.

    Attributes:
        created: when the provider says that it was.
        context: the most tokens of a prompt, where the provider states it.
    """

    name: str
    created: date | None = None
    context: int | None = None


def list_models(rules: Sequence[DiscoveryRule], patience_s: float = PATIENCE_S) -> list[Listed]:
    """What the source of these rules lists, or their own fixed lists.

    Raises:
        NotListed: when it does not answer, answers what cannot be read, or may not be asked.
    """
    rule = rules[0]  # rules of one source have one key, and fixed lists all or none
    if rule.models is not None:
        return [Listed(name) for name in dict.fromkeys(name for each in rules for name in each.models or ())]
    variable = rule.key_variable
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        raise NotListed(f"{variable} is not set")
    base = rule.api_base or _BASES.get(rule.provider)
    if not base:
        raise NotListed("where it lists its models is not known; add `api_base:` or a fixed list `models:` to its rule")
    pages = {"anthropic": _anthropic, "gemini": _gemini}.get(rule.provider, _openai)
    try:
        with httpx.Client(timeout=patience_s, follow_redirects=False) as client:
            found = list(pages(_Reader(client, base, patience_s), key or ""))
    except httpx.HTTPError as error:
        raise NotListed(f"does not answer ({type(error).__name__})") from None
    return list({each.name: each for each in found}.values())


class _Reader:
    """Gets pages of one provider within its patience."""

    def __init__(self, client: httpx.Client, base: str, patience_s: float) -> None:
        self._client = client
        self._base = base
        self._until = time.monotonic() + patience_s
        self._pages = 0

    def page(self, path: str, headers: dict[str, str], query: dict[str, str]) -> dict[str, Any]:
        self._pages += 1
        if self._pages > _MOST_PAGES:
            raise NotListed(f"lists more than {_MOST_PAGES} pages")
        content = b""
        with self._client.stream("GET", f"{self._base}{path}", headers=headers, params=query) as response:
            if response.status_code != 200:
                raise NotListed(f"answers with status {response.status_code}")
            for part in response.iter_bytes():
                content += part
                if len(content) > _MOST_BYTES:
                    raise NotListed(f"answers with more than {_MOST_BYTES // 1_000_000} MB")
                if time.monotonic() > self._until:
                    raise NotListed("answers too slowly")
        try:
            page = httpx.Response(200, content=content).json()
        except ValueError:
            raise NotListed("answers with what is no JSON") from None
        if not isinstance(page, dict):
            raise NotListed("answers with what is no list of models")
        return page


def _openai(reader: _Reader, key: str) -> Iterator[Listed]:
    page = reader.page("/models", {"Authorization": f"Bearer {key}"} if key else {}, {})
    for entry in _entries(page, "data"):
        yield Listed(str(entry["id"]), _day(entry.get("created")), _tokens(entry, "context_length", "max_model_len"))


def _anthropic(reader: _Reader, key: str) -> Iterator[Listed]:
    query = {"limit": "1000"}
    while True:
        page = reader.page("/v1/models", {"x-api-key": key, "anthropic-version": "2023-06-01"}, query)
        entries = _entries(page, "data")
        for entry in entries:
            yield Listed(str(entry["id"]), _day(entry.get("created_at")), _tokens(entry, "max_input_tokens"))
        if not page.get("has_more") or not entries:
            return
        query["after_id"] = str(page.get("last_id") or entries[-1]["id"])


def _gemini(reader: _Reader, key: str) -> Iterator[Listed]:
    query = {"pageSize": "1000"}
    while True:
        page = reader.page("/v1beta/models", {"x-goog-api-key": key}, query)
        for entry in _entries(page, "models", "name"):
            yield Listed(str(entry["name"]).removeprefix("models/"), context=_tokens(entry, "inputTokenLimit"))
        if not page.get("nextPageToken"):
            return
        query["pageToken"] = str(page["nextPageToken"])


def _entries(page: dict[str, Any], name: str, id: str = "id") -> list[dict[str, Any]]:
    entries = page.get(name)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and entry.get(id) for entry in entries):
        raise NotListed("answers with what is no list of models")
    return entries


def _tokens(entry: dict[str, Any], *names: str) -> int | None:
    """The first of these fields that states a number of tokens."""
    stated = (entry.get(name) for name in names)
    return next((value for value in stated if type(value) is int and value > 0), None)


def _day(value: object) -> date | None:
    """The day of a moment in seconds or ISO 8601; None for what is neither, or before there were models."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return None
    return moment.date() if moment.year >= 2015 else None
