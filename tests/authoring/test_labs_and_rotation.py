"""Who made a model, and which generator writes what."""

from collections import Counter

import pytest

from assets.authoring.labs import are_apart, lab_of
from assets.authoring.rotation import in_rotation
from resources.registries import ModelSpec


def spec(model: str, **more: str) -> ModelSpec:
    return ModelSpec.model_validate({"id": model, "model": model, **more})


@pytest.mark.parametrize(
    ("model", "lab"),
    [
        ("openai/gpt-5", "openai"),
        ("azure/gpt-5", "openai"),
        ("gemini/gemini-3-pro", "google"),
        ("openrouter/anthropic/claude-opus-4.5", "anthropic"),
        ("hosted_vllm/qwen-3", "alibaba"),
        ("hosted_vllm/our-own-7b", "hosted_vllm/our-own-7b"),
        ("bedrock/anthropic.claude-sonnet-4-5-v1:0", "anthropic"),
        ("bedrock/converse/us.anthropic.claude-opus-4", "anthropic"),
        ("vertex_ai/claude-opus-4", "anthropic"),
        ("vertex_ai/gemini-3-pro", "google"),
        ("azure_ai/gpt-4o", "openai"),
        ("github/gpt-4o", "openai"),
        ("litellm_proxy/o3-mini", "openai"),
        ("fireworks_ai/accounts/fireworks/models/llama-v3p1-8b", "meta"),
        ("groq/mixtral-8x7b", "mistral"),
        ("groq/llama-3.3-70b", "meta"),
        ("openrouter/somebody/some-model", "unknown"),
        ("litellm_proxy/our-model", "unknown"),
    ],
)
def test_the_model_string_tells_the_lab(model: str, lab: str) -> None:
    assert lab_of(spec(model)) == lab


def test_a_stated_developer_goes_before_the_model_string() -> None:
    assert lab_of(spec("hosted_vllm/gpt-oss-20b", developer=" OpenAI ")) == lab_of(spec("openai/gpt-5"))


def test_a_maker_that_nobody_knows_is_nobody_else() -> None:
    assert not are_apart("unknown", "openai")
    assert not are_apart("unknown", "unknown")
    assert are_apart("openai", "anthropic")


GENERATORS = [spec(f"lab{number}/m") for number in range(3)]
KEYS = [f"card-{number}" for number in range(600)]


def test_the_same_key_always_has_the_same_generator() -> None:
    assert [in_rotation(key, GENERATORS) for key in KEYS] == [in_rotation(key, GENERATORS[::-1]) for key in KEYS]


def test_every_generator_writes_about_its_share() -> None:
    shares = Counter(in_rotation(key, GENERATORS).id for key in KEYS)

    assert all(160 <= share <= 240 for share in shares.values())


def test_a_generator_that_joins_takes_its_own_share_and_moves_nothing_else() -> None:
    added = spec("lab9/m")
    before = {key: in_rotation(key, GENERATORS).id for key in KEYS}
    after = {key: in_rotation(key, [*GENERATORS, added]).id for key in KEYS}

    moved = [key for key in KEYS if before[key] != after[key]]
    assert {after[key] for key in moved} == {added.id}
    assert 110 <= len(moved) <= 190


def test_a_generator_that_leaves_moves_what_it_wrote_alone() -> None:
    before = {key: in_rotation(key, GENERATORS).id for key in KEYS}
    after = {key: in_rotation(key, GENERATORS[:2]).id for key in KEYS}

    assert all(before[key] == after[key] for key in KEYS if before[key] != GENERATORS[2].id)
