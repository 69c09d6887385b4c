"""What a provider lists, in three formats, and what is told when it lists nothing that can be read."""

from datetime import date

import pytest

from resources.listings import NotListed, list_models
from resources.registries import DiscoveryRule
from tests.support.catalog import Catalog

NAMES = [f"model-{number}" for number in range(7)]


def rule(provider: str, catalog: Catalog, **more: object) -> DiscoveryRule:
    base = f"{catalog.origin}/openai" if provider == "hosted_vllm" else catalog.origin
    return DiscoveryRule.model_validate({"provider": provider, "api_base": base} | more)


@pytest.mark.parametrize("provider", ["hosted_vllm", "anthropic", "gemini"])
def test_all_pages_of_each_format_are_read(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    with Catalog(NAMES, page=3) as catalog:
        listed = list_models([rule(provider, catalog)])

    assert [each.name for each in listed] == NAMES


def test_the_day_on_which_a_provider_made_a_model_is_known() -> None:
    with Catalog(NAMES) as catalog:
        assert list_models([rule("hosted_vllm", catalog)])[0].created == date(2026, 5, 28)


@pytest.mark.parametrize("provider", ["hosted_vllm", "anthropic", "gemini"])
@pytest.mark.parametrize("context", [32_768, None])
def test_the_length_of_prompt_that_a_provider_states_is_known(
    provider: str, context: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    with Catalog(NAMES, context=context) as catalog:
        assert {each.context for each in list_models([rule(provider, catalog)])} == {context}


def test_a_fixed_list_asks_nobody() -> None:
    with Catalog(NAMES) as catalog:
        listed = list_models([rule("hosted_vllm", catalog, models=["one", "two", "one"])])

        assert ([each.name for each in listed], catalog.asked) == (["one", "two"], [])


def test_the_fixed_lists_of_rules_for_one_source_are_one_list() -> None:
    rules = [DiscoveryRule(provider="acme", models=names) for names in (("one", "two"), ("two", "three"))]

    assert [each.name for each in list_models(rules)] == ["one", "two", "three"]


def test_a_key_goes_into_the_header_and_into_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "s3cret")
    with Catalog(NAMES) as catalog:
        list_models([rule("gemini", catalog)])

        [(path, headers)] = catalog.asked
    assert headers["x-goog-api-key"] == "s3cret"
    assert "s3cret" not in path


def test_ten_thousand_models_are_read() -> None:
    with Catalog([f"m{number}" for number in range(10_000)]) as catalog:
        assert len(list_models([rule("hosted_vllm", catalog)])) == 10_000


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (500, None, "answers with status 500"),
        (401, None, "answers with status 401"),
        (302, b"", "answers with status 302"),
        (200, b"<html>", "answers with what is no JSON"),
        (200, b"[]", "answers with what is no list of models"),
        (200, b'{"data": [{"name": "x"}]}', "answers with what is no list of models"),
        (200, b'{"data": null}', "answers with what is no list of models"),
    ],
)
def test_what_is_no_list_is_told_and_is_no_empty_list(status: int, body: bytes | None, said: str) -> None:
    with Catalog(NAMES, status=status, body=body) as catalog, pytest.raises(NotListed, match=said):
        list_models([rule("hosted_vllm", catalog)])


def test_a_missing_key_and_an_unknown_place_are_told_before_anyone_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(NotListed, match="OPENAI_API_KEY is not set"):
        list_models([DiscoveryRule(provider="openai")])
    with pytest.raises(NotListed, match="add `api_base:` or a fixed list `models:`"):
        list_models([DiscoveryRule(provider="hosted_vllm")])


def test_a_provider_that_nobody_reaches_is_told() -> None:
    with pytest.raises(NotListed, match="does not answer"):
        list_models([DiscoveryRule(provider="hosted_vllm", api_base="http://127.0.0.1:9")])
