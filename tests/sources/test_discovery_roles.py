"""Who plans and who searches: a role that nobody can play ends a discovery before anything is bought."""

import pytest

from tests.sources.discovered import KEY, Scene


@pytest.mark.parametrize("role", ["planner", "search"])
def test_a_role_that_nobody_plays_is_told_with_its_file(scene: Scene, role: str) -> None:
    del scene.workshop.bank["roles"][role]
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 2
    assert (
        f"role {role}: bank.yaml names none; add it under roles: in {scene.workshop.folder}/bank.yaml" in result.output
    )


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("tavily", "TAVILY_API_KEY"), ("exa_ai", "EXA_API_KEY"), ("perplexity", "PERPLEXITYAI_API_KEY")],
)
def test_a_missing_key_is_told_by_the_name_that_litellm_gives_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, provider: str, variable: str
) -> None:
    monkeypatch.delenv(variable, raising=False)
    scene.workshop.bank["roles"]["search"] = f"search/{provider}"
    scene.workshop.write()

    result = scene.run("--dry-run")

    assert result.exit_code == 2
    assert f"role search search/{provider}: needs {variable}, which is not set" in result.output


def test_a_provider_named_in_the_bank_alone_is_asked_with_its_usual_key(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("TAVILY_API_BASE", scene.workshop.server.origin)
    scene.workshop.bank["roles"]["search"] = "search/tavily"
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 0, result.output
    assert {request.headers["authorization"] for request in scene.searches()} == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("roles", "fault"),
    [
        ({"search": "planner"}, "search planner: is no search provider; write search/tavily"),
        ({"planner": "finder"}, "planner finder: searches instead of answering; name a model that answers"),
        ({"search": "tavily"}, "roles.search 'tavily' is no id of models.yaml and no litellm model string"),
    ],
)
def test_a_role_in_the_wrong_hands_is_refused(scene: Scene, roles: dict[str, str], fault: str) -> None:
    scene.workshop.bank["roles"] |= roles
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 2
    assert fault in result.output
    assert scene.requests == 0


def test_a_provider_that_litellm_does_not_know_is_told_before_the_plan_is_bought(scene: Scene) -> None:
    scene.workshop.models[1]["model"] = "search/nobody"
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 2
    assert "litellm knows no search provider 'nobody'; take one of" in result.output
    assert scene.requests == 0


def test_a_private_bank_tells_its_topics_only_to_its_providers(scene: Scene) -> None:
    scene.workshop.bank |= {"private": True, "providers": ["hosted_vllm"]}
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 2
    assert "does not admit tavily; add it to providers:" in result.output
    scene.workshop.bank["providers"].append("tavily")
    scene.workshop.write()
    assert scene.run().exit_code == 0


def test_a_domain_without_hosts_is_refused(scene: Scene) -> None:
    del scene.workshop.domain["hosts"]
    scene.workshop.write()

    result = scene.run()

    assert result.exit_code == 2
    assert f"domain land.ports names no hosts; say under hosts: in {scene.domain_file}" in result.output
    assert scene.requests == 0


def test_builds_do_not_wait_for_planner_and_search(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FINDER_KEY")
    _, _, cast = scene.workshop.parts(scene.workshop.open())

    assert cast.why_vacant("search") == "search finder: needs FINDER_KEY, which is not set"
    assert {vacancy.role for vacancy in cast.vacancies} == {"generator", "verifier", "panel"}
    assert cast.specs == []
