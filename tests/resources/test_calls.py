"""A call's identity: whatever changes the answer makes another call, and nothing else does."""

from typing import Any

import pytest

from resources.llm import build_call
from resources.llm.calls import Call
from resources.registries import ModelSpec
from resources.types import Role

BASE: dict[str, Any] = {
    "id": "m",
    "model": "openai/m",
    "api_base": "https://one.example/v1",
    "api_key_env": "M_KEY",
    "params": {"temperature": 0, "max_tokens": 64},
    "extra": {"api_version": "env:M_VERSION"},
}


def called(prompt: str = "Capital of France?", *, sample: int = 0, epoch: int = 0, **changes: Any) -> Call:
    spec = ModelSpec.model_validate(BASE | changes)
    return build_call(Role.ANSWER, spec, spec.api_base, prompt, sample=sample, epoch=epoch)


CHANGES: dict[str, dict[str, Any]] = {
    "model string": {"model": "openai/m-2"},
    "route": {"model": "hosted_vllm/m"},
    "API base": {"api_base": "https://two.example/v1"},
    "no API base": {"api_base": None},
    "temperature": {"params": {"temperature": 1, "max_tokens": 64}},
    "no temperature": {"params": {"max_tokens": 64}},
    "max_tokens": {"params": {"temperature": 0, "max_tokens": 65}},
    "reasoning effort": {"params": {"temperature": 0, "max_tokens": 64, "reasoning_effort": "high"}},
    "seed": {"params": {"temperature": 0, "max_tokens": 64, "seed": 7}},
    "no seed sent": {"seed": False},
    "further arguments": {"extra": {"api_version": "env:OTHER"}},
    "prompt": {"prompt": "Capital of Italy?"},
    "white space in the prompt": {"prompt": "Capital of France? "},
    "sample": {"sample": 1},
    "epoch": {"epoch": 1},
}


@pytest.mark.parametrize("case", CHANGES)
def test_what_changes_the_answer_is_another_call(case: str) -> None:
    assert called(**CHANGES[case]).call_id != called().call_id


def test_no_two_changes_make_the_same_call() -> None:
    ids = [called(**change).call_id for change in CHANGES.values()]

    assert len(set(ids)) == len(ids)


SAME: dict[str, dict[str, Any]] = {
    "nothing": {},
    "concurrency": {"concurrency": 3},
    "retries": {"retries": {"attempts": 1, "seconds": 1}},
    "timeout": {"timeout": 7},
    "price": {"price": {"input": 1, "output": 2}},
    "partition key": {"id": "renamed"},
    "banks": {"banks": ["omniscience"]},
    "description": {"developer": "Someone", "parameters": "8B", "open_weights": True},
    "order of parameters": {"params": {"max_tokens": 64, "temperature": 0}},
}


@pytest.mark.parametrize("case", SAME)
def test_what_leaves_the_answer_alone_is_the_same_call(case: str) -> None:
    assert called(**SAME[case]).call_id == called().call_id


def test_a_rotated_key_is_the_same_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("M_KEY", "sk-one-0123456789")
    before = called()
    monkeypatch.setenv("M_KEY", "sk-two-0123456789")

    assert called().call_id == before.call_id
    assert "sk-" not in before.request


def test_an_answer_and_a_verdict_with_one_prompt_are_one_call() -> None:
    spec = ModelSpec.model_validate(BASE)
    answer, verdict = (build_call(role, spec, None, "x", sample=0, epoch=0) for role in (Role.ANSWER, Role.JUDGE))

    assert answer.call_id == verdict.call_id


def test_the_sample_is_the_seed_where_the_provider_takes_one() -> None:
    assert called(sample=2).params["seed"] == 2
    assert "seed" not in called(sample=2, model="anthropic/m").params
    assert called(sample=2, params={"seed": 7}).params["seed"] == 7


def test_a_model_without_a_bound_on_tokens_gets_the_stated_one() -> None:
    assert called(params={}).params["max_tokens"] == 4096
    assert "max_tokens" not in called(params={"max_completion_tokens": 100}).params
