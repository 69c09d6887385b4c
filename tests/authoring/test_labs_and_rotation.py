"""Who made a model, and which generator writes what."""

from collections import Counter

import pytest

from assets.authoring.labs import lab_of
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
        ("hosted_vllm/qwen-3", "hosted_vllm/qwen-3"),
    ],
)
def test_the_model_string_tells_the_lab(model: str, lab: str) -> None:
    assert lab_of(spec(model)) == lab


def test_a_stated_developer_goes_before_the_model_string() -> None:
    assert lab_of(spec("hosted_vllm/gpt-oss-20b", developer=" OpenAI ")) == lab_of(spec("openai/gpt-5"))


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
