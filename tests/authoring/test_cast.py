"""Who plays which role of a bank, and what is said of a role that nobody can play."""

import pytest

from assets.authoring.cast import Cast
from resources.types import ConfigurationError
from tests.support.catalogue import PANEL
from tests.support.workshop import Workshop


def cast(workshop: Workshop) -> Cast:
    workshop.write()
    return workshop.parts(workshop.open())[2]


def test_every_role_has_its_models_in_the_order_of_the_bank(workshop: Workshop) -> None:
    workshop.bank["roles"]["generator"] = ["gen-two", "gen-one"]

    playing = cast(workshop)

    assert [spec.id for spec in playing.generators] == ["gen-two", "gen-one"]
    assert playing.verifier and playing.verifier.id == "verifier"
    assert tuple(spec.id for spec in playing.panel) == PANEL
    assert playing.judge and playing.judge.id == "judge"
    assert playing.vacancies == ()


def test_a_missing_key_names_the_role_the_model_and_the_variable(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GENERATOR_KEY")

    playing = cast(workshop)

    assert playing.generators == ()
    assert playing.why_vacant("generator") == "generator gen-one: needs GENERATOR_KEY, which is not set"


@pytest.mark.parametrize("role", ["generator", "verifier", "panel"])
def test_a_role_that_the_bank_gives_to_nobody_is_vacant(workshop: Workshop, role: str) -> None:
    del workshop.bank["roles"][role]

    reason = cast(workshop).why_vacant(role)

    assert reason == f"{role}: bank.yaml names none; add it under roles: in {workshop.folder}/bank.yaml"


def test_a_bank_does_without_a_judge(workshop: Workshop) -> None:
    del workshop.bank["roles"]["judge"]

    playing = cast(workshop)

    assert playing.judge is None
    assert playing.vacancies == ()


def test_a_private_bank_admits_only_its_providers(workshop: Workshop) -> None:
    workshop.bank |= {"private": True, "providers": ["hosted_vllm"]}

    playing = cast(workshop)

    assert playing.generators == ()
    assert "does not admit openai" in playing.why_vacant("generator")
    assert playing.verifier is not None


def test_a_generator_of_the_verifiers_lab_is_left_out(workshop: Workshop) -> None:
    workshop.bank["roles"]["generator"] = ["gen-one", "gen-two"]
    workshop.models[2]["developer"] = "Anthropic"

    playing = cast(workshop)

    assert [spec.id for spec in playing.generators] == ["gen-one"]
    assert "gen-two: is made by anthropic and the verifier verifier by anthropic" in playing.why_vacant("generator")


def test_a_model_string_is_a_model_too(workshop: Workshop) -> None:
    workshop.bank["roles"]["verifier"] = "hosted_vllm/some-lab/reader-7b"

    verifier = cast(workshop).verifier

    assert verifier is not None
    assert verifier.model == "hosted_vllm/some-lab/reader-7b"


def test_a_role_that_names_no_model_is_a_fault_of_the_bank(workshop: Workshop) -> None:
    workshop.bank["roles"]["judge"] = "nobody"

    with pytest.raises(ConfigurationError, match=r"roles\.judge 'nobody' is no id of models\.yaml"):
        cast(workshop)


def test_a_model_with_two_roles_is_asked_as_one(workshop: Workshop) -> None:
    workshop.bank["roles"]["judge"] = "verifier"

    assert [spec.id for spec in cast(workshop).specs].count("verifier") == 1
